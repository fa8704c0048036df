// histogram.
#pragma once

#include <takt/detail/parts.hpp>
#include <takt/detail/sequence.hpp>

#include <vector>

namespace TAKT_NAMESPACE {
namespace detail {

/// Counters of a part's own only where another worker took it early: elsewhere all parts count in one array.
template <class In, class Key>
struct histogram_work {
  using state = std::vector<std::size_t>;

  void run(state& s, std::uint64_t k, std::uint64_t end) const {
    const In first = in;
    Key own_key = key;
    std::size_t* const counters = s.data();
    for (; k < end; ++k) ++counters[static_cast<std::size_t>(own_key(detail::at(first, k)))];
  }
  state fresh(std::uint64_t) const { return state(buckets, 0); }
  void absorb(state& before, state&& part) const {
    detail::for_count(buckets, [to = before.data(), from = part.data()](std::uint64_t b) { to[b] += from[b]; });
  }

  In in;
  Key key;
  std::size_t buckets;
};

}  // namespace detail

TAKT_LAST_FORM(histogram, false, "takes a range, the number of buckets, and a key of an element")

/// How many elements have key(element) = b, for every b below `buckets`. All keys must be below `buckets`.
/// @throws the first exception of `key`, or std::bad_alloc.
/// Cost: work O(n + buckets), and O(buckets) more for each part that another worker took early, which also bounds the
/// extra memory; span O(log^2 n).
template <detail::sequence R, detail::size_like N, class Key = std::identity>
  requires detail::takes_elements<Key, R, std::identity>
std::vector<std::size_t> histogram(R&& range, N buckets, Key&& key = {}) {
  using key_type = std::remove_cvref_t<std::invoke_result_t<Key&, std::ranges::range_reference_t<R>>>;
  static_assert(!std::is_floating_point_v<key_type>, "takt::histogram: needs integer keys");
  const auto captured = detail::capture_body(std::forward<Key>(key));
  using work_type = detail::histogram_work<decltype(detail::start_of(range)), std::remove_const_t<decltype(captured)>>;
  const work_type work{detail::start_of(range), captured, static_cast<std::size_t>(buckets)};
  std::vector<std::size_t> counters(work.buckets, 0);
  detail::run_parts(work, counters, detail::size_of(range));
  return counters;
}

template <std::random_access_iterator It, detail::size_like N, class Key = std::identity>
std::vector<std::size_t> histogram(It first, It last, N buckets, Key&& key = {}) {
  return takt::histogram(detail::subrange_of<It>(first, last), buckets, std::forward<Key>(key));
}

}  // namespace TAKT_NAMESPACE
