// Ranges that are sorted but for a few elements: those are taken out, sorted and merged back.
#pragma once

#include <takt/algorithms/filter.hpp>
#include <takt/algorithms/find.hpp>
#include <takt/detail/sample_sort.hpp>

namespace TAKT_NAMESPACE::detail {

/// The first k > 0 for which order(v[k], v[k - 1]) is `descends`; count if there is none.
template <class It, class Order>
std::uint64_t end_of_run(It first, std::uint64_t count, Order order, bool descends) {
  if (count < 2) return count;
  return 1 + detail::find_offset<false>(count - 1, [first, order, descends](std::uint64_t k) mutable {
           return order(detail::at(first, k + 1), detail::at(first, k)) == descends;
         });
}

/// Whether few neighbours are in the wrong order, by a look at 1024 of them.
template <class T, class Order>
bool looks_almost_sorted(const T* keys, std::uint64_t count, Order order) {
  constexpr std::uint64_t k_looks = 1024;
  constexpr std::uint64_t k_few = k_looks / 64;
  if (count < 16 * k_looks) return false;
  const random_stream random(count);
  std::uint64_t descents = 0;
  for (std::uint64_t i = 0; i < k_looks; ++i) {
    const std::uint64_t k = random.below(i, count - 1);
    descents += order(keys[k + 1], keys[k]) ? 1 : 0;
  }
  return descents <= k_few;
}

/// Sorts `keys` if what is left without the elements that are out of order with one of their four neighbours is
/// sorted; `other` is room for as many. Not stable. @returns whether it did; if not, `keys` are as they were.
/// Cost: work O(n + m log m) for m elements out of order.
template <class T, class Order>
bool sort_almost_sorted(T* keys, T* other, std::uint64_t count, const Order& order) {
  if (!detail::looks_almost_sorted(keys, count, order)) return false;
  const auto is_misplaced = [keys, count, own_order = order](std::uint64_t k) mutable {
    return (k > 0 && own_order(keys[k], keys[k - 1])) || (k > 1 && own_order(keys[k], keys[k - 2])) ||
           (k + 1 < count && own_order(keys[k + 1], keys[k])) || (k + 2 < count && own_order(keys[k + 2], keys[k]));
  };
  const std::vector<std::uint64_t> misplaced = detail::select_to_vector<std::uint64_t>(
      count, plain_finder<std::remove_const_t<decltype(is_misplaced)>>{is_misplaced},
      [](std::uint64_t k) { return k; });
  const std::uint64_t few = misplaced.size();
  if (few > count / 16) return false;
  // What is between two of them moves up by as many as there are before.
  detail::for_count(few + 1, [&](std::uint64_t i) {
    const std::uint64_t begin = i == 0 ? 0 : misplaced[i - 1] + 1;
    const std::uint64_t end = i == few ? count : misplaced[i];
    detail::copy_elements(keys + begin, other + (begin - i), end - begin);
  });
  const std::uint64_t rest = count - few;
  if (detail::end_of_run(other, rest, order, true) != rest) return false;
  raw_memory<T> taken(2 * few);
  T* const out = taken.data();
  detail::for_count(few, [&](std::uint64_t i) { out[i] = keys[misplaced[i]]; });
  detail::sample_sort(out, out + few, few, false, order);
  detail::merge_copies(other, rest, out, few, keys, order);
  return true;
}

}  // namespace TAKT_NAMESPACE::detail
