// The fork: what happens between a push and a join. See src/promotion/README.md for the protocol.
#pragma once

#include <takt/detail/hot.hpp>

#include <exception>
#include <functional>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

namespace TAKT_NAMESPACE {

/// Stands for the result of a callable that returns void where its siblings return values.
struct nothing {
  friend constexpr bool operator==(nothing, nothing) = default;
};

namespace detail {

template <class F, class... Args>
using result_of = std::conditional_t<std::is_void_v<std::invoke_result_t<F, Args...>>, nothing,
                                     std::remove_cvref_t<std::invoke_result_t<F, Args...>>>;

template <class F>
TAKT_INLINE result_of<F> call(F& f) {
  if constexpr (std::is_void_v<std::invoke_result_t<F&>>) {
    std::invoke(f);
    return nothing{};
  } else {
    return std::invoke(f);
  }
}

/// A callable that stays where it is, in a frame that outlives the fork.
template <class F>
struct callable_reference {
  std::remove_reference_t<F>* target;
  TAKT_INLINE decltype(auto) operator()() const { return std::invoke(std::forward<F>(*target)); }
};

/// Small trivially copyable temporaries are copied, so that their captures live in registers and in the slot;
/// everything else, and every callable that the caller named and may look at afterwards, is referred to.
template <class F>
TAKT_INLINE auto capture(F&& f) {
  if constexpr (!std::is_lvalue_reference_v<F>) {
    using callable = std::remove_cvref_t<F>;
    if constexpr (std::is_trivially_copyable_v<callable> && std::is_invocable_v<callable&> &&
                  sizeof(callable) <= abi::k_payload_bytes && alignof(callable) <= 8) {
      return callable(f);
    } else {
      return callable_reference<F>{&f};
    }
  } else {
    return callable_reference<F>{&f};
  }
}

/// A small callable taken apart into machine words. Cold paths get bodies this way: passed whole, the closure would
/// have to exist in memory on the fast path too, and every iteration of a short loop would build it.
template <class F>
inline constexpr std::size_t words_of = (sizeof(F) + 7) / 8;

template <class F>
inline constexpr bool passes_as_words = std::is_trivially_copyable_v<F> && alignof(F) <= 8 && words_of<F> <= 8;

template <std::size_t Index, class F>
TAKT_INLINE std::uint64_t word_of(const F& f) {
  std::uint64_t word = 0;
  constexpr std::size_t left = sizeof(F) - 8 * Index;
  __builtin_memcpy(&word, reinterpret_cast<const std::byte*>(&f) + 8 * Index, left < 8 ? left : 8);
  return word;
}

/// The words of a callable, written where a slow path is taken.
template <class F, class Indices = std::make_index_sequence<words_of<F>>>
struct words;
template <class F, std::size_t... Index>
struct words<F, std::index_sequence<Index...>> {
  TAKT_INLINE explicit words(F f) {
#if defined(__GNUC__) && !defined(__clang__)
    // What stands for an empty member may never have been written, and GCC warns of reading it.
    __builtin_clear_padding(&f);
#endif
    ((all[Index] = detail::word_of<Index>(f)), ...);
  }
  std::uint64_t all[sizeof...(Index)];
};

/// The callable that `all` holds, in place; it belongs to the caller's frame.
template <class F>
TAKT_INLINE F& reassembled(words<F>& all) {
  // A compiler that follows types must not think that the words are never read.
  std::uint64_t* bytes = all.all;
  __asm__ volatile("" : "+r"(bytes) : : "memory");
  return *std::launder(reinterpret_cast<F*>(bytes));
}

/// A right branch whose result does not fit into the slot keeps it in the forking frame.
template <class G, class R>
struct boxed {
  G branch;
  alignas(R) std::byte result[sizeof(R)];
};

template <class R>
inline constexpr bool fits_slot = sizeof(R) <= abi::k_payload_bytes && alignof(R) <= 8;

template <class T>
TAKT_INLINE T* payload_of(slot* s) {
  return std::launder(reinterpret_cast<T*>(s->payload));
}

inline void store_exception(slot* s) {
  ::new (static_cast<void*>(s->payload)) std::exception_ptr(std::current_exception());
  takt_set_threw(s);
}

/// Runs the right branch of a fork as a task; its outcome goes where the join looks for it.
template <class G, class R>
void run_right(slot* s) {
  if constexpr (fits_slot<R>) {
    G branch = *detail::payload_of<G>(s);
    try {
      ::new (static_cast<void*>(s->payload)) R(detail::call(branch));
    } catch (...) {
      store_exception(s);
    }
  } else {
    auto* box = *detail::payload_of<boxed<G, R>*>(s);
    try {
      ::new (static_cast<void*>(box->result)) R(detail::call(box->branch));
    } catch (...) {
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
    if constexpr (fits_slot<R>) {
      G branch = *detail::payload_of<G>(s);
      return detail::call(branch);
    } else {
      return detail::call((*detail::payload_of<boxed<G, R>*>(s))->branch);
    }
  }
  if (takt_threw(s)) std::rethrow_exception(take<std::exception_ptr>(s->payload));
  if constexpr (fits_slot<R>) {
    return detail::take<R>(s->payload);
  } else {
    return detail::take<R>((*detail::payload_of<boxed<G, R>*>(s))->result);
  }
}

/// The left branch threw: finish the right one, whatever it does, then let the left exception go on.
template <class G, class R>
[[noreturn]] TAKT_COLD void left_threw(slot* s) {
  set_head(s);
  try {
    if (is_promoted(s)) {
      (void)detail::join_promoted<G, R>(s);
    } else if constexpr (fits_slot<R>) {
      G branch = *detail::payload_of<G>(s);
      (void)detail::call(branch);
    } else {
      (void)detail::call((*detail::payload_of<boxed<G, R>*>(s))->branch);
    }
  } catch (...) {
    // Later in serial order: the left exception is the one to report.
  }
  throw;
}

/// One fork, small results: push, left, pop, right.
template <class F, class G, class Pushed>
TAKT_INLINE auto fork_framed(F f, G g, Pushed pushed) -> std::pair<result_of<F>, result_of<G>> {
  using left_result = result_of<F>;
  using right_result = result_of<G>;
  slot* const s = head();
  s->run = detail::fresh_address<&run_right<G, right_result>>();
  const auto left = [&]() -> left_result {
    try {
      return detail::call(f);
    } catch (...) {
      detail::left_threw<G, right_result>(s);
    }
  };
  if constexpr (fits_slot<right_result>) {
    ::new (static_cast<void*>(s->payload)) G(g);
    set_head(s + 1);
    pushed();
    left_result first = left();
    set_head(s);
    if (is_promoted(s)) [[unlikely]]
      return {std::move(first), detail::join_promoted<G, right_result>(s)};
    // The slot is free from here on and the branch will reuse it: its captures move out first.
    G branch = *detail::payload_of<G>(s);
    return {std::move(first), detail::call(branch)};
  } else {
    boxed<G, right_result> box{g, {}};
    ::new (static_cast<void*>(s->payload)) boxed<G, right_result>*(&box);
    set_head(s + 1);
    pushed();
    left_result first = left();
    set_head(s);
    if (is_promoted(s)) [[unlikely]]
      return {std::move(first), detail::join_promoted<G, right_result>(s)};
    return {std::move(first), detail::call(box.branch)};
  }
}

template <class G>
[[noreturn]] TAKT_COLD void left_threw_plainly(G g) {
  try {
    (void)detail::call(g);
  } catch (...) {
    // Later in serial order.
  }
  throw;
}

/// The fork without the runtime, with the same outcome: two calls.
template <class F, class G>
TAKT_INLINE auto fork_plain(F f, G g) -> std::pair<result_of<F>, result_of<G>> {
  const auto left = [&]() -> result_of<F> {
    try {
      return detail::call(f);
    } catch (...) {
      detail::left_threw_plainly(g);
    }
  };
  result_of<F> first = left();
  return {std::move(first), detail::call(g)};
}

/// The same when no stack can be had.
template <class F, class G>
TAKT_OUTLINE auto fork_serial(F f, G g) -> std::pair<result_of<F>, result_of<G>> {
  return detail::fork_plain(f, g);
}

/// Runs `body()` as the outermost parallel call of a thread that is not a worker. @returns false when that
/// cannot be had; `body` has not run then.
template <class Body>
bool run_outside(Body& body) {
  struct call_state {
    Body* body;
    std::exception_ptr error;
  } state{&body, nullptr};
  const bool entered = takt_enter(
      [](void* argument) {
        auto* s = static_cast<call_state*>(argument);
        try {
          (*s->body)();
        } catch (...) {
          s->error = std::current_exception();
        }
      },
      &state);
  if (state.error) std::rethrow_exception(std::move(state.error));
  return entered;
}

template <class F, class G>
TAKT_INLINE auto fork(F f, G g) -> std::pair<result_of<F>, result_of<G>>;

template <class F, class G>
TAKT_OUTLINE auto fork_outside(F f, G g) -> std::pair<result_of<F>, result_of<G>> {
  std::optional<std::pair<result_of<F>, result_of<G>>> result;
  auto body = [&] { result.emplace(detail::fork(f, g)); };
  if (detail::run_outside(body)) return std::move(*result);
  return detail::fork_serial(f, g);
}

template <class F, class G>
TAKT_OUTLINE auto fork_polled(F f, G g) -> std::pair<result_of<F>, result_of<G>> {
  abi::site* const where = &site_of<std::pair<F, G>>;
  switch (takt_fork_poll(where, abi::k_fork_units, TAKT_CALLERS_STACK())) {
    case abi::fork_entry::outside:
      return detail::fork_outside(f, g);
    case abi::fork_entry::charged:
      return detail::fork_framed(f, g, [] {});
    case abi::fork_entry::inside:
      break;
  }
  const std::uint64_t begun = takt_clock();
  auto result = detail::fork_framed(f, g, [where] { takt_fork_pushed(where); });
  takt_fork_done(where, begun);
  return result;
}

template <class F, class G>
TAKT_INLINE auto fork_in_place(F f, G g) -> std::pair<result_of<F>, result_of<G>> {
  if (detail::in_free_band(site_of<std::pair<F, G>>)) [[likely]]
    return detail::fork_plain(f, g);
  if (spend_constant<abi::k_fork_units>()) [[unlikely]]
    return detail::fork_polled(f, g);
  return detail::fork_framed(f, g, [] {});
}

/// A fork with a frame of its own, see k_apart.
template <class F, class G>
TAKT_OUTLINE auto fork_apart(F f, G g) -> std::pair<result_of<F>, result_of<G>> {
  return detail::fork_in_place(f, g);
}

template <class T>
inline constexpr bool passes_in_registers = std::is_trivially_copyable_v<T> && sizeof(T) <= 16 && alignof(T) <= 8;

/// Whether a fork is not inlined into the function that forks. A fork has a landing pad, and Clang saves registers at
/// the start of a function that has one, also where the function then returns at once. Without its forks a function
/// that recurses is small, so that it is inlined into the fork's branches: what is left of its calls are those that
/// fork again (docs/decisions/2026-11-22-forks-apart.md). It pays where captures and results pass in registers.
template <class F, class G>
inline constexpr bool k_apart =
#if defined(__clang__)
    passes_in_registers<F> && passes_in_registers<G> && passes_in_registers<result_of<F>> &&
    passes_in_registers<result_of<G>> && sizeof(std::pair<result_of<F>, result_of<G>>) <= 16;
#else
    false;
#endif

template <class F, class G>
TAKT_INLINE auto fork(F f, G g) -> std::pair<result_of<F>, result_of<G>> {
  if constexpr (k_elided) {
    result_of<F> first = detail::call(f);
    return {std::move(first), detail::call(g)};
  } else if constexpr (k_apart<F, G>) {
    return detail::fork_apart(f, g);
  } else {
    return detail::fork_in_place(f, g);
  }
}

}  // namespace detail
}  // namespace TAKT_NAMESPACE
