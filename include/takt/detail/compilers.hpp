// What is written for a compiler's sake alone, each with its reason. None of it changes what a program means; without it
// the fast paths are slower. tests/codegen looks at what comes out.
//
// Calls out of short loops have a header of their own, aside.hpp; accesses to per-thread state are in hot.hpp.
#pragma once

#include <takt/abi.hpp>
#include <takt/detail/elision.hpp>
#include <takt/detail/exceptions.hpp>
#include <takt/detail/stop.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace takt {
struct nothing;
}  // namespace takt

// Whether the fast paths are assembly. The portable form is correct everywhere, and what other processors have.
#if !defined(TAKT_FORCE_PORTABLE) && defined(__x86_64__) && defined(__GNUC__) && !defined(__ILP32__)
#define TAKT_HOT_X86 1
#else
#define TAKT_HOT_X86 0
#endif

// --- functions ---------------------------------------------------------------------------------------------------

// Off the fast path: inlined, it would take the fast path's registers. Only what ends in an exception is called cold: a
// compiler optimises cold code, and all that is called from nowhere else, for size, and long loops run below the other
// ones.
#define TAKT_OUTLINE [[gnu::noinline]]
#define TAKT_COLD [[gnu::noinline, gnu::cold]]

// Before a statement: what it calls becomes part of the loop around it, as the body of a plain loop is. Clang otherwise
// calls a body above a certain size, once for each short row. GCC has no such attribute, and inlines larger ones
// itself.
#ifdef __clang__
#define TAKT_BODY [[clang::always_inline]]
#else
#define TAKT_BODY
#endif

// How a branch is called. By parentheses, as what needs std::invoke() takes an argument; that, std::move() and
// std::forward() are calls without optimisation. But Clang, optimising, puts a function that forks into its own
// branches only where there is a function in between (tests/codegen/check_fork).
#if defined(__clang__) && defined(__OPTIMIZE__)
#define TAKT_CALL_BRANCH(branch) std::invoke(branch)
#else
#define TAKT_CALL_BRANCH(branch) (branch)()
#endif

// --- frames and registers ----------------------------------------------------------------------------------------

// In a function that walks arrays: keeps its frame pointer, so that rbp is the base of no array. Intel's cores do not
// prefetch for loads that are based on rbp.
#if defined(__x86_64__)
#define TAKT_KEEP_FRAME_POINTER() __asm__ volatile("" ::"r"(__builtin_frame_address(0)))
#else
#define TAKT_KEEP_FRAME_POINTER() static_cast<void>(0)
#endif

// The stack pointer that the caller of the function in which this stands had at the call, or close to it.
#define TAKT_CALLERS_STACK() (reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) + 2 * sizeof(void*))

namespace TAKT_NAMESPACE::detail {

/// The address of a function, made anew at each use: kept in a register across the branches of a fork it would
/// cost every call of a recursion one more push and pop.
template <abi::run_function Run>
TAKT_INLINE abi::run_function fresh_address() {
#if !TAKT_HOT_X86 || (defined(__PIC__) && !defined(__PIE__)) || defined(__code_model_large__)
  // In a shared library the function may be interposed, and in a large program far away: let the compiler form the
  // address.
  return Run;
#else
  abi::run_function r;
  __asm__ volatile("leaq %c1(%%rip), %0" : "=r"(r) : "i"(Run));
  return r;
#endif
}

/// Whether a value of this type is passed, and returned, in registers.
template <class T>
inline constexpr bool passes_in_registers = std::is_trivially_copyable_v<T> && sizeof(T) <= 16 && alignof(T) <= 8;

/// Whether a fork of these branches, with these results, is not inlined into the function that forks. A fork has a
/// landing pad, and Clang saves registers at the start of a function that has one, also where the function then returns
/// at once. Without its forks a function that recurses is small, so that it is inlined into the fork's branches: what is
/// left of its calls are those that fork again. It pays where captures and results pass in registers.
template <class F, class G, class LeftResult, class RightResult, class Both>
inline constexpr bool k_apart =
#if defined(__clang__)
    passes_in_registers<F> && passes_in_registers<G> && passes_in_registers<LeftResult> &&
    passes_in_registers<RightResult> && sizeof(Both) <= 16;
#else
    false;
#endif

/// Whether a right branch of this type and result, for which a slot has room or not, waits for the left one in the
/// frame, not in registers. GCC spills what is in registers across a call where it is computed, so that leaves have the
/// frame of a fork, too. But of a frame whose address is known it makes no loop: not where integers or nothing are
/// returned, as the last call of such a recursion may become one, but for what is larger than a slot's payload.
template <class G, class Result, bool FitsPayload>
inline constexpr bool k_spilled_late =
#if defined(__clang__)
    false;
#else
    !passes_in_registers<G> && (!FitsPayload || (!std::is_integral_v<Result> && !std::is_same_v<Result, nothing>));
#endif

// --- callables as machine words ----------------------------------------------------------------------------------

/// Values that can be copied byte by byte, as many times as the fast paths like, without anybody noticing.
template <class T>
inline constexpr bool is_plain_value =
    std::is_object_v<T> && std::is_trivially_copyable_v<T> && std::is_same_v<T, std::remove_cv_t<T>> &&
    std::is_trivially_constructible_v<T, const T&> && std::is_trivially_constructible_v<T, T&> &&
    std::is_convertible_v<const T&, T> && std::is_convertible_v<T&, T>;

/// A small callable taken apart into machine words. Cold paths get bodies this way: passed whole, the closure would
/// have to exist in memory on the fast path too, and every iteration of a short loop would build it.
template <class F>
inline constexpr std::size_t words_of = (sizeof(F) + 7) / 8;

template <class F>
inline constexpr bool passes_as_words = false;
template <class F>
  requires is_plain_value<F>
inline constexpr bool passes_as_words<F> = alignof(F) <= 8 && words_of<F> <= 8;

template <std::size_t Index, class F>
TAKT_INLINE std::uint64_t word_of(const F& f) {
  std::uint64_t word = 0;
  constexpr std::size_t left = sizeof(F) - 8 * Index;
  __builtin_memcpy(&word, reinterpret_cast<const std::byte*>(std::addressof(f)) + 8 * Index, left < 8 ? left : 8);
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
    __builtin_clear_padding(std::addressof(f));
#endif
    ((all[Index] = detail::word_of<Index>(f)), ...);
  }
  /// From words that were passed one by one.
  template <class... Word>
    requires(sizeof...(Word) == sizeof...(Index) && (std::same_as<Word, std::uint64_t> && ...))
  TAKT_INLINE explicit words(Word... word) : all{word...} {}
  /// One word, to be passed by value. What stands for padding has no value, and Clang may take a call that is given
  /// such a word for one that is never made: from here on each bit has one.
  TAKT_INLINE std::uint64_t passed(std::size_t index) {
    __asm__("" : "+r"(all[index]));
    return all[index];
  }
  /// Where the callable is, for code that will take it for one.
  TAKT_INLINE void* in_memory() {
    // A compiler that follows types must not think that the words are never read.
    std::uint64_t* bytes = all;
    __asm__ volatile("" : "+r"(bytes) : : "memory");
    return bytes;
  }
  std::uint64_t all[sizeof...(Index)];
};

/// The callable that `all` holds, in place; it belongs to the caller's frame.
template <class F>
TAKT_INLINE F& reassembled(words<F>& all) {
  return *std::launder(static_cast<F*>(all.in_memory()));
}

// --- a left branch that throws -----------------------------------------------------------------------------------

/// Calls a right branch and drops its result (fork.hpp).
template <class G>
void call_plainly(void* g);

[[noreturn]] TAKT_COLD inline void left_threw_first(void* g, void (*call)(void*)) {
  detail::met_exception();
  TAKT_TRY {
    if (!detail::is_search_stopped()) call(g);
  } TAKT_CATCH_ALL {
    // Later in serial order.
  }
  TAKT_RETHROW();
}

/// `g` by value: it has no place in the frame of a fork that nothing throws in.
template <class G>
[[noreturn]] TAKT_COLD void left_threw_plainly(G g) {
  detail::left_threw_first(std::addressof(g), &call_plainly<G>);
}

/// A larger one in words. By value it would be pushed, and for a push in front of a call that does not return GCC gives
/// the function a frame pointer and its frame at once, leaves included.
template <class G, class... Word>
[[noreturn]] TAKT_COLD void left_threw_in_words(Word... word) {
  words<G> g(word...);
  detail::left_threw_first(g.in_memory(), &call_plainly<G>);
}
template <class G, std::size_t... Index>
[[noreturn]] TAKT_INLINE void left_threw_apart(G g, std::index_sequence<Index...>) {
  words<G> apart(g);
  detail::left_threw_in_words<G>(apart.passed(Index)...);
}

/// The left branch of two calls threw: `g` is run, whatever it does, and the exception goes on. `InFrame`: it lies in
/// memory anyway.
template <bool InFrame, class G>
[[noreturn]] TAKT_INLINE void left_threw_beside(G& g) {
  if constexpr (InFrame) {
    detail::left_threw_first(std::addressof(g), &call_plainly<G>);
  } else if constexpr (passes_in_registers<G>) {
    detail::left_threw_plainly(g);
  } else {
    detail::left_threw_apart(g, std::make_index_sequence<words_of<G>>{});
  }
}

}  // namespace TAKT_NAMESPACE::detail
