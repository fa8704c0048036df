// The state of the space-bounded scheduler, and of its seats. See README.md, "sb".
#pragma once

#include "worker/invariant.hpp"
#include "policy/cache_levels.hpp"
#include "lab/policy/cache_room.hpp"
#include "policy/seat_queues.hpp"
#include "lab/policy/space_bounded.hpp"
#include "worker/runtime.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace takt::core {

/// A fork whose branches are tied to caches: what is to be once its left branch is over. Of the fiber that runs it.
struct anchored_fork {
  const void* construct = nullptr;
  anchoring before;
  std::uint64_t given = 0;  ///< bytes of the right branch
};

/// Never more than `bytes`, which the program says and a double may round up, beyond what fits into 64 bits even.
inline std::uint64_t part_of(std::uint64_t bytes, double share) noexcept {
  if (!(share < 1)) return bytes;
  return std::min(bytes, static_cast<std::uint64_t>(static_cast<double>(bytes) * share));
}

/// What belongs to a seat.
struct alignas(abi::k_cache_line) seat_tasks : locked_seat {
  /// By the level of the cache that the code which made them is tied to: the seat is one of its seats.
  std::array<task_list, k_most_cache_levels + 1> lists;

  // Its holder's.
  alignas(abi::k_cache_line) anchored_fork* unused_fork = nullptr;
  anchoring taken;  ///< of what next() has returned last
  bool has_taken = false;
  // The promotion under way.
  anchoring around;         ///< of the code that it is a part of
  std::uint64_t given = 0;  ///< bytes of the task; 0: not known
  bool in_handler = false;
};

class space_bounded final : public policy {
 public:
  space_bounded(runtime& r, bool may_bind)
      : owner_(r), levels_(r.topology, r.wanted_cpus, r.settings.workers, r.most_workers, may_bind) {
    std::vector<std::uint64_t> bytes;
    for (std::uint8_t level = 1; level <= levels_.count(); ++level) {
      first_of_level_[level] = static_cast<unsigned>(bytes.size());
      for (unsigned c = 0; c < levels_.caches(level); ++c) bytes.push_back(levels_.bytes(level, c));
    }
    room_.have(bytes);
    seats_.reserve(r.most_workers);
    for (unsigned s = 0; s < r.most_workers; ++s) seats_.push_back(std::make_unique<seat_tasks>());
  }
  ~space_bounded() override {
    // Whoever has taken any has given it back.
    TAKT_ASSERT(room_.is_all_free());
    for (const auto& s : seats_) {
      delete s->unused_fork;
      for (const task_list& list : s->lists) {
        for (waiting_task* t = any_of(list); t != nullptr;) delete std::exchange(t, t->farther);
      }
    }
  }

  const platform::cpu_set* cpus_of(unsigned seat) const noexcept override { return levels_.cpus_of(seat); }

  bool reserve(worker& w, std::size_t count, bool may_grow) noexcept override;
  bool wants_hints() const noexcept override { return true; }
  bool hinted(worker& w, abi::slot* pushed, const abi::hints& said) noexcept override;
  void promotes(worker& w, const latent_frame& frame, const abi::hints* said) noexcept override;
  std::uint64_t cut(worker&, std::uint64_t begin, std::uint64_t end) noexcept override {
    return cut_in_half(begin, end);
  }
  void publish(worker& w, std::uint64_t task, bool near) noexcept override;
  void wake_for(worker& w, std::uint64_t task, bool in_signal_handler) noexcept override;

  std::uint64_t next(worker& w) noexcept override;
  bool is_anything_for(worker& w, task_search& search) noexcept override;
  std::uint64_t take_back(worker& w, const abi::slot* wanted, bool (*runs_here)(abi::slot*)) noexcept override;
  std::uint64_t take_awaited(worker& w, bool in_vain) noexcept override;

  void begins_call(worker& w, fiber& f) noexcept override {
    if (w.seat.is_held()) seat_of(w).stock_up(relax());
    f.policy.locality = {};
  }
  void begins(worker& w, fiber& f) noexcept override;
  void ends(worker& w, fiber& f) noexcept override;
  void joined(worker& w, const void* construct) noexcept override;

  bool offers(const worker& w, std::uint32_t scope) noexcept override;
  bool may_leave(const worker& w) noexcept override {
    return !w.seat.is_held() || find(
                             seat_of(w),
                             [&w](const waiting_task& t) {
                               return is_own(t) && (!may_wait(t) || !w.sleep.eligible(entry::scope(t.task)));
                             }) == entry::k_none;
  }
  void left_by(worker& w, task_search& search) noexcept override;
  void go_on_alone(worker& w) noexcept override;

 private:
  using shares = std::array<cache_share, k_most_cache_levels>;
  /// What `a` has of caches, or would have, if its seat were `seat`.
  std::span<const cache_share> shares_of(const anchoring& a, unsigned seat, shares& of) const noexcept;
  bool takes_room(const anchoring& a, unsigned seat) noexcept {
    shares of;
    return room_.take(shares_of(a, seat, of), relax());
  }
  bool has_room(const anchoring& a, unsigned seat) noexcept {
    shares of;
    return room_.has(shares_of(a, seat, of), relax());
  }
  bool gives_back(const anchoring& a) noexcept;
  /// @returns whether anything was given back. So do those below.
  bool end_strand(anchoring& here) noexcept;
  bool end_branch(anchoring& here) noexcept;
  bool close(worker& w, anchoring& here) noexcept;
  void tie(worker& w, anchoring& here, std::uint64_t bytes) noexcept;
  /// The innermost level of the seat's caches in which so much may be tied; 0: none.
  std::uint8_t fits_in(std::uint64_t bytes, unsigned seat) const noexcept;
  /// Room has been given back.
  void wake_for_what_waits() noexcept;

  /// It has been made in the seat in which it lies: by its holder, whoever that was.
  static bool is_own(const waiting_task& t) noexcept { return !t.where.is_part; }
  /// For room.
  static bool may_wait(const waiting_task& t) noexcept { return t.where.anchor.strand != 0; }

  /// The seats where tasks lie that a worker of `seat` takes from code which is tied to its cache of that level.
  struct seats {
    unsigned first;
    unsigned last;
  };
  seats seats_of(unsigned level, unsigned seat) const noexcept {
    if (level == 0) return {0, seat_count() - 1};
    const auto l = static_cast<std::uint8_t>(level);
    const range all = levels_.whole(l, levels_.cache_of(l, seat));
    // Seats for CPUs that may come count to the last cache.
    const bool is_last = levels_.cache_of(l, seat) + 1 == levels_.caches(l);
    return {all.first(), is_last ? seat_count() - 1 : all.last()};
  }
  static waiting_task* any_of(const task_list& list) noexcept {
    return list.from_near([](const waiting_task&) { return true; });
  }
  template <class Choose>
  std::uint64_t take(seat_tasks& s, Choose choose, waiting_task& taken) noexcept {
    const auto unlink = [&s](waiting_task& t) { s.lists[t.where.anchor.around].remove(t); };
    return s.take([&] { return choose(s); }, unlink, taken, relax()) ? taken.task : entry::k_none;
  }
  template <class Accept>
  const waiting_task* find_in(const seat_tasks& s, Accept accept) const noexcept;
  template <class Accept>
  std::uint64_t find(seat_tasks& s, Accept accept) noexcept {
    return s.look([&] { return find_in(s, accept); }, relax());
  }
  seat_tasks& seat_of(const worker& w) const noexcept { return *seats_[w.seat.index()]; }
  unsigned seat_count() const noexcept { return static_cast<unsigned>(seats_.size()); }
  /// Of a computation that a child of fork(2) goes on with, too.
  std::uint8_t level_of(std::uint8_t level) const noexcept {
    return std::min(level, static_cast<std::uint8_t>(levels_.count()));
  }
  relax_on_platform relax() const noexcept { return {&owner_.threading}; }

  runtime& owner_;
  cache_levels levels_;
  cache_room room_;
  std::array<unsigned, k_most_cache_levels + 1> first_of_level_{};
  std::vector<std::unique_ptr<seat_tasks>> seats_;
};

// --- what lies in a seat

template <class Accept>
const waiting_task* space_bounded::find_in(const seat_tasks& s, Accept accept) const noexcept {
  for (const task_list& list : s.lists) {
    if (const waiting_task* t = list.from_near(accept)) return t;
  }
  return nullptr;
}

}  // namespace takt::core
