#include "lab/promotion/pinger.hpp"

#include "lab/promotion/thread_timer.hpp"
#include "worker/runtime.hpp"

#include <sys/prctl.h>

#include <new>

namespace takt::core {

namespace {

// runtime::reach() without its long look. @returns false when nothing was sent.
bool ping(worker& v, unsigned seat, std::uint64_t number, std::uint64_t due) noexcept {
  runtime& r = v.owner;
  // seq_cst: either this sees that the worker has left its seat, or who leaves sees this.
  const std::uint32_t before = v.reach.state.fetch_or(worker_reach::k_reaching, sync::seq_cst);
  if ((before & worker_reach::k_reaching) != 0) return false;
  bool sent = false;
  // One at a time: what has not come yet is missed.
  if (before == 0 && r.holder_in_order(seat) == &v && v.reach.looked_at() != 0) {
    v.beat.rule.line.sends(number, due);
    v.reach.state.fetch_or(worker_reach::k_sent, sync::relaxed);
    sent = r.signals.interrupt(v.reach.name_of_thread());
    if (!sent) v.reach.state.fetch_and(~worker_reach::k_sent, sync::relaxed);
  }
  // EDGE reach.done: the thread may end.
  v.reach.state.fetch_and(~worker_reach::k_reaching, sync::release);
  return sent;
}

}  // namespace

pinger::pinger(runtime& r, std::uint64_t interval) noexcept
    : owner_(r), interval_(interval), forks_(forks_before()) {
  parker_.woken_by_many = true;
}

pinger* pinger::start(runtime& r, std::uint64_t interval) noexcept {
  auto* const made = new (std::nothrow) pinger(r, interval);
  if (made == nullptr) return nullptr;
  made->thread_ = r.threading.start_thread([](void* self) { static_cast<pinger*>(self)->run(); }, made, true);
  if (made->thread_ != nullptr) return made;
  delete made;
  return nullptr;
}

void pinger::stop(pinger* p) noexcept {
  p->stopping_.store(1, sync::seq_cst);
  p->owner_.threading.unpark(p->parker_);
  p->owner_.threading.join_thread(p->thread_);
  delete p;
}

bool pinger::is_here() const noexcept { return forks_ == forks_before(); }

void pinger::wake() noexcept {
  // EDGE ping.asleep
  if (asleep_.load(sync::seq_cst) != 0 && asleep_.exchange(0, sync::seq_cst) != 0) owner_.threading.unpark(parker_);
}

bool pinger::ping_all(std::uint64_t number, std::uint64_t due) noexcept {
  bool any = false;
  const unsigned seats = owner_.seats_used_in_order();
  for (unsigned p = 0; p < seats; ++p) {
    worker* const v = owner_.holder_in_order(p);
    if (v == nullptr || v->beat.rule.line.armed.load(sync::seq_cst) == 0) continue;
    any = true;
    if (number != 0) ping(*v, p, number, due);
  }
  return any;
}

void pinger::rest() noexcept {
  // EDGE ping.asleep: who arms itself later sees this; this sees who has.
  asleep_.store(1, sync::seq_cst);
  if (!ping_all(0, 0) && stopping_.load(sync::seq_cst) == 0) owner_.threading.park(parker_, 0);
  asleep_.store(0, sync::seq_cst);
}

void pinger::run() noexcept {
  // The kernel lets timeouts of other threads wait for 50 microseconds.
  prctl(PR_SET_TIMERSLACK, 1ul, 0ul, 0ul, 0ul);
  const std::uint64_t begun = owner_.clock.now();
  while (stopping_.load(sync::seq_cst) == 0) {
    const std::uint64_t since = owner_.clock.now() - begun;
    const std::uint64_t number = since / interval_;
    if (number == beats()) {
      owner_.threading.park(parker_, interval_ - since % interval_);
      continue;
    }
    number_.store(number, sync::relaxed);
    if (!ping_all(number, begun + number * interval_)) rest();
  }
}

}  // namespace takt::core
