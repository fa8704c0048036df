// Seats: which of the P a worker holds while it takes part, and how many there are. See README.md.
#include "worker/runtime.hpp"

#include <algorithm>

namespace takt::core {

bool runtime::attach_to(worker& w, unsigned p) noexcept {
  if (seats_[p].load(sync::relaxed) != nullptr) return false;
  worker* none = nullptr;
  // EDGE seat.worker. seq_cst: a sleeper's second look, after a push from this seat, must not miss the seat.
  if (!seats_[p].compare_exchange_strong(none, &w, sync::seq_cst, sync::relaxed)) return false;
  settle(w, p);
  return true;
}

void runtime::settle(worker& w, unsigned seat) noexcept {
  const unsigned last = w.seat.last();
  if (last != seat && seats_[last].load(sync::relaxed) == nullptr) is_somebodys_[last].store(0, sync::relaxed);
  w.seat.take(seat);
  is_somebodys_[seat].store(1, sync::relaxed);
  if (!cpus_of_seat.empty()) topology.keep_to(cpus_of_seat[seat]);
  if (w.seat.end_wait()) waiting_for_seat.fetch_sub(1, sync::relaxed);
}

bool runtime::attach(worker& w) noexcept {
  const unsigned count = worker_count();
  const unsigned sent_to = w.sleep.sent_to.load(sync::relaxed);
  if (sent_to != worker_sleep::k_nowhere) {
    w.sleep.sent_to.store(worker_sleep::k_nowhere, sync::relaxed);
    if (sent_to < count && attach_to(w, sent_to)) return true;
  }
  // Start where this worker was last, so that the cache lines stay.
  unsigned p = w.seat.last() < count ? w.seat.last() : 0;
  for (unsigned i = 0; i < count; ++i, p = p + 1 < count ? p + 1 : 0) {
    if (attach_to(w, p)) return true;
  }
  return false;
}

bool runtime::any_seat_empty() const noexcept {
  for (unsigned p = 0; p < worker_count(); ++p) {
    if (seats_[p].load(sync::seq_cst) == nullptr) return true;
  }
  return false;
}

bool runtime::is_looking(unsigned seat, std::uint32_t scope) const noexcept {
  const worker* const w = holder_in_order(seat);
  // EDGE worker.looks
  return w != nullptr && w->sleep.looks.load(sync::seq_cst) == worker_sleep::k_looking &&
      (scope == 0 || w->sleep.eligible(scope));
}

std::size_t runtime::how_many_look(const worker& w, std::size_t most) const noexcept {
  const unsigned seats = seats_used();
  std::size_t looking = 0;
  for (unsigned s = 0; s < seats && looking < most; ++s) {
    looking += !w.seat.is(s) && is_looking(s, w.scheduler.current()->run.scope());
  }
  return looking;
}

bool runtime::enough_look(const worker& w, std::size_t offered) const noexcept {
  return sleeping.any() && process::is_only_call() && more_look_than(w, offered < 2 ? 0 : offered - 2);
}

void runtime::detach(worker& w) noexcept {
  beats_rest(w);
  // seq_cst, as the seat below: who has made room looks at this number once it is listed as a sleeper.
  if (w.seat.end_wait()) waiting_for_seat.fetch_sub(1, sync::seq_cst);
  if (!w.seat.is_held()) return;
  // EDGE seat.worker: the next holder sees what this one did. seq_cst: who leaves looks for sleepers afterwards, and
  // a sleeper for seats.
  const unsigned seat = w.seat.index();
  seats_[seat].store(nullptr, sync::seq_cst);
  w.seat.leave();
  // EDGE reach.done. seq_cst: see reach().
  if (w.reach.state.load(sync::seq_cst) != 0) out_of_reach(w);
  if (is_seat_wanted()) give_to_who_waits(seat);
}

void runtime::give_to_who_waits(unsigned seat) noexcept {
  seat_wish* const wish = seat < worker_count() ? wishes_.choose_any() : nullptr;
  if (wish == nullptr) return;
  worker* none = nullptr;
  // EDGE seat.worker
  const bool is_free = seats_[seat].compare_exchange_strong(none, wish->of, sync::seq_cst, sync::relaxed);
  // EDGE park.token
  wish->given = is_free ? static_cast<int>(seat) : -1;
  threading.unpark(wish->parker);
}

void runtime::wait_in_place_for_seat(worker& w) noexcept {
  if (attach(w)) return;
  const std::uint64_t looked = w.reach.last_look.load(sync::relaxed);
  w.reach.last_look.store(0, sync::relaxed);
  waits_in_place(w);
  seat_wish& wish = w.seat.wish;
  wish.of = &w;
  while (!attach(w)) {
    wishes_.announce(wish);
    // Whoever has left one since looks for wishes afterwards.
    if (any_seat_empty() && wishes_.cancel(wish)) continue;
    threading.park(wish.parker, 0);
    if (wish.given < 0) continue;
    settle(w, static_cast<unsigned>(wish.given));
    break;
  }
  goes_on_in_place(w);
  w.reach.last_look.store(looked, sync::relaxed);
}

void runtime::wait_for_seat(worker& w) noexcept {
  w.seat.wait();
  waiting_for_seat.fetch_add(1, sync::relaxed);
}

void runtime::follow_cpus(std::uint64_t now) noexcept {
  // One that looks a second time because another has begun to look does no harm.
  if (now < next_look_.load(sync::relaxed)) return;
  next_look_.store(now + between_looks_, sync::relaxed);
  const std::uint64_t begin = clock.cpu_time();
  const unsigned count = std::min(topology.usable_cpus(), most_workers);
  // With thousands of threads a look takes longer: it may cost a thousandth of one worker's time. Of its own time, as
  // the clock goes on while others have the CPU, and nobody would look for a thousand times as long.
  const std::uint64_t spent = clock.cpu_time() - begin;
  next_look_.store(now + std::max(between_looks_, cost::k_cpu_look_share * spent), sync::relaxed);
  if (follows_cpus_ && count != worker_count()) change_worker_count(count);
}

void runtime::publish_least_call_ticks() const noexcept {
  process::short_call_ticks.store(least_call_ticks(false), sync::relaxed);
  process::parted_call_ticks.store(least_call_ticks(true), sync::relaxed);
  process::least_wake_ticks.store(least_wake_ticks, sync::relaxed);
  process::pause_ticks.store(spin_ticks, sync::relaxed);
}

void runtime::follow_cpus_at_call(std::uint64_t since_last, std::uint64_t now) noexcept {
  // After a rest a look takes long, as nothing that it reads is in a cache. Whoever went to sleep behind the last call
  // has looked, and will again.
  if (since_last >= between_looks_ && next_look_.load(sync::relaxed) >= now - since_last + between_looks_) {
    next_busy_look_.store(now + between_looks_, sync::relaxed);
  }
  follow_cpus_if_busy(now);
}

void runtime::change_worker_count(unsigned count) noexcept {
  const unsigned before = worker_count();
  // First, so that nobody has a seat where nobody looks. seq_cst, as a seat is: src/worker/README.md.
  unsigned used = seats_used_.load(sync::seq_cst);
  while (used < count && !seats_used_.compare_exchange_strong(used, count, sync::seq_cst, sync::seq_cst)) {
  }
  worker_count_.store(count, sync::relaxed);
  if (process::current() == this) publish_least_call_ticks();
  // There may be more to do than one worker was woken for.
  for (unsigned i = before; i < count && process::any_call(); ++i) announce_injected(0);
}

}  // namespace takt::core
