// group_by and reduce_by_key: what belongs to each key, in the order of the keys.
#pragma once

#include <takt/algorithms/filter.hpp>
#include <takt/algorithms/reduce.hpp>
#include <takt/algorithms/sort.hpp>

#include <utility>
#include <vector>

namespace TAKT_NAMESPACE {
namespace detail {

/// The places of the elements in the order of their keys, and where each key begins.
template <class K>
struct key_groups {
  struct entry {
    K key;
    std::uint64_t place;
  };
  template <class It, class Key>
  key_groups(It first, std::uint64_t count, Key key) : entries(count) {
    detail::for_count(count, [to = entries.data(), first, key](std::uint64_t k) mutable {
      to[k].key = std::invoke(key, detail::at(first, k));
      to[k].place = k;
    });
    takt::stable_sort(entries, {}, &entry::key);
    begins = detail::select_to_vector<std::uint64_t>(
        count, plain_finder{[all = entries.data()](std::uint64_t k) { return k == 0 || all[k - 1].key < all[k].key; }},
        [](std::uint64_t k) { return k; });
  }
  std::uint64_t end_of(std::uint64_t group) const {
    return group + 1 < begins.size() ? begins[group + 1] : entries.size();
  }

  std::vector<entry> entries;
  std::vector<std::uint64_t> begins;
};

template <class R, class Key>
using key_of = std::remove_cvref_t<std::invoke_result_t<Key&, std::ranges::range_reference_t<R>>>;

}  // namespace detail

TAKT_LAST_FORM(group_by, false, "takes a range and a key of an element")
TAKT_LAST_FORM(reduce_by_key, false, "takes two ranges, of keys and of values, and a function that combines two values")

/// For each key, in ascending order, copies of the elements with key(element) equal to it, in their order.
/// Keys are compared with <, and must be copyable and have a default constructor.
/// @throws the first exception of `key`, a comparison or a copy, or std::bad_alloc.
/// Cost: that of stable_sort for n pairs of key and place, and n elements of result.
template <detail::sequence R, class Key>
  requires detail::takes_elements<Key, R, std::identity>
auto group_by(R&& range, Key key) {
  using value = std::ranges::range_value_t<R>;
  using key_type = detail::key_of<R, Key>;
  const auto first = detail::start_of(range);
  const detail::key_groups<key_type> sorted(first, detail::size_of(range), key);
  std::vector<std::pair<key_type, std::vector<value>>> groups(sorted.begins.size());
  detail::for_count(groups.size(), [&groups, &sorted, first](std::uint64_t g) {
    const std::uint64_t begin = sorted.begins[g];
    groups[g].first = sorted.entries[begin].key;
    groups[g].second.resize(sorted.end_of(g) - begin);
    detail::for_count(groups[g].second.size(), [to = groups[g].second.data(), from = sorted.entries.data() + begin,
                                                first](std::uint64_t k) { to[k] = detail::at(first, from[k].place); });
  });
  return groups;
}

/// For each key, in ascending order, the values that go with it combined in their order: values[k] goes with keys[k].
/// `combine` must be associative. Throws and costs as group_by does.
template <detail::sequence Keys, detail::sequence Values, class Combine = std::plus<>>
  requires detail::sums_elements<std::ranges::range_value_t<Values>, Combine, Values, std::identity>
auto reduce_by_key(Keys&& keys, Values&& values, Combine combine = {}) {
  using key_type = std::ranges::range_value_t<Keys>;
  using value = std::ranges::range_value_t<Values>;
  const auto first = detail::start_of(values);
  const std::uint64_t of_keys = detail::size_of(keys);
  const std::uint64_t of_values = detail::size_of(values);
  const detail::key_groups<key_type> sorted(detail::start_of(keys), of_keys < of_values ? of_keys : of_values,
                                            std::identity{});
  std::vector<std::pair<key_type, value>> sums(sorted.begins.size());
  detail::for_count(sums.size(), [&sums, &sorted, &combine, first](std::uint64_t g) {
    const auto* const from = sorted.entries.data() + sorted.begins[g];
    const auto* const end = sorted.entries.data() + sorted.end_of(g);
    const auto value_at = [first](const auto& e) -> decltype(auto) { return detail::at(first, e.place); };
    sums[g].first = from->key;
    sums[g].second = takt::transform_reduce(from + 1, end, value(value_at(*from)), combine, value_at);
  });
  return sums;
}

}  // namespace TAKT_NAMESPACE
