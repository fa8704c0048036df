// asyncdf: workers take what is ready from left to right. See lab/README.md.
#include "memory/memory_keeper.hpp"

#include "worker/invariant.hpp"

#include <algorithm>
#include <utility>

namespace takt::core {

bool memory_pauses::is_within_quota(fiber& f, std::int64_t bytes) const noexcept {
  if (bytes > f.memory_use.pause.quota) return false;
  f.memory_use.pause.quota -= bytes;
  return true;
}

std::uint64_t memory_pauses::rounds_beyond(std::int64_t bytes) const noexcept {
  return bytes > quota_ ? static_cast<std::uint64_t>(bytes / quota_) : 0;
}

void memory_pauses::has_slept(fiber& f, std::int64_t bytes) const noexcept {
  if (!is_asyncdf()) return;
  f.memory_use.pause.quota = std::max<std::int64_t>(quota_ - bytes, 0);
}

void memory_pauses::put_in_order(fiber& f, pausing_task* put_back) noexcept {
  keeper().lock();
  TAKT_ASSERT(f.memory_use.listed && !f.memory_use.pause.ready);
  f.memory_use.pause.ready = true;
  f.memory_use.pause.put_back = put_back;
  // EDGE memory.ready: seq_cst, as who has put one there and finds something else chooses a parked worker next, and
  // that looks here after it was listed.
  ready_.fetch_add(1, sync::seq_cst);
  keeper().lock_.unlock();
}

bool memory_pauses::leaves_in_order(const worker& w, fiber& f) noexcept {
  // An adopter may be the last one there is of a call that is not its own.
  if (!ordered_ || !w.sleep.eligible(f.run.scope())) return false;
  put_in_order(f, nullptr);
  return true;
}

serial_order::spot memory_pauses::spot_of(const ready_task& t) const noexcept {
  abi::slot* const task = entry::task(t.task);
  join_word* const join = own_join(task)->target();
  if (!own_join(task)->is_child()) return keeper().order_.spot_of(t.parent, memory_keeper::place_of(*t.parent, task, join));
  return serial_order::spot_of_child(keeper().order_.has(t.parent) ? t.parent : nullptr);
}

ready_task* memory_pauses::leftmost_task(const worker& w, ready_task* newest) const noexcept {
  const auto mine = [&w](const ready_task& t) { return w.sleep.eligible(entry::scope(t.task)); };
  ready_task* found = ready_tasks::first(newest, mine);
  if (found == nullptr || !ordered_) return found;
  serial_order::spot spot = spot_of(*found);
  for (ready_task* t = found; (t = ready_tasks::first(t->next, mine)) != nullptr;) {
    const serial_order::spot other = spot_of(*t);
    if (!keeper().order_.is_left_of(other, spot)) continue;
    found = t;
    spot = other;
  }
  return found;
}

std::uint64_t memory_pauses::take_leftmost_task(worker& w) noexcept {
  if (not_begun_.looks_empty()) return entry::k_none;
  keeper().lock();
  const ready_task* const t =
      not_begun_.take(relax_on_platform{&owner_.threading},
                      [&](ready_task* newest) { return leftmost_task(w, newest); });
  keeper().lock_.unlock();
  const std::uint64_t e = t != nullptr ? t->task : entry::k_none;
  delete t;
  return e;
}

pausing_task* memory_pauses::take_out(fiber& f) noexcept {
  f.memory_use.pause.ready = false;
  ready_.fetch_sub(1, sync::seq_cst);
  return std::exchange(f.memory_use.pause.put_back, nullptr);
}

fiber* memory_pauses::take_leftmost_fiber(worker& w, looks how) noexcept {
  if (!any_ready()) return nullptr;
  keeper().lock();
  const fiber* last = nullptr;
  if (how == looks::in_order) {
    (void)not_begun_.take(relax_on_platform{&owner_.threading}, [&](ready_task* newest) -> ready_task* {
      if (const ready_task* const t = leftmost_task(w, newest); t != nullptr) last = spot_of(*t).left;
      return nullptr;
    });
  }
  const bool waits = how == looks::in_order || (how == looks::found_nothing && !keeper().is_alone(w));
  fiber* f = keeper().order_.first();
  for (; f != nullptr; f = f == last ? nullptr : f->memory_use.right) {
    if (!f->memory_use.pause.ready || !w.sleep.eligible(f->run.scope())) continue;
    pausing_task* const s = f->memory_use.pause.put_back;
    if (!waits || s == nullptr || s->rounds == 0) break;
    if (how != looks::in_order) continue;
    --s->rounds;
    w.stats.memory_rounds.add();
  }
  pausing_task* const s = f != nullptr ? take_out(*f) : nullptr;
  keeper().lock_.unlock();
  if (f == nullptr) return nullptr;
  if (s != nullptr) {
    w.stats.memory_wakes.add();
    // One that has not left its stack yet goes on by itself.
    return memory_keeper::woken(*s);
  }
  return f;
}

std::uint32_t memory_pauses::scope_of_ready_for(const worker& w) noexcept {
  if (!any_ready()) return 0;
  keeper().lock();
  const fiber* f = keeper().order_.first();
  while (f != nullptr && !(f->memory_use.pause.ready && w.sleep.eligible(f->run.scope()))) f = f->memory_use.right;
  const std::uint32_t scope = f != nullptr ? f->run.scope() : 0;
  keeper().lock_.unlock();
  return scope;
}

}  // namespace takt::core
