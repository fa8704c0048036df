// fork_join and parallel_invoke.
#pragma once

#include <takt/detail/fork.hpp>

#include <tuple>

namespace TAKT_NAMESPACE {
namespace detail {

template <class F>
TAKT_INLINE auto fork_all(F&& last) {
  auto branch = detail::capture(std::forward<F>(last));
  return std::tuple<result_of<decltype(branch)>>(detail::call(branch));
}

template <class F, class G, class... More>
TAKT_INLINE auto fork_all(F&& first, G&& second, More&&... more) {
  // All but the first are the right branch: a promotion hands them over together, and they fork again.
  auto rest = [&] { return detail::fork_all(std::forward<G>(second), std::forward<More>(more)...); };
  auto [a, b] = detail::fork(detail::capture(std::forward<F>(first)), detail::capture(std::move(rest)));
  return std::tuple_cat(std::tuple<result_of<F>>(std::move(a)), std::move(b));
}

}  // namespace detail

/// What can be a branch: it is called once, without arguments, and returns nothing or what can be handed on by value.
/// A result that cannot be moved is left in a variable of the caller's.
template <class F>
concept branch = std::invocable<F> && detail::is_handed_over<std::invoke_result_t<F>, detail::result_of<F>>;

/// Runs two or more callables that may run in parallel and returns when all are done.
///
/// @returns a std::pair (two callables) or std::tuple (more) of the results by value, in argument order; the
///   result of a callable that returns void is takt::nothing; void when all return void. Results may be
///   move-only.
/// @throws the exception of the first callable in argument order that threw, after all of them have run: an
///   exception in one does not keep the others from running.
/// Cost: the callables run one after the other as plain calls (about 1 ns each) until a beat promotes the fork
/// (Heartbeat paper, section 3: work <= (1 + tau/N) w, span <= (1 + N/tau) s). Never fails for lack of memory
/// or threads: it then runs serially.
template <branch F, branch G, branch... More>
TAKT_INLINE auto fork_join(F&& f, G&& g, More&&... more) {
  constexpr bool all_void = std::is_void_v<std::invoke_result_t<F>> && std::is_void_v<std::invoke_result_t<G>> &&
                            (std::is_void_v<std::invoke_result_t<More>> && ...);
  if constexpr (sizeof...(More) == 0) {
    if constexpr (all_void) {
      detail::fork(detail::capture(std::forward<F>(f)), detail::capture(std::forward<G>(g)));
    } else {
      return detail::fork(detail::capture(std::forward<F>(f)), detail::capture(std::forward<G>(g)));
    }
  } else if constexpr (all_void) {
    detail::fork_all(std::forward<F>(f), std::forward<G>(g), std::forward<More>(more)...);
  } else {
    return detail::fork_all(std::forward<F>(f), std::forward<G>(g), std::forward<More>(more)...);
  }
}

namespace detail {

/// A callable whose result cannot be handed on, and need not.
template <class F>
struct without_result {
  std::remove_reference_t<F>* target;
  TAKT_INLINE void operator()() const { (void)std::invoke(std::forward<F>(*target)); }
};

template <branch F>
TAKT_INLINE F&& as_branch(F&& f) {
  return std::forward<F>(f);
}
template <class F>
TAKT_INLINE auto as_branch(F&& f) {
  return without_result<F>{std::addressof(f)};
}

}  // namespace detail

/// fork_join for callables whose results are not wanted. One callable is simply called.
template <std::invocable F, std::invocable... More>
TAKT_INLINE void parallel_invoke(F&& f, More&&... more) {
  if constexpr (sizeof...(More) == 0) {
    (void)std::invoke(std::forward<F>(f));
  } else {
    (void)detail::fork_all(detail::as_branch(std::forward<F>(f)), detail::as_branch(std::forward<More>(more))...);
  }
}

}  // namespace TAKT_NAMESPACE
