// What a policy knows of the computation on a fiber beside its code: see src/policy/README.md. It travels with the
// fiber.
#pragma once

#include <cstdint>

namespace takt::core {

/// A distribution range [begin, end) over seats (ADWS paper, section 3.1). Its ends are real numbers, in steps of a
/// 65,536th of a seat: a boundary may lie within the share of one.
struct range {
  static constexpr unsigned k_step_bits = 16;
  static constexpr std::uint32_t k_seat = 1u << k_step_bits;

  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  /// The whole of `count` seats from `first` on.
  static constexpr range of_seats(unsigned first, unsigned count) noexcept {
    return {first * k_seat, (first + count) * k_seat};
  }
  constexpr unsigned first() const noexcept { return begin >> k_step_bits; }
  /// The last one that it has something of.
  constexpr unsigned last() const noexcept { return (end - 1) >> k_step_bits; }
  constexpr bool covers(unsigned seat) const noexcept { return first() <= seat && seat <= last(); }
  /// Whether it covers more than one.
  constexpr bool is_cross_worker() const noexcept { return first() != last(); }
};

struct cross_group;
struct anchored_fork;

/// Levels of shared caches that a computation may be at: what a machine has beyond them is left out.
inline constexpr unsigned k_most_cache_levels = 4;

/// Where a computation is tied to a cache under the policy `sb`, and what it has of caches (src/policy/README.md, "sb").
struct anchoring {
  anchored_fork* forks = nullptr;  ///< the innermost one under way that has a record
  std::uint64_t held = 0;    ///< bytes of its cache, and of those between that and the one of the computation around
  std::uint64_t strand = 0;  ///< bytes that it may use of caches farther in
  std::uint16_t seat = 0;    ///< the caches are those of this seat
  std::uint8_t level = 0;    ///< of its cache; 0: none, all memory
  std::uint8_t around = 0;   ///< that of the computation around
};

struct locality {
  range over;
  /// The innermost construct around that was promoted while its range was cross-worker; null: none.
  cross_group* group = nullptr;
  std::uint64_t position = 0;  ///< in the tree of divided constructs: names it from one run to the next
  const void* loop = nullptr;  ///< the code of the loop that it is a part of
  std::uint64_t loop_ticks = 0;  ///< what that part will take, by what its loop took before; 0: not known
  std::uint64_t charged = 0;   ///< ticks of the fiber's that a construct has been charged for
  std::uint32_t serial = 0;  ///< of the group: another one there is another construct
  std::uint16_t depth = 0;  ///< how many of these there are around
  std::uint16_t owner = 0;  ///< the seat on which it began
  bool migrated = false;    ///< its tasks belong into the migration queue
  bool is_part = false;     ///< it is one of the parts into which `group` was divided
  bool of_given = false;    ///< what it runs belongs to the part that was handed over, whoever has that now
  bool crosses = false;     ///< of a task that waits: it is to be divided among several seats, or caches of its level

  /// The caches among which it is scheduled (src/policy/README.md, "Levels"): 0 if nothing was said of its memory;
  /// k_seats: none, but seats.
  std::uint8_t level = 0;
  static constexpr std::uint8_t k_seats = 0xff;
  std::uint16_t leads[k_most_cache_levels] = {};  ///< by level, from the outermost: which cache, + 1; 0: none

  anchoring anchor{};
};

}  // namespace takt::core
