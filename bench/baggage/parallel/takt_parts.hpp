// takt with parts of a fork taken out, to see what each costs; for one worker. TAKT_BAGGAGE_PARTS is what is left:
//   calls   what the header makes of two calls: captures, a pair of results, a landing pad
//   slots   the same, and each fork writes a slot that nobody takes, as nothing polls
//   polls   the same, and each fork is charged and may poll: all of takt but the band of free forks
#pragma once

#include <utility>

#include <takt/takt.hpp>

#include "harness/problem.hpp"

#define TAKT_BAGGAGE_RECURSIVE TAKT_BENCH_RECURSIVE
#define TAKT_BAGGAGE_JOINED_(a, b) a##b
#define TAKT_BAGGAGE_JOINED(a, b) TAKT_BAGGAGE_JOINED_(a, b)
#define TAKT_BAGGAGE_TEXT_(a) #a
#define TAKT_BAGGAGE_TEXT(a) TAKT_BAGGAGE_TEXT_(a)

namespace takt::bench::par::inline TAKT_BAGGAGE_JOINED(over_takt_, TAKT_BAGGAGE_PARTS) {

enum class parts { calls, slots, polls };
inline constexpr parts k_parts = parts::TAKT_BAGGAGE_PARTS;
inline constexpr const char* k_system = "takt-" TAKT_BAGGAGE_TEXT(TAKT_BAGGAGE_PARTS);

// As detail::fork_in_place().
template <class F, class G>
TAKT_INLINE auto fork_in_place(F f, G g) {
  if constexpr (k_parts == parts::calls) {
    return takt::detail::fork_plain(f, g);
  } else {
    if constexpr (k_parts == parts::polls) {
      if (takt::detail::spend_constant<takt::abi::k_fork_units>()) [[unlikely]]
        return takt::detail::fork_polled(f, g);
    }
    return takt::detail::fork_framed(f, g, nullptr);
  }
}

template <class F, class G>
TAKT_OUTLINE auto fork_in_own_frame(F f, G g) {
  return par::fork_in_place(f, g);
}

// As detail::fork().
template <class F, class G>
TAKT_INLINE auto fork(F f, G g) {
  if constexpr (takt::detail::k_own_frame<F, G>) {
    return par::fork_in_own_frame(f, g);
  } else {
    return par::fork_in_place(f, g);
  }
}

template <class F>
void root(const F& f) {
  if constexpr (k_parts == parts::slots) {
    // Slots are there inside of a parallel call only.
    takt::fork_join([&] { f(); }, [] {});
  } else {
    f();
  }
}

template <class F, class G>
void both(F f, G g) {
  par::fork(takt::detail::capture(std::move(f)), takt::detail::capture(std::move(g)));
}

template <class F, class G>
auto sum(F f, G g) {
  const auto [a, b] = par::fork(takt::detail::capture(std::move(f)), takt::detail::capture(std::move(g)));
  return a + b;
}

}  // namespace takt::bench::par::inline TAKT_BAGGAGE_JOINED(over_takt_,TAKT_BAGGAGE_PARTS)
