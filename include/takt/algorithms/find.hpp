// find, find_if, any_of, all_of, none_of, equal: searches that stop.
#pragma once

#include <takt/detail/parts.hpp>
#include <takt/detail/sequence.hpp>

namespace TAKT_NAMESPACE {
namespace detail {

/// What all parts of a search share: the lowest offset so far at which it is over.
class search_end {
 public:
  bool is_before(std::uint64_t offset) const { return value() < offset; }
  void lower_to(std::uint64_t offset) {
    std::uint64_t seen = value();
    while (offset < seen) {
      if (!__atomic_compare_exchange_n(&lowest_, &seen, offset, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) continue;
      if (__atomic_load_n(&is_shared_, __ATOMIC_SEQ_CST)) tell();
      return;
    }
  }
  /// Others run parts of it from here on, and are to be told. seq_cst, as above: a part that begins too late for that
  /// begins after the end, and sees it.
  void share() { __atomic_store_n(&is_shared_, true, __ATOMIC_SEQ_CST); }
  std::uint64_t value() const { return __atomic_load_n(&lowest_, __ATOMIC_RELAXED); }
  const std::uint64_t* address() const { return &lowest_; }
  static constexpr std::uint64_t k_none = ~std::uint64_t{0};

 private:
  static void tell() {
    if constexpr (!k_elided) takt_stop_told();
  }

  std::uint64_t lowest_ = k_none;
  bool is_shared_ = false;
};

/// `Any`: a match ends all of the search wherever it is, as one at offset 0 does, not only what is behind it.
template <bool Any, class Match>
struct find_work {
  struct state {};
  void run(state&, std::uint64_t begin, std::uint64_t end) const {
    // Parts behind a match have nothing to do; those before it may hold an earlier one.
    if (over->is_before(begin)) return;
    // An exception ends the search as a match does; the one with the lowest offset counts. Who was stopped has seen
    // nothing. It is not caught here, as each search around would throw it anew.
    struct unless_over {
      const find_work& of;
      std::uint64_t k;
      bool is_over = false;
      ~unless_over() {
        if (is_over || detail::was_stopped()) return;
        of.threw->lower_to(k);
        of.over->lower_to(k);
      }
    } at{*this, begin};
    Match own_match = match;
    while (at.k < end && !own_match(at.k)) ++at.k;
    at.is_over = true;
    if (at.k < end) over->lower_to(Any ? 0 : at.k);
  }
  /// Once something has thrown: whether no match comes before it. If something around is stopped, what came before the
  /// match has perhaps not been looked at.
  bool has_thrown() const { return threw->value() <= over->value() || (!Any && detail::was_stopped()); }
  state fresh(std::uint64_t) const { return {}; }
  void absorb(state&, state&&) const {}

  // Searches in predicates are stopped once these are not asked any more.
  scope_here around() const { return scope_here(scope(0)); }
  scope_here around_half(std::uint64_t begin) const {
    over->share();
    return scope_here(scope(begin));
  }
  abi::stop_scope scope(std::uint64_t begin) const {
    abi::stop_scope made;
    made.limit = over->address();
    made.position = Any ? 1 : begin;
    made.reach = abi::stop_reach::searches;
    return made;
  }

  Match match;
  search_end* over;
  search_end* threw;
};

/// Others may run parts of it.
template <class Work>
TAKT_OUTLINE void search_slow(const Work& work, typename Work::state& none, std::uint64_t count, std::int64_t units) {
  part_operations<Work> operations(work, none);
  {
    // Outside of a parallel call it has no effect: enter_loop makes another one.
    const scope_here scope = work.around();
    detail::run_loop_off(operations, count, units, TAKT_CALLERS_STACK());
  }
  if (operations.errors && work.has_thrown()) operations.errors.rethrow();
}

template <class Work>
void search(const Work& work, std::uint64_t count) {
  typename Work::state none;
  if constexpr (!k_elided) {
    std::int64_t units;
    if (detail::is_slow(count, site_of<part_operations<Work>>, units)) [[unlikely]] {
      detail::search_slow(work, none, count, units);
      return;
    }
  }
  work.run(none, 0, count);
}

/// The lowest offset for which match(offset), or with `Any` 0 if there is one; `count` if there is none.
template <bool Any, class Match>
std::uint64_t find_offset(std::uint64_t count, const Match& match) {
  if (count == 0) return 0;
  search_end over;
  search_end threw;
  using work_type = find_work<Any, Match>;
  abi::site& where = site_of<part_operations<work_type>>;
  const std::uint32_t cost = relaxed(where.unit_cost);
  detail::search(work_type{match, &over, &threw}, count);
  if (over.value() == search_end::k_none) return count;
  // Iterations that were skipped say nothing about what one costs.
  if (cost != abi::k_unknown_cost) __atomic_store_n(&where.unit_cost, cost, __ATOMIC_RELAXED);
  return over.value();
}

template <bool Any, class R, class Pred, class Proj>
std::uint64_t find_in(R&& range, Pred&& pred, Proj proj) {
  return detail::find_offset<Any>(
      detail::size_of(range),
      [first = detail::start_of(range), p = detail::capture_body(std::forward<Pred>(pred)),
       proj](std::uint64_t k) mutable { return static_cast<bool>(p(std::invoke(proj, detail::at(first, k)))); });
}

}  // namespace detail

TAKT_LAST_FORM(find_if, false, TAKT_MISFIT_PREDICATE)
TAKT_LAST_FORM(find_if_not, false, TAKT_MISFIT_PREDICATE)
TAKT_LAST_FORM(find, false, TAKT_MISFIT_VALUE)
TAKT_LAST_FORM(any_of, false, TAKT_MISFIT_PREDICATE)
TAKT_LAST_FORM(none_of, false, TAKT_MISFIT_PREDICATE)
TAKT_LAST_FORM(all_of, false, TAKT_MISFIT_PREDICATE)
TAKT_LAST_FORM(equal, false, "takes two ranges, and a function that compares an element of each")

/// The first element for which pred(proj(element)); the end if there is none.
///
/// Once a match is known, elements behind it are not looked at any more, except for those in chunks under way; and what
/// their predicates search ends with takt::stopped, which this call catches.
/// @throws the exception of the first element that threw, if no element before it matches.
/// Cost: work O(n), at most P times what a serial search does; span O(log n); no extra memory.
template <detail::sequence R, class Pred, class Proj = std::identity>
  requires detail::tests_elements<Pred, R, Proj>
auto find_if(R&& range, Pred&& pred, Proj proj = {}) {
  return detail::iterator_at(range, detail::find_in<false>(range, std::forward<Pred>(pred), proj));
}

template <std::random_access_iterator It, class Pred, class Proj = std::identity>
It find_if(It first, It last, Pred&& pred, Proj proj = {}) {
  return takt::find_if(detail::subrange_of<It>(first, last), std::forward<Pred>(pred), proj);
}

/// The first element for which pred is false. As find_if.
template <detail::sequence R, class Pred, class Proj = std::identity>
  requires detail::tests_elements<Pred, R, Proj>
auto find_if_not(R&& range, Pred&& pred, Proj proj = {}) {
  return takt::find_if(
      range, [p = detail::capture_body(std::forward<Pred>(pred))](auto&& x) mutable { return !p(x); }, proj);
}

template <std::random_access_iterator It, class Pred, class Proj = std::identity>
It find_if_not(It first, It last, Pred&& pred, Proj proj = {}) {
  return takt::find_if_not(detail::subrange_of<It>(first, last), std::forward<Pred>(pred), proj);
}

/// The first element equal to `value`. As find_if.
template <detail::sequence R, class T, class Proj = std::identity>
  requires detail::equals_elements<T, R, Proj>
auto find(R&& range, const T& value, Proj proj = {}) {
  return takt::find_if(range, [&value](const auto& x) { return x == value; }, proj);
}

template <std::random_access_iterator It, class T, class Proj = std::identity>
It find(It first, It last, const T& value, Proj proj = {}) {
  return takt::find(detail::subrange_of<It>(first, last), value, proj);
}

/// Whether pred holds for some element. Stops at any match, and costs what find_if does.
/// @throws if no element matches, the exception of the first that threw. Where one matches and another one throws, this
/// call may do either.
template <detail::sequence R, class Pred, class Proj = std::identity>
  requires detail::tests_elements<Pred, R, Proj>
bool any_of(R&& range, Pred&& pred, Proj proj = {}) {
  return detail::find_in<true>(range, std::forward<Pred>(pred), proj) != detail::size_of(range);
}

template <std::random_access_iterator It, class Pred, class Proj = std::identity>
bool any_of(It first, It last, Pred&& pred, Proj proj = {}) {
  return takt::any_of(detail::subrange_of<It>(first, last), std::forward<Pred>(pred), proj);
}

/// Whether pred holds for no element.
template <detail::sequence R, class Pred, class Proj = std::identity>
  requires detail::tests_elements<Pred, R, Proj>
bool none_of(R&& range, Pred&& pred, Proj proj = {}) {
  return !takt::any_of(range, std::forward<Pred>(pred), proj);
}

template <std::random_access_iterator It, class Pred, class Proj = std::identity>
bool none_of(It first, It last, Pred&& pred, Proj proj = {}) {
  return !takt::any_of(first, last, std::forward<Pred>(pred), proj);
}

/// Whether pred holds for every element.
template <detail::sequence R, class Pred, class Proj = std::identity>
  requires detail::tests_elements<Pred, R, Proj>
bool all_of(R&& range, Pred&& pred, Proj proj = {}) {
  return !takt::any_of(
      range, [p = detail::capture_body(std::forward<Pred>(pred))](auto&& x) mutable { return !p(x); }, proj);
}

template <std::random_access_iterator It, class Pred, class Proj = std::identity>
bool all_of(It first, It last, Pred&& pred, Proj proj = {}) {
  return takt::all_of(detail::subrange_of<It>(first, last), std::forward<Pred>(pred), proj);
}

/// Whether both ranges have the same elements. Stops at the first difference.
template <detail::sequence A, detail::sequence B, class Equal = std::ranges::equal_to>
  requires std::invocable<Equal&, std::ranges::range_reference_t<A>, std::ranges::range_reference_t<B>>
bool equal(A&& a, B&& b, Equal same = {}) {
  if (detail::size_of(a) != detail::size_of(b)) return false;
  const std::uint64_t count = detail::size_of(a);
  return detail::find_offset<true>(
             count, [first = detail::start_of(a), second = detail::start_of(b), same](std::uint64_t k) mutable {
               return !same(detail::at(first, k), detail::at(second, k));
             }) == count;
}

}  // namespace TAKT_NAMESPACE
