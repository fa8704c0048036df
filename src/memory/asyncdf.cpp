// asyncdf: workers take what is ready from left to right. See README.md.
#include "memory/memory_keeper.hpp"

#include "invariant/invariant.hpp"

#include <algorithm>
#include <utility>

namespace takt::core {

bool memory_keeper::is_within_quota(fiber& f, std::int64_t bytes) const noexcept {
  if (bytes > f.memory_use.quota) return false;
  f.memory_use.quota -= bytes;
  return true;
}

std::uint64_t memory_keeper::rounds_beyond(std::int64_t bytes) const noexcept {
  return bytes > quota_ ? static_cast<std::uint64_t>(bytes / quota_) : 0;
}

void memory_keeper::renew_quota(fiber& f, std::int64_t bytes) const noexcept {
  f.memory_use.quota = std::max<std::int64_t>(quota_ - bytes, 0);
}

void memory_keeper::put_in_order(fiber& f, sleeping_task* put_back) noexcept {
  lock();
  TAKT_ASSERT(f.memory_use.listed && !f.memory_use.ready);
  f.memory_use.ready = true;
  f.memory_use.put_back = put_back;
  // EDGE memory.ready: seq_cst, as who has put one there and finds something else chooses a parked worker next, and
  // that looks here after it was listed.
  ready_.fetch_add(1, sync::seq_cst);
  lock_.unlock();
}

bool memory_keeper::leaves_in_order(const worker& w, fiber& f) noexcept {
  // An adopter may be the last one there is of a call that is not its own.
  if (!ordered_ || !w.eligible(f.scope)) return false;
  put_in_order(f, nullptr);
  return true;
}

serial_order::spot memory_keeper::spot_of(const ready_task& t) const noexcept {
  abi::slot* const task = entry::task(t.task);
  join_word* const join = own_join(task)->target();
  if (!own_join(task)->is_child()) return order_.spot_of(t.parent, place_of(*t.parent, task, join));
  return serial_order::spot_of_child(order_.has(t.parent) ? t.parent : nullptr);
}

ready_task* memory_keeper::leftmost_task(const worker& w, ready_task* newest) const noexcept {
  const auto mine = [&w](const ready_task& t) { return w.eligible(entry::scope(t.task)); };
  ready_task* found = ready_tasks::first(newest, mine);
  if (found == nullptr || !ordered_) return found;
  serial_order::spot spot = spot_of(*found);
  for (ready_task* t = found; (t = ready_tasks::first(t->next, mine)) != nullptr;) {
    const serial_order::spot other = spot_of(*t);
    if (!order_.is_left_of(other, spot)) continue;
    found = t;
    spot = other;
  }
  return found;
}

std::uint64_t memory_keeper::take_leftmost_task(worker& w) noexcept {
  if (not_begun_.looks_empty()) return entry::k_none;
  lock();
  const ready_task* const t =
      not_begun_.take(relax_on_platform{&owner_.os}, [&](ready_task* newest) { return leftmost_task(w, newest); });
  lock_.unlock();
  const std::uint64_t e = t != nullptr ? t->task : entry::k_none;
  delete t;
  return e;
}

fiber* memory_keeper::take_leftmost_fiber(worker& w, looks how) noexcept {
  if (!any_ready()) return nullptr;
  lock();
  const fiber* last = nullptr;
  if (how == looks::in_order) {
    (void)not_begun_.take(relax_on_platform{&owner_.os}, [&](ready_task* newest) -> ready_task* {
      if (const ready_task* const t = leftmost_task(w, newest); t != nullptr) last = spot_of(*t).left;
      return nullptr;
    });
  }
  const bool waits = how == looks::in_order || (how == looks::found_nothing && !is_alone(w));
  fiber* f = order_.first();
  for (; f != nullptr; f = f == last ? nullptr : f->memory_use.right) {
    if (!f->memory_use.ready || !w.eligible(f->scope)) continue;
    sleeping_task* const s = f->memory_use.put_back;
    if (!waits || s == nullptr || s->rounds == 0) break;
    if (how != looks::in_order) continue;
    --s->rounds;
    w.stats.memory_rounds.add();
  }
  sleeping_task* s = nullptr;
  if (f != nullptr) {
    s = std::exchange(f->memory_use.put_back, nullptr);
    f->memory_use.ready = false;
    ready_.fetch_sub(1, sync::seq_cst);
  }
  lock_.unlock();
  if (f == nullptr) return nullptr;
  if (s != nullptr) {
    w.stats.memory_wakes.add();
    // One that has not left its stack yet goes on by itself.
    return woken(*s);
  }
  return f;
}

std::uint32_t memory_keeper::scope_of_ready_for(const worker& w) noexcept {
  if (!any_ready()) return 0;
  lock();
  const fiber* f = order_.first();
  while (f != nullptr && !(f->memory_use.ready && w.eligible(f->scope))) f = f->memory_use.right;
  const std::uint32_t scope = f != nullptr ? f->scope : 0;
  lock_.unlock();
  return scope;
}

}  // namespace takt::core
