#pragma once

#include "takt_door.h"

#include <takt/algorithms/sort.hpp>

#include <iterator>

namespace tbb {
inline namespace on_takt {

template <std::random_access_iterator It, class Compare = std::less<std::iter_value_t<It>>>
void parallel_sort(It first, It last, const Compare& compare = {}) {
  door::run([&] { takt::sort(first, last, std::ref(compare)); });
}
template <class Range, class Compare = std::less<>>
  requires(!std::random_access_iterator<std::remove_cvref_t<Range>>)
void parallel_sort(Range&& range, const Compare& compare = {}) {
  tbb::parallel_sort(std::begin(range), std::end(range), compare);
}

}  // namespace on_takt
}  // namespace tbb
