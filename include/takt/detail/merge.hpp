// Merging two sorted runs: a loop over the places of the result that carries its place in the first run.
#pragma once

#include <takt/detail/parts.hpp>
#include <takt/detail/sequence.hpp>
#include <takt/fork_join.hpp>

#include <algorithm>

namespace TAKT_NAMESPACE::detail {

/// Elements that are cheaper to copy than a branch is to mispredict.
template <class T>
inline constexpr bool merges_branch_free = std::is_trivially_copyable_v<T> && sizeof(T) <= 32;

/// condition ? a : b, never compiled to a branch.
template <class T>
TAKT_INLINE const T* choose(bool condition, const T* a, const T* b) {
  const auto of_a = reinterpret_cast<std::uintptr_t>(a);
  const auto of_b = reinterpret_cast<std::uintptr_t>(b);
  return reinterpret_cast<const T*>(of_b ^ ((of_a ^ of_b) & -static_cast<std::uintptr_t>(condition)));
}

/// Runs that are merged from their fronts and from their ends at once: two chains that do not wait for each other.
template <class T, class Order>
class two_ended_merge {
 public:
  two_ended_merge(const T* a, const T* a_end, const T* b, const T* b_end, T* out, Order& order)
      : a_(a),
        a_end_(a_end),
        b_(b),
        b_end_(b_end),
        out_(out),
        out_end_(out + (a_end - a) + (b_end - b)),
        order_(order) {}

  /// `steps` elements at each end; neither run may be shorter than 2 steps, or both as long as `steps` and one.
  TAKT_INLINE void step(std::ptrdiff_t steps) {
    // In registers: the output could alias the members.
    const T* a = a_;
    const T* b = b_;
    const T* a_last = a_end_ - 1;
    const T* b_last = b_end_ - 1;
    T* out = out_;
    T* out_last = out_end_ - 1;
    for (std::ptrdiff_t i = 0; i < steps; ++i) {
      // Of equal elements, those of the first run come first.
      const bool from_b = order_(*b, *a);
      *out++ = *detail::choose(from_b, b, a);
      b += from_b;
      a += !from_b;
      const bool from_a = order_(*b_last, *a_last);
      *out_last-- = *detail::choose(from_a, a_last, b_last);
      a_last -= from_a;
      b_last -= !from_a;
    }
    a_ = a;
    b_ = b;
    a_end_ = a_last + 1;
    b_end_ = b_last + 1;
    out_ = out;
    out_end_ = out_last + 1;
  }
  void run() {
    constexpr std::ptrdiff_t k_block = 64;
    while (a_ < a_end_ && b_ < b_end_) {
      // Where one run goes ahead by a block, nothing need be compared inside it: sorted inputs are mostly copied, and
      // so is a long run that a short one is merged into.
      if (a_end_ - a_ >= k_block && !order_(*b_, a_[k_block - 1])) {
        out_ = std::copy_n(a_, k_block, out_);
        a_ += k_block;
      } else if (b_end_ - b_ >= k_block && order_(b_[k_block - 1], *a_)) {
        out_ = std::copy_n(b_, k_block, out_);
        b_ += k_block;
      } else if (const std::ptrdiff_t steps = std::min(shorter() / 2, k_block); steps > 0) {
        step(steps);
      } else {
        break;
      }
    }
    finish();
  }
  void finish() {
    while (a_ < a_end_ && b_ < b_end_) {
      const bool from_b = order_(*b_, *a_);
      *out_++ = *detail::choose(from_b, b_, a_);
      b_ += from_b;
      a_ += !from_b;
    }
    out_ = std::copy(a_, a_end_, out_);
    std::copy(b_, b_end_, out_);
  }

 private:
  std::ptrdiff_t shorter() const { return std::min(a_end_ - a_, b_end_ - b_); }

  const T* a_;
  const T* a_end_;
  const T* b_;
  const T* b_end_;
  T* out_;
  T* out_end_;
  Order& order_;
};

/// `Moving`: the elements are moved, else copied. `Order(x, y)`: x comes before y.
template <bool Moving, class A, class B, class Out, class Order>
struct merge_work {
  struct state {
    std::uint64_t next = 0;  ///< the place in the result ...
    std::uint64_t of_a = 0;  ///< ... and how many before it are from the first run
  };

  static constexpr bool is_branch_free = [] {
    if constexpr (std::is_pointer_v<A> && std::is_pointer_v<B> && std::is_pointer_v<Out>) {
      using value = std::remove_pointer_t<Out>;
      return merges_branch_free<value> && std::is_same_v<std::remove_cv_t<std::remove_pointer_t<A>>, value> &&
             std::is_same_v<std::remove_cv_t<std::remove_pointer_t<B>>, value>;
    } else {
      return false;
    }
  }();

  void run(state& s, std::uint64_t begin, std::uint64_t end) const {
    Order own_order = order;
    const std::uint64_t i = s.next == begin ? s.of_a : rank(begin, own_order);
    if constexpr (is_branch_free) {
      using value = std::remove_pointer_t<Out>;
      const std::uint64_t i_end = end == a_size + b_size ? a_size : rank_after(end, i, begin, own_order);
      two_ended_merge<value, Order>(a + i, a + i_end, b + (begin - i), b + (end - i_end), out + begin, own_order).run();
      s.of_a = i_end;
    } else {
      s.of_a = run_forward(i, begin, end, own_order);
    }
    s.next = end;
  }
  state fresh(std::uint64_t) const { return {~std::uint64_t{0}, 0}; }
  void absorb(state& before, state&& part) const { before = part; }

  // How many elements of the first run are among the first `place` of the result.
  [[gnu::noinline]] std::uint64_t rank(std::uint64_t place, Order& own_order) const {
    return rank_between(place, least_rank(place), most_rank(place), own_order);
  }
  // The same when `i` are among the first `begin` < place. Merging ends near what it began with: so the search starts
  // where it would end if the runs went on evenly, and looks at elements that are about to be merged.
  [[gnu::noinline]] std::uint64_t rank_after(std::uint64_t place, std::uint64_t i, std::uint64_t begin,
                                             Order& own_order) const {
    const std::uint64_t least = std::max(i, least_rank(place));
    const std::uint64_t most = std::min(i + (place - begin), most_rank(place));
    const double share = static_cast<double>(a_size - i) / static_cast<double>(a_size + b_size - begin);
    const auto guess = i + static_cast<std::uint64_t>(share * static_cast<double>(place - begin));
    std::uint64_t low = std::clamp(guess, least, most);
    std::uint64_t high = low;
    std::uint64_t step = 16;
    if (low < most && !is_beyond(place, low, own_order)) {
      // The answer is behind `low`.
      do {
        low = high + 1;
        high = std::min(low + step, most);
        step *= 4;
      } while (high < most && !is_beyond(place, high, own_order));
    } else {
      do {
        high = low;
        low -= std::min(step, low - least);
        step *= 4;
      } while (low > least && is_beyond(place, low, own_order));
    }
    return rank_between(place, low, high, own_order);
  }

  A a;
  std::uint64_t a_size;
  B b;
  std::uint64_t b_size;
  Out out;
  Order order;

 private:
  std::uint64_t least_rank(std::uint64_t place) const { return place > b_size ? place - b_size : 0; }
  std::uint64_t most_rank(std::uint64_t place) const { return place < a_size ? place : a_size; }
  // Whether element k of the first run is not among the first `place` of the result.
  TAKT_INLINE bool is_beyond(std::uint64_t place, std::uint64_t k, Order& own_order) const {
    return own_order(detail::at(b, place - k - 1), detail::at(a, k));
  }
  // The rank, which is at least `low` and at most `high`.
  TAKT_INLINE std::uint64_t rank_between(std::uint64_t place, std::uint64_t low, std::uint64_t high,
                                         Order& own_order) const {
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (is_beyond(place, middle, own_order)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
  std::uint64_t run_forward(std::uint64_t i, std::uint64_t place, std::uint64_t end, Order& own_order) const {
    std::uint64_t j = place - i;
    for (; place < end && i < a_size && j < b_size; ++place) {
      if (own_order(detail::at(b, j), detail::at(a, i))) {
        take(place, b, j++);
      } else {
        take(place, a, i++);
      }
    }
    if (j == b_size) {
      for (; place < end; ++place) take(place, a, i++);
    } else {
      for (; place < end; ++place) take(place, b, j++);
    }
    return i;
  }
  template <class It>
  TAKT_INLINE void take(std::uint64_t place, const It& from, std::uint64_t k) const {
    if constexpr (Moving) {
      detail::at(out, place) = std::move(detail::at(from, k));
    } else {
      detail::at(out, place) = detail::at(from, k);
    }
  }
};

template <class A, class B, class Out, class Order>
TAKT_INLINE void merge_copies(A a, std::uint64_t a_size, B b, std::uint64_t b_size, Out out, const Order& order) {
  const merge_work<false, A, B, Out, Order> work{a, a_size, b, b_size, out, order};
  typename merge_work<false, A, B, Out, Order>::state start;
  detail::run_parts(work, start, a_size + b_size);
}

/// Elements that are moved cannot be looked at by a search that begins while others are being merged. So the runs are
/// divided before anything moves.
template <class T, class Order>
void merge_moves(T* a, std::uint64_t a_size, T* b, std::uint64_t b_size, T* out, const Order& order) {
  const merge_work<true, T*, T*, T*, Order> work{a, a_size, b, b_size, out, order};
  // Dividing costs a search, and is worth less than that for runs which are as short as the sort's base case.
  constexpr std::uint64_t k_base = 64;
  if (a_size + b_size <= k_base) {
    typename merge_work<true, T*, T*, T*, Order>::state start;
    work.run(start, 0, a_size + b_size);
    return;
  }
  const std::uint64_t middle = (a_size + b_size) / 2;
  Order own_order = order;
  const std::uint64_t i = work.rank(middle, own_order);
  const std::uint64_t j = middle - i;
  takt::fork_join([&] { detail::merge_moves(a, i, b, j, out, order); },
                  [&] { detail::merge_moves(a + i, a_size - i, b + j, b_size - j, out + middle, order); });
}

template <class T, class Order>
TAKT_INLINE void merge_in_sort(T* a, std::uint64_t a_size, T* b, std::uint64_t b_size, T* out, const Order& order) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    detail::merge_copies(a, a_size, b, b_size, out, order);
  } else {
    detail::merge_moves(a, a_size, b, b_size, out, order);
  }
}

}  // namespace TAKT_NAMESPACE::detail
