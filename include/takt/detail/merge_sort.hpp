// Merge sort, for any elements whose moves do not throw.
#pragma once

#include <takt/detail/merge.hpp>

namespace TAKT_NAMESPACE::detail {

/// Merge sort between two arrays; the levels of the recursion take turns, so that nothing is copied back.
template <class T, class Order>
class merge_sorter {
 public:
  /// Trivially copyable elements start in `keys`, and `other` is raw memory; others have been moved to `other`.
  merge_sorter(T* keys, T* other, const Order& order) : keys_(keys), other_(other), order_(order) {}

  /// Sorts `count` elements from `begin` on, to the other array or to `keys`.
  void sort(std::uint64_t begin, std::uint64_t count, bool to_other) {
    if (count <= k_base) {
      sort_base(begin, count, to_other);
      return;
    }
    const std::uint64_t half = count / 2;
    takt::fork_join([this, begin, half, to_other] { sort(begin, half, !to_other); },
                    [this, begin, half, count, to_other] { sort(begin + half, count - half, !to_other); });
    T* const from = (to_other ? keys_ : other_) + begin;
    T* const to = (to_other ? other_ : keys_) + begin;
    detail::merge_in_sort(from, half, from + half, count - half, to, order_);
  }

 private:
  // The base case of the serial algorithm, as short as in any merge sort.
  static constexpr std::uint64_t k_base = merges_branch_free<T> ? 32 : 16;

  void sort_base(std::uint64_t begin, std::uint64_t count, bool to_other) {
    T* const to = (to_other ? other_ : keys_) + begin;
    Order order = order_;
    if constexpr (merges_branch_free<T>) {
      sort_branch_free(keys_ + begin, count, to, order);
    } else if constexpr (std::is_trivially_copyable_v<T>) {
      if (to_other) std::copy_n(keys_ + begin, count, to);
      sort_by_insertion(to, 1, count, order);
    } else {
      if (!to_other) std::move(other_ + begin, other_ + begin + count, to);
      sort_by_insertion(to, 1, count, order);
    }
  }
  // The first `sorted` elements are.
  static void sort_by_insertion(T* v, std::uint64_t sorted, std::uint64_t count, Order& order) {
    for (std::uint64_t i = sorted; i < count; ++i) {
      if (!order(v[i], v[i - 1])) continue;
      T moving = std::move(v[i]);
      std::uint64_t j = i;
      TAKT_TRY {
        do {
          v[j] = std::move(v[j - 1]);
          --j;
        } while (j > 0 && order(moving, v[j - 1]));
      } TAKT_CATCH_ALL {
        v[j] = std::move(moving);
        TAKT_RETHROW();
      }
      v[j] = std::move(moving);
    }
  }

  // Two halves are sorted in local memory, first eight of each without a branch, and merged from both ends.
  static void sort_branch_free(T* from, std::uint64_t count, T* to, Order& order) {
    alignas(T) std::byte room[(k_base + 8) * sizeof(T)];
    T* const scratch = reinterpret_cast<T*>(room);
    const std::uint64_t half = count / 2;
    if (half < 8) {
      if (to != from) std::copy_n(from, count, to);
      sort_by_insertion(to, count < 1 ? 0 : 1, count, order);
      return;
    }
    T* const eight = scratch + k_base;
    for (const std::uint64_t at : {std::uint64_t{0}, half}) {
      const std::uint64_t end = at == 0 ? half : count;
      sort_four(from + at, eight, order);
      sort_four(from + at + 4, eight + 4, order);
      merge_halves(eight, 4, 4, scratch + at, order);
      std::copy_n(from + at + 8, end - at - 8, scratch + at + 8);
      sort_by_insertion(scratch + at, 8, end - at, order);
    }
    merge_halves(scratch, half, count - half, to, order);
  }
  static void merge_halves(const T* v, std::uint64_t left, std::uint64_t right, T* to, Order& order) {
    two_ended_merge<T, Order> merge(v, v + left, v + left, v + left + right, to, order);
    // The right half has at most one element more: neither end can run out.
    merge.step(static_cast<std::ptrdiff_t>(left));
    if (left != right) merge.finish();
  }
  // Stable, five comparisons. (The network of Rust's standard library, small_sort.rs.)
  static void sort_four(const T* v, T* to, Order& order) {
    const bool c1 = order(v[1], v[0]);
    const bool c2 = order(v[3], v[2]);
    const T* const a = v + c1;
    const T* const b = v + !c1;
    const T* const c = v + 2 + c2;
    const T* const d = v + 2 + !c2;
    const bool c3 = order(*c, *a);
    const bool c4 = order(*d, *b);
    const T* const low = detail::choose(c3, c, a);
    const T* const high = detail::choose(c4, b, d);
    const T* const left = detail::choose(c3, a, detail::choose(c4, c, b));
    const T* const right = detail::choose(c4, d, detail::choose(c3, b, c));
    const bool c5 = order(*right, *left);
    to[0] = *low;
    to[1] = *detail::choose(c5, right, left);
    to[2] = *detail::choose(c5, left, right);
    to[3] = *high;
  }

  T* keys_;
  T* other_;
  Order order_;
};

}  // namespace TAKT_NAMESPACE::detail
