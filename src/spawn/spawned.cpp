#include "spawn/spawned.hpp"

#include <takt/spawning.hpp>

#include "join/child_list.hpp"
#include "join/group_parts.hpp"
#include "join/join.hpp"
#include "promotion/promote.hpp"
#include "stop/stop.hpp"

#include <cstdlib>
#include <new>
#include <utility>

namespace takt::core {

namespace {

constexpr std::uint32_t k_priorities = 3;

/// A fiber in wait(): resumed when nothing is left, and when there is something to begin.
struct waiter {
  join_word word;
  waiter* next = nullptr;
};

/// Tasks count in its word only while they run; its owner never arrives.
struct all_spawned : open_join {
  spin_lock lock;
  // The rest under the lock.
  child_list to_begin[k_priorities];
  waiter* waiters = nullptr;
  // How many fork(2)s this process is away from the first one: what another one has spawned is not counted here.
  std::uint64_t process = 0;
  bool is_in_use = false;
  bool has_ended = false;
};
constinit all_spawned all;

class locked {
 public:
  locked() noexcept { all.lock.lock(&relax_here); }
  ~locked() { all.lock.unlock(); }
  locked(const locked&) = delete;
  locked& operator=(const locked&) = delete;
};

// With the lock held.
std::uint64_t count_not_done(int more) noexcept {
  const std::uint64_t now = spawned::not_done.load(sync::relaxed) + static_cast<std::uint64_t>(more);
  spawned::not_done.store(now, sync::relaxed);
  return now;
}
// Likewise. Null: there is none.
group_child* take_oldest(std::uint32_t priorities) noexcept {
  for (std::uint32_t p = 0; p < priorities; ++p) {
    if (all.to_begin[p].empty()) continue;
    spawned::waiting.fetch_sub(1, sync::relaxed);
    return all.to_begin[p].pop_oldest(1);
  }
  return nullptr;
}

group_child* take_any() noexcept {
  if (!spawned::any()) return nullptr;
  const locked guard;
  return take_oldest(k_priorities);
}

// On any thread that keeps `r` alive.
void go_on(waiter& w, runtime& r) noexcept {
  // EDGE join.waiter
  if (!w.word.finish()) return;
  if (fiber* const f = resume(w.word.waiter(), r); f != nullptr) r.hand_over(*f, -1);
}

// Of the process numbered so. Each is a call of the process: configure() sees all that it did.
void is_done(std::uint64_t of_process) noexcept {
  waiter* over = nullptr;
  {
    const locked guard;
    if (of_process != all.process) return;
    if (count_not_done(-1) == 0) over = std::exchange(all.waiters, nullptr);
    // EDGE runtime.replaced
    process::calls.fetch_sub(1, sync::release);
  }
  if (over == nullptr) return;
  worker* const here = this_worker();
  runtime& r = here != nullptr ? here->owner : *process::current();
  while (over != nullptr) go_on(*std::exchange(over, over->next), r);
}

void run_spawned(open_join&, abi::slot* task) {
  const std::uint64_t of_process = payload_of(*reinterpret_cast<group_child*>(task)).added_as;
  task->run(task);
  const runtime_scope scope;
  is_done(of_process);
}

// What is left runs on top of the code that waits for it.
void wait_inside(fiber& here) {
  const runtime_scope scope;
  for (;;) {
    while (group_child* const c = take_any()) {
      const stopped_by nothing(here, all.stop);
      const user_scope user;
      run_child(&c->task);
    }
    waiter me;
    me.word.begin(1, {});
    {
      const locked guard;
      if (spawned::not_done.load(sync::relaxed) == 0) return;
      if (spawned::any()) continue;
      me.next = std::exchange(all.waiters, &me);
    }
    if (is_over_soon(me.word)) continue;
    promote_all(*this_worker());
    wait_for_event(me.word);
  }
}

bool is_any_left() noexcept {
  const locked guard;
  return spawned::not_done.load(sync::relaxed) != 0;
}

// On a thread that is in no call.
void wait_outside() {
  auto body = [] { wait_inside(*this_fiber()); };
  // No stack: as in a group's wait.
  for (unsigned round = 0; is_any_left() && !enter_with(body); ++round) {
    process::begin_call();
    group_child* const c = process::current() != nullptr ? take_any() : nullptr;
    if (c != nullptr) run_child(&c->task);
    process::end_call();
    if (c == nullptr) relax_here(round);
  }
}

// Who calls exit() in a call would wait for itself.
void end_of_process() {
  if (this_fiber() == nullptr) wait_outside();
  const locked guard;
  all.has_ended = true;
}

// @returns false when the caller is to run it.
bool add(group_child& child, std::uint32_t priority, runtime& r) noexcept {
  if (!entry::can_name(&child.task)) return false;
  ::new (static_cast<void*>(child.task.join)) join_word;
  own_join(&child.task)->delegate(join_word::kind::child, &all.word, task_start(floating_point_environment(), 1));
  waiter* idle = nullptr;
  bool is_first = false;
  {
    const locked guard;
    if (all.has_ended) return false;
    is_first = !std::exchange(all.is_in_use, true);
    if (is_first) {
      all.run = &run_spawned;
      all.word.begin(0, {});
    }
    payload_of(child).added_as = all.process;
    all.to_begin[priority].push(child);
    (void)count_not_done(1);
    process::calls.fetch_add(1, sync::relaxed);
    // EDGE spawn.waiting
    spawned::waiting.fetch_add(1, sync::seq_cst);
    if (all.waiters != nullptr) idle = std::exchange(all.waiters, all.waiters->next);
  }
  if (is_first) (void)std::atexit(&end_of_process);
  r.announce_spawned();
  if (idle != nullptr) go_on(*idle, r);
  return true;
}

}  // namespace

std::uint64_t spawned::take(worker& w, bool urgent) noexcept {
  if (urgent && all.to_begin[0].empty()) return entry::k_none;
  if (!any_for(w) || !w.owner.ensure_scope(w)) return entry::k_none;
  group_child* child = nullptr;
  {
    const locked guard;
    child = take_oldest(urgent ? 1 : k_priorities);
  }
  if (child == nullptr) return entry::k_none;
  (void)all.word.add();
  // A task of nobody's call: of the one that `w` might make.
  w.owner.scopes.hold(w.scheduler.scope());
  return entry::make(&child->task, w.scheduler.scope());
}

void spawned::go_on_alone() noexcept {
  (void)all.lock.go_on_alone();
  for (child_list& list : all.to_begin) ::new (static_cast<void*>(&list)) child_list;
  waiting.store(0, sync::relaxed);
  not_done.store(0, sync::relaxed);
  all.waiters = nullptr;
  ++all.process;
}

}  // namespace takt::core

using namespace takt::core;

extern "C" {

bool takt_spawn(group_child* child, std::uint32_t priority) {
  if (worker* const w = this_worker(); w != nullptr) {
    const runtime_scope scope;
    // A call that goes on in a child of fork(2) does so alone.
    return !w->owner.orphaned && add(*child, priority, w->owner);
  }
  if (process::current() == nullptr) {
    auto nothing = [] {};
    (void)enter_with(nothing);
  }
  process::begin_call();
  runtime* const r = process::current();
  const bool is_added = r != nullptr && add(*child, priority, *r);
  process::end_call();
  return is_added;
}

void takt_wait_for_spawned() {
  fiber* const here = this_fiber();
  here != nullptr ? wait_inside(*here) : wait_outside();
}
}
