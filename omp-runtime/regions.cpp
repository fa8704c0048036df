// Regions: a team is made, its members run, and meet at barriers.
#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "state.hpp"

namespace takt::openmp {

namespace {

// The code of a thread outside of regions; or, where that is inside of serial ones, the innermost.
struct thread_code {
  member outside;
  team alone;
  member* now = &outside;
  thread_code() noexcept {
    outside.in = &alone;
    outside.implicit.is_implicit = true;
    outside.implicit.in = &alone;
    outside.implicit.icvs = the_environment().first;
    alone.members = &outside;
  }
};

thread_code& of_thread() noexcept {
  // Not read across a wait: code outside of members may go on on another thread.
  static thread_local thread_code code;
  return code;
}

std::uint64_t word(std::uint32_t released, std::uint32_t arrived) noexcept {
  return std::uint64_t{released} << 32 | arrived;
}

void set_up(member& m, team& t, std::uint32_t number, member& parent) noexcept {
  const environment& all = the_environment();
  m.in = &t;
  m.number = number;
  m.outer = &parent;
  m.implicit.is_implicit = true;
  m.implicit.in = &t;
  m.implicit.is_final = false;
  settings& own = m.implicit.icvs;
  own = icvs(parent);
  ++own.level;
  if (static_cast<std::size_t>(own.level) < all.threads.size()) {
    own.threads = all.threads[static_cast<std::size_t>(own.level)];
  }
  m.victim = number;
}

void set_up(team& t, member& parent, std::uint32_t size) noexcept {
  t.size = size;
  t.parent = &parent;
  t.level = parent.in->level + 1;
  t.active_level = parent.in->active_level + (size > 1 ? 1 : 0);
  t.contention_group = parent.in->contention_group;
  t.team_number = parent.in->team_number;
  t.teams = parent.in->teams;
}

// A member that has come to the end of its code.
void end_of_member(member& m) noexcept {
  last_barrier(m);
  if (m.implicit.of_children != nullptr) drop_dependences(m.implicit);
}

// Where it runs, if that is asked for: once for each size of teams.
void show_if_asked(const member& m) noexcept {
  static std::atomic<std::uint32_t> shown{0};
  if (!the_environment().shows_affinity || m.in->level != 1) return;
  if (m.number != 0) return m.in->shows_affinity ? show_affinity(m) : void();
  m.in->shows_affinity = shown.exchange(m.in->size, std::memory_order_relaxed) != m.in->size;
  if (m.in->shows_affinity) show_affinity(m);
}

void member_main(void* argument) {
  member& m = *static_cast<member*>(argument);
  show_if_asked(m);
  m.in->run(m, m.in->argument);
  end_of_member(m);
}

struct region {
  void (*run)(member&, void*);
  void* argument;
  std::uint32_t size;
  member* parent;
  bool is_outermost;
};

// Inside a call.
void run_team(const region& what) {
  member& parent = *what.parent;
  std::uint32_t size = what.size;
  const std::unique_ptr<member[]> members(new (std::nothrow) member[size]);
  if (members == nullptr) fail("no memory for a team");
  const std::uint32_t threads = what.is_outermost ? takt_team_threads(size) : 1;
  for (std::uint32_t i = 1; i < size; ++i) {
    abi::team_member& f = members[i].fiber;
    f.run = &member_main;
    f.argument = f.state = &members[i];
    f.thread = what.is_outermost ? i % threads : abi::k_any_thread;
    members[i].on_fiber = true;
    if (!takt_team_take(&f)) {
      // As many as there are stacks.
      size = i;
      break;
    }
  }
  team t;
  set_up(t, parent, size);
  t.members = members.get();
  t.run = what.run;
  t.argument = what.argument;
  for (std::uint32_t i = 0; i < size; ++i) set_up(members[i], t, i, parent);
  members[0].on_fiber = true;
  members[0].fiber.state = &members[0];
  takt_team_enter(&members[0].fiber);
  show_if_asked(members[0]);
  abi::event end;
  takt_team_begin(&end, size - 1);
  for (std::uint32_t i = 1; i < size; ++i) takt_team_start(&end, &members[i].fiber);
  what.run(members[0], what.argument);
  end_of_member(members[0]);
  takt_team_join(&end);
  takt_team_leave(&members[0].fiber);
}

// Of `size` members that are to begin beside the caller: as many as the limit of its contention group allows.
std::uint32_t reserve(const member& m, std::uint32_t size) noexcept {
  const std::int32_t limit = m.current->icvs.thread_limit;
  if (limit <= 0 || limit == INT_MAX) return size;
  std::atomic<std::uint32_t>& busy = m.in->contention_group->busy;
  std::uint32_t now = busy.load(std::memory_order_relaxed);
  std::uint32_t granted = 0;
  do {
    const auto most = static_cast<std::uint32_t>(limit);
    granted = std::min(size, now < most ? most - now + 1 : 1);
  } while (!busy.compare_exchange_weak(now, now + granted - 1, std::memory_order_relaxed));
  return granted;
}
void unreserve(const member& m, std::uint32_t size) noexcept {
  const std::int32_t limit = m.current->icvs.thread_limit;
  if (limit > 0 && limit != INT_MAX) m.in->contention_group->busy.fetch_sub(size - 1, std::memory_order_relaxed);
}

struct serial_region {
  member self;
  team alone;
};

}  // namespace

void fail(const char* what) noexcept {
  std::fprintf(stderr, "takt: OpenMP: %s\n", what);
  std::abort();
}

bool is_on_fiber() noexcept { return takt_team_is_inside(); }

[[gnu::noinline]] member& me() noexcept {
  if (void* const state = takt_team_state(); state != nullptr) return *static_cast<member*>(state);
  return *of_thread().now;
}

std::uint32_t team_size(const member& m, std::uint32_t wanted) noexcept {
  const settings& s = m.current->icvs;
  if (static_cast<std::int32_t>(m.in->active_level) >= s.most_active_levels) return 1;
  std::uint32_t n = wanted != 0 ? wanted : static_cast<std::uint32_t>(s.threads);
  if (s.is_dynamic) n = std::min(n, static_cast<std::uint32_t>(the_environment().processors));
  if (s.thread_limit > 0) n = std::min(n, static_cast<std::uint32_t>(s.thread_limit));
  return n;
}

void begin_serial(member& parent) noexcept {
  auto* const r = new (std::nothrow) serial_region;
  if (r == nullptr) fail("no memory for a team");
  set_up(r->alone, parent, 1);
  r->alone.members = &r->self;
  set_up(r->self, r->alone, 0, parent);
  r->self.fiber.state = &r->self;
  r->self.on_fiber = takt_team_enter(&r->self.fiber);
  if (!r->self.on_fiber) of_thread().now = &r->self;
}

void end_serial() noexcept {
  member& self = me();
  end_of_member(self);
  auto* const r = reinterpret_cast<serial_region*>(&self);
  if (self.on_fiber) {
    takt_team_leave(&self.fiber);
  } else {
    of_thread().now = self.outer;
  }
  delete r;
}

void run_region(void (*run)(member&, void*), void* argument, std::uint32_t wanted, bool is_serial) {
  member& m = me();
  const std::uint32_t size = is_serial ? 1 : reserve(m, team_size(m, wanted));
  region what{run, argument, size, &m, !is_on_fiber()};
  const auto enter = [](void* all) { run_team(*static_cast<const region*>(all)); };
  if (size > 1 && !what.is_outermost) {
    run_team(what);
  } else if (size == 1 || !takt_enter(enter, &what)) {
    begin_serial(m);
    run(me(), argument);
    end_serial();
  }
  unreserve(m, size);
}

void begin_contention_group(member& m) noexcept {
  m.in->level = m.in->active_level = 0;
  m.in->contention_group = m.in;
}

void run_league(void (*run)(member&, void*), void* argument, std::uint32_t teams, std::uint32_t limit) {
  for (std::uint32_t i = 0; i < teams; ++i) {
    begin_serial(me());
    member& self = me();
    --self.in->level;
    self.in->contention_group = self.in;
    self.in->team_number = i;
    self.in->teams = teams;
    settings& s = icvs(self);
    --s.level;
    if (limit > 0) s.thread_limit = static_cast<std::int32_t>(limit);
    if (limit > 0 || teams > 1) s.threads = std::min(s.threads, static_cast<std::int32_t>(limit > 0 ? limit : ~0u >> 1));
    run(self, argument);
    end_serial();
  }
}

namespace {

// All have come to `place`, and nothing is left to do: they go on.
void release_if_due(team& t, std::atomic<std::uint64_t>& place) noexcept {
  // EDGE barrier.release
  std::uint64_t now = place.load(std::memory_order_seq_cst);
  if (static_cast<std::uint32_t>(now) != t.size || t.tasks.load(std::memory_order_seq_cst) != 0) return;
  t.is_loop_cancelled.store(false, std::memory_order_relaxed);
  if (place.compare_exchange_strong(now, word(static_cast<std::uint32_t>(now >> 32) + 1, 0),
                                    std::memory_order_seq_cst, std::memory_order_relaxed)) {
    t.changed.notify();
  }
}

// `is_cancelled`: asked while it waits.
template <class Cancelled>
bool meet(member& m, std::atomic<std::uint64_t>& place, Cancelled&& is_cancelled) noexcept {
  team& t = *m.in;
  if (t.size == 1) {
    while (t.tasks.load(std::memory_order_acquire) != 0) {
      if (run_one(m, nullptr)) continue;
      t.changed.wait([&] { return t.tasks.load() == 0 || t.queued.load() != 0; });
    }
    return false;
  }
  // EDGE barrier.release
  const std::uint64_t before = place.fetch_add(1, std::memory_order_seq_cst);
  const auto phase = static_cast<std::uint32_t>(before >> 32);
  const auto is_over = [&] { return static_cast<std::uint32_t>(place.load() >> 32) != phase; };
  if (static_cast<std::uint32_t>(before) + 1 == t.size) release_if_due(t, place);
  while (!is_over()) {
    if (is_cancelled()) {
      // It has not come: all meet at the region's end.
      for (std::uint64_t now = place.load(); static_cast<std::uint32_t>(now >> 32) == phase;) {
        if (place.compare_exchange_weak(now, now - 1)) return true;
      }
      break;
    }
    if (t.queued.load() != 0 && run_one(m, nullptr)) continue;
    t.changed.wait([&] { return is_over() || t.queued.load() != 0 || is_cancelled(); });
  }
  return is_cancelled();
}

}  // namespace

void tasks_are_done(team& t) noexcept {
  release_if_due(t, t.arrivals);
  release_if_due(t, t.ends);
}

bool barrier(member& m, bool cancels) noexcept {
  const team& t = *m.in;
  const auto is_cancelled = [&] { return cancels && t.is_cancelled.load(std::memory_order_seq_cst); };
  return is_cancelled() || meet(m, m.in->arrivals, is_cancelled);
}

void last_barrier(member& m) noexcept {
  meet(m, m.in->ends, [] { return false; });
}

}  // namespace takt::openmp
