// task_group. See README.md beside this file.
#include <takt/detail/fork.hpp>
#include <takt/hinted.hpp>
#include <takt/task_group.hpp>

#include "beat/beat.hpp"
#include "join/join.hpp"
#include "policy/policies.hpp"
#include "promotion/hints.hpp"
#include "promotion/lent.hpp"
#include "scheduler/scheduler.hpp"
#include "worker/kept.hpp"

#include <optional>
#include <utility>

namespace takt::core {

using abi::group_child;

/// A group; or a part of one, which stands on the stack of who runs it: a batch, or a helper's (README.md).
struct group_state final : open_join, latent_children, helper {
  group_state() noexcept { whole = this; }
  bool take(bool in_signal_handler, bool half, abi::slot*& task, abi::hints& said) noexcept override;
  void destroy() noexcept override { delete this; }
  void is_lent_no_more() noexcept override;

  static void* operator new(std::size_t, const std::nothrow_t&) noexcept;
  static void operator delete(void* group) noexcept;
  static void operator delete(void* group, const std::nothrow_t&) noexcept { operator delete(group); }
  // The group that its children add to.
  group_state& all() noexcept { return static_cast<group_state&>(*whole); }

  // Where its children count: in `word`, but for a helper's.
  join_word* counts = &word;
  group_order order = group_order::newest_first;
  // What is said of it, if it is no part: work, negative: nothing, and bytes, 0: nothing.
  double work = -1;
  std::uint64_t bytes = 0;
  // The scope of its call, or 0.
  sync::atomic<std::uint32_t> scope{0};

  // The worker that waits in place for the children, if its code must stay on its thread.
  sync::atomic<worker*> held{nullptr};

  // It has a slot: whoever waits for it is on the fiber that has the list.
  bool has_slot = false;

  // The rest. Never held while user code runs, and on a fiber only in a runtime scope: the handler may ask for it.
  spin_lock lock;
  std::uint64_t sequence = 0;  // of what is added to the group
  // Latent children.
  group_child* oldest = nullptr;
  group_child* newest = nullptr;
  // Written under the lock. Who runs them need not ask for that to see that there are none.
  sync::tally<std::size_t> latent{0};
  // Filled by a thread in no call: workers that have nothing to do find it (src/promotion/lent.hpp).
  sync::atomic<std::uint32_t> lends{0};  // by who puts it there; before that it is not there
  bool is_lent = false;                  // and its children are counted
  sync::tally<std::uint64_t> lent_at{0};  // 0: nobody has put it there since it was waited for. A hint
  bool is_lost = false;  // in a child of fork(2)
  std::uint64_t error_sequence = ~0ull;
  abi::group_error error{};
  sync::tally<std::uint32_t> has_failed{0};
};

namespace {

void relax_here(unsigned round) noexcept { takt::platform::current().relax(round); }

class guarded {
 public:
  explicit guarded(group_state& g) noexcept : lock_(g.lock) { lock_.lock(&relax_here); }
  ~guarded() { lock_.unlock(); }
  guarded(const guarded&) = delete;
  guarded& operator=(const guarded&) = delete;

 private:
  spin_lock& lock_;
};

// Enough to keep many workers busy, few enough that a run() loop over a million items needs no memory for them.
#if defined(TAKT_EXPLORE)
constexpr std::size_t k_most_latent = 3;  // small programs have batches, too
#else
constexpr std::size_t k_most_latent = 1024;
#endif

// A child's captures are elsewhere, and its slot has room.
struct child_payload {
  double work;                  // what is said of it; negative: nothing
  group_child* newest_of_many;  // of those that begin as one task with it
  std::size_t many;             // how many these are, with it
};
static_assert(sizeof(child_payload) <= sizeof(abi::slot::payload));
child_payload& payload_of(group_child& c) noexcept { return *reinterpret_cast<child_payload*>(c.task.payload); }

fiber* this_fiber() noexcept {
  worker* w = this_worker();
  return w != nullptr ? w->current : nullptr;
}

// With the lock held: `from` to `to` are linked, and `many`.
void append(group_state& g, group_child* from, group_child* to, std::size_t many) noexcept {
  to->newer = nullptr;
  from->older = g.newest;
  (g.newest != nullptr ? g.newest->newer : g.oldest) = from;
  g.newest = to;
  // EDGE group.lent: seq_cst, because who adds looks for sleepers next.
  const std::size_t before = g.latent.load(sync::relaxed);
  if (g.is_lent && before == 0) lent_children::with_some.fetch_add(1, sync::seq_cst);
  g.latent.store(before + many, sync::relaxed);
}

// @returns false, and the child is not there, if so many are already. `is_first`: whether there was none.
bool append_if_few(group_state& g, group_child* child, std::size_t most, bool* is_first = nullptr) noexcept {
  const guarded guard(g);
  if (g.whole == &g) child->sequence = g.sequence++;
  if (g.latent.load(sync::relaxed) >= most) return false;
  if (is_first != nullptr) *is_first = g.oldest == nullptr;
  append(g, child, child, 1);
  return true;
}

// With the lock held: so many have left the list.
void count_out(group_state& g, std::size_t many) noexcept {
  const std::size_t left = g.latent.load(sync::relaxed) - many;
  g.latent.store(left, sync::relaxed);
  if (g.is_lent && left == 0) lent_children::with_some.fetch_sub(1, sync::relaxed);
}

// The oldest `many`, which there are. @returns the first, to which the others are linked.
group_child* pop_oldest(group_state& g, std::size_t many) noexcept {
  group_child* const first = g.oldest;
  group_child* last = first;
  for (std::size_t i = 1; i < many; ++i) last = last->newer;
  payload_of(*first).newest_of_many = last;
  payload_of(*first).many = many;
  // In this order: in a child of fork(2) the list is whole from its oldest on.
  g.oldest = last->newer;
  last->newer = nullptr;
  (g.oldest != nullptr ? g.oldest->older : g.newest) = nullptr;
  count_out(g, many);
  return first;
}

group_child* pop_newest(group_state& g) noexcept {
  group_child* const c = g.newest;
  g.newest = c->older;
  (g.newest != nullptr ? g.newest->newer : g.oldest) = nullptr;
  count_out(g, 1);
  return c;
}

bool has_latent(const group_state& g) noexcept { return g.latent.load(sync::relaxed) != 0; }

// For who runs the group's children.
group_child* take_latent(group_state& g) noexcept {
  if (!has_latent(g)) return nullptr;
  const guarded guard(g);
  if (g.oldest == nullptr) return nullptr;
  return g.order == group_order::oldest_first ? pop_oldest(g, 1) : pop_newest(g);
}

void number(group_state& g, group_child& child) noexcept {
  const guarded guard(g);
  child.sequence = g.sequence++;
}

// Where `f` keeps children that it adds to `g`: it is the group's home, or helps. Else null.
group_state* kept_by(group_state& g, const fiber& f) noexcept {
  if (g.home.load(sync::relaxed) == &f) return &g;
  helper* h = f.helps;
  while (h != nullptr && h->whole != &g) h = h->outer;
  return static_cast<group_state*>(h);
}

// Before anybody else sees the child.
void set_up_task(group_state& g, group_child& c, std::uint32_t depth) noexcept {
  ::new (static_cast<void*>(c.task.join)) join_word;
  const std::uint32_t environment = floating_point_environment();
  own_join(&c.task)->delegate(join_word::kind::child, &g.word, task_start(environment, depth));
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

[[gnu::always_inline]] inline std::uintptr_t stack_here() noexcept {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

// What adding a child costs: as a fork does, it looks at the clock when the credit is used up.
void charge(worker& w) noexcept {
  show_credit(shown_credit() - abi::k_fork_units);
  if (shown_credit() < 0) poll_between(w, 0, stack_here());
}

// Its list is not waited for: somebody is to be awake who reaches this thread if it adds no more and does not wait.
void ask_for_company(worker& w) noexcept {
  runtime& r = w.owner;
  if (r.sentinel.load(sync::relaxed) != 0 || (!r.sleeping.any() && !r.may_start_thread())) return;
  if (!r.more_look_than(w, 0)) r.ask_for_company(w.current->scope);
}

void run_child_here(open_join& join, abi::slot* task);

// In code of the environment `mine`, which it leaves as it is.
void run_child_in(std::uint32_t mine, abi::slot* task) {
  const std::uint32_t its = own_join(task)->start().environment();
  if (its != mine) set_floating_point_environment(its);
  run_child_here(open_join::of(*own_join(task)->target()), task);
  set_environment_if_different(mine);
}

// A list has a slot on the latent stack, so that promotion finds its children.
void set_slot(abi::slot* s, group_state& g) noexcept {
  s->run = &takt_group_mark;
  ::new (static_cast<void*>(s->payload)) latent_children*(&g);
  set_hot(s + 1, false);
}

// Runs code of the list while it has a slot; without one if the latent stack is full.
template <class F>
void with_slot(group_state& g, F&& code) {
  abi::slot* const s = hot_head();
  const bool pushed = s < this_fiber()->latent_limit;
  const bool had_one = std::exchange(g.has_slot, true);
  if (pushed) set_slot(s, g);
  code();
  if (pushed) set_hot(s, true);
  g.has_slot = had_one;
}

void run_latent_child(std::uint32_t mine, group_child& c) {
  const user_scope user;
  run_child_in(mine, &c.task);
}

// Runs the latent children.
void run_latent_children(group_state& g) {
  const std::uint32_t mine = floating_point_environment();
  for (;;) {
    show_credit(shown_credit() - abi::k_fork_units);
    // Behind the last one a poll would promote what is around, only for it to be taken back at once.
    if (shown_credit() < 0 && has_latent(g)) poll_between(*this_worker(), 0, stack_here());
    group_child* c = take_latent(g);
    if (c == nullptr) break;
    run_latent_child(mine, *c);
  }
}

// What nobody else has. While none of the list's children are with others this code is about to go on: what has been
// promoted of groups around it stays, as others may be on the way to it, and each would run on top of the one before.
void run_all_here(group_state& list) {
  with_slot(list, [&] {
    do {
      run_latent_children(list);
      if (!list.counts->children_done()) run_own_children(*list.counts);
    } while (has_latent(list));
  });
}

// Children that begin as one task with `first`.
struct others_with {
  group_child* oldest;
  group_child* newest;
  std::size_t many;
};
others_with take_others(group_child& first) noexcept {
  return {std::exchange(first.newer, nullptr), payload_of(first).newest_of_many, payload_of(first).many - 1};
}

// To a list of `here`, which runs on.
void keep_others(group_state& list, const others_with& others, fiber& here) noexcept {
  const runtime_scope scope;
  {
    const guarded guard(list);
    append(list, others.oldest, others.newest, others.many);
  }
  if (!list.has_slot) list.offer(here);
  worker& w = *this_worker();
  // Who looks for work already need not wait for a beat here: it takes half of them.
  if (w.owner.rule.looks_at_thieves() && w.owner.more_look_than(w, 0)) (void)promote_oldest(w);
  // Where each poll promotes, no signal may come for them.
  while (has_latent(list) && may_promote(*this_worker()) && spend_beat(*this_worker())) {
  }
}

// Away from its group's home: what the child adds is kept, with what has begun with it, and run here before the child is
// done.
void help(group_state& g, fiber& here, abi::slot* task, const others_with& others) {
  group_state kept;
  kept.whole = &g;
  kept.counts = &g.word;
  kept.order = g.order;
  kept.outer = std::exchange(here.helps, &kept);
  if (others.oldest != nullptr) keep_others(kept, others, here);
  task->run(task);
  // A list that has been empty may have been offered, too.
  const runtime_scope scope;
  kept.withdraw(here);
  if (kept.newest != nullptr) run_all_here(kept);
  here.helps = kept.outer;
}

// A child that counts in `join`: of a group, or of a batch; with those that begin as one task with it.
void run_child_here(open_join& join, abi::slot* task) {
  group_state& g = static_cast<group_state&>(join).all();
  group_child& first = *reinterpret_cast<group_child*>(task);
  const others_with others = first.newer != nullptr ? take_others(first) : others_with{};
  // Of a batch: from here on they are children of the group, as what they add is.
  for (group_child* c = &join == &g ? nullptr : others.oldest; c != nullptr; c = c->newer) {
    c->group = &g;
    own_join(&c->task)->count_in(&g.word);
  }
  fiber* const here = this_fiber();
  if (here == nullptr) {
    const std::uint32_t mine = floating_point_environment();
    task->run(task);
    for (group_child* c = others.oldest; c != nullptr;) {
      group_child* const next = std::exchange(c->newer, nullptr);
      run_child_in(mine, &c->task);
      c = next;
    }
  } else if (group_state* const list = kept_by(g, *here); list != nullptr || g.order == group_order::oldest_first) {
    if (others.oldest != nullptr) keep_others(*list, others, *here);
    task->run(task);
  } else {
    help(g, *here, task, others);
  }
}

// On a thread that is not a worker.
bool run_injected_child(group_state& g) {
  process::begin_call();
  runtime* r = process::current();
  const bool ran = r != nullptr && run_injected(*r, g.word);
  process::end_call();
  return ran;
}

// On a fiber, inside the runtime: runs and joins everything.
void run_and_join(group_state& g) {
  fiber* const here = this_fiber();
  g.withdraw(*here);
  g.home.store(here, sync::relaxed);
  g.scope.store(here->scope, sync::relaxed);
  // Children may add children, here and elsewhere, until the last one is done.
  for (;;) {
    run_all_here(g);
    if (!is_over_soon(g.word)) {
      wait_for(g.word, &g.held);
      g.word.reopen();
    }
    if (!has_latent(g)) break;
  }
  worker* const w = this_worker();
  w->owner.policy->joined(*w, static_cast<latent_children*>(&g));
  look_at_next(*w);
}

void wait_inside(group_state& g) {
  const runtime_scope scope;
  run_and_join(g);
}

// Of two the one with the lower number stays; the other one nobody will see.
void keep_error(group_state& g, std::uint64_t sequence, abi::group_error error) noexcept {
  {
    const runtime_scope scope;
    const guarded guard(g);
    if (g.error.object == nullptr || g.error_sequence > sequence) {
      g.error_sequence = sequence;
      g.has_failed.store(1, sync::relaxed);
      std::swap(g.error, error);
    }
  }
  // Its destructor is the user's code.
  if (error.object != nullptr) error.end(error.object, false);
}

// --- Of threads in no call

// How long it was that the last one that was lent lay there, until it had been waited for. A hint.
sync::atomic<std::uint64_t> last_lent_ticks{~std::uint64_t{0}};

void begin_lending(group_state& g) noexcept {
  // Of several threads one does so.
  if (g.lends.exchange(1, sync::acq_rel) != 0) return;
  // Without a runtime nobody would ever look.
  if (process::current() == nullptr) {
    auto nothing = [] {};
    (void)enter_with(nothing);
  }
  {
    const guarded guard(g);
    g.is_lent = true;
    g.lent_at.store(takt::platform::current().now(), sync::relaxed);
    if (has_latent(g)) lent_children::with_some.fetch_add(1, sync::seq_cst);
  }
  lent_children::add(g);
}

// A child has been added. Whoever is awake and has nothing to do finds it; if nobody is, and it is the first one,
// somebody is woken. Where such a group was over before one who is woken would have come, it is enough that somebody
// wakes by itself.
void lend(group_state& g, bool is_first) noexcept {
  const bool is_new = g.lends.load(sync::relaxed) == 0;
  if (is_new) begin_lending(g);
  if (!is_first && !is_new) return;
  process::begin_call();
  if (runtime* const r = process::current(); r != nullptr) {
    const bool is_short = last_lent_ticks.load(sync::relaxed) < r->beat_ticks;
    if (!is_short || r->sentinel.load(sync::relaxed) == 0) lent_children::wake_for_some(*r);
  }
  process::end_call();
}

// Its thread is about to wait for it.
void take_back_lent(group_state& g) noexcept {
  if (g.lends.load(sync::acquire) == 0) return;
  lent_children::remove(g);
  {
    const guarded guard(g);
    if (has_latent(g)) lent_children::with_some.fetch_sub(1, sync::relaxed);
    g.is_lent = false;
  }
  g.lends.store(0, sync::release);
}

// Outside any parallel call, with too many latent children: runs those there are in a call of their own, as a group of
// their own, whose home is the fiber that runs here. Another thread may be in wait() meanwhile: to it they are one
// child. @returns false, and nothing has happened, when that cannot be had.
bool run_batch(group_state& g) {
  group_state batch;
  batch.word.begin(0, {});
  batch.whole = &g;
  batch.order = g.order;
  batch.run = &run_child_here;
  auto body = [&] {
    const runtime_scope scope;
    {
      const guarded guard(g);
      // A wait() that is just over runs what is on the list itself.
      if (g.oldest == nullptr || !g.word.add()) return;
      batch.oldest = std::exchange(g.oldest, nullptr);
      batch.newest = std::exchange(g.newest, nullptr);
      const std::size_t all = g.latent.load(sync::relaxed);
      batch.latent.store(all, sync::relaxed);
      count_out(g, all);
    }
    for (group_child* c = batch.oldest; c != nullptr; c = c->newer) {
      c->group = &batch;
      own_join(&c->task)->count_in(&batch.word);
    }
    run_and_join(batch);
    if (batch.error.object != nullptr) keep_error(g, batch.error_sequence, std::exchange(batch.error, {}));
    finish_for_another(g.word);
  };
  return enter_with(body);
}

}  // namespace

// In a child of fork(2).
void group_state::is_lent_no_more() noexcept {
  lends.store(0, sync::relaxed);
  is_lent = false;
  is_lost = !word.children_done();
  (void)lock.go_on_alone();
  group_child* before = nullptr;
  std::size_t many = 0;
  for (group_child* c = oldest; c != nullptr; c = c->newer, ++many) c->older = std::exchange(before, c);
  latent.store(many, sync::relaxed);
  newest = before;
}

// The older half of the list as one task, as of a loop: so a beat gives away half of what there is. In their order they
// begin one by one.
bool group_state::take(bool in_signal_handler, bool half, abi::slot*& task, abi::hints& said) noexcept {
  group_state& g = *this;
  if (!in_signal_handler) {
    g.lock.lock(&relax_here);
  } else if (!g.lock.try_lock()) {
    return false;
  }
  task = nullptr;
  // Another thread may be in wait(), and its wait over: then the child stays where it is.
  if (g.oldest != nullptr && entry::can_name(&g.oldest->task) && g.counts->add()) {
    const bool is_halved = half && g.order == group_order::newest_first;
    const std::size_t many = is_halved ? (g.latent.load(sync::relaxed) + 1) / 2 : 1;
    group_child* const child = pop_oldest(g, many);
    said.work = 0;
    for (const group_child* c = child; c != nullptr && said.work >= 0; c = c->newer) {
      const double its = payload_of(const_cast<group_child&>(*c)).work;
      said.work = its < 0 ? -1 : said.work + its;
    }
    said.group_work = all().work;
    said.bytes = all().bytes;
    task = &child->task;
  }
  g.lock.unlock();
  return true;
}

static_assert(sizeof(group_state) <= worker::k_group_bytes);

void* group_state::operator new(std::size_t, const std::nothrow_t&) noexcept {
  worker* const w = this_worker();
  return w != nullptr ? w->group_blocks.take() : block_cache<worker::k_group_bytes>::make_block();
}
void group_state::operator delete(void* group) noexcept {
  worker* const w = this_worker();
  w != nullptr ? w->group_blocks.give(group) : block_cache<worker::k_group_bytes>::free_block(group);
}

}  // namespace takt::core

using namespace takt::core;

extern "C" {

void takt_group_mark(takt::abi::slot*) {}

void* takt_group_room() noexcept { return take_child_room(); }
void takt_group_give_room(void* room) noexcept { give_child_room(room); }

void* takt_group_new(std::uint32_t order) noexcept {
  auto* g = new (std::nothrow) group_state;
  if (g == nullptr) return nullptr;
  g->run = &run_child_here;
  g->order = static_cast<takt::group_order>(order);
  g->word.begin(0, {});
  fiber* const here = this_fiber();
  g->home.store(here, takt::sync::relaxed);
  g->scope.store(here != nullptr ? here->scope : 0, takt::sync::relaxed);
  return g;
}

void takt_group_delete(void* group) noexcept {
  if (const takt::abi::group_error error = takt_group_wait(group); error.object != nullptr) {
    error.end(error.object, false);
  }
  auto* const g = static_cast<group_state*>(group);
  // Children that have run on this thread's own stack, for want of another, may have added some.
  take_back_lent(*g);
  fiber* const here = this_fiber();
  std::optional<runtime_scope> scope;
  if (here != nullptr) scope.emplace();
  if (g->leave(here)) delete g;
}

void takt_group_hints(void* group, double work, std::uint64_t bytes) noexcept {
  auto& g = *static_cast<group_state*>(group);
  g.work = sound_work(work);
  g.bytes = bytes;
}

bool takt_group_add(void* group, group_child* child) { return takt_group_add_hinted(group, child, -1); }

bool takt_group_add_hinted(void* group, group_child* child, double work) {
  auto& g = *static_cast<group_state*>(group);
  child->group = group;
  payload_of(*child) = {sound_work(work), child, 1};
  fiber* const here = this_fiber();
  set_up_task(g, *child, here != nullptr ? here->depth + 1 : 1);
  if (here == nullptr) {
    // A worker that has nothing to do takes it; else it waits for wait(), or until there are many.
    bool is_first = false;
    if (!append_if_few(g, child, k_most_latent, &is_first) &&
        !(run_batch(g) && append_if_few(g, child, k_most_latent, &is_first))) {
      return false;
    }
    lend(g, is_first);
    return true;
  }
  const runtime_scope scope;
  worker& w = *this_worker();
  group_state* const kept = kept_by(g, *here);
  if (kept != &g) number(g, *child);
  // Another fiber waits, so whoever is free may begin with the child at once. Not if that wait is just over.
  if (kept == nullptr) {
    // They come faster than the others take them.
    if (w.owner.injected() >= k_most_latent) return false;
    const std::uint32_t waiting = g.scope.load(takt::sync::relaxed);
    const std::uint32_t of = waiting != 0 ? waiting : here->scope;
    if (w.owner.inject(&child->task, &g.word, of)) {
      // It may be all by itself.
      if (worker* const holder = g.held.load(takt::sync::seq_cst); holder != nullptr) w.owner.os.unpark(holder->held);
      return true;
    }
  }
  bool added = kept != nullptr ? append_if_few(*kept, child, k_most_latent) : append_if_few(g, child, ~std::size_t{0});
  if (kept != nullptr && !kept->has_slot && kept->offer(*here)) ask_for_company(w);
  // A beat that is due goes to the oldest frame around this call, or else to the oldest child.
  charge(w);
  if (kept != nullptr && may_promote(w)) {
    spend_beat(w);
    added = added || append_if_few(*kept, child, k_most_latent);
  }
  // It may be long, and make children of its own: the older ones are to be found meanwhile.
  if (!added) with_slot(*kept, [&] { run_latent_child(floating_point_environment(), *child); });
  return true;
}

void takt_group_failed(void* group, std::uint64_t sequence, takt::abi::group_error error) noexcept {
  keep_error(*static_cast<group_state*>(group), sequence, error);
}

takt::abi::group_error takt_group_wait(void* group) {
  auto& g = *static_cast<group_state*>(group);
  if (g.is_lost) lost_in_child();
  take_back_lent(g);
  if (this_fiber() != nullptr) {
    wait_inside(g);
  } else {
    auto body = [&g] { wait_inside(g); };
    if ((has_latent(g) || !g.word.children_done()) && !enter_with(body)) {
      // No stack: the children run here, and may add more. Others may have handed theirs to everybody; if there is no
      // thread either, nobody else takes them. A worker that has taken some may lack a stack, too, for what these wait
      // for: so it is tried again.
      for (unsigned round = 0;; ++round) {
        if (group_child* c = take_latent(g); c != nullptr) {
          run_child(&c->task);
        } else if (g.word.children_done()) {
          break;
        } else if (!run_injected_child(g)) {
          if (enter_with(body)) break;
          takt::platform::current().relax(round);
        }
      }
    }
    g.home.store(nullptr, takt::sync::relaxed);
    g.scope.store(0, takt::sync::relaxed);
    if (const std::uint64_t since = g.lent_at.load(takt::sync::relaxed); since != 0) {
      g.lent_at.store(0, takt::sync::relaxed);
      last_lent_ticks.store(takt::platform::current().now() - since, takt::sync::relaxed);
    }
  }
  // EDGE join.done: what a child that is done has left.
  if (g.has_failed.load(takt::sync::relaxed) == 0) return {};
  const runtime_scope scope;
  const guarded guard(g);
  g.has_failed.store(0, takt::sync::relaxed);
  g.error_sequence = ~0ull;
  return std::exchange(g.error, takt::abi::group_error{});
}
}
