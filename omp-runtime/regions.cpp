// Regions: a team is made, its members run, and meet at barriers.
#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <pthread.h>
#include <unistd.h>
#include <utility>

#include "state.hpp"

namespace takt::openmp {

namespace {

// Code outside of regions.
struct outside_code : member {
  team alone;
  explicit outside_code(const settings& icvs) noexcept {
    in = &alone;
    implicit.is_implicit = true;
    implicit.in = &alone;
    implicit.icvs = icvs;
    alone.members = this;
  }
};

// Of a thread; `now`: the innermost where that is inside of serial regions.
struct thread_code : outside_code {
  member* now = this;
  thread_code() noexcept : outside_code(the_environment().first) {}
  ~thread_code();
};

// The calling thread's teams of its last regions, for the next ones. In a child of fork(2) their members are not there.
struct kept_teams {
  team* on_pool = nullptr;
  team* on_threads = nullptr;
  bool owns_pool = false;
};
thread_local kept_teams kept;
// By the first thread that has had a region: thread-locals of takt's threads are those of its members for good.
std::atomic<bool> is_pool_owned{false};
// To one region at a time: members that shared a thread might have to move, and libraries keep things for each thread.
std::atomic<bool> is_pool_lent{false};
[[maybe_unused]] const int follows_forks = pthread_atfork(nullptr, nullptr, [] {
  kept = {};
  is_pool_owned.store(false, std::memory_order_relaxed);
  is_pool_lent.store(false, std::memory_order_relaxed);
});

thread_code& of_thread() noexcept {
  // Not read across a wait, after which code on a fiber may go on on another thread.
  static thread_local thread_code code;
  return code;
}

// A call's own code is that which makes the call.
[[maybe_unused]] const bool is_followed = (takt_team_follow([]() -> void* { return of_thread().now; }), true);

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
  m.implicit.groups = nullptr;
  m.current = &m.implicit;
  m.constructs = std::uint64_t{t.regions.load(std::memory_order_relaxed)} << 32;
  m.copies = 0;
  m.loop.in = nullptr;
  m.doacross = nullptr;
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
  // Written only if need be: others would fetch the line again.
  if (t.has_tasks.load(std::memory_order_relaxed)) t.has_tasks.store(false, std::memory_order_relaxed);
  if (t.is_cancelled.load(std::memory_order_relaxed)) t.is_cancelled.store(false, std::memory_order_relaxed);
  if (t.is_loop_cancelled.load(std::memory_order_relaxed)) t.is_loop_cancelled.store(false, std::memory_order_relaxed);
  t.reductions[0] = t.reductions[1] = nullptr;
}

void wait_for_outsiders(const team& t) noexcept {
  // EDGE team.outsiders
  for (short_wait brief; t.outsiders.load(std::memory_order_acquire) != 0;) brief.pause();
}

// A member that has come to the end of its code.
void end_of_member(member& m) noexcept {
  last_barrier(m);
  if (m.number == 0) wait_for_outsiders(*m.in);
  drop_dependences(m.implicit);
}

// Where it runs, if that is asked for: once for each size of teams.
void show_if_asked(const member& m) noexcept {
  static std::atomic<std::uint32_t> shown{0};
  if (!the_environment().shows_affinity || m.in->level != 1) return;
  if (m.number != 0) return m.in->shows_affinity ? show_affinity(m) : void();
  m.in->shows_affinity = shown.exchange(m.in->size, std::memory_order_relaxed) != m.in->size;
  if (m.in->shows_affinity) show_affinity(m);
}

void drop(team& t) noexcept {
  // EDGE team.references: all that the others did is before it is freed.
  if (t.references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  delete[] t.members;
  delete &t;
}

// After the region `seen`, the next one may have begun. @returns false if the member has left the team.
bool is_there_for_next(member& m, std::uint32_t seen) noexcept {
  team& t = *m.in;
  if (t.has_threads) {
    wait_while(t.regions, seen);
    return true;
  }
  // EDGE team.regions
  if (look_for([&] { return t.regions.load(std::memory_order_acquire) != seen; })) return true;
  t.lock.lock();
  const bool has_come = t.regions.load(std::memory_order_relaxed) != seen;
  if (!has_come) {
    m.is_seated = false;
    m.fiber.fiber = nullptr;
    ++t.gone;
  }
  t.lock.unlock();
  return has_come;
}

void seated_main(member& m) {
  team& t = *m.in;
  for (bool is_new = true; t.run != nullptr; is_new = false) {
    if (t.has_threads) {
      std::fesetenv(&t.floating_point);
    } else if (!is_new) {
      takt_team_again(&m.fiber, &t.origin);
    }
    set_up(m, t, m.number, *t.parent);
    const std::uint32_t region = t.regions.load(std::memory_order_relaxed);
    show_if_asked(m);
    t.run(m, t.argument);
    end_of_member(m);
    if (!is_there_for_next(m, region)) break;
  }
  drop(t);
}

void member_main(void* argument) {
  member& m = *static_cast<member*>(argument);
  if (m.is_seated) return seated_main(m);
  show_if_asked(m);
  m.in->run(m, m.in->argument);
  end_of_member(m);
}

// Outside of takt's calls, from its first region on.
void* thread_main(void* argument) noexcept {
  member& m = *static_cast<member*>(argument);
  wait_while(m.in->regions, 0);
  of_thread().now = &m;
  seated_main(m);
  return nullptr;
}

struct region {
  void (*run)(member&, void*);
  void* argument;
  const void* code;
  std::uint32_t size;
  member* parent;
};

void prepare(member& m, std::uint32_t thread) noexcept {
  m.fiber.run = &member_main;
  m.fiber.argument = m.fiber.state = &m;
  m.fiber.thread = thread;
  m.on_fiber = true;
}

void set_up(team& t, const region& what) noexcept {
  set_up(t, *what.parent, what.size);
  t.run = what.run;
  t.argument = what.argument;
}

// The calling code is `m` from here on, until end_as.
void begin_as(member& m) noexcept {
  m.on_fiber = takt_team_enter(&m.fiber);
  if (!m.on_fiber) of_thread().now = &m;
}
void end_as(member& m) noexcept {
  m.on_fiber ? takt_team_leave(&m.fiber) : static_cast<void>(of_thread().now = m.outer);
}

void run_first(member& first, const region& what) {
  begin_as(first);
  show_if_asked(first);
  what.run(first, what.argument);
  end_of_member(first);
}

// A team that lasts as long as the region. `threads`: of members; 0: any.
void run_team(region what, std::uint32_t threads) {
  const crowd watched;
  const std::unique_ptr<member[]> members(new (std::nothrow) member[what.size]);
  if (members == nullptr) fail("no memory for a team");
  for (std::uint32_t i = 0; i < what.size; ++i) {
    prepare(members[i], threads == 0 ? abi::k_any_thread : i % threads);
    // As many as there are stacks.
    if (i > 0 && !takt_team_take(&members[i].fiber)) what.size = i;
  }
  team t;
  set_up(t, what);
  t.members = members.get();
  for (std::uint32_t i = 0; i < what.size; ++i) set_up(members[i], t, i, *what.parent);
  abi::event end;
  takt_team_begin(&end, what.size - 1);
  for (std::uint32_t i = 1; i < what.size; ++i) takt_team_start(&end, &members[i].fiber);
  run_first(members[0], what);
  takt_team_join(&end);
  end_as(members[0]);
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

team* make_kept(std::uint32_t size) noexcept {
  auto* const t = new (std::nothrow) team;
  auto* const members = new (std::nothrow) member[size];
  if (t == nullptr || members == nullptr) fail("no memory for a team");
  for (std::uint32_t i = 0; i < size; ++i) {
    members[i].in = t;
    members[i].number = i;
    prepare(members[i], i);
  }
  t->size = size;
  t->members = members;
  t->gone = size - 1;
  t->references.store(1, std::memory_order_relaxed);
  return t;
}

// Under the team's lock: whether those that have left can come again.
bool has_room(team& t) noexcept {
  if (t.gone == 0) return true;
  if (takt_team_threads(t.size) < t.size) return false;
  for (std::uint32_t i = 1; i < t.size; ++i) {
    member& m = t.members[i];
    if (!m.is_seated && m.fiber.fiber == nullptr && !takt_team_take(&m.fiber)) return false;
  }
  return true;
}

// Under the team's lock, inside of a call if somebody has left: the next region, or the end, is there for its members.
void tell(team& t) noexcept {
  // EDGE team.regions
  t.regions.fetch_add(1, std::memory_order_release);
  for (std::uint32_t i = 1; t.gone != 0 && i < t.size; ++i) {
    member& m = t.members[i];
    // Without a stack: it is the end.
    if (m.is_seated || m.fiber.fiber == nullptr) continue;
    m.is_seated = true;
    --t.gone;
    t.references.fetch_add(1, std::memory_order_relaxed);
    takt_team_start(nullptr, &m.fiber);
  }
  if (t.has_threads) wake_all(t.regions);
}

void dismiss(team* t) noexcept {
  if (t == nullptr) return;
  t->lock.lock();
  t->run = nullptr;
  tell(*t);
  t->lock.unlock();
  drop(*t);
}

team* make_on_pool(std::uint32_t size) noexcept {
  return takt_team_threads(size) < size ? nullptr : make_kept(size);
}

// Its threads are there, as they may be refused.
team* make_on_threads(std::uint32_t size) noexcept {
  team* const t = make_kept(size);
  t->has_threads = true;
  for (std::uint32_t i = 1; i < size; ++i) {
    t->members[i].is_seated = true;
    t->references.fetch_add(1, std::memory_order_relaxed);
    if (!start_thread(&thread_main, &t->members[i])) {
      t->references.fetch_sub(1, std::memory_order_relaxed);
      dismiss(t);
      return nullptr;
    }
    --t->gone;
  }
  return t;
}

// A team whose members have a thread each outlives the region: they look for the next one. @returns false if there is no
// room for it.
bool run_kept(const region& what, team*& place, team* (*make)(std::uint32_t) noexcept) {
  if (place != nullptr && place->size != what.size) dismiss(std::exchange(place, nullptr));
  if (place == nullptr) place = make(what.size);
  if (place == nullptr) return false;
  team& t = *place;
  t.lock.lock();
  const bool has_room_for_all = has_room(t);
  if (has_room_for_all) {
    set_up(t, what);
    t.has_threads ? static_cast<void>(std::fegetenv(&t.floating_point)) : takt_team_origin(&t.origin);
    tell(t);
  }
  t.lock.unlock();
  if (!has_room_for_all) {
    dismiss(std::exchange(place, nullptr));
    return false;
  }
  set_up(t.members[0], t, 0, *what.parent);
  run_first(t.members[0], what);
  end_as(t.members[0]);
  return true;
}

thread_code::~thread_code() {
  dismiss(std::exchange(kept.on_pool, nullptr));
  // The initial thread's end is that of the process, in which destructors of others' thread-locals are not wanted.
  if (gettid() != getpid()) dismiss(std::exchange(kept.on_threads, nullptr));
}

bool owns_pool(kept_teams& own) noexcept {
  if (!own.owns_pool && !is_pool_owned.load(std::memory_order_relaxed)) {
    own.owns_pool = !is_pool_owned.exchange(true, std::memory_order_relaxed);
  }
  return own.owns_pool;
}

// In a call of takt's. @returns false if there is none to be had.
template <class Function>
bool in_call(Function&& run) {
  return takt_enter([](void* f) { (*static_cast<std::remove_reference_t<Function>*>(f))(); }, &run);
}

// From code outside of takt's calls. @returns false if it needs one, and there is none to be had.
bool run_outside(const region& what) {
  // In a member that has a thread of its own.
  if (what.parent->in->active_level > 0) return in_call([&] { run_team(what, 0); });
  kept_teams& own = kept;
  const bool owns = owns_pool(own);
  const bool is_apart = !owns && has_thread_locals(what.code);
  const bool has_pool = !is_apart && !is_pool_lent.exchange(true, std::memory_order_acquire);
  bool has_run = false;
  if (has_pool) {
    const bool is_in_call = in_call([&] { has_run = run_kept(what, own.on_pool, &make_on_pool); });
    is_pool_lent.store(false, std::memory_order_release);
    if (has_run || !is_in_call) return has_run;
  }
  const bool has_locals = is_apart || (owns && has_thread_locals(what.code));
  if (owns && has_locals && !has_pool) {
    // With others' members, as its thread-locals are there.
    const bool is_in_call = in_call([&] {
      const crowd watched;
      has_run = run_kept(what, own.on_pool, &make_on_pool);
    });
    if (has_run || !is_in_call) return has_run;
  }
  const bool gets_threads = has_locals || (!has_pool && takt_team_workers() >= what.size);
  if (gets_threads && run_kept(what, own.on_threads, &make_on_threads)) return true;
  return in_call([&] { run_team(what, takt_team_threads(what.size)); });
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

void release_threads() noexcept {
  // It owns the pool no more, and neither does anybody else: its next thread-locals are those of other threads.
  dismiss(std::exchange(kept.on_pool, nullptr));
  dismiss(std::exchange(kept.on_threads, nullptr));
  kept.owns_pool = false;
}

bool is_on_fiber() noexcept { return takt_team_is_inside(); }

namespace {

// Inside of takt's calls, on a fiber that may go on on another thread: for as long as that is the same code's.
[[gnu::noinline]] member& make_for_fiber() noexcept {
  auto* const code = new (std::nothrow) outside_code(of_thread().now->implicit.icvs);
  if (code == nullptr) fail("no memory for a team");
  takt_team_keep(static_cast<member*>(code), [](void* state) {
    auto* const ended = static_cast<outside_code*>(static_cast<member*>(state));
    // Tasks that wait for an event of others count here still.
    if (!ended->alone.all_done()) return;
    wait_for_outsiders(ended->alone);
    drop_dependences(ended->implicit);
    delete ended;
  });
  return *code;
}

}  // namespace

[[gnu::noinline]] member& me() noexcept {
  if (void* const state = takt_team_state(); state != nullptr) return *static_cast<member*>(state);
  return is_on_fiber() ? make_for_fiber() : *of_thread().now;
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
  begin_as(r->self);
}

void end_serial() noexcept {
  member& self = me();
  end_of_member(self);
  auto* const r = reinterpret_cast<serial_region*>(&self);
  end_as(self);
  delete r;
}

void run_region(void (*run)(member&, void*), void* argument, const void* code, std::uint32_t wanted, bool is_serial) {
  member& m = me();
  const std::uint32_t size = is_serial ? 1 : reserve(m, team_size(m, wanted));
  const region what{run, argument, code, size, &m};
  if (size > 1 && is_on_fiber()) {
    run_team(what, 0);
  } else if (size == 1 || !run_outside(what)) {
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
  if (static_cast<std::uint32_t>(now) != t.size || !t.all_done()) return;
  if (t.is_loop_cancelled.load(std::memory_order_relaxed)) t.is_loop_cancelled.store(false, std::memory_order_relaxed);
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
    while (!t.all_done()) {
      if (run_one(m, nullptr)) continue;
      t.changed.wait([&] { return t.all_done() || t.any_queued(); });
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
    if (t.any_queued() && run_one(m, nullptr)) continue;
    t.changed.wait([&] { return is_over() || t.any_queued() || is_cancelled(); });
  }
  return is_cancelled();
}

}  // namespace

void task_is_done(team& t) noexcept {
  if (t.size == 1) return t.changed.notify();
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
