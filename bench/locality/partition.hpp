// A stable partition into a second array, in parallel: what quicksort, the k-d tree and the decision tree do before
// they recur.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "locality/parallel.hpp"

namespace takt::bench {

// The leaf kernel: so many elements are counted, or moved, at a time.
inline constexpr std::size_t k_partition_block = 1024;

// Elements of from[0, count) for which is_left holds, in their order, and then the others, to to[0, count).
// @returns how many are left.
template <class T, class IsLeft>
std::size_t partition(const T* from, T* to, std::size_t count, par::affinity& same, const IsLeft& is_left) {
  const std::size_t blocks = (count + k_partition_block - 1) / k_partition_block;
  const auto end_of = [count](std::size_t block) { return std::min((block + 1) * k_partition_block, count); };
  // Of each block, how many are left; then, where its own begin.
  std::vector<std::size_t> left(blocks);
  par::loop(blocks, count * sizeof(T), same, [&](std::size_t block) {
    const std::size_t begin = block * k_partition_block;
    const std::size_t end = end_of(block);
    par::touch(from + begin, (end - begin) * sizeof(T));
    left[block] = static_cast<std::size_t>(std::count_if(from + begin, from + end, is_left));
  });
  std::size_t all = 0;
  for (std::size_t& here : left) {
    const std::size_t before = all;
    all += here;
    here = before;
  }
  par::loop(blocks, 2 * count * sizeof(T), same, [&](std::size_t block) {
    const std::size_t begin = block * k_partition_block;
    const std::size_t end = end_of(block);
    T* const to_left = to + left[block];
    T* const to_right = to + all + (begin - left[block]);
    T* next_left = to_left;
    T* next_right = to_right;
    for (std::size_t i = begin; i < end; ++i) {
      *(is_left(from[i]) ? next_left++ : next_right++) = from[i];
    }
    par::touch(from + begin, (end - begin) * sizeof(T));
    par::touch(to_left, static_cast<std::size_t>(next_left - to_left) * sizeof(T));
    par::touch(to_right, static_cast<std::size_t>(next_right - to_right) * sizeof(T));
  });
  return all;
}

}  // namespace takt::bench
