// task_group. See README.md beside this file.
#include <takt/detail/fork.hpp>
#include <takt/hinted.hpp>
#include <takt/task_group.hpp>

#include "promotion/beat.hpp"
#include "join/group_state.hpp"
#include "join/join.hpp"
#include "policy/policies.hpp"
#include "promotion/hints.hpp"
#include "promotion/lent.hpp"
#include "stop/stop.hpp"
#include "worker/kept.hpp"

#include <utility>

namespace takt::core {

namespace {

void relax_here(unsigned round) noexcept { takt::platform::current().relax(round); }

// Enough to keep many workers busy, few enough that a run() loop over a million items needs no memory for them.
#if defined(TAKT_EXPLORE)
constexpr std::size_t k_most_latent = 3;  // small programs have batches, too
#else
constexpr std::size_t k_most_latent = 1024;
#endif

/// Runs what throws nothing as a call, by a function for each kind of it, which tools tell them by. Not by that of the
/// headers: the linker would keep one for library and program, with the program's flags (a sanitizer of calls).
template <class Body>
void run_body(void* body) {
  (*static_cast<Body*>(body))();
}
template <class Body>
bool enter_with(Body& body) {
  return takt_enter(&run_body<Body>, &body);
}

fiber* this_fiber() noexcept {
  worker* w = this_worker();
  return w != nullptr ? w->scheduler.current() : nullptr;
}

class guarded {
 public:
  explicit guarded(group_state& g) noexcept : lock_(g.lock) { lock_.lock(&relax_here); }
  ~guarded() { lock_.unlock(); }
  guarded(const guarded&) = delete;
  guarded& operator=(const guarded&) = delete;

 private:
  spin_lock& lock_;
};

// What is called once for each child, and runs no code of the program, is said to be inline: so GCC inlines it at -O2,
// which saves a tenth of what a child takes.

// --- The group's own lists, with the lock held

void append(group_state& g, group_child* from, group_child* to, std::size_t many) noexcept {
  // EDGE group.lent: seq_cst, because who adds looks for sleepers next.
  if (g.is_lent && g.shared.empty()) lent_children::with_some.fetch_add(1, sync::seq_cst);
  g.shared.append(from, to, many);
}

// Children have left.
void count_out(group_state& g) noexcept {
  if (g.is_lent && g.shared.empty()) lent_children::with_some.fetch_sub(1, sync::relaxed);
}

// What the maker has added lies with the others from here on.
void collect(group_state& g) noexcept {
  const auto [newest, many] = g.added.take_all();
  if (many == 0) return;
  group_child* oldest = newest;
  for (std::size_t i = 1; i < many; ++i) {
    oldest->older->newer = oldest;
    oldest = oldest->older;
  }
  append(g, oldest, newest, many);
}

// All of them to a list of one's own, if there are any.
void take_shared(group_state& g, child_list& to) noexcept {
  collect(g);
  if (g.shared.empty()) return;
  to.take_all(g.shared);
  count_out(g);
}

// --- Adding

// Its place in the order of the run() calls. Without a maker who has the lock counts as he.
inline void number(group_state& g, group_child& child, const fiber* here, bool has_lock = false) noexcept {
  if (g.maker != nullptr ? g.maker == here : has_lock) {
    const std::uint64_t n = g.added_by_maker.load(sync::relaxed) + 1;
    g.added_by_maker.store(n, sync::relaxed);
    child.sequence = n + g.added_by_others.load(sync::relaxed);
  } else {
    const std::uint64_t n = g.added_by_others.fetch_add(1, sync::relaxed) + 1;
    child.sequence = n + g.added_by_maker.load(sync::relaxed);
  }
}

// @returns false, and the child is not there, if so many are already. `is_first`: whether there was none.
bool share_if_few(group_state& g, group_child& child, const fiber* here, std::size_t most,
                  bool* is_first = nullptr) noexcept {
  const guarded guard(g);
  number(g, child, here, true);
  if (g.shared.size() >= most) return false;
  if (is_first != nullptr) *is_first = g.shared.empty();
  append(g, &child, &child, 1);
  return true;
}

// The same by `here`, to where it keeps them.
inline bool keep_if_few(group_part& kept, group_child& child, const fiber& here) noexcept {
  group_state& g = kept.all();
  const bool is_run_here = kept.is_run_by(here);
  if (!is_run_here && g.maker != &here) return share_if_few(g, child, &here, k_most_latent);
  number(g, child, &here);
  if (is_run_here) {
    if (kept.list.size() >= k_most_latent) return false;
    kept.list.push(child);
    return true;
  }
  if (g.added.size() + g.shared.size() >= k_most_latent) return false;
  g.added.push(child);
  return true;
}

// --- Running

inline bool has_latent(group_part& part) noexcept {
  return !part.list.empty() || (&part == &part.all() && part.all().anything_shared());
}

inline group_child* take_one(child_list& from, group_order order) noexcept {
  if (from.empty()) return nullptr;
  return order == group_order::oldest_first ? from.pop_oldest(1) : from.pop_newest();
}

// For who runs the part's children.
inline group_child* take_latent(group_part& part) noexcept {
  group_state& g = part.all();
  if (part.list.empty() && &part == &g && g.anything_shared()) {
    const guarded guard(g);
    take_shared(g, part.list);
  }
  return take_one(part.list, g.order);
}

// The same for a thread without a fiber, which has no list of its own.
group_child* take_latent_outside(group_state& g) noexcept {
  if (!g.anything_shared()) return nullptr;
  const guarded guard(g);
  collect(g);
  group_child* const c = take_one(g.shared, g.order);
  if (c != nullptr) count_out(g);
  return c;
}

// Where `f` keeps children that it adds to `g`: it is the group's home, or helps. Else null.
group_part* kept_by(group_state& g, const fiber& f) noexcept {
  if (g.home.load(sync::relaxed) == &f) return &g;
  helper* h = f.join.helps;
  while (h != nullptr && h->whole != &g) h = h->outer;
  return static_cast<group_part*>(h);
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
  if (!r.more_look_than(w, 0)) r.ask_for_company(w.scheduler.current()->run.scope());
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
  const bool pushed = s < here.frames.limit;
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
  do {
    show_credit(shown_credit() - abi::k_fork_units);
    // Before the last one a poll would promote what is around, only for it to be taken back at once.
    if (shown_credit() < 0 && has_latent(part)) {
      poll_between(*this_worker(), 0, stack_here());
      stops = is_to_stop(here);
    }
    stops ? drop_latent_child(*c) : run_latent_child(mine, *c);
    c = take_latent(part);
  } while (c != nullptr);
}

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
  worker& w = *this_worker();
  // Who looks for work already need not wait for a beat here: it takes half of them.
  if (w.owner.rule.looks_at_thieves() && w.owner.more_look_than(w, 0)) (void)promote_oldest(w);
  // Where each poll promotes, no signal may come for them.
  while (has_latent(kept) && may_promote(*this_worker()) && spend_beat(*this_worker())) {
  }
}

// On the stack of a fiber that is not at the group's home.
class own_part final : public group_part {
 public:
  own_part(group_state& g, fiber& here) noexcept : here_(here) {
    whole = &g;
    outer = std::exchange(here.join.helps, this);
    run_by.store(&here, sync::relaxed);
  }
  ~own_part() { here_.join.helps = outer; }
  own_part(const own_part&) = delete;
  own_part& operator=(const own_part&) = delete;

 private:
  fiber& here_;
};

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

// On a thread that is not a worker.
bool run_injected_child(group_state& g) {
  process::begin_call();
  runtime* r = process::current();
  const bool ran = r != nullptr && run_injected(*r, g.word);
  process::end_call();
  return ran;
}

// By the one who waits for it, or is about to: on `here`, where it has been waited for, and nothing is left to do.
inline bool is_waited_for(group_state& g, const fiber* here) noexcept {
  return here != nullptr && g.home.load(sync::relaxed) == here && !g.anything_shared() && g.word.children_done() &&
         g.has_given.load(sync::relaxed) == 0 && g.lends.load(sync::relaxed) == 0;
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
  set_outer(g.stop, here.stop.innermost);
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

void wait_inside(group_state& g, fiber& here) {
  const runtime_scope scope;
  run_and_join(g, here);
}

// None, and what says that a child was stopped, are not.
bool is_any_error(const abi::group_error& error) noexcept { return error.object != nullptr && error.end != nullptr; }

// Of two the one with the lower number stays; the other one nobody will see.
void keep_error(group_state& g, std::uint64_t sequence, abi::group_error error) noexcept {
  {
    const runtime_scope scope;
    const guarded guard(g);
    if (!is_any_error(g.error) || g.error_sequence > sequence) {
      g.error_sequence = sequence;
      g.has_failed.store(1, sync::relaxed);
      std::swap(g.error, error);
    }
  }
  // Its destructor is the user's code.
  if (is_any_error(error)) error.end(error.object, false);
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
    if (!g.shared.empty()) lent_children::with_some.fetch_add(1, sync::seq_cst);
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
    if (!g.shared.empty()) lent_children::with_some.fetch_sub(1, sync::relaxed);
    g.is_lent = false;
  }
  g.lends.store(0, sync::release);
}

// Outside any parallel call, with too many latent children: runs those there are in a call of their own. Another thread
// may be in wait() meanwhile: to it they are one child. @returns false, and nothing has happened, when that cannot be
// had.
bool run_batch(group_state& g) {
  auto body = [&] {
    const runtime_scope scope;
    fiber& here = *this_fiber();
    own_part batch(g, here);
    const stopped_by whole(here, g.stop);
    {
      const guarded guard(g);
      // A wait() that is just over runs what is there itself.
      if (!g.anything_shared() || !g.word.add()) return;
      take_shared(g, batch.list);
    }
    run_all_here(batch, here);
    finish_for_another(g.word);
  };
  return enter_with(body);
}

// `work`: what is said of it, negative: nothing. @returns false when the caller is to run it at once.
bool add(group_state& g, group_child* child, double work) {
  child->group = &g;
  payload_of(*child).work = work;
  worker* const at = this_worker();
  fiber* const here = at != nullptr ? at->scheduler.current() : nullptr;
  set_up_task(g, *child, here != nullptr ? here->run.depth + 1 : 1);
  if (here == nullptr) {
    // A worker that has nothing to do takes it; else it waits for wait(), or until there are many.
    bool is_first = false;
    if (!share_if_few(g, *child, nullptr, k_most_latent, &is_first) &&
        !(run_batch(g) && share_if_few(g, *child, nullptr, k_most_latent, &is_first))) {
      return false;
    }
    lend(g, is_first);
    return true;
  }
  const runtime_scope scope;
  worker& w = *at;
  group_part* const kept = kept_by(g, *here);
  // Another fiber waits, so whoever is free may begin with the child at once. Not if that wait is just over.
  if (kept == nullptr) {
    number(g, *child, here);
    // They come faster than the others take them.
    if (w.owner.injected() >= k_most_latent) return false;
    const std::uint32_t waiting = g.scope.load(sync::relaxed);
    const std::uint32_t of = waiting != 0 ? waiting : here->run.scope();
    if (w.owner.inject(&child->task, &g.word, of)) {
      // It may be all by itself.
      if (worker* const holder = g.held.load(sync::seq_cst); holder != nullptr) w.owner.threading.unpark(holder->sleep.held);
      return true;
    }
  }
  bool added = kept != nullptr ? keep_if_few(*kept, *child, *here) : share_if_few(g, *child, here, ~std::size_t{0});
  // Nobody knew of any: the list has just been offered, or was empty.
  const bool is_new = kept != nullptr && (kept->is_found(*here) ? kept->list.size() == 1 : kept->offer(*here));
  if (is_new) ask_for_company(w);
  charge(w);
  // A beat that was due when there was nothing to promote goes to the oldest frame around this call, or else to the
  // oldest child.
  if (kept != nullptr && (is_new || !added) && may_promote(w)) {
    spend_beat(w);
    added = added || keep_if_few(*kept, *child, *here);
  }
  // It may be long, and make children of its own: the older ones are to be found meanwhile.
  if (!added) {
    const stopped_by whole(*here, g.stop);
    if (is_to_stop(*here)) {
      drop_latent_child(*child);
    } else {
      with_slot(*kept, *here, [&] { run_latent_child(floating_point_environment(), *child); });
    }
  }
  return true;
}

}  // namespace

// In a child of fork(2).
void group_state::is_lent_no_more() noexcept {
  lends.store(0, sync::relaxed);
  is_lent = false;
  is_lost = !word.children_done();
  (void)lock.go_on_alone();
  shared.go_on_alone();
}

// The older half of the list as one task, as of a loop: so a beat gives away half of what there is. In their order they
// begin one by one.
abi::slot* group_part::give(child_list& from, bool half, abi::hints& said) noexcept {
  group_state& g = all();
  // Another thread may be in wait(), and its wait over: then the child stays where it is.
  if (from.empty() || !entry::can_name(&from.oldest()->task) || !g.word.add()) return nullptr;
  has_given.store(1, sync::relaxed);
  const bool is_halved = half && g.order == group_order::newest_first;
  group_child* const child = from.pop_oldest(is_halved ? (from.size() + 1) / 2 : 1);
  said.work = 0;
  for (group_child* c = child; c != nullptr && said.work >= 0; c = c->newer) {
    const double its = payload_of(*c).work;
    said.work = its < 0 ? -1 : said.work + its;
  }
  said.group_work = g.work;
  said.bytes = g.bytes;
  return &child->task;
}

bool group_part::take(bool, bool half, abi::slot*& task, abi::hints& said) noexcept {
  task = give(list, half, said);
  return true;
}

bool group_state::take(bool in_signal_handler, bool half, abi::slot*& task, abi::hints& said) noexcept {
  if (const fiber* const here = this_fiber(); here != nullptr && is_run_by(*here) && !list.empty()) {
    return group_part::take(in_signal_handler, half, task, said);
  }
  if (!in_signal_handler) {
    lock.lock(&relax_here);
  } else if (!lock.try_lock()) {
    return false;
  }
  collect(*this);
  task = give(shared, half, said);
  if (task != nullptr) count_out(*this);
  lock.unlock();
  return true;
}

static_assert(sizeof(group_state) <= worker_group::k_bytes);

void* group_state::operator new(std::size_t, const std::nothrow_t&) noexcept {
  worker* const w = this_worker();
  return w != nullptr ? w->group.blocks.take() : block_cache<worker_group::k_bytes>::make_block();
}
void group_state::operator delete(void* group) noexcept {
  worker* const w = this_worker();
  w != nullptr ? w->group.blocks.give(group) : block_cache<worker_group::k_bytes>::free_block(group);
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
  g->maker = here;
  g->home.store(here, takt::sync::relaxed);
  g->scope.store(here != nullptr ? here->run.scope() : 0, takt::sync::relaxed);
  return g;
}

void takt_group_delete(void* group) noexcept {
  auto* const g = static_cast<group_state*>(group);
  fiber* const here = this_fiber();
  if (!is_waited_for(*g, here) || g->has_failed.load(takt::sync::relaxed) != 0) {
    if (const takt::abi::group_error error = takt_group_wait(group); is_any_error(error)) {
      error.end(error.object, false);
    }
    // Children that have run on this thread's own stack, for want of another, may have added some.
    take_back_lent(*g);
  }
  if (g->leave(here)) delete g;
}

void takt_group_hints(void* group, double work, std::uint64_t bytes) noexcept {
  auto& g = *static_cast<group_state*>(group);
  g.work = sound_work(work);
  g.bytes = bytes;
}

bool takt_group_add(void* group, group_child* child) { return add(*static_cast<group_state*>(group), child, -1); }
bool takt_group_add_hinted(void* group, group_child* child, double work) {
  return add(*static_cast<group_state*>(group), child, sound_work(work));
}
void takt_group_failed(void* group, std::uint64_t sequence, takt::abi::group_error error) noexcept {
  auto& g = *static_cast<group_state*>(group);
  keep_error(g, sequence, error);
  if (g.stops_on_exception && is_any_error(error)) stop_by_itself(g.stop);
}

void takt_group_cancel(void* group) noexcept {
  if (!stop_by_itself(static_cast<group_state*>(group)->stop)) return;
  // Latent ones of this fiber go at once.
  if (worker* const w = this_worker(); w != nullptr) {
    const runtime_scope scope;
    poll_at_next(*w);
  }
}
void takt_group_stop_on_exception(void* group) noexcept { static_cast<group_state*>(group)->stops_on_exception = true; }
bool takt_group_is_cancelled(const void* group) noexcept {
  return is_stopped_by_itself(static_cast<const group_state*>(group)->stop);
}

takt::abi::group_error takt_group_wait(void* group) {
  auto& g = *static_cast<group_state*>(group);
  if (g.is_lost) lost_in_child();
  take_back_lent(g);
  if (fiber* const here = this_fiber(); here != nullptr) {
    if (!is_waited_for(g, here)) wait_inside(g, *here);
  } else {
    auto body = [&g] { wait_inside(g, *this_fiber()); };
    if ((has_latent(g) || !g.word.children_done()) && !enter_with(body)) {
      // No stack: the children run here, and may add more. Others may have handed theirs to everybody; if there is no
      // thread either, nobody else takes them. A worker that has taken some may lack a stack, too, for what these wait
      // for: so it is tried again.
      for (unsigned round = 0;; ++round) {
        if (group_child* c = take_latent_outside(g); c != nullptr) {
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
  const bool was_cancelled = is_stopped_by_itself(g.stop);
  if (was_cancelled) go_on_again(g.stop);
  // EDGE join.done: what a child that is done has left.
  if (g.has_failed.load(takt::sync::relaxed) == 0) return {};
  const runtime_scope scope;
  const guarded guard(g);
  g.has_failed.store(0, takt::sync::relaxed);
  g.error_sequence = ~0ull;
  const auto error = std::exchange(g.error, takt::abi::group_error{});
  // Who has cancelled it knows that children were stopped.
  return was_cancelled && !is_any_error(error) ? takt::abi::group_error{} : error;
}
}
