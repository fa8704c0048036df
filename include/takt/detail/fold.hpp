// The kernels of reductions: a stretch of values combined in order.
#pragma once

#include <takt/parallel_for.hpp>

#include <functional>

namespace TAKT_NAMESPACE::detail {

/// A chain of dependent floating-point operations is bound by their latency; integer chains are vectorised by the
/// compiler, and for other types the order of calls is left plain.
template <class T>
inline constexpr bool is_latency_bound = std::is_floating_point_v<T>;

/// Whether a sum of type T would lose what is put into it: the fraction, or all above its own bits. (What is narrower
/// than int is computed as int.)
template <class X, class T>
inline constexpr bool is_cut = false;
template <class X, class T>
  requires(std::is_arithmetic_v<X> && std::is_integral_v<T> && !std::is_same_v<T, bool>)
inline constexpr bool is_cut<X, T> = std::is_floating_point_v<X> || sizeof(X) > sizeof(decltype(+T{}));

/// For all that sums up from a value whose type the program may not have thought about: 0 is an int.
template <class T, class... X>
TAKT_INLINE void check_sum() {
  static_assert((!is_cut<std::remove_cvref_t<X>, T> && ...),
                "takt: the sum has the type of the value that it starts from, which cuts what is combined: start from a "
                "value of the type that is wanted, as 0.0 for doubles or 0L for longs");
}

/// Operations that are known to cost a cycle or less, and whose operands, if there are two, may change places.
template <class Combine>
inline constexpr bool is_plain_operation = false;
template <class T>
inline constexpr bool is_plain_operation<std::plus<T>> = true;
template <class T>
inline constexpr bool is_plain_operation<std::multiplies<T>> = true;
template <>
inline constexpr bool is_plain_operation<std::identity> = true;
template <class F>
inline constexpr bool is_plain_operation<callable_with<F>> = is_plain_operation<std::remove_cvref_t<F>>;

/// Whether combine_onto() combines four neighbours at a time, which a compiler may not do. Only where the terms have
/// the type of the result: others need not convert to it, and are rounded once.
template <class I, class T, class Map>
inline constexpr bool combines_groups =
    is_latency_bound<T> && std::is_same_v<std::remove_cvref_t<std::invoke_result_t<Map&, I>>, T>;

/// `sum` combined with map(i), ..., map(last - 1), which are `count`. Whatever throws, `i` is the last index that map
/// was called for.
template <class I, class T, class Map, class Combine>
TAKT_INLINE T combine_onto(T sum, I& i, I last, std::uint64_t count, Map& map, Combine& combine) {
  if constexpr (combines_groups<I, T, Map>) {
    if (count >= 4) {
      const I ungrouped = detail::at_offset(i, count & ~std::uint64_t{3});
      do {
        const T a = map(I(i));
        const T b = map(I(++i));
        const T c = map(I(++i));
        const T d = map(I(++i));
        sum = combine(T(sum), combine(combine(T(a), T(b)), combine(T(c), T(d))));
        ++i;
      } while (i != ungrouped);
      count &= 3;
      if (count == 0) return sum;
    }
    // Branches in place of a loop: rows of two or three are common.
    const T a = map(I(i));
    if (count == 1) return combine(T(sum), T(a));
    const T b = map(I(++i));
    sum = combine(T(sum), combine(T(a), T(b)));
    if (count == 3) sum = combine(T(sum), map(I(++i)));
  } else {
    for (; i < last; ++i) sum = combine(static_cast<T&&>(sum), map(I(i)));
  }
  return sum;
}

/// map(begin) combined with ... with map(end - 1) for a range that is not empty. The parentheses, and for plain
/// operations the order of the operands, depend on end - begin alone. `map` is called in order.
template <class T, class Map, class Combine>
TAKT_INLINE T fold(std::uint64_t k, std::uint64_t end, Map& map, Combine& combine) {
  if constexpr (is_latency_bound<T> && is_plain_operation<Combine>) {
    // Neighbours belong to different chains, so the compiler puts them into one vector register.
    constexpr std::uint64_t k_chains = sizeof(T) < 8 ? 32 : 16;
    if (end - k >= k_chains) {
      T chain[k_chains];
      // Unrolled, so that the array lives in registers.
#pragma GCC unroll 32
      for (std::uint64_t c = 0; c < k_chains; ++c) chain[c] = T(map(k + c));
      for (k += k_chains; end - k >= k_chains; k += k_chains) {
#pragma GCC unroll 32
        for (std::uint64_t c = 0; c < k_chains; ++c) chain[c] = combine(chain[c], map(k + c));
      }
#pragma GCC unroll 5
      for (std::uint64_t half = k_chains / 2; half > 0; half /= 2) {
#pragma GCC unroll 16
        for (std::uint64_t c = 0; c < half; ++c) chain[c] = combine(chain[c], chain[c + half]);
      }
      T sum = chain[0];
      for (; k < end; ++k) sum = combine(sum, map(k));
      return sum;
    }
  }
  T sum(map(k++));
  if constexpr (is_latency_bound<T>) {
    // Eight values, combined beside the chain, are one link of it.
    for (; end - k >= 8; k += 8) {
      T v[8];
#pragma GCC unroll 8
      for (std::uint64_t c = 0; c < 8; ++c) v[c] = T(map(k + c));
      sum = combine(sum, combine(combine(combine(v[0], v[1]), combine(v[2], v[3])),
                                 combine(combine(v[4], v[5]), combine(v[6], v[7]))));
    }
  }
  for (; k < end; ++k) sum = combine(std::move(sum), map(k));
  return sum;
}

}  // namespace TAKT_NAMESPACE::detail
