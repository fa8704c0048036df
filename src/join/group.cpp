// task_group: adding children, giving them to promotion, and what programs call. See README.md beside this file.
#include <takt/detail/fork.hpp>
#include <takt/hinted.hpp>
#include <takt/task_group.hpp>

#include "join/group_parts.hpp"
#include "promotion/beat.hpp"
#include "promotion/hints.hpp"
#include "stop/stop.hpp"
#include "worker/kept.hpp"

#include <algorithm>
#include <utility>

namespace takt::core {

// --- The group's own lists, with the lock held

void append(group_state& g, group_child* from, group_child* to, std::size_t many) noexcept {
  // EDGE group.lent: seq_cst, because who adds looks for sleepers next.
  if (g.is_lent && g.shared.empty()) lent_children::with_some.fetch_add(1, sync::seq_cst);
  g.shared.append(from, to, many);
}

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

void take_shared(group_state& g, child_list& to) noexcept {
  collect(g);
  if (g.shared.empty()) return;
  to.take_all(g.shared);
  count_out(g);
}

namespace {

// Of children that are added in a call: enough to keep many workers busy, few enough that a run() loop over a million
// items needs no memory for them.
constexpr std::size_t k_most_latent = 1024;
std::size_t most_latent(const group_state& g) noexcept { return std::min(g.most, k_most_latent); }

// What is called once for each child, and runs no code of the program, is said to be inline: so GCC inlines it at -O2,
// which saves a tenth of what a child takes.

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
  if (!is_run_here && g.maker != &here) return share_if_few(g, child, &here, most_latent(g));
  number(g, child, &here);
  if (is_run_here) {
    if (kept.list.size() >= most_latent(g)) return false;
    kept.list.push(child);
    return true;
  }
  if (g.added.size() + g.shared.size() >= most_latent(g)) return false;
  g.added.push(child);
  return true;
}

// Before anybody else sees the child.
void set_up_task(group_state& g, group_child& c, std::uint32_t depth) noexcept {
  ::new (static_cast<void*>(c.task.join)) join_word;
  const std::uint32_t environment = floating_point_environment();
  own_join(&c.task)->delegate(join_word::kind::child, &g.word, task_start(environment, depth));
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

// By the one who waits for it, or is about to: on `here`, where it has been waited for, and nothing is left to do.
inline bool is_waited_for(group_state& g, const fiber* here) noexcept {
  return here != nullptr && g.home.load(sync::relaxed) == here && !g.anything_shared() && g.word.children_done() &&
         g.has_given.load(sync::relaxed) == 0 && g.lends.load(sync::relaxed) == 0;
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

// A child has been added by a thread in no call. Whoever is awake and has nothing to do finds it; if nobody is, and it is
// the first one, somebody is woken.
void lend(group_state& g, bool is_first) noexcept {
  const bool is_new = g.lends.load(sync::relaxed) == 0;
  if (is_new) begin_lending(g);
  if (is_first || is_new) wake_for_lent();
}

using abi::child_added;

// `work`: what is said of it, negative: nothing.
child_added add(group_state& g, group_child* child, double work) {
  worker* const at = this_worker();
  fiber* const here = at != nullptr ? at->scheduler.current() : nullptr;
  if (here != nullptr && stop_of(*here) == abi::stop_reach::all) return child_added::stopped;
  child->group = &g;
  payload_of(*child).work = work;
  set_up_task(g, *child, here != nullptr ? here->run.nesting() + 1 : 1);
  if (here == nullptr) {
    // A worker that has nothing to do takes it; else it waits for wait().
    bool is_first = false;
    if (!share_if_few(g, *child, nullptr, g.most, &is_first)) return child_added::to_run;
    lend(g, is_first);
    return child_added::taken;
  }
  const runtime_scope scope;
  worker& w = *at;
  group_part* const kept = kept_by(g, *here);
  // Another fiber waits, so whoever is free may begin with the child at once. Not if that wait is just over.
  if (kept == nullptr) {
    number(g, *child, here);
    // They come faster than the others take them.
    if (w.owner.injected() >= most_latent(g)) return child_added::to_run;
    const std::uint32_t waiting = g.scope.load(sync::relaxed);
    const std::uint32_t of = waiting != 0 ? waiting : here->run.scope();
    if (w.owner.inject(&child->task, &g.word, of)) {
      // It may be all by itself.
      if (worker* const holder = g.held.load(sync::seq_cst); holder != nullptr) w.owner.threading.unpark(holder->sleep.in_place());
      return child_added::taken;
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
  if (!added) run_at_once(*kept, *here, *child);
  return child_added::taken;
}

}  // namespace

// The older half of the list as one task, as of a loop: so a beat gives away half of what there is, or of the most that
// code in a call leaves, as nobody else gets at the list meanwhile. In their order they begin one by one.
abi::slot* group_part::give(child_list& from, bool half, abi::hints& said) noexcept {
  group_state& g = all();
  // Another thread may be in wait(), and its wait over: then the child stays where it is.
  if (from.empty() || !entry::can_name(&from.oldest()->task) || !g.word.add()) return nullptr;
  has_given.store(1, sync::relaxed);
  const bool is_halved = half && g.order == group_order::newest_first;
  group_child* const child = from.pop_oldest(is_halved ? (std::min(from.size(), k_most_latent) + 1) / 2 : 1);
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

void takt_group_bound(void* group, std::uint64_t most) noexcept { static_cast<group_state*>(group)->most = most; }

child_added takt_group_add(void* group, group_child* child) { return add(*static_cast<group_state*>(group), child, -1); }
child_added takt_group_add_hinted(void* group, group_child* child, double work) {
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
    wait_outside(g);
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
