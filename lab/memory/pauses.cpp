#include "memory/pauses.hpp"

#include "worker/invariant.hpp"
#include "memory/memory_keeper.hpp"

#include <algorithm>
#include <limits>

namespace takt::core {

namespace {

constexpr std::uint64_t k_most_of_bytes = std::numeric_limits<std::int64_t>::max();

std::int64_t bytes_of(std::uint64_t n) noexcept { return static_cast<std::int64_t>(std::min(n, k_most_of_bytes)); }

// An adopter takes its own call's alone: it is never kept by another one.
auto eligible_for(const worker& w) noexcept {
  return [&w](const sleeping_task& s) { return w.sleep.eligible(s.of->run.scope()); };
}

}  // namespace

memory_keeper& memory_pauses::keeper() noexcept { return static_cast<memory_keeper&>(*this); }
const memory_keeper& memory_pauses::keeper() const noexcept { return static_cast<const memory_keeper&>(*this); }

memory_pauses::memory_pauses(runtime& r) noexcept
    : owner_(r),
      hybrid_(r.rule.chosen.hybrid),
      quota_(r.settings.policy == lab::asyncdf ? bytes_of(r.rule.chosen.memory_k) : 0),
      ordered_(quota_ != 0),
      for_a_round_(bytes_of(r.rule.chosen.memory_alpha + r.settings.workers * r.rule.chosen.memory_beta)),
      asleep_(relax_on_platform{&r.threading}) {}

std::uint64_t memory_pauses::rounds_for(std::int64_t held) const noexcept {
  return held > 0 ? static_cast<std::uint64_t>(held / for_a_round_) : 0;
}

void memory_pauses::put_to_sleep(pausing_task& s, std::uint64_t rounds) noexcept {
  if (is_asyncdf()) {
    // A round of the paper hands out as many tasks as there are workers; a look, one.
    const std::uint64_t workers = std::max(owner_.worker_count(), 1u);
    s.rounds = std::min(rounds, std::numeric_limits<std::uint64_t>::max() / workers) * workers;
    put_in_order(*s.of, &s);
    return;
  }
  s.rounds = rounds;
  s.began = asleep_.round();
  asleep_.put(s, rounds);
}

fiber* memory_pauses::take_due(worker& w) noexcept {
  if (!is_any()) return nullptr;
  if (is_asyncdf()) return take_leftmost_fiber(w, looks::in_order);
  w.stats.memory_rounds.add();
  pausing_task* const s = asleep_.take_due(eligible_for(w));
  if (s == nullptr) return nullptr;
  TAKT_ASSERT(asleep_.round() - s->began > s->rounds);
  w.stats.memory_wakes.add();
  return memory_keeper::woken(*s);
}

fiber* memory_pauses::take_early(worker& w) noexcept {
  if (is_asyncdf()) return take_leftmost_fiber(w, looks::found_nothing);
  if (!is_any() || !keeper().is_alone(w)) return nullptr;
  // One that has not left its stack yet goes on by itself.
  while (pausing_task* const s = asleep_.take_first(eligible_for(w))) {
    if (fiber* const f = memory_keeper::woken(*s); f != nullptr) return f;
  }
  return nullptr;
}

fiber* memory_pauses::take_awaited_pause(worker& w) noexcept {
  // Of its own call one goes on by itself in the end: all that sleeps there is awaited by who has made it.
  const auto accepts = [&w](const fiber& f) {
    return (w.scheduler.is_held() || !w.sleep.eligible(f.run.scope())) && is_awaited(w, f);
  };
  // One that has not left its stack yet goes on by itself.
  while (pausing_task* const s = asleep_.take_first([&](const sleeping_task& of) { return accepts(*of.of); })) {
    if (fiber* const f = memory_keeper::woken(*s); f != nullptr) return f;
  }
  memory_keeper& all = keeper();
  for (bool any = any_ready(); any;) {
    fiber* back = nullptr;
    pausing_task* s = nullptr;
    all.lock();
    fiber* f = all.order_.first();
    while (f != nullptr && !(f->memory_use.pause.ready && accepts(*f))) f = f->memory_use.right;
    if (f != nullptr) {
      s = take_out(*f);
      if (s == nullptr) back = f;
    }
    all.lock_.unlock();
    if (back != nullptr) return back;
    any = s != nullptr;
    if (fiber* const gone_on = any ? memory_keeper::woken(*s) : nullptr; gone_on != nullptr) return gone_on;
  }
  return nullptr;
}

std::uint32_t memory_pauses::scope_of_any_for(const worker& w) noexcept {
  if (is_asyncdf()) return scope_of_ready_for(w);
  std::uint32_t scope = 0;
  const auto first_of = [&](const sleeping_task& s) {
    if (!w.sleep.eligible(s.of->run.scope())) return false;
    scope = s.of->run.scope();
    return true;
  };
  return hybrid_ && asleep_.is_any(first_of) ? scope : 0;
}

void memory_pauses::hand_over_all(worker& w) noexcept {
  while (is_asyncdf() && scope_of_ready_for(w) != 0) {
    if (fiber* const f = take_leftmost_fiber(w, looks::to_leave); f != nullptr) owner_.hand_over(*f, -1);
  }
  if (!hybrid_) return;
  while (pausing_task* const s = asleep_.take_first(eligible_for(w))) {
    if (fiber* const f = memory_keeper::woken(*s); f != nullptr) owner_.hand_over(*f, -1);
  }
}

sleeping_task* memory_pauses::end_pause_in_child(fiber& f) noexcept {
  if (!f.memory_use.pause.ready) return nullptr;
  if (f.memory_use.pause.put_back == nullptr) owner_.hand_over(f, -1);
  return f.memory_use.pause.put_back;
}

void memory_pauses::pauses_go_on_alone() noexcept {
  asleep_.go_on_alone();
  ordered_ = false;
  ready_.store(0, sync::relaxed);
}

}  // namespace takt::core
