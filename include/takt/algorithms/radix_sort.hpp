// radix_sort: by integer keys, without comparisons.
#pragma once

#include <takt/algorithms/reduce.hpp>
#include <takt/detail/buffer.hpp>
#include <takt/detail/distribute.hpp>
#include <takt/detail/merge_sort.hpp>

#include <bit>
#include <concepts>

namespace TAKT_NAMESPACE {
namespace detail {

/// From the most significant byte on; short buckets are merge sorted.
template <class T, class Key>
class radix_sorter {
 public:
  explicit radix_sorter(const Key& key) : key_(key) {}

  /// The key, as an unsigned number in the same order.
  std::uint64_t number_of(const T& element) const {
    Key key = key_;
    const auto k = key(element);
    using integer = std::remove_cvref_t<decltype(k)>;
    static_assert(std::integral<integer>, "takt::radix_sort: needs integer keys");
    if constexpr (std::signed_integral<integer>) {
      return static_cast<std::uint64_t>(k) ^ (std::uint64_t{1} << 63);
    } else {
      return static_cast<std::uint64_t>(k);
    }
  }
  /// Sorts by the `bits` lowest bits of the key; in those above all keys are equal.
  void sort(T* keys, T* other, std::uint64_t count, bool to_other, int bits) const {
    // Below, 256 counters are not small beside the elements.
    constexpr std::uint64_t k_least = 2048;
    if (bits == 0 || count < k_least) {
      const auto order = [this](const T& a, const T& b) { return number_of(a) < number_of(b); };
      if (bits == 0) {
        if (to_other) detail::for_count(count, [keys, other](std::uint64_t k) { other[k] = keys[k]; });
      } else {
        merge_sorter<T, std::remove_const_t<decltype(order)>>(keys, other, order).sort(0, count, to_other);
      }
      return;
    }
    const int shift = bits > 8 ? bits - 8 : 0;
    const std::uint64_t mask = (std::uint64_t{1} << (bits - shift)) - 1;
    const bucket_bounds bounds =
        detail::distribute(keys, count, other, [this, shift, mask](const T* from, std::uint64_t n, std::uint8_t* ids) {
          for (std::uint64_t k = 0; k < n; ++k) {
            ids[k] = static_cast<std::uint8_t>((number_of(from[k]) >> shift) & mask);
          }
        });
    detail::for_count(k_buckets, [&, shift](std::uint64_t b) {
      const std::uint64_t begin = bounds[b];
      sort(other + begin, keys + begin, bounds[b + 1] - begin, !to_other, shift);
    });
  }

 private:
  Key key_;
};

}  // namespace detail

TAKT_LAST_FORM(radix_sort, true,
               "takes a range of trivially copyable elements that lie side by side, as in a std::vector, and a key "
               "of an element")

/// Stable sort of contiguous, trivially copyable elements by key(element), an integer of up to 64 bits.
/// @throws the first exception of `key`, or std::bad_alloc; elements may be lost or doubled after the former.
/// Cost: work O(n) for each byte in which keys differ, but for buckets below 2048 elements, which are merge sorted;
/// span O(2^15 + n / 2^15) for each byte. Extra memory: n elements, n bytes and n / 16 bytes of counters.
template <std::ranges::contiguous_range R, class Key = std::identity>
  requires std::ranges::sized_range<R> && std::is_trivially_copyable_v<std::ranges::range_value_t<R>>
void radix_sort(R&& range, Key key = {}) {
  using value = std::ranges::range_value_t<R>;
  const std::uint64_t count = detail::size_of(range);
  if (count < 2) return;
  value* const first = detail::start_of(range);
  const detail::radix_sorter<value, Key> sorter(key);
  const std::uint64_t some = sorter.number_of(*first);
  const std::uint64_t differ =
      takt::transform_reduce(first, first + count, std::uint64_t{0}, std::bit_or<>{},
                             [&sorter, some](const value& x) { return sorter.number_of(x) ^ some; });
  detail::raw_memory<value> other(count);
  sorter.sort(first, other.data(), count, false, static_cast<int>(std::bit_width(differ)));
}

template <std::contiguous_iterator It, class Key = std::identity>
void radix_sort(It first, It last, Key key = {}) {
  takt::radix_sort(detail::subrange_of<It>(first, last), key);
}

}  // namespace TAKT_NAMESPACE
