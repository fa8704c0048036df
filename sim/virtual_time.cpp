#include "sim/virtual_time.hpp"

#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace takt::sim {

namespace {

// The farthest that a search in vain skips at a time: its end, after some twenty microseconds, must not be missed by
// much.
constexpr double k_longest_skip_s = 0.2e-6;

// Stretches longer than this, which a change of thread by the kernel makes of any, are looked into.
constexpr double k_long_s = 20e-6;

// Who is so far behind goes first when another one uses memory: caches and bandwidth are shared in the order of time up
// to that.
constexpr double k_far_behind_s = 1e-6;

virtual_time* running = nullptr;  // for at_end, which is told no more than the machine

[[noreturn]] void give_up(const char* what) {
  std::fprintf(stderr, "takt: simulation: %s\n", what);
  // Not exit(): what it calls might use the machine, which can do nothing any more.
  std::fflush(nullptr);
  std::_Exit(2);
}

}  // namespace

virtual_time::virtual_time(const virtual_settings& settings, const ::takt::platform::simulated_process& process)
    : settings_(settings),
      process_(process),
      real_(*process.real),
      machine_(*process.hot, process.exceptions),
      long_(static_cast<std::uint64_t>(k_long_s * settings.ticks_per_second)),
      ps_per_tick_(static_cast<std::uint64_t>(std::llround(1e12 / settings.ticks_per_second))),
      far_behind_(static_cast<std::uint64_t>(k_far_behind_s * settings.ticks_per_second)) {
  course& main = courses_.emplace_back();
  main.thread = &machine_.adopt();
  main.time = settings.began;
  main.owner = this;
  machine_.set_at_end(&virtual_time::at_end);
  running = this;
  (void)cpus_.lost(real_.now(), settings_.ticks_per_second);
  let_run();
}

void virtual_time::stop_clock() {
  if (!settings_.measured) return;
  const std::uint64_t now = real_.now();
  std::uint64_t took = now - let_run_at_;
  if (took > long_) took -= std::min(took, cpus_.lost(now, settings_.ticks_per_second));
  course& c = me();
  c.time += took;
  if (accounts_) account(c, took);
}

void virtual_time::account(course& c, std::uint64_t took) {
  const void* site = nullptr;
  const bool runs = !c.spins && process_.scheduler.running(&site);
  if (runs != c.runs_program) {
    c.runs_program = runs;
    runs ? ++running_program_ : --running_program_;
  }
  if (!runs) return;
  site_time& t = sites_[site];
  t.work += took;
  t.span += static_cast<double>(took) / running_program_;
}

std::uint64_t lost_cpu::lost(std::uint64_t now, double ticks_per_second) noexcept {
  rusage used{};
  timespec ran{};
  if (getrusage(RUSAGE_THREAD, &used) != 0 || clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ran) != 0) return 0;
  const double seconds = static_cast<double>(ran.tv_sec) + 1e-9 * static_cast<double>(ran.tv_nsec);
  const double passed = static_cast<double>(now - looked_at_) / ticks_per_second;
  const double not_run = passed - (seconds - ran_);
  const bool taken_away = used.ru_nivcsw != switches_;
  looked_at_ = now;
  ran_ = seconds;
  switches_ = used.ru_nivcsw;
  return taken_away && not_run > 0 ? static_cast<std::uint64_t>(not_run * ticks_per_second) : 0;
}

void virtual_time::let_run() {
  if (settings_.measured) let_run_at_ = real_.now();
}

void virtual_time::enqueue(course& c) {
  c.queued = true;
  (c.spins ? spinning_ : queue_).emplace(c.time, c.thread->number);
}

void virtual_time::dequeue(course& c) {
  c.queued = false;
  (c.spins ? spinning_ : queue_).erase({c.time, c.thread->number});
}

virtual_time::course& virtual_time::earliest() {
  if (queue_.empty() && spinning_.empty()) give_up("all virtual threads wait: a deadlock");
  if (spinning_.empty()) return courses_[queue_.begin()->second];
  if (queue_.empty()) return courses_[spinning_.begin()->second];
  return courses_[std::min(*queue_.begin(), *spinning_.begin()).second];
}

void virtual_time::go_to(course& next) {
  course& from = me();
  if (&next == &from) return;
  machine_.switch_to(*next.thread);
  // Somebody else's signal is let in here, and the sender goes on where it was.
  while (from.sender != nullptr) {
    course& back = *from.sender;
    from.sender = nullptr;
    run_handler(from);
    machine_.switch_to(*back.thread);
  }
}

void virtual_time::wait_for_turn(course& c) {
  enqueue(c);
  course& next = earliest();
  go_to(next);
  if (c.queued) dequeue(c);
}

void virtual_time::wait(course& c) {
  c.thread->is = virtual_thread::state::waiting;
  if (c.has_limit) enqueue(c);
  go_to(earliest());
  if (c.queued) dequeue(c);
  c.thread->is = virtual_thread::state::runnable;
}

void virtual_time::wake(course& c, std::uint64_t at) {
  // Who waits with a time limit is in the queue for that.
  if (c.queued) dequeue(c);
  c.time = std::max(c.has_limit ? c.parked_at : c.time, at);
  c.has_limit = false;
  c.thread->is = virtual_thread::state::runnable;
  enqueue(c);
}

std::uint64_t virtual_time::time() {
  stop_clock();
  const std::uint64_t t = me().time;
  let_run();
  return t;
}

void virtual_time::spend(std::uint64_t ticks) {
  stop_clock();
  course& c = me();
  c.time += ticks;
  c.looks_at_clock = true;
  wait_for_turn(c);
  c.looks_at_clock = false;
  let_run();
}

void virtual_time::let_others_catch_up() {
  stop_clock();
  course& c = me();
  const auto is_behind = [&](const auto& queue) {
    return !queue.empty() && queue.begin()->first + far_behind_ < c.time;
  };
  if (is_behind(queue_) || is_behind(spinning_)) {
    c.looks_at_clock = true;
    wait_for_turn(c);
    c.looks_at_clock = false;
  }
  let_run();
}

void virtual_time::add_memory_time(std::uint64_t ps) {
  course& c = me();
  c.ps_left += ps;
  const std::uint64_t ticks = c.ps_left / ps_per_tick_;
  c.ps_left %= ps_per_tick_;
  c.time += ticks;
  c.memory_since_look += ticks;
  c.memory_uncharged += ticks;
  program_ticks_ += ticks;
  if (accounts_) account(c, ticks);
}

std::uint64_t virtual_time::now() noexcept {
  // Every parallel call looks at the clock first.
  if (pthread_equal(pthread_self(), thread_) == 0) give_up("a second thread of the program makes parallel calls");
  stop_clock();
  course& c = me();
  c.time += settings_.cost.look;
  c.memory_before_look = std::exchange(c.memory_since_look, 0);
  if (!c.in_handler) {
    c.looks_at_clock = true;
    wait_for_turn(c);
    c.looks_at_clock = false;
  }
  const std::uint64_t t = c.time;
  let_run();
  return t;
}

void virtual_time::relax(unsigned) noexcept {
  stop_clock();
  course& c = me();
  // Nothing is to be found before somebody who does not just look does something.
  const auto skip = static_cast<std::uint64_t>(k_longest_skip_s * settings_.ticks_per_second);
  const std::uint64_t change = queue_.empty() ? c.time + skip : queue_.begin()->first;
  c.time = std::clamp(change, c.time + settings_.cost.spin + 1, c.time + settings_.cost.spin + skip);
  c.spins = true;
  wait_for_turn(c);
  c.spins = false;
  let_run();
}

// --- threads -----------------------------------------------------------------------------------------------------

::takt::platform::thread* virtual_time::start_thread(void (*fn)(void*), void* argument, bool) noexcept {
  stop_clock();
  course& c = courses_.emplace_back();
  c.thread = machine_.create(&virtual_time::thread_main, &c);
  if (c.thread == nullptr) {
    courses_.pop_back();
    let_run();
    return nullptr;
  }
  c.fn = fn;
  c.argument = argument;
  c.owner = this;
  c.time = me().time + settings_.cost.start_latency;
  enqueue(c);
  let_run();
  return reinterpret_cast<::takt::platform::thread*>(c.thread);
}

void virtual_time::thread_main(void* self) {
  auto& c = *static_cast<course*>(self);
  c.owner->dequeue(c);
  c.owner->let_run();
  c.fn(c.argument);
  c.owner->stop_clock();
  if (c.owner->kept_at_end_ != nullptr) c.owner->kept_at_end_();
}

void virtual_time::at_end(machine&) {
  virtual_time& self = *running;
  const virtual_thread* ended = self.machine_.current();
  for (course& c : self.courses_) {
    if (c.thread->is == virtual_thread::state::waiting && c.thread->waits_for == ended) self.wake(c, self.me().time);
  }
  self.go_to(self.earliest());
}

void virtual_time::join_thread(::takt::platform::thread* t) noexcept {
  stop_clock();
  course& c = me();
  const auto* other = reinterpret_cast<virtual_thread*>(t);
  while (other->is != virtual_thread::state::ended) {
    c.thread->waits_for = other;
    wait(c);
    c.thread->waits_for = nullptr;
  }
  let_run();
}

bool virtual_time::park(::takt::platform::parker& p, std::uint64_t timeout_ticks) noexcept {
  stop_clock();
  course& c = me();
  if (p.token.load(sync::relaxed) == 0) {
    const std::uint64_t until = c.time + timeout_ticks;
    p.sleeper.store(reinterpret_cast<::takt::platform::thread*>(&c), sync::relaxed);
    c.has_limit = timeout_ticks != 0;
    c.parked_at = c.time;
    // It is in the queue for the end of its limit; nobody has woken it if it comes back with that still there.
    if (c.has_limit) c.time = until;
    wait(c);
    c.has_limit = false;
    p.sleeper.store(nullptr, sync::relaxed);
  }
  const bool token = p.token.exchange(0, sync::acquire) != 0;
  let_run();
  return token;
}

void virtual_time::unpark(::takt::platform::parker& p) noexcept {
  stop_clock();
  course& c = me();
  c.time += settings_.cost.wake;
  p.token.store(1, sync::release);
  if (auto* sleeper = reinterpret_cast<course*>(p.sleeper.load(sync::relaxed)); sleeper != nullptr) {
    p.sleeper.store(nullptr, sync::relaxed);
    wake(*sleeper, c.time + settings_.cost.wake_latency);
  }
  let_run();
}

std::uint64_t virtual_time::this_thread() noexcept { return machine_.current()->number; }

void virtual_time::keep_per_thread(void* variable, std::size_t bytes, void (*when_ended)() noexcept) noexcept {
  machine_.keep(variable, bytes);
  kept_at_end_ = when_ended;
}

bool virtual_time::allocate_stack(std::size_t call_bytes, std::size_t latent_bytes,
                                  ::takt::platform::stack_memory& out) noexcept {
  stop_clock();
  const bool had = real_.allocate_stack(call_bytes, latent_bytes, out);
  let_run();
  return had;
}

void virtual_time::release_stack(::takt::platform::stack_memory& memory) noexcept {
  stop_clock();
  real_.release_stack(memory);
  let_run();
}

// --- signals -----------------------------------------------------------------------------------------------------

int virtual_time::enable_interrupts(void (*handler)(std::uint32_t), int) noexcept {
  handler_ = handler;
  return settings_.iteration == 0 ? SIGURG : 0;
}

// The code that is to be interrupted has run on to its next look at the clock, in the future. Its latent frames there
// are those that it has now, or older ones are still the same, so the signal is let in there, with the time it has now.
bool virtual_time::interrupt(std::uint64_t thread_name) noexcept {
  stop_clock();
  course& from = me();
  course& to = courses_[thread_name];
  const abi::hot_state& hot = to.thread->locals.hot;
  // Inside the runtime only at the look itself: a poll.
  if (&to != &from && to.looks_at_clock && hot.head != nullptr && hot.busy <= 1) {
    to.sender = &from;
    sent_at_ = from.time;
    machine_.switch_to(*to.thread);
  }
  let_run();
  return true;
}

void virtual_time::run_handler(course& c) {
  abi::hot_state& hot = *process_.hot;
  const std::int64_t busy = hot.busy;
  const std::uint64_t future = c.time;
  if (c.queued) dequeue(c);
  c.time = std::min(future, sent_at_ + settings_.cost.signal);
  const std::uint64_t before = c.time;
  hot.busy = 0;
  c.in_handler = true;
  let_run();
  handler_(process_.environment());
  stop_clock();
  c.in_handler = false;
  hot.busy = busy;
  c.time = future + (c.time - before);
  enqueue(c);
}

// Of two neighbours the larger one is kept, where there are too many.
void virtual_time::note_memory(std::uint64_t bytes) noexcept {
  if (memory_.size() == k_most_points) {
    for (std::size_t i = 0; i < k_most_points / 2; ++i) {
      memory_[i] = memory_[2 * i].bytes < memory_[2 * i + 1].bytes ? memory_[2 * i + 1] : memory_[2 * i];
    }
    memory_.resize(k_most_points / 2);
  }
  memory_.push_back({time(), bytes});
}

void virtual_time::note(::takt::platform::action what, std::uint64_t amount) noexcept {
  using enum ::takt::platform::action;
  course& c = me();
  switch (what) {
    case credit:
    case iterations: {
      if (settings_.iteration == 0 || settings_.only_touches) return;
      std::uint64_t ticks = amount * settings_.iteration;
      if (what == credit) {
        constexpr auto k_per_tick = static_cast<std::uint64_t>(abi::k_units_per_tick);
        c.units_left += amount;
        ticks = c.units_left / k_per_tick;
        c.units_left %= k_per_tick;
        // The credit of a plain loop is what its site takes, memory included.
        const std::uint64_t charged = std::min(ticks, c.memory_uncharged);
        ticks -= charged;
        c.memory_uncharged -= charged;
      } else {
        c.memory_uncharged = 0;
      }
      c.time += ticks;
      program_ticks_ += ticks;
      if (accounts_) account(c, ticks);
      return;
    }
    case promotion:
      c.time += settings_.cost.promotion;
      return;
    case steal:
      c.time += settings_.cost.steal;
      return;
    case call_begins:
      ++calls_;
      call_began_ = time();
      return;
    case call_ends:
      ticks_in_calls_ += time() - call_began_;
      return;
    case memory:
      note_memory(amount);
      return;
  }
}

}  // namespace takt::sim
