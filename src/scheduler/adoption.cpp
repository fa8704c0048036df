// A thread from outside becomes a worker for its outermost call. See README.md.
#include "promotion/beat.hpp"
#include "join/join.hpp"
#include "memory/memory_observer.hpp"
#include "platform/split_stack.hpp"
#include "policy/policies.hpp"
#include "promotion/hints.hpp"
#include "promotion/promote.hpp"
#include "scheduler/scheduler.hpp"
#include "observe/trace.hpp"
#include "worker/kept.hpp"

namespace takt::core {

namespace {

void root_main(fiber* f) {
  root_call* const root = f->run.call();
  set_environment_if_different(root->environment);
  {
    user_scope user;
    root->fn(root->argument);
  }
  end_code(*f);
  worker* w = this_worker();
  root->parted = f->run.is_parted();
  w->scheduler.finished = true;
  w->scheduler.root_done = root;
}

}  // namespace

bool enter(void (*fn)(void*), void* argument) {
  // A computation without a runtime comes here at each of its forks.
  if (is_start_put_off()) return false;
  runtime* r = enter_call();
  if (r == nullptr) return false;
  const auto state_of_thread = process::state_outside.load(sync::relaxed);
  void* const state = state_of_thread != nullptr ? state_of_thread() : nullptr;
  worker* w = r->take_worker();
  if (w == nullptr || !r->fit_to_caller() || !r->ensure_fiber(*w) || !r->ensure_scope(*w)) {
    if (w != nullptr) r->give_worker(w);
    process::end_call();
    return false;
  }
  root_call root{fn, argument, w->scheduler.scope(), floating_point_environment(), w};
  w->sleep.run_only(root.scope);
  r->observer->takes_thread(*w);
  takt_hot.worker = w;
  takt_hot.busy = 1;
  w->sleep.end_look();
  if (!r->attach(*w)) r->wait_for_seat(*w);
  fiber* f = w->scheduler.spare;
  w->scheduler.spare = nullptr;
  f->run.begin_call(&root_main, root, root.scope, last_call_parted());
  f->join.begin(nullptr);
  f->frames.clear();
  f->stop.begin(nullptr);
  f->team.keep(state, nullptr);
  // A rethrow inside the call finds what the caller is handling.
  f->saved.exceptions = save_exception_state();
  f->run.start_in(root.environment);
  r->policy->begins_call(*w, *f);
  bring_hints(*f);
  f->memory_use.begin();
  r->observer->begins(*f, nullptr, nullptr, nullptr);
  r->simulator.note(platform::action::call_begins);
  trace::note(*w, trace::kind::call_begins);
  const std::uint64_t begun = r->clock.now();
  // What the thread did before counts, its last parallel call included.
  const std::uint64_t since_last = r->rule.counts_beats() ? begun - w->scheduler.last_call : 0;
  r->follow_cpus_at_call(since_last, begun);
  const bool with_token = r->rule.counts_beats() && since_last >= r->beat_ticks;
  w->beat.begin_call(begun, with_token);
  if (with_token) {
    w->scheduler.last_call = begun;
    count_due_beat(*w);
  }
  w->loop.begin_call(burst_outside());
  {
    const platform::whole_stack fibers_have_one;
    run_fiber(*w, f);
    work(*w, &root);
  }
  note_call_parted(root.parted);
  end_burst(r->clock.now());
  r->simulator.note(platform::action::call_ends);
  trace::note(*w, trace::kind::call_ends);
  // A group that outlives the call may have left children behind; whoever waits for it must find them.
  while (const std::uint64_t e =
             r->policy->take_back(*w, nullptr, [](abi::slot* s) { return own_join(s)->is_child(); })) {
    r->policy->give(e);
  }
  // And such a child that has slept here (src/memory) its own tasks.
  r->observer->hand_over_all(*w);
  while (!r->policy->may_leave(*w)) {
    const std::uint64_t e = r->policy->take_back(*w, nullptr, [](abi::slot*) { return true; });
    if (e != entry::k_none) r->policy->give(e);
  }
  leave_seat(*w);
  r->leave_scope(*w);
  // What others handed out may have waited for this place only.
  if (r->anything_injected()) r->announce_injected(root.scope);
  takt_hot.busy = 0;
  takt_hot.worker = nullptr;
  end_hints();
  show_credit(0);
  r->fibers.rest(w->scheduler.spare);
  r->give_worker(w);
  process::end_call();
  return true;
}

}  // namespace takt::core

extern "C" bool takt_enter(void (*fn)(void*), void* argument) {
  if (takt::core::enter(fn, argument)) return true;
  takt::core::end_hints();
  return false;
}
