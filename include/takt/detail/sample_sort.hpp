// Sample sort for small trivially copyable elements: one pass does what eight rounds of merging would.
#pragma once

#include <takt/algorithms/random.hpp>
#include <takt/detail/distribute.hpp>
#include <takt/detail/merge_sort.hpp>

namespace TAKT_NAMESPACE::detail {

/// 127 splitters make 128 buckets of what lies between them and 127 of what equals one: few distinct keys are sorted
/// by the distribution alone. (Sanders and Winkel, Super scalar sample sort, ESA 2004.)
template <class T, class Order>
class sample_classifier {
 public:
  static constexpr std::uint64_t k_levels = 7;
  static constexpr std::uint64_t k_splitters = (std::uint64_t{1} << k_levels) - 1;

  sample_classifier(const T* keys, std::uint64_t count, const Order& order) : order_(order) {
    constexpr std::uint64_t k_share = 8;
    constexpr std::uint64_t k_samples = k_share * (k_splitters + 1);
    alignas(T) std::byte room[2 * k_samples * sizeof(T)];
    T* const samples = reinterpret_cast<T*>(room);
    const random_stream random(count);
    for (std::uint64_t s = 0; s < k_samples; ++s) samples[s] = keys[random.below(s, count)];
    merge_sorter<T, Order>(samples, samples + k_samples, order).sort(0, k_samples, false);
    std::uint64_t distinct = 0;
    for (std::uint64_t s = 0; s < k_splitters; ++s) {
      const T& next = samples[(s + 1) * k_share];
      if (distinct == 0 || order_(sorted()[distinct - 1], next)) sorted()[distinct++] = next;
    }
    // The last one again and again: nothing falls between equal splitters.
    for (std::uint64_t s = distinct; s < k_splitters; ++s) sorted()[s] = sorted()[distinct - 1];
    fill_tree(1, 0, k_splitters);
  }

  /// Bucket 2 b holds what is between splitters b - 1 and b, bucket 2 b + 1 what equals splitter b.
  void operator()(const T* from, std::uint64_t count, std::uint8_t* ids) const {
    Order order = order_;
    const T* const tree = this->tree();
    const T* const splitters = sorted();
    constexpr std::uint64_t k_side_by_side = 8;
    std::uint64_t k = 0;
    for (; k + k_side_by_side <= count; k += k_side_by_side) {
      std::uint64_t node[k_side_by_side];
#pragma GCC unroll 8
      for (std::uint64_t i = 0; i < k_side_by_side; ++i) node[i] = 1;
#pragma GCC unroll 1
      for (std::uint64_t level = 0; level < k_levels; ++level) {
#pragma GCC unroll 8
        for (std::uint64_t i = 0; i < k_side_by_side; ++i) {
          node[i] = 2 * node[i] + (order(tree[node[i]], from[k + i]) ? 1 : 0);
        }
      }
#pragma GCC unroll 8
      for (std::uint64_t i = 0; i < k_side_by_side; ++i) ids[k + i] = bucket(node[i], from[k + i], splitters, order);
    }
    for (; k < count; ++k) {
      std::uint64_t node = 1;
      for (std::uint64_t level = 0; level < k_levels; ++level) node = 2 * node + (order(tree[node], from[k]) ? 1 : 0);
      ids[k] = bucket(node, from[k], splitters, order);
    }
  }

 private:
  TAKT_INLINE static std::uint8_t bucket(std::uint64_t node, const T& key, const T* splitters, Order& order) {
    const std::uint64_t b = node - (k_splitters + 1);
    // Behind the last splitter there is none to equal.
    return static_cast<std::uint8_t>(2 * b + (b < k_splitters && !order(key, splitters[b]) ? 1 : 0));
  }
  void fill_tree(std::uint64_t node, std::uint64_t begin, std::uint64_t end) {
    if (begin >= end) return;
    const std::uint64_t middle = begin + (end - begin) / 2;
    tree()[node] = sorted()[middle];
    fill_tree(2 * node, begin, middle);
    fill_tree(2 * node + 1, middle + 1, end);
  }
  T* sorted() { return reinterpret_cast<T*>(sorted_); }
  const T* sorted() const { return reinterpret_cast<const T*>(sorted_); }
  T* tree() { return reinterpret_cast<T*>(tree_); }
  const T* tree() const { return reinterpret_cast<const T*>(tree_); }

  Order order_;
  // T need not have a default constructor.
  alignas(T) std::byte sorted_[(k_splitters + 1) * sizeof(T)];
  alignas(T) std::byte tree_[(k_splitters + 1) * sizeof(T)];
};

/// Sorts `count` elements of `keys` to `other` or in place. `rounds`: distributions before merging takes over.
template <class T, class Order>
void sample_sort(T* keys, T* other, std::uint64_t count, bool to_other, const Order& order, int rounds = 3) {
  // Below, the buckets' counters and the sample would cost more than the rounds of merging that they save.
  constexpr std::uint64_t k_least = std::uint64_t{1} << 14;
  if (count < k_least || rounds == 0) {
    merge_sorter<T, Order>(keys, other, order).sort(0, count, to_other);
    return;
  }
  const sample_classifier<T, Order> classify(keys, count, order);
  const bucket_bounds bounds = detail::distribute(keys, count, other, classify);
  detail::for_count(k_buckets, [&](std::uint64_t b) {
    const std::uint64_t begin = bounds[b];
    const std::uint64_t size = bounds[b + 1] - begin;
    if (size == 0) return;
    if (b % 2 == 0) {
      detail::sample_sort(other + begin, keys + begin, size, !to_other, order, rounds - 1);
    } else if (!to_other) {
      detail::copy_elements(other + begin, keys + begin, size);
    }
  });
}

}  // namespace TAKT_NAMESPACE::detail
