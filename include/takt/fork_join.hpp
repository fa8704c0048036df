// fork_join and parallel_invoke.
#pragma once

#include <takt/detail/fork.hpp>
#include <takt/detail/large.hpp>
#include <takt/detail/misfit.hpp>
#include <takt/detail/unoptimised.hpp>
#include <takt/hints.hpp>

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

/// A branch whose result is large: it returns where that is. The frames of a fork have several places for results.
template <class F>
struct large_branch {
  F f;
  TAKT_INLINE heap_value<result_of<F>> operator()() {
    return heap_value<result_of<F>>::of([this] { return detail::call(f); });
  }
};

template <class F>
inline constexpr bool returns_large = !k_elided && is_large<result_of<F>>;

template <class F>
TAKT_INLINE decltype(auto) with_small_result(F&& f) {
  if constexpr (returns_large<F>) {
    auto captured = detail::capture(static_cast<F&&>(f));
    return large_branch<decltype(captured)>{captured};
  } else {
    return static_cast<F&&>(f);
  }
}

template <class T>
TAKT_INLINE T&& result_itself(T& small) {
  return static_cast<T&&>(small);
}
template <class T>
TAKT_INLINE T&& result_itself(heap_value<T>& large) {
  return static_cast<T&&>(*large);
}

template <class... Branches>
struct results {
  using type = std::tuple<result_of<Branches>...>;
};
template <class F, class G>
struct results<F, G> {
  using type = std::pair<result_of<F>, result_of<G>>;
};

/// The results of `Branches`, from those of the branches that with_small_result() made of them.
template <class... Branches, class Small>
TAKT_INLINE auto with_large_results(Small small) {
  return std::apply(
      [](auto&... each) { return typename results<Branches...>::type(detail::result_itself(each)...); }, small);
}

}  // namespace detail

/// What can be a branch: it is called once, without arguments, and returns nothing or a value that can be moved. A
/// result that cannot be moved is stored in a variable of the caller instead.
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
/// (Heartbeat paper, section 3). With the trigger `beat`, and beats noticed in time, work <= (1 + tau/N) w and
/// span <= (1 + N/tau) s, where w is the serial work, s the span, N the beat and tau the cost of a promotion. With
/// `lazy`, the default, work <= (1 + 73 tau/N) w and tau for each steal, or (1 + tau/N) w while no worker is idle, and
/// the span has no bound (docs/guarantees.md). Without memory or threads for tasks the callables run serially. But a
/// result of more than 4096 bytes is kept on the heap until all callables are done, as a stack may be too small for
/// several: without memory for it, its branch throws std::bad_alloc.
template <branch F, branch G, branch... More>
TAKT_INLINE auto fork_join(F&& f, G&& g, More&&... more) {
  constexpr bool all_void = std::is_void_v<std::invoke_result_t<F>> && std::is_void_v<std::invoke_result_t<G>> &&
                            (std::is_void_v<std::invoke_result_t<More>> && ...);
  if constexpr (all_void) {
    detail::fork_all_void(static_cast<F&&>(f), static_cast<G&&>(g), static_cast<More&&>(more)...);
  } else if constexpr (detail::returns_large<F> || detail::returns_large<G> || (detail::returns_large<More> || ...)) {
    return detail::with_large_results<F, G, More...>(takt::fork_join(
        detail::with_small_result(static_cast<F&&>(f)), detail::with_small_result(static_cast<G&&>(g)),
        detail::with_small_result(static_cast<More&&>(more))...));
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

namespace detail {

/// What is said of a fork_join of N branches; 0: without weights.
template <std::size_t N>
struct fork_hints {
  double work = -1;
  std::uint64_t bytes = 0;
  double weights[N == 0 ? 1 : N] = {};
};

template <std::size_t N>
TAKT_INLINE fork_hints<N> with(fork_hints<N> said, work more) {
  said.work = more.total;
  return said;
}
template <std::size_t N>
TAKT_INLINE fork_hints<N> with(fork_hints<N> said, bytes more) {
  said.bytes = more.count;
  return said;
}
template <std::size_t N, std::size_t M>
TAKT_INLINE fork_hints<M> with(const fork_hints<N>& said, const weight_list<M>& more) {
  fork_hints<M> all;
  all.work = said.work;
  all.bytes = said.bytes;
  for (std::size_t i = 0; i < M; ++i) all.weights[i] = more.of[i];
  return all;
}

template <class T>
inline constexpr bool is_fork_hint = false;
template <>
inline constexpr bool is_fork_hint<work> = true;
template <>
inline constexpr bool is_fork_hint<bytes> = true;
template <std::size_t N>
inline constexpr bool is_fork_hint<weight_list<N>> = true;

/// The left branch of a fork of which something is said: that is heard as long as the frame is there.
template <class F>
struct hinted_left {
  F f;
  abi::hints* said;
  TAKT_INLINE result_of<F> operator()() {
    struct until_popped {
      abi::hints* said;
      TAKT_INLINE ~until_popped() { takt_hints_end(said); }
    } const here{said};
    if (said->state == abi::hint_state::waiting) takt_hints_pushed(said);
    return detail::call(f);
  }
};

/// `said` by value: it has no place in the frame of a fork of which nobody wants to know.
template <class F, class G, std::size_t N>
TAKT_OUTLINE auto fork_saying(F f, G g, const fork_hints<N> said, std::uint64_t branches, std::uint64_t branch)
    -> std::pair<result_of<F>, result_of<G>> {
  abi::hints here;
  here.work = said.work;
  here.bytes = said.bytes;
  here.given = N != 0 ? said.weights : nullptr;
  here.branches = branches;
  here.branch = branch;
  here.work_of = nullptr;
  takt_hints_begin(&here);
  return detail::fork_in_place(hinted_left<F>{f, &here}, g);
}

/// The fork of branch `branch` of `branches`, and those behind it.
template <std::size_t N, class F, class G, class... More>
TAKT_INLINE auto fork_hinted(const fork_hints<N>& said, std::uint64_t branches, std::uint64_t branch, F&& first,
                             G&& second, More&&... more) {
  const auto fork = [&](auto f, auto g) TAKT_INLINE_LAMBDA {
    if constexpr (!k_elided) {
      if (detail::wants_hints()) [[unlikely]]
        return detail::fork_saying(f, g, said, branches, branch);
    }
    return detail::fork(f, g);
  };
  if constexpr (sizeof...(More) == 0) {
    return fork(detail::capture(static_cast<F&&>(first)), detail::capture(static_cast<G&&>(second)));
  } else {
    auto rest = [&] {
      return detail::fork_hinted(said, branches, branch + 1, static_cast<G&&>(second), static_cast<More&&>(more)...);
    };
    auto [a, b] = fork(detail::capture(static_cast<F&&>(first)), detail::capture(std::move(rest)));
    return std::tuple_cat(std::tuple<result_of<F>>(std::move(a)), std::move(b));
  }
}

template <std::size_t N, class First, class... Rest>
TAKT_INLINE auto fork_with(const fork_hints<N>& said, First&& first, Rest&&... rest) {
  if constexpr (is_fork_hint<std::remove_cvref_t<First>>) {
    return detail::fork_with(detail::with(said, first), static_cast<Rest&&>(rest)...);
  } else {
    static_assert(branch<First> && (branch<Rest> && ...), "fork_join: hints come first, then branches");
    static_assert(sizeof...(Rest) != 0, "fork_join: two branches or more");
    static_assert(N == 0 || N == 1 + sizeof...(Rest), "takt::weights: as many as there are branches");
    constexpr bool all_void =
        std::is_void_v<std::invoke_result_t<First>> && (std::is_void_v<std::invoke_result_t<Rest>> && ...);
    if constexpr (all_void) {
      static_cast<void>(detail::fork_hinted(said, 1 + sizeof...(Rest), 0, static_cast<First&&>(first),
                                            static_cast<Rest&&>(rest)...));
    } else if constexpr (returns_large<First> || (returns_large<Rest> || ...)) {
      return detail::with_large_results<First, Rest...>(
          detail::fork_with(said, detail::with_small_result(static_cast<First&&>(first)),
                            detail::with_small_result(static_cast<Rest&&>(rest))...));
    } else {
      return detail::fork_hinted(said, 1 + sizeof...(Rest), 0, static_cast<First&&>(first),
                                 static_cast<Rest&&>(rest)...);
    }
  }
}

}  // namespace detail

/// fork_join with hints in front of the branches: takt::work, takt::bytes and takt::weights, each at most once and in
/// any order: fork_join(takt::weights(1, 3), takt::bytes(size), f, g). Results, exceptions and cost as without.
template <class Hint, class... More>
  requires detail::is_fork_hint<std::remove_cvref_t<Hint>>
TAKT_INLINE auto fork_join(Hint&& hint, More&&... more) {
  return detail::fork_with(detail::with(detail::fork_hints<0>{}, hint), static_cast<More&&>(more)...);
}

/// fork_join for callables whose results are not wanted. One callable is simply called.
template <std::invocable F, std::invocable... More>
TAKT_INLINE void parallel_invoke(F&& f, More&&... more) {
  if constexpr (sizeof...(More) == 0) {
    (void)std::invoke(static_cast<F&&>(f));
  } else {
    detail::fork_all_void(detail::as_branch(static_cast<F&&>(f)), detail::as_branch(static_cast<More&&>(more))...);
  }
}

namespace detail {

/// Constant or not, named or not.
template <class F>
concept callable_somehow = std::invocable<F> || std::invocable<F&> || std::invocable<const F&>;

}  // namespace detail

template <class... F>
auto fork_join(const F&...) {
  constexpr bool called = (detail::callable_somehow<F> && ...);
  static_assert(called, "takt::fork_join: a branch cannot be called without arguments");
  static_assert(!called || sizeof...(F) > 1, "takt::fork_join: takes two branches or more");
  static_assert(!called || sizeof...(F) < 2,
                "takt::fork_join: what a branch returns can be neither moved nor copied from the branch to here");
  return detail::anything{};
}

template <class... F>
auto parallel_invoke(const F&...) {
  static_assert(detail::never<F...>, "takt::parallel_invoke: takes callables, which are called without arguments");
  return detail::anything{};
}

}  // namespace TAKT_NAMESPACE
