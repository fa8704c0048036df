// Stable distribution to 256 buckets: what radix sort and sample sort do.
#pragma once

#include <takt/detail/buffer.hpp>

#include <array>

namespace TAKT_NAMESPACE::detail {

inline constexpr std::uint64_t k_buckets = 256;
/// Elements that are counted together: their 256 counters are small beside them.
inline constexpr std::uint64_t k_distribute_block = std::uint64_t{1} << 15;

using bucket_bounds = std::array<std::uint64_t, k_buckets + 1>;

/// Copies `count` trivially copyable elements, ordered by bucket; within a bucket they keep their order.
/// `classify(from, n, ids)` writes the buckets of n elements, at most k_distribute_block of them.
/// @returns where each bucket begins in `to`, and the end of the last one.
/// Cost: work O(n), span O(k_distribute_block + log n + n / k_distribute_block), n bytes and 1/32 counter per element.
template <class T, class Classify>
bucket_bounds distribute(const T* from, std::uint64_t count, T* to, const Classify& classify) {
  const std::uint64_t blocks = (count + k_distribute_block - 1) / k_distribute_block;
  const raw_memory<std::uint8_t> ids(count);
  // One row for each bucket, so that their running sum is the order of the output.
  const raw_memory<std::uint64_t> counts(blocks * k_buckets);
  std::uint64_t* const places = counts.data();
  const auto block_size = [count](std::uint64_t block) {
    const std::uint64_t left = count - block * k_distribute_block;
    return left < k_distribute_block ? left : k_distribute_block;
  };
  detail::for_count(blocks, [&](std::uint64_t block) {
    const std::uint64_t size = block_size(block);
    std::uint8_t* const own_ids = ids.data() + block * k_distribute_block;
    classify(from + block * k_distribute_block, size, own_ids);
    std::uint32_t counters[k_buckets] = {};
    for (std::uint64_t k = 0; k < size; ++k) ++counters[own_ids[k]];
    for (std::uint64_t b = 0; b < k_buckets; ++b) places[b * blocks + block] = counters[b];
  });
  bucket_bounds bounds;
  std::uint64_t total = 0;
  for (std::uint64_t b = 0; b < k_buckets; ++b) {
    bounds[b] = total;
    for (std::uint64_t block = 0; block < blocks; ++block) {
      const std::uint64_t size = places[b * blocks + block];
      places[b * blocks + block] = total;
      total += size;
    }
  }
  bounds[k_buckets] = total;
  detail::for_count(blocks, [&](std::uint64_t block) {
    const std::uint64_t size = block_size(block);
    const std::uint8_t* const own_ids = ids.data() + block * k_distribute_block;
    const T* const own_from = from + block * k_distribute_block;
    std::uint64_t next[k_buckets];
    for (std::uint64_t b = 0; b < k_buckets; ++b) next[b] = places[b * blocks + block];
    for (std::uint64_t k = 0; k < size; ++k) to[next[own_ids[k]]++] = own_from[k];
  });
  return bounds;
}

}  // namespace TAKT_NAMESPACE::detail
