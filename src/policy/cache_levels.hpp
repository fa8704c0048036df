// Levels of shared caches, and who leads which (ADWS paper, sections 4 and 5). See README.md, "Levels".
#pragma once

#include "fiber/locality.hpp"
#include "platform/topology.hpp"
#include "sync/atomic.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace takt::core {

/// Level 1 is the outermost one whose caches are shared. Without any (`count()` is 0) there are seats only.
class cache_levels {
 public:
  cache_levels() = default;
  /// Those of the first `workers` of `seats` seats; the others, for CPUs that may come, count to the last cache of each
  /// level. A level that is true only of workers that keep to their CPUs is left out unless they are to and the
  /// platform can bind them.
  /// @throws std::bad_alloc
  cache_levels(platform::topology& machine, const platform::placement& wanted, unsigned workers, unsigned seats,
               bool workers_keep_to_cpus);

  unsigned count() const noexcept { return static_cast<unsigned>(levels_.size()); }
  /// Whether what is at that level is scheduled among caches, not seats.
  bool is_of_caches(std::uint8_t level) const noexcept { return level != 0 && level <= count(); }
  unsigned cache_of(std::uint8_t level, unsigned seat) const noexcept { return at(level).cache_of_seat[seat]; }
  range whole(std::uint8_t level, unsigned cache) const noexcept {
    const one_level& l = at(level);
    return range::of_seats(l.caches[cache].first, l.caches[cache].workers);
  }
  /// Where the worker of a seat is to run; null: anywhere. Lives as long as this object.
  const platform::cpu_set* cpus_of(unsigned seat) const noexcept {
    return cpus_of_seat_.empty() ? nullptr : cpus_of_seat_[seat];
  }
  unsigned first_seat(std::uint8_t level, unsigned cache) const noexcept { return at(level).caches[cache].first; }
  unsigned caches(std::uint8_t level) const noexcept { return static_cast<unsigned>(at(level).caches.size()); }
  std::uint64_t bytes(std::uint8_t level, unsigned cache) const noexcept { return at(level).caches[cache].bytes; }
  /// Whether a range has seats of more than one cache.
  bool crosses(std::uint8_t level, range r) const noexcept {
    return cache_of(level, r.first()) != cache_of(level, last_of(r));
  }
  /// The cache of `seat`, if `r` has something of it; else the one in which `r` begins.
  unsigned own_cache(std::uint8_t level, range r, unsigned seat) const noexcept {
    return cache_of(level, r.covers(seat) ? seat : r.first());
  }

  /// How many levels of caches two seats do not share: 0 in one innermost cache, count() where the outermost differ.
  unsigned distance(unsigned a, unsigned b) const noexcept;

  struct place {
    std::uint8_t level;
    range over;
  };
  /// Where a construct that uses so much memory is to be scheduled, in code that is `here`, on `seat` (figure 15):
  /// among the caches of the present level as long as it does not fit into those of its range; else farther in.
  /// `flattens`: in all of these at once, and in any number of levels; else in one cache (figure 13).
  place place_of(const locality& here, unsigned seat, std::uint64_t bytes, bool flattens) const noexcept;

  // --- leaders
  /// Whether a worker of `seat` may run a task that has that locality: each of its caches either has it within already,
  /// or has no leader.
  bool is_open(unsigned seat, const locality& task) const noexcept;
  /// Leads its cache for a task of that level, unless somebody does.
  bool try_lead(std::uint8_t level, unsigned cache) noexcept {
    std::uint32_t none = 0;
    // EDGE levels.leader
    return leaders(level, cache).compare_exchange_strong(none, 1, sync::seq_cst, sync::relaxed);
  }
  /// `here` leads that cache from now on, whoever else does, if it leads none of that level.
  void lead(locality& here, std::uint8_t level, unsigned cache) noexcept;
  /// `here` leads what `before` led. @returns whether it has let one go that nobody leads now.
  bool lead_as(locality& here, const locality& before) noexcept;
  /// `here` leads none. @returns as lead_as.
  bool let_go(locality& here) noexcept { return lead_as(here, locality{}); }
  /// One of that level that nobody leads, better `wanted`; -1: none.
  int without_leader(std::uint8_t level, unsigned wanted) const noexcept;
  /// In a child of fork(2).
  void forget() noexcept;

 private:
  struct one_cache {
    unsigned first;
    unsigned workers;
    std::uint64_t bytes;
  };
  struct one_level {
    std::vector<one_cache> caches;
    std::vector<std::uint16_t> cache_of_seat;
    std::unique_ptr<sync::atomic<std::uint32_t>[]> leaders;  ///< of each cache: how many lead it
  };
  /// @throws std::bad_alloc
  void add_level(std::span<const platform::shared_cache> caches, unsigned seats);
  const one_level& at(std::uint8_t level) const noexcept { return levels_[level - 1u]; }
  sync::atomic<std::uint32_t>& leaders(std::uint8_t level, unsigned cache) const noexcept {
    return at(level).leaders[cache];
  }
  unsigned last_of(range r) const noexcept;

  std::vector<one_level> levels_;
  std::vector<std::unique_ptr<platform::cpu_set>> cpus_;
  std::vector<const platform::cpu_set*> cpus_of_seat_;  ///< empty: all may run anywhere
};

}  // namespace takt::core
