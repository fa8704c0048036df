// fork_join and parallel_invoke.
#pragma once

#include <takt/detail/fork.hpp>
#include <takt/detail/unoptimised.hpp>

#include <tuple>

namespace TAKT_NAMESPACE {
namespace detail {

template <class F>
TAKT_INLINE auto fork_all(F&& last) {
  auto branch = detail::capture(static_cast<F&&>(last));
  return std::tuple<result_of<decltype(branch)>>(detail::call(branch));
}

template <class F, class G, class... More>
TAKT_INLINE auto fork_all(F&& first, G&& second, More&&... more) {
  // All but the first are the right branch: a promotion hands them over together, and they fork again.
  auto rest = [&] { return detail::fork_all(static_cast<G&&>(second), static_cast<More&&>(more)...); };
  auto [a, b] = detail::fork(detail::capture(static_cast<F&&>(first)), detail::capture(std::move(rest)));
  return std::tuple_cat(std::tuple<result_of<F>>(std::move(a)), std::move(b));
}

/// The same where all return nothing: without tuples of nothing, which a compiler has to work for.
template <class F, class G, class... More>
TAKT_INLINE void fork_all_void(F&& first, G&& second, More&&... more) {
  if constexpr (sizeof...(More) == 0) {
    detail::fork(detail::capture(static_cast<F&&>(first)), detail::capture(static_cast<G&&>(second)));
  } else {
    auto rest = [&] { detail::fork_all_void(static_cast<G&&>(second), static_cast<More&&>(more)...); };
    detail::fork(detail::capture(static_cast<F&&>(first)), detail::capture(static_cast<decltype(rest)&&>(rest)));
  }
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
  if constexpr (all_void) {
    detail::fork_all_void(static_cast<F&&>(f), static_cast<G&&>(g), static_cast<More&&>(more)...);
  } else if constexpr (sizeof...(More) == 0) {
    return detail::fork(detail::capture(static_cast<F&&>(f)), detail::capture(static_cast<G&&>(g)));
  } else {
    return detail::fork_all(static_cast<F&&>(f), static_cast<G&&>(g), static_cast<More&&>(more)...);
  }
}

namespace detail {

/// A callable whose result cannot be handed on, and need not.
template <class F>
struct without_result {
  std::remove_reference_t<F>* target;
  TAKT_INLINE void operator()() const { static_cast<void>(static_cast<F&&>(*target)()); }
};

template <branch F>
TAKT_INLINE F&& as_branch(F&& f) {
  return static_cast<F&&>(f);
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
    (void)std::invoke(static_cast<F&&>(f));
  } else {
    detail::fork_all_void(detail::as_branch(static_cast<F&&>(f)), detail::as_branch(static_cast<More&&>(more))...);
  }
}

}  // namespace TAKT_NAMESPACE
