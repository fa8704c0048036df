// Running the children of groups, and waiting for them. See README.md beside this file.
#include <takt/detail/fork.hpp>

#include "join/group_parts.hpp"
#include "policy/policies.hpp"
#include "promotion/beat.hpp"
#include "stop/stop.hpp"

#include <utility>

namespace takt::core {

namespace {

// For who runs the part's children. Once for each of them: a call would cost a tenth of what a child takes.
[[gnu::always_inline]] inline group_child* take_latent(group_part& part) noexcept {
  group_state& g = part.all();
  if (part.list.empty() && &part == &g && g.anything_shared()) {
    const guarded guard(g);
    take_shared(g, part.list);
  }
  return take_one(part.list, g.order);
}

[[gnu::noinline]] abi::slot* hot_head() noexcept {
  __asm__ volatile("" ::: "memory");
  return takt_hot.head;
}
[[gnu::noinline]] void set_hot(abi::slot* head, bool lower_split) noexcept {
  __asm__ volatile("" ::: "memory");
  takt_hot.head = head;
  if (lower_split && takt_hot.split > head) takt_hot.split = head;
}

// A list has a slot on the latent stack, so that promotion finds its children.
void set_slot(abi::slot* s, latent_children& children) noexcept {
  s->run = &takt_group_mark;
  ::new (static_cast<void*>(s->payload)) latent_children*(&children);
  set_hot(s + 1, false);
}

// Runs code of the list while it has a slot; without one if the latent stack is full.
template <class F>
void with_slot(group_part& part, const fiber& here, F&& code) {
  abi::slot* const s = hot_head();
  const bool pushed = here.frames.has_room(s);
  abi::slot* const around = part.slot;
  if (pushed) {
    set_slot(s, part);
    part.slot = s;
  }
  code();
  part.slot = around;
  if (pushed) set_hot(s, true);
}

// The code around the child is of the environment `mine`, which it leaves as it is.
void run_in_own_environment(std::uint32_t mine, group_child& c) {
  const std::uint32_t its = own_join(&c.task)->start().environment();
  if (its != mine) set_floating_point_environment(its);
  c.task.run(&c.task);
  set_environment_if_different(mine);
}

// One that has been latent here, alone: what it adds is kept where it was.
void run_latent_child(std::uint32_t mine, group_child& c) {
  const user_scope user;
  run_in_own_environment(mine, c);
}

// It has not begun, and does not: its function is destroyed. The program's code sees that by the empty `run`.
void drop(group_child& c) { std::exchange(c.task.run, nullptr)(&c.task); }
void drop_all(group_child* newest, std::size_t many) {
  for (; many != 0; --many) drop(*std::exchange(newest, newest->older));
}
void drop_latent_child(group_child& c) {
  const user_scope user;
  drop(c);
}

bool is_to_stop(fiber& here) noexcept { return stop_of(here) == abi::stop_reach::all; }

// Runs the latent children.
void run_latent_children(group_part& part, fiber& here) {
  group_child* c = take_latent(part);
  if (c == nullptr) return;
  const std::uint32_t mine = floating_point_environment();
  bool stops = is_to_stop(here);
  std::uint64_t seen = detail::polls();
  do {
    show_credit(shown_credit() - abi::k_fork_units);
    // Before the last one a poll would promote what is around, only for it to be taken back at once.
    if (shown_credit() < 0 && has_latent(part)) poll_between(*this_worker(), 0, stack_here());
    // Where each child adds the next one, it is always the last one, and the polls are those of run().
    if (const std::uint64_t now = detail::polls(); now != seen) [[unlikely]] {
      seen = now;
      stops = is_to_stop(here);
    }
    stops ? drop_latent_child(*c) : run_latent_child(mine, *c);
    c = take_latent(part);
  } while (c != nullptr);
}

// Those that begin as one task, which is the oldest one's: all but the newest, and that one, which is run first.
struct older_half {
  group_child* oldest = nullptr;
  group_child* newest = nullptr;
  std::size_t many = 0;
  group_child* first;
};
older_half split(group_child& task) noexcept {
  if (task.newer == nullptr) return {.first = &task};
  group_child* const first = payload_of(task).newest_of_many;
  return {&task, first->older, payload_of(task).many - 1, first};
}

// To where `here`, which runs on, keeps its own.
void keep_others(group_part& kept, const older_half& others, fiber& here) noexcept {
  const runtime_scope scope;
  if (kept.is_run_by(here)) {
    kept.list.append(others.oldest, others.newest, others.many);
  } else {
    group_state& g = kept.all();
    const guarded guard(g);
    append(g, others.oldest, others.newest, others.many);
  }
  if (!kept.is_found(here)) kept.offer(here);
  // Where each poll promotes, no signal may come for them.
  while (has_latent(kept) && may_promote(*this_worker()) && spend_beat(*this_worker())) {
  }
}

void run_first(const older_half& children) {
  if (children.many == 0) {
    children.first->task.run(&children.first->task);
  } else {
    // The task's environment is that of another child.
    run_in_own_environment(floating_point_environment(), *children.first);
  }
}

// Away from its group's home: what the child adds is kept, with what has begun with it, and run here before the child is
// done.
void help(group_state& g, fiber& here, const older_half& children) {
  own_part kept(g, here);
  if (children.many != 0) keep_others(kept, children, here);
  run_first(children);
  // A list that has been empty may have been offered, too.
  const runtime_scope scope;
  kept.withdraw(here);
  if (!kept.list.empty()) run_all_here(kept, here);
}

// Runs and joins everything.
void join_children(group_state& g, fiber& here) {
  g.home.store(&here, sync::relaxed);
  g.scope.store(here.run.scope(), sync::relaxed);
  g.run_by.store(&here, sync::relaxed);
  // Children may add children, here and elsewhere, until the last one is done.
  for (;;) {
    run_all_here(g, here);
    if (!is_over_soon(g.word)) {
      wait_for(g.word, &g.held);
      g.word.reopen();
    }
    if (!has_latent(g)) break;
  }
  g.run_by.store(nullptr, sync::relaxed);
}

// On a fiber, inside the runtime.
void run_and_join(group_state& g, fiber& here) {
  g.withdraw(here);
  set_outer(g.stop, here.stop.in_force());
  // Children that others run do not know yet that what is around them from here on is stopped.
  if (stop_of(here) != abi::stop_reach::nothing) tell_stop();
  {
    const stopped_by whole(here, g.stop);
    join_children(g, here);
  }
  set_outer(g.stop, nullptr);
  if (g.has_given.load(sync::relaxed) == 0) return;
  g.has_given.store(0, sync::relaxed);
  worker* const w = this_worker();
  w->owner.policy->joined(*w, static_cast<latent_children*>(&g));
  look_at_next(*w);
}

}  // namespace

// What nobody else has. While none of the group's children are with others this code is about to go on: what has been
// promoted of groups around it stays, as others may be on the way to it, and each would run on top of the one before.
void run_all_here(group_part& part, fiber& here) {
  with_slot(part, here, [&] {
    // What one of those that are taken back adds is newer than the others.
    do {
      run_latent_children(part, here);
    } while ((!part.whole->word.children_done() && run_own_child(part.whole->word)) || has_latent(part));
  });
  // What was added after promotion had passed the slot was offered.
  part.withdraw(here);
}

// The task of a group's child, or of a half of its children.
void run_child_here(open_join& join, abi::slot* task) {
  group_state& g = static_cast<group_state&>(join);
  const older_half children = split(*reinterpret_cast<group_child*>(task));
  fiber* const here = this_fiber();
  if (here == nullptr) {
    run_first(children);
    for (group_child* c = children.newest; c != nullptr;) {
      group_child* const next = c->older;
      run_child(&c->task);
      c = next;
    }
  } else if (is_to_stop(*here)) {
    drop(*children.first);
    drop_all(children.newest, children.many);
  } else if (group_part* const kept = kept_by(g, *here); kept != nullptr || g.order == group_order::oldest_first) {
    if (children.many != 0) keep_others(*kept, children, *here);
    run_first(children);
  } else {
    help(g, *here, children);
  }
}

void run_at_once(group_part& kept, fiber& here, group_child& child) {
  const stopped_by whole(here, kept.all().stop);
  if (is_to_stop(here)) {
    drop_latent_child(child);
  } else {
    with_slot(kept, here, [&] { run_latent_child(floating_point_environment(), child); });
  }
}

void wait_inside(group_state& g, fiber& here) {
  const runtime_scope scope;
  run_and_join(g, here);
}

}  // namespace takt::core
