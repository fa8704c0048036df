// Who is woken, and who is reached while it does not poll. See README.md for why no wake-up is lost.
#include "worker/runtime.hpp"

#include <algorithm>

namespace takt::core {

void cut_credit(worker& v) noexcept {
  if (v.reach.hot == nullptr) return;
  // The owner's accesses are no atomic read-modify-writes, so this may be lost: the next one is a beat away.
  v.beat.is_cut();
  // In one step, as the owner may begin to watch environments meanwhile: what it sees is k_watch less then.
  std::int64_t shown = __atomic_load_n(&v.reach.hot->credit, __ATOMIC_RELAXED);
  const std::int64_t none = shown < -k_watch / 2 ? -k_watch - 1 : -1;
  if (shown > none) {
    // EDGE credit.cut: who sees this in the credit sees it counted.
    __atomic_compare_exchange_n(&v.reach.hot->credit, &shown, none, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
  }
  __atomic_store_n(&v.reach.hot->free_top, 0, __ATOMIC_RELAXED);
}

void take_signal_back(worker& w) noexcept {
  w.owner.signals.recall_interrupt();
  w.reach.state.fetch_and(~worker_reach::k_sent, sync::relaxed);
}

bool runtime::watches_silent_workers() const noexcept {
  if (!settings.interrupts && threading.seen_by_others(&takt_hot) == nullptr) return false;
  return rule.reaches_silent_workers(beat_ticks);
}

bool runtime::is_silent(const worker& v) const noexcept {
  const std::uint64_t look = v.reach.last_look.load(sync::relaxed);
  return look == 0 || look + cost::k_silent_beats * std::max(beat_ticks, spin_ticks) <= clock.now();
}

void runtime::reach_silent_workers(worker& w) noexcept {
  if (!watches_silent_workers()) return;
  const std::uint64_t now = clock.now();
  // A signal costs about a microsecond at both ends: with a very short beat it is not sent at every one.
  const std::uint64_t interval = std::max(beat_ticks, spin_ticks);
  const unsigned seats = seats_used_.load(sync::relaxed);
  for (unsigned p = 0; p < seats; ++p) {
    worker* v = seats_[p].load(sync::acquire);
    if (v == nullptr || v == &w) continue;
    const std::uint64_t look = v->reach.last_look.load(sync::relaxed);
    if (look == 0 || look + cost::k_silent_beats * interval > now) continue;
    std::uint64_t last = v->reach.last_interrupt.load(sync::relaxed);
    if (last + interval > now) continue;
    if (!v->reach.last_interrupt.compare_exchange_strong(last, now, sync::relaxed, sync::relaxed)) continue;
    v->beat.is_asked();
    if (reach(*v, p, look)) w.stats.interrupts_sent.add();
  }
}

bool runtime::reach(worker& v, unsigned seat, std::uint64_t looked) noexcept {
  // The long look comes first: the thread may have to wait for all the rest.
  const std::uint64_t name = v.reach.thread_name.load(sync::relaxed);
  bool arrives = settings.interrupts && signals.takes_interrupts(name);
  v.reach.hears.store(arrives ? 1 : 0, sync::relaxed);
  // seq_cst: either this sees that the worker has left its seat, or who leaves sees this.
  const std::uint32_t before = v.reach.state.fetch_or(worker_reach::k_reaching, sync::seq_cst);
  if ((before & worker_reach::k_reaching) != 0) return false;
  bool sent = false;
  // Who has looked at the clock meanwhile is not silent, and may have left its call, have blocked its signals, and be
  // in the next one.
  if (seats_[seat].load(sync::seq_cst) == &v && v.reach.last_look.load(sync::relaxed) == looked) {
    // One at a time: real-time signals queue.
    if (arrives && before == 0 && v.reach.thread_name.load(sync::relaxed) == name) {
      // Before it is sent: the handler takes it back.
      v.reach.state.fetch_or(worker_reach::k_sent, sync::relaxed);
      sent = signals.interrupt(name);
      if (!sent) {
        // Refused, in spite of the look.
        v.reach.state.fetch_and(~worker_reach::k_sent, sync::relaxed);
        v.reach.hears.store(0, sync::relaxed);
        arrives = false;
      }
    }
    if (!arrives) cut_credit(v);
  }
  // EDGE reach.done: the thread may end.
  v.reach.state.fetch_and(~worker_reach::k_reaching, sync::release);
  return sent;
}

void runtime::out_of_reach(worker& w) noexcept {
  // EDGE reach.done
  for (unsigned round = 0; (w.reach.state.load(sync::acquire) & worker_reach::k_reaching) != 0; ++round) {
    threading.relax(round);
  }
  if (w.reach.state.load(sync::relaxed) != 0) take_signal_back(w);
}

void runtime::announce_task(std::uint32_t scope, bool in_signal_handler, unsigned first, unsigned last) noexcept {
  // The worker that sent the signal is awake and looks again.
  if (in_signal_handler) return;
  // While everybody is busy nobody sleeps, and nobody returns from a call.
  if (follows_cpus_) follow_cpus_if_busy(clock.now());
  if (is_alone()) return;
  if (worker* s = sleeping.choose(
          scope, [first, last](const worker& v) { return first <= v.seat.last() && v.seat.last() <= last; });
      s != nullptr) {
    // Where nobody would come it is to sit: elsewhere it might not be allowed to take the task.
    if (first < worker_count() && last != ~0u && is_somebodys_[first].exchange(1, sync::relaxed) == 0) {
      s->sleep.sent_to.store(first, sync::relaxed);
    }
    threading.unpark(s->sleep.parker);
  } else if (may_start_thread()) {
    start_pool_thread();
  }
}

void runtime::ask_for_company(std::uint32_t scope) noexcept {
  if (worker_count() == 1 || !watches_silent_workers() || sentinel.load(sync::relaxed) != 0) return;
  announce_task(scope, false);
}

void runtime::announce_spawned() noexcept {
  if (orphaned) return;
  least_threads_.store(1, sync::relaxed);
  if (worker* const s = sleeping.choose(0); s != nullptr) {
    threading.unpark(s->sleep.parker);
  } else if (may_start_thread()) {
    start_pool_thread();
  }
}

void runtime::announce_injected(std::uint32_t scope) noexcept {
  if (orphaned) return;
  // Any worker may take it; better one that serves this call than another call's adopter.
  worker* s = sleeping.choose(scope);
  if (s == nullptr) s = sleeping.choose_any();
  if (s != nullptr) {
    threading.unpark(s->sleep.parker);
  } else if (may_start_thread()) {
    start_pool_thread();
  }
}

}  // namespace takt::core
