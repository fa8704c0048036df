#include <omp.h>

#include "filter/config.hpp"

namespace takt::bench {
namespace {

// Two passes: each thread counts in its part, then copies.
void filter(const filter_problem::input& in, filter_problem::answer& out) {
  const std::size_t count = in.size();
  std::vector<std::size_t> places(static_cast<std::size_t>(omp_get_max_threads()) + 1);
#pragma omp parallel
  {
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const auto mine = static_cast<std::size_t>(omp_get_thread_num());
    const std::size_t begin = count * mine / threads;
    const std::size_t end = count * (mine + 1) / threads;
    std::size_t wanted = 0;
    for (std::size_t k = begin; k < end; ++k) {
      wanted += filter_problem::is_wanted(in[k]) ? 1 : 0;
    }
    places[mine + 1] = wanted;
#pragma omp barrier
#pragma omp single
    for (std::size_t t = 0; t < threads; ++t) {
      places[t + 1] += places[t];
    }
    std::size_t place = places[mine];
    for (std::size_t k = begin; k < end; ++k) {
      if (filter_problem::is_wanted(in[k])) {
        out.kept[place++] = in[k];
      }
    }
  }
  out.count = places.back();
}

const enrol<filter_problem> threads("omp", filter);

}  // namespace
}  // namespace takt::bench
