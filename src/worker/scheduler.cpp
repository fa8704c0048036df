// The scheduler loop: find a task, run it on a fiber, resume who waited for it, sleep when there is nothing.
#include "invariant/invariant.hpp"
#include "worker/runtime.hpp"

#include <algorithm>
#include <utility>

namespace takt::core {

worker* __attribute__((noinline)) this_worker() noexcept {
  __asm__ volatile("" ::: "memory");
  return static_cast<worker*>(takt_hot.worker);
}

native_context& native_of_this_thread() noexcept { return this_worker()->native; }

namespace {

[[gnu::noinline]] void add_busy(std::int64_t n) noexcept {
  __asm__ volatile("" ::: "memory");
  takt_hot.busy += n;
  __asm__ volatile("" ::: "memory");
}

// Loads and stores of the thread's latent stack around a switch; not inlined, because the thread changes in the
// middle of the callers.
[[gnu::noinline]] void load_latent_stack(const fiber& f, std::int64_t credit) noexcept {
  takt_hot.head = f.head;
  takt_hot.split = f.split;
  show_credit(credit);
}
[[gnu::noinline]] void clear_latent_stack() noexcept {
  takt_hot.head = nullptr;
  takt_hot.split = nullptr;
  show_credit(0);
}

// Writing the control words costs more than reading them, and they hardly ever differ.
void set_environment_if_different(std::uint32_t environment) noexcept {
  if (floating_point_environment() != environment) set_floating_point_environment(environment);
}

void task_main(fiber*) {
  worker* w = this_worker();
  abi::slot* task = w->task;
  // The join word may be gone with its frame once the task is counted as done, so nothing of it is kept.
  join_word* own = own_join(task);
  join_word* join = own->target();
  const bool is_child = own->is_child();
  w->current->environment = own->start().environment();
  set_environment_if_different(w->current->environment);
  {
    user_scope user;
    is_child ? run_child(task) : task->run(task);
  }
  w = this_worker();
  end_free_loops(*w);
  w->finished = true;
  if (is_child) w->owner.scopes.release(w->current->scope);
  if (join->finish()) {
    // EDGE join.waiter
    w->resume_next = resume(join->waiter(), *w);
  }
}

void root_main(fiber* f) {
  auto* root = static_cast<root_call*>(f->argument);
  set_environment_if_different(root->environment);
  {
    user_scope user;
    root->fn(root->argument);
  }
  worker* w = this_worker();
  end_free_loops(*w);
  w->finished = true;
  w->root_done = root;
}

}  // namespace

runtime_scope::runtime_scope() noexcept { add_busy(1); }
runtime_scope::~runtime_scope() { add_busy(-1); }
user_scope::user_scope() noexcept { add_busy(-1); }
user_scope::~user_scope() { add_busy(1); }

bool runtime::ensure_scope(worker& w) noexcept {
  if (w.scope == 0) w.scope = scopes.take();
  return w.scope != 0;
}

void runtime::leave_scope(worker& w) noexcept {
  // A child of a group has outlived the call: the next one has a number of its own.
  if (scopes.is_alone(w.scope)) return;
  scopes.release(w.scope);
  w.scope = 0;
}

bool runtime::ensure_fiber(worker& w) noexcept {
  fibers.give_if_small(w.spare);
  if (w.spare == nullptr) w.spare = fibers.take();
  return w.spare != nullptr;
}

void runtime::start_task(worker& w, std::uint64_t e) noexcept {
  TAKT_ASSERT(w.spare != nullptr && entry::task(e) != nullptr);
  // A thread with a larger stack may have begun a call between ensure_fiber and the steal. Its task must be run now, on
  // the smaller one if nothing else can be had.
  if (w.spare->call_bytes() < fibers.call_bytes()) {
    if (fiber* larger = fibers.take(); larger != nullptr) fibers.give(std::exchange(w.spare, larger));
  }
  fiber* f = w.spare;
  w.spare = nullptr;
  w.task = entry::task(e);
  f->entry = &task_main;
  f->task = w.task->run;
  f->scope = entry::scope(e);
  f->depth = own_join(w.task)->start().depth();
  f->head = f->latent_base;
  f->split = f->latent_base;
  f->stays = 0;
  f->exceptions = {};
  start_beats(w, os.now());
  run_fiber(w, f);
}

void runtime::run_fiber(worker& w, fiber* f) noexcept {
  TAKT_ASSERT(w.current == nullptr && !w.finished && w.suspended_on == nullptr);
  w.current = f;
  w.last_look.store(os.now(), sync::relaxed);
  if (environments_change.load(sync::relaxed) != 0) w.watch = k_watch;
  load_latent_stack(*f, -w.watch);
  w.credit_noted = -w.watch;
  w.refilled = false;
  store_free_floor(0);
  switch_to_fiber(w.native, *f);
  note_credit(w);
  clear_latent_stack();
  w.last_look.store(0, sync::relaxed);
  w.current = nullptr;
  if (w.finished) {
    w.finished = false;
    root_call* root = w.root_done;
    w.root_done = nullptr;
    if (w.spare == nullptr) {
      w.spare = f;
    } else {
      fibers.give(f);
    }
    if (root != nullptr) root_finished(*root, w);
  } else {
    join_word* join = w.suspended_on;
    w.suspended_on = nullptr;
    w.stats.suspensions.add();
    // Only now may another worker run the fiber: its stack is not in use any more.
    if (join->arrive()) w.resume_next = f;
  }
}

void runtime::loop(worker& w, root_call* root) noexcept {
  std::uint64_t idle_since = 0;
  std::uint64_t patience = 0;
  unsigned round = 0;
  const auto count_idle = [&] {
    if (idle_since != 0) w.stats.idle_ticks.add(os.now() - idle_since);
    idle_since = 0;
  };
  for (;;) {
    if (w.resume_next != nullptr) {
      count_idle();
      fiber* f = w.resume_next;
      w.resume_next = nullptr;
      const std::uint64_t begun = os.now();
      start_beats(w, begun);
      run_fiber(w, f);
      w.stats.working_ticks.add(os.now() - begun);
      continue;
    }
    if (root != nullptr && loop_ends(root)) break;
    serve(w, false);
    if (w.resume_next = take_ready(w); w.resume_next != nullptr) {
      if (w.place < 0 && !w.waits_for_place) wait_for_place(w);
      continue;
    }
    bool may_spin = false;
    // The process has fewer CPUs than before. In a child of fork(2) any place is the only one.
    if (w.place >= static_cast<int>(worker_count()) && w.deque.is_empty() && !orphaned_) detach(w);
    const bool placed = w.place >= 0 || attach(w);
    if (placed) {
      may_spin = root != nullptr || waiting_for_place_.load(sync::relaxed) == 0;
      // A fiber in hand comes before the steal: a task that was taken must be run.
      if (ensure_fiber(w)) {
        if (const std::uint64_t e = find(w); e != task_deque::k_none) {
          count_idle();
          patience = 0;
          // Who found work stops looking. If there is more, somebody else is woken for it; if not, somebody must still
          // watch for workers that do not poll, or a fork above a long leaf would wait for the leaf.
          if (work_visible(w)) {
            announce_task(w, entry::scope(e), false);
          } else {
            ask_for_company(w, entry::scope(e));
          }
          const std::uint64_t begun = os.now();
          start_task(w, e);
          w.stats.working_ticks.add(os.now() - begun);
          continue;
        }
      } else {
        may_spin = false;
      }
    }
    // A pool thread ends when nothing is left to do: children of a group that outlived its call are not lost.
    if (root == nullptr && loop_ends(root)) break;
    const std::uint64_t now = os.now();
    if (idle_since == 0) {
      idle_since = now;
      round = 0;
    }
    if (may_spin && now - idle_since < spin_ticks_) {
      ask_somebody(w);
      os.relax(round++);
      continue;
    }
    reach_silent_workers(w);
    count_idle();
    fibers.rest(w.spare, now);
    sleep(w, root, placed, patience);
  }
  count_idle();
}

bool runtime::loop_ends(const root_call* root) const noexcept {
  // EDGE root.done: what the root call wrote is seen by the thread that made the call.
  return root != nullptr ? root->done.load(sync::seq_cst) != 0 : stopping_.load(sync::seq_cst) != 0;
}

std::uint64_t runtime::find(worker& w) noexcept {
  if (injected_count_.load(sync::seq_cst) != 0) {
    if (const std::uint64_t e = take_injected(w); e != task_deque::k_none) return e;
  }
  const std::uint32_t only = w.only_scope.load(sync::relaxed);
  const auto mine = [only](std::uint64_t seen) { return only == 0 || entry::scope(seen) == only; };
  std::uint64_t e = task_deque::k_none;
  // Empty whenever a fiber suspends, except that one which waits for a group may leave tasks of its outer frames.
  // Nothing may be left in it when the worker gives its place up: nobody would see it any more. So this takes tasks of
  // any scope: the fiber may have been another call's, resumed here, and there may be nobody else.
  while (!w.deque.is_empty()) {
    const steal_result own = w.deque.take_oldest(e, [](std::uint64_t) { return true; });
    if (own == steal_result::taken) return e;
    if (own != steal_result::lost) break;
  }
  if (worker_count() == 1) return task_deque::k_none;
  const unsigned places = places_used_.load(sync::relaxed);
  // xorshift64: victims need to be spread, not to be unpredictable.
  w.random ^= w.random << 13;
  w.random ^= w.random >> 7;
  w.random ^= w.random << 17;
  const auto first = static_cast<unsigned>(w.random % places);
  for (unsigned i = 0; i < places; ++i) {
    const unsigned p = first + i < places ? first + i : first + i - places;
    // EDGE place.worker: the worker is set up before it is seen.
    worker* victim = places_[p].load(sync::acquire);
    if (victim == nullptr || victim == &w) continue;
    if (victim->deque.looks_empty()) continue;
    private_deque* const asked = victim->deque.to_ask();
    if (asked != nullptr && !mine(asked->oldest())) continue;
    w.stats.steals_tried.add();
    if ((asked != nullptr ? ask(w, *asked, e) : victim->deque.steal(e, mine)) == steal_result::taken) {
      w.stats.steals_done.add();
      os.note(platform::action::steal);
      return e;
    }
  }
  return task_deque::k_none;
}

steal_result runtime::ask(worker& w, private_deque& victim, std::uint64_t& e) noexcept {
  if (!victim.ask(w.transfer, w.only_scope.load(sync::relaxed))) return steal_result::lost;
  const std::uint64_t begun = os.now();
  for (unsigned round = 0; !private_deque::answered(w.transfer, e); ++round) {
    // Others may be asking this worker meanwhile; and two may be asking each other.
    serve(w, false);
    const std::uint64_t waited = os.now() - begun;
    // The question stays while the signal is on its way: the handler answers it.
    if (waited > spin_ticks_) reach_silent_workers(w);
    // A question that cannot be withdrawn is being answered.
    if (waited > 4 * spin_ticks_ && victim.withdraw(w.transfer)) return steal_result::lost;
    // The victim may need this CPU to answer.
    os.relax(more_workers_than_cpus_ ? round | 63u : round);
  }
  return e == task_deque::k_none ? steal_result::refused : steal_result::taken;
}

void runtime::serve(worker& w, bool in_signal_handler) noexcept {
  if (orphaned_) return;
  const auto may_give = [](std::uint64_t e, std::uint32_t only) { return only == 0 || entry::scope(e) == only; };
  // What has moved up to where thieves see it may be what a sleeper waits for.
  if (w.deque.serve(may_give)) announce_task(w, entry::scope(w.deque.peek()), in_signal_handler);
}

bool runtime::work_visible(worker& w) noexcept {
  const std::uint32_t only = w.only_scope.load(sync::relaxed);
  const auto mine = [only](std::uint64_t e) { return only == 0 || entry::scope(e) == only; };
  if (injected_count_.load(sync::seq_cst) != 0) return true;
  const unsigned places = places_used_.load(sync::seq_cst);
  for (unsigned p = 0; p < places; ++p) {
    worker* victim = places_[p].load(sync::seq_cst);
    if (victim == nullptr || victim == &w || victim->deque.looks_empty()) continue;
    if (mine(victim->deque.peek())) return true;
  }
  return false;
}

void runtime::sleep(worker& w, root_call* root, bool placed, std::uint64_t& patience) noexcept {
  if (!w.deque.is_empty()) return;
  if (orphaned_ && !loop_ends(root)) lost_in_child();
  follow_cpus(os.now());
  detach(w);
  sleepers_.announce(w);
  // Who could not get a place, or makes room for somebody, does not stay awake for work that it cannot take.
  const bool may_work = placed && (root != nullptr || waiting_for_place_.load(sync::seq_cst) == 0);
  // A place may have become free since: its last holder has looked for sleepers after it left.
  if (loop_ends(root) || (may_work && work_visible(w)) || (!placed && any_place_free()) ||
      may_resume_any(w, may_work)) {
    if (!sleepers_.cancel(w)) os.park(w.parker, 0);
    return;
  }
  // One sleeper at most keeps an eye on workers that do not poll, ever more rarely; nobody while no call is under way.
  std::uint64_t timeout = 0;
  const bool sentinel = watches_silent_workers() && any_root() && sentinel_.exchange(1, sync::acq_rel) == 0;
  if (sentinel) {
    patience = patience == 0 ? 2 * beat_ticks : 2 * patience;
    if (patience > 64 * beat_ticks) patience = 64 * beat_ticks;
    timeout = patience;
  }
  const std::uint64_t begun = os.now();
  bool token = os.park(w.parker, timeout);
  if (sentinel) sentinel_.store(0, sync::release);
  if (!token && !sleepers_.cancel(w)) {
    os.park(w.parker, 0);
    token = true;
  }
  w.stats.asleep_ticks.add(os.now() - begun);
  if (token) patience = 0;
}

bool runtime::asked_for(const worker& w) const noexcept {
  // One task at a time is on offer.
  if (worker_count() == 1 || !w.deque.looks_empty()) return false;
  return w.asked.load(sync::relaxed) != 0 || sleepers_.any() || may_start_thread();
}

void runtime::ask_somebody(worker& w) noexcept {
  if (settings.trigger != trigger::request) return;
  worker* v = places_[w.random++ % places_used_.load(sync::relaxed)].load(sync::acquire);
  if (v == nullptr || v == &w || v->last_look.load(sync::relaxed) == 0) return;
  if (v->asked.load(sync::relaxed) == 0) v->asked.store(1, sync::relaxed);
}

bool runtime::watches_silent_workers() const noexcept {
  if (!settings.interrupts && os.seen_by_others(&takt_hot) == nullptr) return false;
  if (settings.balancer != balancer::concurrent) return settings.trigger != trigger::never;
  return promotes_at_polls(settings.trigger) && beat_ticks != 0;
}

void runtime::reach_silent_workers(worker& w) noexcept {
  if (!watches_silent_workers()) return;
  const std::uint64_t now = os.now();
  // A signal costs about a microsecond at both ends: with a very short beat it is not sent at every one.
  const std::uint64_t interval = std::max(beat_ticks, spin_ticks_);
  const unsigned places = places_used_.load(sync::relaxed);
  for (unsigned p = 0; p < places; ++p) {
    worker* v = places_[p].load(sync::acquire);
    if (v == nullptr || v == &w) continue;
    const std::uint64_t look = v->last_look.load(sync::relaxed);
    if (look == 0 || look + 2 * interval > now) continue;
    std::uint64_t last = v->last_interrupt.load(sync::relaxed);
    if (last + interval > now) continue;
    if (!v->last_interrupt.compare_exchange_strong(last, now, sync::relaxed, sync::relaxed)) continue;
    v->asked.store(1, sync::relaxed);
    if (reach(*v, p)) w.stats.interrupts_sent.add();
  }
}

bool runtime::reach(worker& v, unsigned place) noexcept {
  // The long look comes first: the thread may have to wait for all the rest.
  const std::uint64_t name = v.thread_name.load(sync::relaxed);
  const bool arrives = settings.interrupts && os.takes_interrupts(name);
  v.hears.store(arrives ? 1 : 0, sync::relaxed);
  // seq_cst: either this sees that the worker has left its place, or who leaves sees this.
  const std::uint32_t before = v.reach.fetch_or(worker::k_reaching, sync::seq_cst);
  if ((before & worker::k_reaching) != 0) return false;
  bool sent = false;
  if (places_[place].load(sync::seq_cst) == &v) {
    // One at a time: real-time signals queue.
    if (arrives && before == 0 && v.thread_name.load(sync::relaxed) == name) {
      // Before it is sent: the handler takes it back.
      v.reach.fetch_or(worker::k_sent, sync::relaxed);
      sent = os.interrupt(name);
      if (!sent) v.reach.fetch_and(~worker::k_sent, sync::relaxed);
    }
    if (!sent && !arrives) cut_credit(v);
  }
  // EDGE reach.done: the thread may end.
  v.reach.fetch_and(~worker::k_reaching, sync::release);
  return sent;
}

void runtime::out_of_reach(worker& w) noexcept {
  // EDGE reach.done
  for (unsigned round = 0; (w.reach.load(sync::acquire) & worker::k_reaching) != 0; ++round) os.relax(round);
  if (w.reach.load(sync::relaxed) != 0) take_signal_back(w);
}

void runtime::announce_task(worker&, std::uint32_t scope, bool in_signal_handler) noexcept {
  // The worker that sent the signal is awake and looks again.
  if (in_signal_handler) return;
  // While everybody is busy nobody sleeps, and nobody returns from a call.
  if (follows_cpus_) follow_cpus(os.now());
  if (worker_count() == 1) return;
  if (worker* s = sleepers_.choose(scope); s != nullptr) {
    os.unpark(s->parker);
  } else if (may_start_thread()) {
    start_pool_thread();
  }
}

void runtime::ask_for_company(worker& w, std::uint32_t scope) noexcept {
  if (worker_count() == 1 || !watches_silent_workers() || sentinel_.load(sync::relaxed) != 0) return;
  announce_task(w, scope, false);
}

void runtime::root_finished(root_call& root, worker& finisher) noexcept {
  worker* adopter = root.adopter;
  if (orphaned_ && adopter != &finisher) lost_in_child();
  // EDGE root.done. The root is gone from here on.
  root.done.store(1, sync::seq_cst);
  if (adopter != &finisher && sleepers_.choose(*adopter)) os.unpark(adopter->parker);
}

bool runtime::inject(abi::slot* task, join_word* join, std::uint32_t scope) noexcept {
  if (!entry::can_name(task)) return false;
  try {
    const std::lock_guard guard(injected_mutex_);
    // Room first: what is counted must get in.
    if (injected_.size() == injected_.capacity()) injected_.reserve(2 * injected_.size() + 8);
    if (join != nullptr && !join->add()) return false;
    scopes.hold(scope);
    injected_.push_back(entry::make(task, scope));
    injected_count_.fetch_add(1, sync::seq_cst);
  } catch (...) {
    return false;
  }
  announce_injected(scope);
  return true;
}

void runtime::announce_injected(std::uint32_t scope) noexcept {
  if (orphaned_) return;
  // Any worker may take it; better one that serves this call than another call's adopter.
  worker* s = sleepers_.choose(scope);
  if (s == nullptr) s = sleepers_.choose_any();
  if (s != nullptr) {
    os.unpark(s->parker);
  } else if (may_start_thread()) {
    start_pool_thread();
  }
}

std::uint64_t runtime::take_injected(worker& w) noexcept {
  const std::uint32_t only = w.only_scope.load(sync::relaxed);
  const std::lock_guard guard(injected_mutex_);
  if (injected_.empty()) return task_deque::k_none;
  // An adopter prefers its own call's, but takes any: a group may outlive the call in which it was made, and with one
  // worker there is nobody else.
  auto chosen = injected_.begin();
  for (auto it = injected_.begin(); only != 0 && it != injected_.end(); ++it) {
    if (entry::scope(*it) == only) {
      chosen = it;
      break;
    }
  }
  const std::uint64_t e = *chosen;
  injected_.erase(chosen);
  injected_count_.fetch_sub(1, sync::seq_cst);
  return e;
}

void runtime::hand_over(fiber& ready) noexcept {
  const std::uint32_t scope = ready.scope;
  {
    const std::lock_guard guard(injected_mutex_);
    ready.next = ready_;
    ready_ = &ready;
    // seq_cst: as for an injected task.
    ready_count_.fetch_add(1, sync::seq_cst);
  }
  // All who may, as this is rare: a pool thread may find no place, and the adopter of the fiber's call needs none. Each
  // once: who finds nothing sleeps again.
  if (orphaned_) return;
  std::uint32_t others = sleepers_.count();
  announce_injected(scope);
  for (; others > 1; --others) {
    if (worker* s = sleepers_.choose(scope); s != nullptr) os.unpark(s->parker);
  }
}

bool runtime::may_resume(const worker& w, const fiber& f, bool placed) noexcept {
  const std::uint32_t only = w.only_scope.load(sync::relaxed);
  return placed || (only != 0 && f.scope == only);
}

bool runtime::may_resume_any(const worker& w, bool placed) noexcept {
  if (ready_count_.load(sync::seq_cst) == 0) return false;
  const std::lock_guard guard(injected_mutex_);
  for (const fiber* f = ready_; f != nullptr; f = f->next) {
    if (may_resume(w, *f, placed)) return true;
  }
  return false;
}

fiber* runtime::take_ready(worker& w) noexcept {
  if (ready_count_.load(sync::seq_cst) == 0) return nullptr;
  const std::lock_guard guard(injected_mutex_);
  for (fiber** link = &ready_; *link != nullptr; link = &(*link)->next) {
    fiber* const f = *link;
    if (!may_resume(w, *f, w.place >= 0 || attach(w))) continue;
    *link = f->next;
    ready_count_.fetch_sub(1, sync::seq_cst);
    return f;
  }
  return nullptr;
}

bool runtime::take_injected_of(join_word& join, abi::slot*& task, std::uint32_t& scope) noexcept {
  if (injected_count_.load(sync::seq_cst) == 0) return false;
  const std::lock_guard guard(injected_mutex_);
  for (auto it = injected_.begin(); it != injected_.end(); ++it) {
    if (own_join(entry::task(*it))->target() != &join) continue;
    task = entry::task(*it);
    scope = entry::scope(*it);
    injected_.erase(it);
    injected_count_.fetch_sub(1, sync::seq_cst);
    return true;
  }
  return false;
}

bool runtime::run_injected(join_word& join) noexcept {
  abi::slot* task = nullptr;
  std::uint32_t scope = 0;
  if (!take_injected_of(join, task, scope)) return false;
  run_child(task);
  scopes.release(scope);
  (void)join.finish();
  return true;
}

// --- entering from outside ---------------------------------------------------------------------------------

bool enter(void (*fn)(void*), void* argument) {
  runtime* r = runtime::enter_root();
  if (r == nullptr) return false;
  worker* w = r->take_worker();
  if (w == nullptr || !r->fit_to_caller() || !r->ensure_fiber(*w) || !r->ensure_scope(*w)) {
    if (w != nullptr) r->give_worker(w);
    runtime::leave_root();
    return false;
  }
  root_call root{fn, argument, w->scope, floating_point_environment(), w};
  w->only_scope.store(root.scope, sync::relaxed);
  takt_hot.worker = w;
  takt_hot.busy = 1;
  if (!r->attach(*w)) r->wait_for_place(*w);
  fiber* f = w->spare;
  w->spare = nullptr;
  f->entry = &root_main;
  f->argument = &root;
  f->task = nullptr;
  f->scope = root.scope;
  f->depth = 0;
  f->head = f->latent_base;
  f->split = f->latent_base;
  f->stays = 0;
  // A rethrow inside the call finds what the caller is handling.
  f->exceptions = save_exception_state();
  f->environment = root.environment;
  r->os.note(platform::action::call_begins);
  const int held = r->os.hold_cancellation();
  const std::uint64_t begun = r->os.now();
  r->follow_cpus(begun);
  w->last_poll = begun;
  w->chunks.begin_task(begun);
  // What the thread did before counts, its last parallel call included.
  w->beat_kept = counts_beats(r->settings.trigger) && begun - w->last_call >= r->beat_ticks;
  if (w->beat_kept) {
    w->last_call = begun;
    w->stats.beats_due.add();
  }
  r->run_fiber(*w, f);
  w->stats.working_ticks.add(r->os.now() - begun);
  r->loop(*w, &root);
  r->os.note(platform::action::call_ends);
  // A group that outlives the call may have left children behind; whoever waits for it must find them.
  while (const std::uint64_t e = w->deque.pop()) {
    // Without memory it cannot be left to others, and must not be lost.
    for (unsigned round = 0; !r->inject(entry::task(e), nullptr, entry::scope(e)); ++round)
      r->os.relax(round);
    r->scopes.release(entry::scope(e));  // injected, it is held anew
  }
  r->detach(*w);
  r->leave_scope(*w);
  // What others handed out may have waited for this place only.
  if (r->anything_injected()) r->announce_injected(root.scope);
  takt_hot.busy = 0;
  takt_hot.worker = nullptr;
  show_credit(0);
  r->fibers.rest(w->spare, r->os.now());
  r->give_worker(w);
  r->os.release_cancellation(held);
  runtime::leave_root();
  return true;
}

}  // namespace takt::core

extern "C" bool takt_enter(void (*fn)(void*), void* argument) { return takt::core::enter(fn, argument); }
