// ParlayLib on takt: include this before ParlayLib's headers, or compile with -include.
//
// It stands in the place of ParlayLib's sequential scheduler. Granularities are not needed, and not used.
#pragma once

#include "thread_number.hpp"

#include <takt/takt.hpp>

#include <cstddef>
#include <exception>
#include <utility>

#ifdef PARLAY_PARALLEL_H_
#error "doors/parlay.hpp comes before ParlayLib's own headers"
#endif
#ifndef PARLAY_SEQUENTIAL
#define PARLAY_SEQUENTIAL
#endif
#define PARLAY_INTERNAL_SCHEDULER_PLUGINS_SEQUENTIAL_H_
#include <parlay/parallel.h>

namespace parlay {

inline size_t num_workers() {
  static const size_t count = takt::current_config().workers;
  return count;
}
/// Of one thread of the program and takt's own: another thread would have no element of a WorkerSpecific.
inline size_t worker_id() {
  const auto number = static_cast<size_t>(takt::doors::thread_number::here());
  if (number >= num_workers()) std::terminate();
  return number;
}

template <typename F>
inline void parallel_for(size_t start, size_t end, F&& f, long, bool) {
  takt::parallel_for(start, end, f);
}
template <typename Lf, typename Rf>
inline void par_do(Lf&& left, Rf&& right, bool) {
  takt::parallel_invoke(std::forward<Lf>(left), std::forward<Rf>(right));
}
template <typename... Fs>
void execute_with_scheduler(Fs...) {
  static_assert(sizeof...(Fs) == ~std::size_t{0}, "parlay::execute_with_scheduler makes schedulers of ParlayLib's own");
}

}  // namespace parlay
