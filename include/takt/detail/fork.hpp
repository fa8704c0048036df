// The fork: what happens between a push and a join. src/promotion/README.md has the protocol.
//
//     fork(f, g):                                   a branch's exception is kept while the other branch ends
//       in the free band: f(); g()                  the code is short: nothing is pushed
//       credit -= cost of a fork
//       credit used up: poll                        a beat may be due; from serial code, enters a parallel call
//       slot at head := g                           push
//       head := slot + 1                            from here on g may be promoted to a task, and be stolen
//       f()
//       head := slot                                pop
//       split > slot: join                          it was promoted: takes it back, or waits for it and takes its result
//       else: g()                                   it was not: an ordinary call
//
// fork() is fork_in_place(), the free band is fork_plain(), push to join is fork_framed(), the poll is fork_polled(), the
// task is run_right() and the join join_promoted(). What is written for a compiler's sake is in compilers.hpp.
#pragma once

#include <takt/detail/exceptions.hpp>
#include <takt/detail/hot.hpp>

#include <concepts>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace takt {

/// Stands for the result of a callable that returns void where its siblings return values.
struct nothing {
  friend constexpr bool operator==(nothing, nothing) = default;
};

}  // namespace takt

namespace TAKT_NAMESPACE {
namespace detail {

template <class F, class... Args>
using result_of = std::conditional_t<std::is_void_v<std::invoke_result_t<F, Args...>>, nothing,
                                     std::remove_cvref_t<std::invoke_result_t<F, Args...>>>;

/// A branch is called once, as what was given to the fork: as a temporary if it was one.
template <class F>
TAKT_INLINE result_of<F> call(F& f) {
  if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
    TAKT_CALL_BRANCH(static_cast<F&&>(f));
    return nothing{};
  } else {
    return static_cast<result_of<F>>(TAKT_CALL_BRANCH(static_cast<F&&>(f)));
  }
}

/// Whether a result can be handed over: from the branch to the join, and from there to the caller.
template <class T, class R>
inline constexpr bool is_handed_over = std::constructible_from<R, T> && std::move_constructible<R>;
template <class T>
inline constexpr bool is_handed_over<T, nothing> = true;

/// A callable that stays where it is, in a frame that outlives the fork.
template <class F>
struct callable_reference {
  std::remove_reference_t<F>* target;
  TAKT_INLINE decltype(auto) operator()() const { return static_cast<F&&>(*target)(); }
};

template <class F>
inline constexpr bool is_reference_to_callable = false;
template <class F>
inline constexpr bool is_reference_to_callable<callable_reference<F>> = true;

/// Small trivially copyable temporaries are copied, so that their captures live in registers, and in the slot or beside
/// it where there is one; everything else, and every callable that the caller named and may look at afterwards, is
/// referred to.
template <class F>
TAKT_INLINE auto capture(F&& f) {
  if constexpr (passes_as_words<F>) {
    return F(f);
  } else {
    return callable_reference<F>{__builtin_addressof(f)};
  }
}

/// A right branch that does not fit into the slot, or whose result does not, keeps both in the forking frame.
template <class G, class R>
struct boxed {
  // The room for the result stays as it is: it may be large.
  TAKT_INLINE explicit boxed(const G& g) : branch(g) {}
  G branch;
  alignas(R) std::byte result[sizeof(R)];
};

template <class T>
inline constexpr bool fits_payload = sizeof(T) <= abi::k_payload_bytes && alignof(T) <= 8;
/// Whether the slot has room for a right branch, and then for its result.
template <class G, class R>
inline constexpr bool fits_slot = fits_payload<G> && fits_payload<R>;

template <class T>
TAKT_INLINE T* payload_of(slot* s) {
  return __builtin_launder(reinterpret_cast<T*>(s->payload));
}

inline void store_exception(slot* s) {
  detail::met_exception();
  ::new (static_cast<void*>(s->payload)) std::exception_ptr(std::current_exception());
  takt_set_threw(s);
}

/// The task was stopped before it began.
TAKT_COLD inline void store_stopped(slot* s) {
  ::new (static_cast<void*>(s->payload)) std::exception_ptr(detail::stopped_error());
  takt_set_threw(s);
}

/// Runs the right branch of a fork as a task; its outcome goes where the join looks for it.
template <class G, class R>
void run_right(slot* s) {
  if (detail::is_stopped()) return store_stopped(s);
  if constexpr (fits_slot<G, R>) {
    G branch = *detail::payload_of<G>(s);
    TAKT_TRY {
      ::new (static_cast<void*>(s->payload)) R(detail::call(branch));
    } TAKT_CATCH_ALL {
      store_exception(s);
    }
  } else {
    auto* box = *detail::payload_of<boxed<G, R>*>(s);
    TAKT_TRY {
      ::new (static_cast<void*>(box->result)) R(detail::call(box->branch));
    } TAKT_CATCH_ALL {
      store_exception(s);
    }
  }
}

template <class R>
R take(void* where) {
  R* stored = std::launder(static_cast<R*>(where));
  struct destroy {
    R* value;
    ~destroy() { value->~R(); }
  } guard{stored};
  return std::move(*stored);
}

/// The join of a promoted fork: runs the branch here if nobody took it, else takes its outcome.
template <class G, class R>
TAKT_OUTLINE R join_promoted(slot* s) {
  if (takt_join(s)) {
    if (detail::is_stopped()) detail::throw_stopped();
    if constexpr (fits_slot<G, R>) {
      G branch = *detail::payload_of<G>(s);
      return detail::call(branch);
    } else {
      return detail::call((*detail::payload_of<boxed<G, R>*>(s))->branch);
    }
  }
  if (takt_threw(s)) std::rethrow_exception(take<std::exception_ptr>(s->payload));
  if constexpr (fits_slot<G, R>) {
    return detail::take<R>(s->payload);
  } else {
    return detail::take<R>((*detail::payload_of<boxed<G, R>*>(s))->result);
  }
}

/// The right branch of a fork whose left one threw: whatever it does is not what is reported.
template <class G, class R>
void finish_right(slot* s) {
  if (is_promoted(s)) {
    (void)detail::join_promoted<G, R>(s);
  } else if (detail::is_search_stopped()) {
    // What has not begun does not.
  } else if constexpr (fits_slot<G, R>) {
    G branch = *detail::payload_of<G>(s);
    (void)detail::call(branch);
  } else {
    (void)detail::call((*detail::payload_of<boxed<G, R>*>(s))->branch);
  }
}

/// The left branch threw: finishes the right one, whatever it does, then lets the left exception go on.
[[noreturn]] TAKT_COLD inline void left_threw(slot* s, void (*finish)(slot*)) {
  detail::met_exception();
  set_head(s);
  TAKT_TRY {
    finish(s);
  } TAKT_CATCH_ALL {
    // Later in serial order: the left exception is the one to report.
  }
  TAKT_RETHROW();
}

/// One fork, small results: push, left, pop, right. `polled`: the site of a fork that tells the runtime of its push.
template <class F, class G>
TAKT_INLINE auto fork_framed(F f, G g, abi::site* polled) -> std::pair<result_of<F>, result_of<G>> {
  using left_result = result_of<F>;
  using right_result = result_of<G>;
  slot* const s = head();
  s->run = detail::fresh_address<&run_right<G, right_result>>();
  const auto left = [&]() TAKT_INLINE_LAMBDA -> left_result {
    TAKT_TRY {
      return detail::call(f);
    } TAKT_CATCH_ALL {
      detail::left_threw(s, &finish_right<G, right_result>);
    }
  };
  if constexpr (fits_slot<G, right_result>) {
    ::new (static_cast<void*>(s->payload)) G(g);
    set_head(s + 1);
    if (polled != nullptr) takt_fork_pushed(polled);
    left_result first = left();
    set_head(s);
    if (is_promoted(s)) [[unlikely]]
      return {static_cast<decltype(first)&&>(first), detail::join_promoted<G, right_result>(s)};
    // The slot is free from here on and the branch will reuse it: its captures move out first.
    G branch = *detail::payload_of<G>(s);
    return {static_cast<decltype(first)&&>(first), detail::call(branch)};
  } else {
    boxed<G, right_result> box(g);
    ::new (static_cast<void*>(s->payload)) boxed<G, right_result>*(std::addressof(box));
    set_head(s + 1);
    if (polled != nullptr) takt_fork_pushed(polled);
    left_result first = left();
    set_head(s);
    if (is_promoted(s)) [[unlikely]]
      return {static_cast<decltype(first)&&>(first), detail::join_promoted<G, right_result>(s)};
    return {static_cast<decltype(first)&&>(first), detail::call(box.branch)};
  }
}

template <class G>
void call_plainly(void* g) {
  (void)detail::call(*static_cast<G*>(g));
}

/// The fork without the runtime, with the same outcome: two calls. `g` is used where it lies.
template <class F, class G>
TAKT_INLINE auto fork_plain(F f, G& g) -> std::pair<result_of<F>, result_of<G>> {
  const auto left = [&]() TAKT_INLINE_LAMBDA -> result_of<F> {
    TAKT_TRY {
      return detail::call(f);
    } TAKT_CATCH_ALL {
      detail::left_threw_beside<k_spilled_late<G, result_of<G>, fits_payload<G>>>(g);
    }
  };
  result_of<F> first = left();
  return {static_cast<decltype(first)&&>(first), detail::call(g)};
}

/// A call on its way into the outermost parallel call of its thread.
struct outside_call {
  void (*run)(void*);
  void* argument;
  std::exception_ptr error;

  TAKT_OUTLINE void make() {
    TAKT_TRY {
      run(argument);
    } TAKT_CATCH_ALL {
      error = std::current_exception();
    }
  }
};

/// Makes one kind of outside_call. A function for each kind: the tools tell them by it.
template <class Kind>
void enter_call(void* given) {
  static_cast<outside_call*>(given)->make();
}

/// Runs `body()` as the outermost parallel call of a thread that is not a worker. @returns false when that
/// cannot be had; `body` has not run then.
inline bool run_outside(void (*enter)(void*), void (*run)(void*), void* argument) {
  outside_call call{run, argument, nullptr};
  const bool entered = takt_enter(enter, &call);
  if (call.error) std::rethrow_exception(std::move(call.error));
  return entered;
}

template <class Body>
bool run_outside(Body& body) {
  return detail::run_outside(
      &enter_call<Body>, [](void* given) { (*static_cast<Body*>(given))(); }, std::addressof(body));
}

/// A fork that was polled for, but for what is outside of a parallel call.
template <class F, class G>
TAKT_OUTLINE auto fork_entered(F f, G g, abi::fork_way way) -> std::pair<result_of<F>, result_of<G>> {
  if (way == abi::fork_way::plain) return detail::fork_plain(f, g);
  // Whether it is to be timed.
  abi::site* const where = way == abi::fork_way::inside ? &site_of<std::pair<F, G>> : nullptr;
  const std::uint64_t begun = where != nullptr ? takt_clock() : 0;
  auto result = detail::fork_framed(f, g, where);
  if (where != nullptr) takt_fork_done(where, begun);
  return result;
}

/// A fork on the way into a parallel call.
template <class F, class G>
struct outermost_fork {
  using result_type = std::pair<result_of<F>, result_of<G>>;
  // The room for the result stays as it is.
  outermost_fork(const F& left, const G& right) : f(left), g(right) {}
  static void run(void* given) {
    auto& made = *static_cast<outermost_fork*>(given);
    const abi::fork_way way =
        spend_constant<abi::k_fork_units>()
            ? takt_fork_poll(&site_of<std::pair<F, G>>, abi::k_fork_units, TAKT_CALLERS_STACK())
            : abi::fork_way::charged;
    ::new (static_cast<void*>(made.result)) result_type(detail::fork_entered(made.f, made.g, way));
  }

  F f;
  G g;
  alignas(result_type) std::byte result[sizeof(result_type)];
};

template <class F, class G>
TAKT_OUTLINE auto fork_polled(F f, G g) -> std::pair<result_of<F>, result_of<G>> {
  using result_type = std::pair<result_of<F>, result_of<G>>;
  abi::fork_way way = takt_fork_poll(&site_of<std::pair<F, G>>, abi::k_fork_units, TAKT_CALLERS_STACK());
  if (way == abi::fork_way::outside) {
    outermost_fork<F, G> made(f, g);
    if (detail::run_outside(&enter_call<std::pair<F, G>>, &outermost_fork<F, G>::run, &made))
      return detail::take<result_type>(made.result);
    way = abi::fork_way::plain;
  } else if (detail::is_stopped()) {
    detail::throw_stopped();
  }
  return detail::fork_entered(f, g, way);
}

template <class F, class G>
TAKT_INLINE auto fork_in_place(F f, G g) -> std::pair<result_of<F>, result_of<G>> {
  if (detail::in_free_band(site_of<std::pair<F, G>>)) [[likely]]
    return detail::fork_plain(f, g);
  if (spend_constant<abi::k_fork_units>()) [[unlikely]]
    return detail::fork_polled(f, g);
  return detail::fork_framed(f, g, nullptr);
}

/// A fork with a frame of its own, see k_own_frame.
template <class F, class G>
TAKT_OUTLINE auto fork_in_own_frame(F f, G g) -> std::pair<result_of<F>, result_of<G>> {
  return detail::fork_in_place(f, g);
}

/// Whether a fork is not inlined into the function that forks: see k_apart. Not where callables are only referred to:
/// passed on, they would have to lie in memory.
template <class F, class G>
inline constexpr bool k_own_frame = !is_reference_to_callable<F> && !is_reference_to_callable<G> &&
                                    k_apart<F, G, result_of<F>, result_of<G>, std::pair<result_of<F>, result_of<G>>>;

template <class F, class G>
TAKT_INLINE auto fork(F f, G g) -> std::pair<result_of<F>, result_of<G>> {
  if constexpr (k_elided) {
    result_of<F> first = detail::call(f);
    return {static_cast<decltype(first)&&>(first), detail::call(g)};
  } else if constexpr (k_own_frame<F, G>) {
    return detail::fork_in_own_frame(f, g);
  } else {
    return detail::fork_in_place(f, g);
  }
}

}  // namespace detail
}  // namespace TAKT_NAMESPACE
