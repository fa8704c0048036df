// Beats that come by interrupt: when a worker's are armed, and what one does that has come. lab/README.md has the
// protocol.
#include "lab/promotion/pinger.hpp"
#include "promotion/rule.hpp"

#include <chrono>

namespace takt::core {

namespace {

constexpr std::chrono::microseconds k_least_beat{20};

bool makes_beats(const worker& w) noexcept {
  const promotion_rule& rule = w.owner.rule;
  return rule.chosen.beats != lab::beat_source::poll && rule.promotes_at_polls() && w.owner.beat_ticks != 0;
}

std::chrono::microseconds interval_of(const runtime& r) noexcept { return std::max(r.settings.beat, k_least_beat); }
std::uint64_t interval_ticks(const runtime& r) noexcept { return to_ticks(interval_of(r), r.tick_rate); }

// The pinger that is there for everybody, or null.
pinger* pinger_of(runtime& r) noexcept {
  sync::atomic<pinger*>& place = r.rule.pings;
  // EDGE ping.made
  pinger* now = place.load(sync::acquire);
  if (now != nullptr && now->is_here()) return now;
  pinger* const made = pinger::start(r, interval_ticks(r));
  // EDGE ping.made: it is complete. One that a fork has left behind is lost.
  if (made == nullptr || place.compare_exchange_strong(now, made, sync::acq_rel, sync::acquire)) return made;
  pinger::stop(made);
  return now;
}

void arm(worker& w) noexcept {
  runtime& r = w.owner;
  beat_line& line = w.beat.rule.line;
  // A simulated thread has no timer, and its time goes on only when it looks.
  if (!makes_beats(w) || !w.seat.is_held() || w.reach.hot == nullptr) return;
  const bool hears = r.settings.interrupts && r.signals.takes_interrupts(w.reach.name_of_thread());
  w.reach.hears.store(hears ? 1 : 0, sync::relaxed);
  if (!hears) return;
  line.looked = r.clock.now();
  if (line.source == lab::beat_source::timer) {
    line.last = 0;
    const std::chrono::nanoseconds interval = interval_of(r);
    const bool runs = line.timer.start(r.settings.signal, static_cast<std::uint64_t>(interval.count()));
    // Not before: somebody else's signal may come meanwhile, and its handler asks the timer.
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    line.armed.store(runs ? 1 : 0, sync::relaxed);
    return;
  }
  pinger* const pings = pinger_of(r);
  if (pings == nullptr) return;
  line.last = pings->beats();
  line.armed.store(1, sync::seq_cst);
  pings->wake();
}

void note_late(worker& w, std::uint64_t late_ns) noexcept {
  for (const late_count& each : k_late_counts) {
    if (late_ns > each.ns) (w.stats.*each.counts).add();
  }
}

}  // namespace

void promotion_rule::end() const noexcept {
  if (pinger* const p = pings.load(sync::relaxed); p != nullptr && p->is_here()) pinger::stop(p);
}

void beats_go_on(worker& w) noexcept {
  if (w.beat.rule.line.armed.load(sync::relaxed) == 0) arm(w);
}

void beats_rest(worker& w) noexcept {
  beat_line& line = w.beat.rule.line;
  if (line.armed.load(sync::relaxed) == 0) return;
  // EDGE ping.asleep
  line.armed.store(0, sync::seq_cst);
  line.unseen.store(0, sync::relaxed);
  if (line.source != lab::beat_source::timer) return;
  line.timer.stop();
  // Blocked meanwhile: nobody else is to find it.
  w.owner.signals.recall_interrupt();
}

bool is_beat_due(worker& w, std::uint64_t now) noexcept {
  beat_line& line = w.beat.rule.line;
  if (line.armed.load(sync::relaxed) == 0) return now - w.beat.last_promotion >= w.owner.beat_ticks;
  if (line.unseen.exchange(0, sync::relaxed) != 0) return true;
  // It may be blocked.
  if (now - line.looked >= cost::k_silent_beats * interval_ticks(w.owner)) {
    beats_rest(w);
    arm(w);
  }
  return false;
}

bool takes_signal(worker& w) noexcept {
  beat_line& line = w.beat.rule.line;
  line.is_beat = false;
  if (line.armed.load(sync::relaxed) == 0) return true;
  const std::uint64_t now = w.owner.clock.now();
  thread_timer::beat beat{};
  if (line.source == lab::beat_source::timer) {
    beat = line.timer.now();
  } else {
    const auto late = static_cast<double>(now - std::min(now, line.sent_due.load(sync::relaxed)));
    beat = {line.sent_number.load(sync::relaxed), static_cast<std::uint64_t>(late * 1e9 / w.owner.tick_rate)};
  }
  // Somebody has asked for it.
  if (beat.number <= line.last) return w.seat.is_held();
  line.is_beat = true;
  w.stats.beats_delivered.add();
  w.stats.beats_missed.add(beat.number - line.last - 1);
  note_late(w, beat.late_ns);
  line.last = beat.number;
  line.looked = now;
  line.unseen.store(1, sync::relaxed);
  // Nobody need ask.
  if (takt_hot.busy == 0 && w.reach.looked_at() != 0) w.reach.looks(now);
  return w.seat.is_held();
}

bool is_to_poll(worker& w, bool promoted) noexcept {
  if (!w.beat.rule.line.is_beat) return true;
  runtime& r = w.owner;
  if (promoted && r.worker_count() > 1) {
    // Who has sent a signal is awake; here nobody need be.
    if (worker* const s = r.sleeping.choose(w.scheduler.current()->run.scope()); s != nullptr) {
      r.threading.unpark(s->sleep.parked());
    }
  }
  return !promoted;
}

}  // namespace takt::core
