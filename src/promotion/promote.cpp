// Promotion: the oldest latent frame becomes a task. See README.md beside this file.
#include "promotion/promote.hpp"
#include "cost/site_cost.hpp"
#include "worker/invariant.hpp"
#include "policy/part_offer.hpp"
#include "policy/policies.hpp"
#include "promotion/hints.hpp"
#include "observe/trace.hpp"
#include "stop/stop.hpp"

#include <algorithm>
#include <utility>

namespace takt::core {

namespace {

const void* as_data(abi::run_function code) noexcept { return reinterpret_cast<const void*>(code); }

// Only a converted loop has chunks that the program asks for.
std::uint64_t together_of(const abi::loop_frame& frame) noexcept {
  return frame.operations != nullptr ? 0 : reinterpret_cast<const abi::loop_cursor&>(frame).together;
}

// The first iteration of a loop that others may have: what the program wants together is not parted. Chunks are shorter
// than 2^63; one that is longer than the loop ends beyond it.
std::uint64_t first_to_give(const abi::loop_frame& frame) noexcept {
  const std::uint64_t together = together_of(frame);
  const std::uint64_t begun = together > 1 ? frame.next % together : 0;
  return begun == 0 ? frame.next : frame.next + (together - begun);
}

// Converted loops, which have no operations, share their code: their site names them.
latent_frame seen_by_policy(const abi::loop_frame& frame, std::uint64_t begin) noexcept {
  const void* const code =
      frame.operations != nullptr ? as_data(frame.run_half) : reinterpret_cast<const abi::loop_cursor&>(frame).where;
  return {latent_frame::kind::loop, &frame, code, begin, frame.end};
}

latent_frame seen_by_policy(const abi::loop_frame& frame) noexcept {
  return seen_by_policy(frame, first_to_give(frame));
}

latent_frame seen_by_policy(const abi::slot* fork) noexcept {
  return {latent_frame::kind::fork, fork, as_data(fork->run)};
}

abi::loop_frame& loop_of(const abi::slot* s) noexcept {
  return **reinterpret_cast<abi::loop_frame* const*>(s->payload);
}

void count_promotion(worker& w, counter& kind, std::uint32_t depth) noexcept {
  kind.add();
  const std::size_t last = counters::k_depths - 1;
  w.stats.promotions_by_depth[depth < last ? depth : last].add();
}

bool has_to_give(const abi::loop_frame& frame) noexcept { return first_to_give(frame) < frame.end; }

std::uint64_t cut_of(worker& w, const abi::loop_frame& frame, std::uint64_t begin) noexcept {
  const std::uint64_t middle = w.owner.policy->cut(w, begin, frame.end);
  const std::uint64_t together = together_of(frame);
  if (together <= 1 || middle >= frame.end) return middle;
  return std::min(begin + std::max(middle - begin, together) / together * together, frame.end);
}

// The tasks that take part in it count in a loop's join word.
join_word* begin_halves(worker& w, const abi::slot* s, abi::loop_frame& frame, std::uint32_t halves,
                        std::uint32_t tasks) noexcept {
  frame.halves = halves;
  auto* join = ::new (static_cast<void*>(frame.join)) join_word;
  join->begin_loop(tasks, static_cast<std::uint32_t>(w.scheduler.current()->frames.index(s)),
                   scope_of(*w.scheduler.current(), s));
  return join;
}

// In how many parts a loop is divided for so many workers: one for each if that can be, else as many as each of these
// will be divided in.
std::uint64_t parts_for(std::uint64_t workers) noexcept {
  if (workers <= abi::k_most_parts) return workers;
  std::uint64_t root = 1;
  while (root * root < workers && root < abi::k_most_parts) ++root;
  return root;
}

// Offers [begin, end), which takes so many ticks, in equal parts to all who look for work. @returns what was published;
// or entry::k_none: no more than one of them does, or it is not to be had in many parts.
std::uint64_t offer_parts(worker& w, const abi::slot* s, abi::loop_frame& frame, std::uint64_t begin, task_start start,
                          std::uint64_t ticks) noexcept {
  if (ticks == 0 || frame.most_halves <= 2 || together_of(frame) > 1) return entry::k_none;
  policies& policy = *w.owner.policy;
  std::size_t looking = 0;
  part_offer* const offer = policy.offer_for(w, looking);
  if (offer == nullptr) return entry::k_none;
  // Each is worth it by itself.
  const std::uint64_t worth = ticks / std::max<std::uint64_t>(w.owner.least_loop_ticks(true), 1);
  const auto parts = static_cast<std::uint32_t>(
      std::min<std::uint64_t>({parts_for(looking + 1), frame.most_halves, frame.end - begin, worth}));
  if (parts <= 2) return entry::k_none;
  begin_halves(w, s, frame, parts, parts + 1);
  const std::uint32_t scope = w.scheduler.current()->run.part();
  offer->open({&frame, begin, frame.end, start, scope}, parts);
  frame.end = begin;
  const std::uint64_t rest = entry::make(offer->rest(), scope);
  policy.publish(w, rest, false);
  return rest;
}

// Splits what is left of a loop beyond the running chunk in two tasks, in index order half[0], half[1]. @returns the
// one that was published last.
std::uint64_t promote_loop(worker& w, const abi::slot* s, abi::loop_frame& frame, task_start start,
                           std::uint64_t ticks) noexcept {
  policies& policy = *w.owner.policy;
  // What is to be divided further waits for none of its iterations: the one that is claimed is given away, too.
  const bool whole = w.loop.has_not_begun(frame) && policy.divides(w);
  const std::uint64_t end = frame.end;
  std::uint64_t begin = whole ? frame.next - 1 : first_to_give(frame);
  policy.promotes(w, seen_by_policy(frame, begin), hints_of(*w.scheduler.current(), s));
  const std::uint64_t offered = offer_parts(w, s, frame, begin, start, ticks);
  if (offered != entry::k_none) return offered;
  std::uint64_t middle = cut_of(w, frame, begin);
  if (whole && middle >= end) {
    // One half would be the same loop again.
    begin = first_to_give(frame);
    middle = cut_of(w, frame, begin);
  }
  const std::uint64_t bounds[3] = {begin, middle, end};
  const std::uint32_t halves = middle < end ? 2 : 1;
  join_word* const join = begin_halves(w, s, frame, halves, halves);
  frame.end = begin;
  // The second half first: others take the older entry, the running worker goes on with the nearer iterations.
  std::uint64_t published = entry::k_none;
  for (std::uint32_t h = frame.halves; h-- > 0;) {
    abi::slot& task = frame.half[h];
    task.run = frame.run_half;
    ::new (static_cast<void*>(task.join)) join_word;
    own_join(&task)->delegate(join_word::kind::half, join, start);
    ::new (static_cast<void*>(task.payload)) abi::half_payload{&frame, bounds[h], bounds[h + 1], h};
    published = entry::make(&task, w.scheduler.current()->run.part());
    policy.publish(w, published, h + 1 < frame.halves);
  }
  return published;
}

// The record of a latent slot: a join word that counts nothing yet.
join_word& record_of(abi::slot* s) noexcept { return *::new (static_cast<void*>(s->join)) join_word; }

// From here on every slot that this worker pushes says in which environment. `known`: those that it has pushed are of
// the environment that the fiber began with.
void watch_environments(worker& w, bool known) noexcept {
  fiber& f = *w.scheduler.current();
  // The one at `head` may be about to be pushed: its credit was asked for before a signal came.
  for (abi::slot* s = takt_hot.split; s <= takt_hot.head; ++s) {
    if (reinterpret_cast<std::byte*>(s + 1) > f.stack.memory.latent_high) break;
    if (known) {
      record_of(s).note_environment(f.run.started_in());
    } else {
      record_of(s).note_unknown_environment();
    }
  }
  process::environments_change.store(1, sync::relaxed);
  w.beat.watch = k_watch;
  show_credit(shown_credit() - k_watch);
  w.beat.credit_noted -= k_watch;
}

}  // namespace

void look_at_environment(worker& w) noexcept {
  if (w.beat.watch != 0) return;
  const bool same = floating_point_environment() == w.scheduler.current()->run.started_in();
  if (!same || process::environments_change.load(sync::relaxed) != 0) watch_environments(w, same);
}

void note_latent_environments(worker& w) noexcept {
  look_at_environment(w);
  if (w.beat.watch != 0) return;
  fiber& f = *w.scheduler.current();
  for (abi::slot* s = takt_hot.split; s < takt_hot.head; ++s) record_of(s).note_environment(f.run.started_in());
}

[[gnu::noinline]] void note_environment_of(abi::slot* s) noexcept {
  record_of(s).note_environment(floating_point_environment());
}

#if TAKT_ASSERT_LEVEL >= 2
static bool all_slots_filled(const abi::slot* from, const abi::slot* to) {
  for (; from < to; ++from) {
    if (from->run == nullptr) return false;
  }
  return true;
}
#endif

// `ticks`: what the oldest frame is known to take; 0: that is not known.
static bool promote(worker& w, bool in_signal_handler, std::uint32_t environment, std::uint64_t ticks) noexcept;

bool promote_oldest(worker& w, bool in_signal_handler, std::uint32_t environment) noexcept {
  // A worker without a seat is invisible to thieves.
  return w.seat.is_held() && promote(w, in_signal_handler, environment, 0);
}
bool promote_oldest(worker& w) noexcept { return promote_oldest(w, false, floating_point_environment()); }
void promote_all(worker& w) noexcept {
  if (takt_hot.split >= takt_hot.head && w.scheduler.current()->promotion.oldest_offered == nullptr) return;
  while (w.owner.rule.promotes() && promote(w, false, floating_point_environment(), 0)) {
  }
  // Without room.
  note_latent_environments(w);
}

// What it takes if it is to be spread; else 0.
static std::uint64_t ticks_to_spread(worker& w, const abi::slot* s, known_loop leaf) noexcept {
  const frame_owner owner(*w.scheduler.current(), s);
  const bool is_loop = s->run == &takt_loop_mark;
  const bool is_leaf = is_loop && leaf.ticks != 0 && &loop_of(s) == leaf.frame;
  const std::uint64_t ticks =
      is_leaf ? leaf.ticks : w.owner.policy->known_ticks(w, is_loop ? seen_by_policy(loop_of(s)) : seen_by_policy(s));
  return ticks != 0 && w.owner.policy->spreads(w, ticks) ? ticks : 0;
}

bool spread_known(worker& w, known_loop leaf) noexcept {
  bool any = false;
  for (;;) {
    const abi::slot* s = takt_hot.split;
    while (s < takt_hot.head && s->run == &takt_loop_mark && !has_to_give(loop_of(s))) ++s;
    // A group's children are handed over by beats: how many there will be is not known.
    if (s >= takt_hot.head || s->run == &takt_group_mark) return any;
    const std::uint64_t ticks = ticks_to_spread(w, s, leaf);
    if (ticks == 0 || !w.seat.is_held() || !promote(w, false, floating_point_environment(), ticks)) return any;
    any = true;
  }
}

bool latent_children::offer(fiber& here) noexcept {
  // Nobody else puts it anywhere: it is the home's, or the helper's, that runs here.
  if (state_.load(sync::relaxed) != k_unlisted) return false;
  while (here.promotion.newest_offered != nullptr &&
      here.promotion.newest_offered->state_.load(sync::relaxed) == k_left) {
    drop_newest(here);
  }
  state_.store(k_listed, sync::relaxed);
  on_.store(&here, sync::relaxed);
  pushed_before_ = takt_hot.head;
  newer_ = nullptr;
  older_ = std::exchange(here.promotion.newest_offered, this);
  (older_ != nullptr ? older_->newer_ : here.promotion.oldest_offered) = this;
  return true;
}

void latent_children::unlink(fiber& here) noexcept {
  on_.store(nullptr, sync::relaxed);
  (older_ != nullptr ? older_->newer_ : here.promotion.oldest_offered) = newer_;
  (newer_ != nullptr ? newer_->older_ : here.promotion.newest_offered) = older_;
}

// Who waits for it, or is about to destroy it, is one at a time: that nobody else does so meanwhile, the program sees to.
void latent_children::withdraw(fiber& here) noexcept {
  if (on_.load(sync::relaxed) != &here) return;
  unlink(here);
  state_.store(k_unlisted, sync::release);
}

void latent_children::drop_newest(fiber& here) noexcept {
  latent_children& newest = *here.promotion.newest_offered;
  newest.unlink(here);
  // EDGE group.left
  if (newest.state_.exchange(k_unlisted, sync::acq_rel) == k_left) newest.destroy();
}

void latent_children::withdraw_all(fiber& here) noexcept {
  while (here.promotion.newest_offered != nullptr) drop_newest(here);
}

bool latent_children::leave(fiber* here) noexcept {
  if (state_.load(sync::acquire) == k_unlisted) return true;
  if (here != nullptr && on_.load(sync::relaxed) == here) {
    const runtime_scope scope;
    withdraw(*here);
    return true;
  }
  // EDGE group.left: all that was done with it comes before its end.
  return state_.exchange(k_left, sync::acq_rel) != k_listed;
}

namespace {

enum class given { nothing, child, not_now };

// The oldest child of `from` becomes a task of `f`, which runs here.
given promote_child(worker& w, fiber& f, latent_children& from, std::uint32_t depth, bool in_signal_handler) noexcept {
  policies& policy = *w.owner.policy;
  abi::slot* child = nullptr;
  abi::hints said{};
  // Where tasks have places by plan each child has its own.
  if (!from.take(in_signal_handler, f.policy.in_force().halves_groups(), child, said)) return given::not_now;
  if (child == nullptr) return given::nothing;
  w.owner.scopes.hold(f.run.part());
  trace::note_promotion(w, child->run, depth);
  policy.promotes(w, {latent_frame::kind::child, &from, as_data(child->run)},
                  f.policy.in_force().wants_hints() ? &said : nullptr);
  const std::uint64_t task = entry::make(child, f.run.part());
  policy.publish(w, task, false);
  count_promotion(w, w.stats.promotions_groups, depth);
  w.owner.simulator.note(platform::action::promotion);
  policy.wake_for(w, task, in_signal_handler);
  return given::child;
}

}  // namespace

static bool promote(worker& w, bool in_signal_handler, std::uint32_t environment, std::uint64_t ticks) noexcept {
  policies& policy = *w.owner.policy;
  fiber& f = *w.scheduler.current();
  // A slot that is pushed does not say in which environment, as to read it takes as long as the fork. As long as nobody
  // has been seen to change it, it is the one that the fiber began with.
  if (environment != f.run.started_in() && w.beat.watch == 0) watch_environments(w, false);
  abi::slot* s = takt_hot.split;
  abi::slot* const head = takt_hot.head;
  TAKT_ASSERT(s >= f.frames.bottom() && head >= f.frames.bottom());
  TAKT_ASSERT_EXPENSIVE(all_slots_filled(s, head));
  latent_children* offered = f.promotion.oldest_offered;
  for (;; ++s) {
    // What has been added before the slot was pushed comes first.
    for (; offered != nullptr && (s >= head || offered->pushed_before() <= s); offered = offered->newer()) {
      const frame_owner owner(f, offered->pushed_before());
      if (!policy.reserve(w, 2, !in_signal_handler)) return false;
      const auto depth = static_cast<std::uint32_t>(f.frames.index(offered->pushed_before()));
      const given what = promote_child(w, f, *offered, f.run.nesting() + depth, in_signal_handler);
      if (what == given::nothing) continue;
      takt_hot.split = s;
      return what == given::child;
    }
    if (s >= head) break;
    const std::uint32_t depth = f.run.nesting() + static_cast<std::uint32_t>(f.frames.index(s));
    std::uint32_t pushed_in = f.run.started_in();
    if (w.beat.watch != 0 && s->run != &takt_group_mark) {
      // Passed over for good: no task could start as it should. It has been pushed before anybody watched.
      if (!own_join(s)->is_noted()) continue;
      pushed_in = own_join(s)->start().environment();
    }
    const task_start start(pushed_in, depth + 1);
    std::uint64_t task = entry::k_none;
    const frame_owner owner(f, s);
    // A queue that cannot grow has work enough in it.
    if (!policy.reserve(w, 2, !in_signal_handler)) return false;
    if (s->run == &takt_loop_mark) {
      abi::loop_frame& frame = loop_of(s);
      // A loop whose last iteration is under way has nothing to give, now or later.
      if (!has_to_give(frame)) continue;
      trace::note_promotion(w, frame.run_half, depth);
      task = promote_loop(w, s, frame, start, ticks);
      takt_hot.split = s + 1;
      count_promotion(w, w.stats.promotions_loops, depth);
    } else if (s->run == &takt_group_mark) {
      latent_children& children = **reinterpret_cast<latent_children**>(s->payload);
      const given what = promote_child(w, f, children, depth, in_signal_handler);
      if (what == given::nothing) continue;
      // The group keeps its slot: it may have more children to give.
      takt_hot.split = s;
      return what == given::child;
    } else {
      trace::note_promotion(w, s->run, depth);
      ::new (static_cast<void*>(s->join)) join_word;
      own_join(s)->begin(1, start, scope_of(f, s));
      takt_hot.split = s + 1;
      policy.promotes(w, seen_by_policy(s), hints_of(f, s));
      policy.publish(w, task = entry::make(s, f.run.part()), false);
      count_promotion(w, w.stats.promotions_forks, depth);
    }
    w.owner.simulator.note(platform::action::promotion);
    policy.wake_for(w, task, in_signal_handler);
    return true;
  }
  takt_hot.split = s;
  return false;
}

}  // namespace takt::core
