// ParlayLib's scheduler functions on takt, to compile its programs with: compile with
//   -DPARLAY_SEQUENTIAL -include parlay_on_takt.hpp
// ParlayLib then asks for its sequential scheduler, and finds that already there.
#pragma once

#define PARLAY_INTERNAL_SCHEDULER_PLUGINS_SEQUENTIAL_H_

#include <parlay/parallel.h>
#include <takt/takt.hpp>

#include <cstddef>
#include <utility>

namespace parlay {

inline std::size_t num_workers() { return takt::current_config().workers; }
// Good enough to compile with: takt's tasks change threads.
inline std::size_t worker_id() { return 0; }

template <typename F>
inline void parallel_for(std::size_t start, std::size_t end, F&& f, long, bool) {
  takt::parallel_for(start, end, f);
}

template <typename Lf, typename Rf>
inline void par_do(Lf&& left, Rf&& right, bool) {
  takt::parallel_invoke(std::forward<Lf>(left), std::forward<Rf>(right));
}

}  // namespace parlay
