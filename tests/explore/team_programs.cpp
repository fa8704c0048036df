#include "explore/team_programs.hpp"

#include "explore/parts.hpp"

#include <takt/team.hpp>

#include <array>
#include <mutex>
#include <utility>

namespace takt_explore {

namespace {

using takt::abi::event;
using takt::abi::team_member;

constexpr std::uint32_t k_size = 3;
constexpr std::uint32_t k_regions = 3;

template <class F>
bool enter(F&& f) {
  return takt_enter([](void* self) { (*static_cast<F*>(self))(); }, &f);
}

/// Where the members of a team wait for each other.
class barrier {
 public:
  void meet() {
    event mine;
    takt_event_begin(&mine);
    std::array<event*, k_size> waiting{};
    bool is_last = false;
    {
      const std::lock_guard guard(lock_);
      is_last = here_ + 1 == k_size;
      if (is_last) {
        waiting = std::exchange(waiting_, {});
        here_ = 0;
      } else {
        waiting_[here_++] = &mine;
      }
    }
    if (!is_last) return takt_event_wait(&mine);
    for (std::uint32_t i = 0; i + 1 < k_size; ++i) takt_event_end(waiting[i]);
  }

 private:
  takt::sync::mutex lock_;
  std::array<event*, k_size> waiting_{};
  std::uint32_t here_ = 0;
};

/// The same for members that keep their threads.
class spinning_barrier {
 public:
  void meet(explorer& on) {
    const std::uint32_t before = come_.fetch_add(1, takt::sync::seq_cst);
    const std::uint32_t all = before / k_size * k_size + k_size;
    for (unsigned round = 0; come_.load(takt::sync::seq_cst) < all; ++round) on.relax(round);
  }

 private:
  takt::sync::atomic<std::uint32_t> come_{0};
};

/// A team as omp-runtime/regions.cpp keeps it; its README has the protocol.
template <class Region>
class kept_team {
  struct seat {
    kept_team* in;
    std::uint32_t number;
    team_member fiber;
    bool is_seated = false;
  };

 public:
  explicit kept_team(Region region) : region_(std::move(region)) {
    for (std::uint32_t i = 0; i < k_size; ++i) {
      seats_[i].in = this;
      seats_[i].number = i;
      seats_[i].fiber = {};
      seats_[i].fiber.run = [](void* self) { seated_main(*static_cast<seat*>(self)); };
      seats_[i].fiber.argument = seats_[i].fiber.state = &seats_[i];
      seats_[i].fiber.thread = i;
    }
  }

  /// In a call. @returns false if there is no room.
  bool run(std::uint32_t number) {
    {
      const std::lock_guard guard(lock_);
      if (!has_room()) return false;
      now_ = number;
      takt_team_origin(&origin_);
      tell();
    }
    takt_team_enter(&seats_[0].fiber);
    region_(0, number);
    takt_team_leave(&seats_[0].fiber);
    return true;
  }
  void dismiss() {
    {
      const std::lock_guard guard(lock_);
      is_dismissed_ = true;
      tell();
    }
    drop();
  }

 private:
  bool has_room() {
    if (gone_ == 0) return true;
    if (takt_team_threads(k_size) < k_size) return false;
    for (std::uint32_t i = 1; i < k_size; ++i) {
      seat& s = seats_[i];
      if (!s.is_seated && s.fiber.fiber == nullptr && !takt_team_take(&s.fiber)) return false;
    }
    return true;
  }
  void tell() {
    regions_.fetch_add(1, takt::sync::release);
    for (std::uint32_t i = 1; gone_ != 0 && i < k_size; ++i) {
      seat& s = seats_[i];
      if (s.is_seated || s.fiber.fiber == nullptr) continue;
      s.is_seated = true;
      --gone_;
      references_.fetch_add(1, takt::sync::relaxed);
      takt_team_start(nullptr, &s.fiber);
    }
  }
  void drop() {
    if (references_.fetch_sub(1, takt::sync::acq_rel) == 1) delete this;
  }

  static bool is_there_for_next(seat& s, std::uint32_t seen) {
    kept_team& t = *s.in;
    struct look {
      kept_team& team;
      std::uint32_t seen;
    } next{t, seen};
    const auto has_come = [](void* self) {
      const look& l = *static_cast<look*>(self);
      return l.team.regions_.load(takt::sync::acquire) != l.seen;
    };
    if (takt_team_linger(has_come, &next)) return true;
    const std::lock_guard guard(t.lock_);
    if (t.regions_.load(takt::sync::relaxed) != seen) return true;
    s.is_seated = false;
    s.fiber.fiber = nullptr;
    ++t.gone_;
    return false;
  }
  static void seated_main(seat& s) {
    kept_team& t = *s.in;
    for (bool is_new = true; !t.is_dismissed_; is_new = false) {
      if (!is_new) takt_team_again(&s.fiber, &t.origin_);
      const std::uint32_t seen = t.regions_.load(takt::sync::relaxed);
      t.region_(s.number, t.now_);
      if (!is_there_for_next(s, seen)) break;
    }
    t.drop();
  }

  Region region_;
  takt::sync::atomic<std::uint32_t> regions_{0};
  takt::sync::atomic<std::uint32_t> references_{1};
  takt::sync::mutex lock_;
  // Written before regions_ is raised, and read behind that.
  bool is_dismissed_ = false;
  std::uint32_t now_ = 0;
  takt::abi::team_origin origin_{};
  std::uint32_t gone_ = k_size - 1;
  std::array<seat, k_size> seats_;
};

// As many threads as a team has members, all of which can be had.
void have_threads(explorer& on) {
  on.may_refuse_stacks = on.may_refuse_threads = false;
  takt::config c = takt::current_config();
  c.workers = k_size;
  takt::configure(c);
}

/// Regions of one thread, one after the other.
template <class Region>
bool run_regions(explorer& on, Region region) {
  auto* const team = new kept_team<Region>(std::move(region));
  bool all = true;
  for (std::uint32_t r = 0; r < k_regions; ++r) {
    all = enter([&] { all = team->run(r) && all; }) && all;
    work(on, static_cast<unsigned>(on.chosen_below(3)));
  }
  team->dismiss();
  return all;
}

}  // namespace

std::uint64_t team(explorer& on) {
  on.may_refuse_stacks = false;
  std::array<std::uint64_t, 2 * k_size> cells{};
  barrier half_way;
  struct one {
    explorer& on;
    std::array<std::uint64_t, 2 * k_size>& cells;
    barrier& half_way;
    std::size_t number;
    team_member fiber;
    static void run(void* self) {
      one& o = *static_cast<one*>(self);
      work(o.on);
      o.cells[o.number] += mix(o.number, 3);
      o.half_way.meet();
      takt_team_yield();
      tree(o.on, 1, 1);
      // The other's.
      const std::size_t other = (o.number + 1) % k_size;
      if (o.cells[other] == 0) return;
      o.cells[k_size + o.number] += mix(k_size + o.number, 3);
      o.half_way.meet();
    }
  };
  const bool entered = enter([&] {
    std::uint32_t threads = 0;
    {
      const short_of_memory scarce(on);
      threads = takt_team_threads(k_size);
    }
    std::array<one, k_size> members{
        {{on, cells, half_way, 0, {}}, {on, cells, half_way, 1, {}}, {on, cells, half_way, 2, {}}}};
    event end;
    takt_team_begin(&end, k_size - 1);
    for (std::uint32_t i = 0; i < k_size; ++i) {
      team_member& m = members[i].fiber;
      m.run = &one::run;
      m.argument = m.state = &members[i];
      m.thread = i % 2 == 0 ? i % threads : takt::abi::k_any_thread;
      if (i != 0 && takt_team_take(&m)) takt_team_start(&end, &m);
    }
    takt_team_enter(&members[0].fiber);
    one::run(&members[0]);
    takt_team_join(&end);
    takt_team_leave(&members[0].fiber);
  });
  on.may_refuse_stacks = true;
  return entered ? in_order(cells) : 0;
}

std::uint64_t kept_teams(explorer& on) {
  have_threads(on);
  std::array<std::uint64_t, 2 * k_regions * k_size> cells{};
  bool all = true;
  const auto regions_of = [&](std::size_t thread) {
    barrier end;
    const bool ran = run_regions(on, [&, thread](std::uint32_t member, std::uint32_t region) {
      work(on);
      const std::size_t c = (thread * k_regions + region) * k_size + member;
      cells[c] += mix(c, 3);
      end.meet();
    });
    all = ran && all;
  };
  outside_thread other(on, [&] { regions_of(1); });
  regions_of(0);
  other.join();
  on.may_refuse_stacks = on.may_refuse_threads = true;
  return all ? in_order(cells) : 0;
}

std::uint64_t crowded_teams(explorer& on) {
  have_threads(on);
  std::array<std::uint64_t, 2 * k_regions * k_size> cells{};
  bool all = true;
  takt::sync::atomic<std::uint32_t> left{2};
  const auto regions_of = [&](std::size_t thread) {
    spinning_barrier middle;
    barrier end;
    const bool ran = run_regions(on, [&, thread](std::uint32_t member, std::uint32_t region) {
      middle.meet(on);
      const std::size_t c = (thread * k_regions + region) * k_size + member;
      cells[c] += mix(c, 3);
      end.meet();
    });
    all = ran && all;
    left.fetch_sub(1, takt::sync::seq_cst);
  };
  // As many as there are members that may have no thread.
  const auto relieve = [&] {
    for (unsigned round = 0; left.load(takt::sync::seq_cst) != 0; ++round) {
      (void)enter([] { (void)takt_team_relieve(); });
      on.relax(round);
    }
  };
  outside_thread watcher(on, [&] {
    for (unsigned round = 0; left.load(takt::sync::seq_cst) != 0; ++round) {
      on.relax(round);
      (void)takt_team_look_for_stuck();
    }
  });
  using relieving = outside_thread<decltype(relieve)>;
  relieving relief[]{{on, relieve}, {on, relieve}, {on, relieve}, {on, relieve}};
  outside_thread other(on, [&] { regions_of(1); });
  regions_of(0);
  other.join();
  watcher.join();
  for (relieving& r : relief) r.join();
  on.may_refuse_stacks = on.may_refuse_threads = true;
  return all ? in_order(cells) : 0;
}

}  // namespace takt_explore
