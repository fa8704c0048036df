// Constructs that were divided among seats or caches. See README.md, "adws".
#pragma once

#include "fiber/fiber.hpp"
#include "policy/policy.hpp"
#include "policy/seat_queues.hpp"
#include "sync/atomic.hpp"

#include <bit>
#include <cstdint>

namespace takt::core {

/// A construct that was promoted while the range of its task was cross-worker. Thieves read what is atomic at any time:
/// a record that serves another construct meanwhile misleads them about where to steal, and about nothing else.
struct cross_group {
  sync::atomic<std::uint64_t> over{0};  ///< a range
  sync::atomic<std::uint32_t> depth{0};
  sync::atomic<std::uint32_t> dominant{0};       ///< one of its parts is done (section 3.2)
  sync::atomic<std::uint32_t> given_is_over{0};  ///< the part that was handed over is done, or was taken back
  sync::atomic<cross_group*> around{nullptr};    ///< but for those whose range was given back when this began
  sync::atomic<std::uint32_t> serial{0};         ///< how many constructs it has served
  sync::atomic<std::uint64_t> ticks[2];          ///< what was kept and what was given took so far, on all seats

  /// The fiber that runs the construct. Read on others, for which it is not theirs, whatever they see.
  sync::atomic<const fiber*> home{nullptr};

  // Of that fiber alone.
  latent_frame frame;
  std::uint64_t position = 0;
  std::uint64_t cut = 0;    ///< of a loop
  double kept_share = 0;    ///< of the range
  bool given_back = false;  ///< the whole range is that of the code which goes on
  bool is_planned = false;  ///< its parts go where a plan says: they are learned
  locality before;
  cross_group* open = nullptr;  ///< the same, if it is of the same fiber
  cross_group* next = nullptr;  ///< where nobody uses it
};

inline std::uint64_t word_of(range r) noexcept { return std::bit_cast<std::uint64_t>(r); }
inline range range_of(std::uint64_t word) noexcept { return std::bit_cast<range>(word); }

/// The construct that `l` names; null once its record serves another one: a child of a group may outlive the call in
/// which the group was divided. Every step from a construct to the one around it asks.
inline cross_group* group_of(const locality& l) noexcept {
  return l.group != nullptr && l.group->serial.load(sync::relaxed) == l.serial ? l.group : nullptr;
}

/// The same, if `f` runs it: then nobody else closes it.
inline cross_group* own_group(const locality& l, const fiber& f) noexcept {
  cross_group* const g = group_of(l);
  return g != nullptr && g->home.load(sync::relaxed) == &f ? g : nullptr;
}

/// The construct within which the holder of `seat` steals (section 3.2): the outermost dominant one that the seat has a
/// share in, of `innermost` and those around it. Null: none.
inline const cross_group* topmost_dominant(const cross_group* innermost, unsigned seat) noexcept {
  // Nested further than that, constructs are of no more interest to a thief.
  constexpr unsigned k_most_around = 64;
  const cross_group* topmost = nullptr;
  const cross_group* g = innermost;
  for (unsigned n = 0; g != nullptr && n < k_most_around; ++n, g = g->around.load(sync::acquire)) {
    if (g->dominant.load(sync::acquire) != 0 && range_of(g->over.load(sync::acquire)).covers(seat)) topmost = g;
  }
  return topmost;
}

/// What may be stolen of the tasks that lie in the seats of a range.
struct steal_range {
  range over;
  unsigned depth;  ///< of the construct whose range it is

  /// Of the tasks of `victim`, which it covers: the ends of the range may lie within the share of a seat, which then
  /// has tasks of others (section 3.2).
  template <class Accept>
  waiting_task* of(unsigned victim, const seat_queues& q, Accept accept) const noexcept {
    const bool migrated = victim != over.first() || over.begin % range::k_seat == 0;
    const bool primary = victim != over.last() || over.end % range::k_seat == 0;
    return q.stealable(depth, migrated, primary, accept);
  }
};

}  // namespace takt::core
