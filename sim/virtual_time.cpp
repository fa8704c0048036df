#include "sim/virtual_time.hpp"

#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
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
      cores_(settings.workers, settings.seed),
      long_(static_cast<std::uint64_t>(k_long_s * settings.ticks_per_second)),
      ps_per_tick_(static_cast<std::uint64_t>(std::llround(1e12 / settings.ticks_per_second))),
      far_behind_(static_cast<std::uint64_t>(k_far_behind_s * settings.ticks_per_second)) {
  course& main = courses_.emplace_back();
  main.thread = &machine_.adopt();
  main.time = settings.began;
  main.owner = this;
  cores_.begins(main.thread->number);
  machine_.set_at_end(&virtual_time::at_end);
  running = this;
  (void)cpus_.lost(real_.now(), settings_.ticks_per_second);
  let_run();
}

virtual_time::~virtual_time() { running = nullptr; }

void virtual_time::stop_clock() {
  if (!settings_.measured) return;
  runs_ = 0;
  const std::uint64_t now = real_.now();
  std::uint64_t took = now - let_run_at_;
  if (took > long_) took -= std::min(took, cpus_.lost(now, settings_.ticks_per_second));
  course& c = me();
  c.time += took;
  if (!accounts_) return;
  c.unaccounted += took;
  // Code that the timer has stopped may be anywhere.
  if (interrupted_ != &c) account(c, std::exchange(c.unaccounted, 0));
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
  const double span = static_cast<double>(took) / running_program_;
  t.work += took;
  t.span += span;
  if (took > long_) silent_span_ += span;
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
  if (!settings_.measured) return;
  if (anybody_searches()) timer_.start();
  let_run_at_ = real_.now();
  runs_ = 1;
}

void virtual_time::enqueue(course& c) {
  c.in = c.spins ? &spinning_ : c.searches ? &searching_ : &queue_;
  if (c.place.empty()) {
    c.in->emplace(c.time, c.thread->number);
  } else {
    c.place.value() = {c.time, c.thread->number};
    c.in->insert(std::move(c.place));
  }
}

void virtual_time::dequeue(course& c) { c.place = std::exchange(c.in, nullptr)->extract({c.time, c.thread->number}); }

virtual_time::course& virtual_time::earliest() {
  if (interrupted_ != nullptr) {
    // Who spins on a stack with code of the program waits with the others.
    while (!spinning_.empty()) {
      course& c = courses_[spinning_.begin()->second];
      if (c.searches) break;
      dequeue(c);
      c.spins = false;
      enqueue(c);
    }
  }
  const line::value_type* first = nullptr;
  if (interrupted_ != nullptr) first = &*queue_.find({interrupted_->time, interrupted_->thread->number});
  for (const line* of : {interrupted_ == nullptr ? &queue_ : &searching_, &searching_, &spinning_}) {
    if (!of->empty() && (first == nullptr || *of->begin() < *first)) first = &*of->begin();
  }
  if (first == nullptr) give_up("all virtual threads wait: a deadlock");
  return courses_[first->second];
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
  c.searches = settings_.measured && process_.scheduler.searches();
  enqueue(c);
  course& next = earliest();
  go_to(next);
  if (c.in != nullptr) dequeue(c);
}

void virtual_time::wait(course& c) {
  c.thread->is = virtual_thread::state::waiting;
  cores_.ends(c.thread->number);
  c.searches = settings_.measured && process_.scheduler.searches();
  if (c.has_limit) enqueue(c);
  go_to(earliest());
  if (c.in != nullptr) dequeue(c);
  cores_.begins(c.thread->number);
  c.thread->is = virtual_thread::state::runnable;
}

void virtual_time::wake(course& c, std::uint64_t at) {
  // Who waits with a time limit is in the queue for that.
  if (c.in != nullptr) dequeue(c);
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
  if (is_behind(queue_) || is_behind(searching_) || is_behind(spinning_)) {
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
  std::uint64_t change = c.time + skip;
  if (!queue_.empty()) change = queue_.begin()->first;
  if (!searching_.empty() && (queue_.empty() || searching_.begin()->first < change)) change = searching_.begin()->first;
  c.time = std::clamp(change, c.time + settings_.cost.spin + 1, c.time + settings_.cost.spin + skip);
  c.spins = true;
  wait_for_turn(c);
  c.spins = false;
  let_run();
}

// --- threads -----------------------------------------------------------------------------------------------------

::takt::platform::thread* virtual_time::start_thread(void (*fn)(void*), void* argument, bool) noexcept {
  stop_clock();
  let_interrupted_go_on();
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
  c.owner->cores_.begins(c.thread->number);
  c.owner->let_run();
  c.fn(c.argument);
  c.owner->stop_clock();
  c.owner->let_interrupted_go_on();
  if (c.owner->kept_at_end_ != nullptr) c.owner->kept_at_end_();
}

void virtual_time::at_end(machine&) {
  virtual_time& self = *running;
  const virtual_thread* ended = self.machine_.current();
  self.cores_.ends(ended->number);
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

// Threads of the program's own are left alone.
void virtual_time::keep_to(const ::takt::platform::cpu_set* cpus) noexcept {
  if (const unsigned thread = machine_.current()->number; thread != 0) cores_.keep_to(thread, cpus);
}

void virtual_time::keep_per_thread(void* variable, std::size_t bytes, void (*when_ended)() noexcept) noexcept {
  machine_.keep(variable, bytes);
  kept_at_end_ = when_ended;
}

bool virtual_time::allocate_stack(std::size_t call_bytes, std::size_t latent_bytes,
                                  ::takt::platform::stack_memory& out) noexcept {
  stop_clock();
  let_interrupted_go_on();
  const bool had = real_.allocate_stack(call_bytes, latent_bytes, out);
  let_run();
  return had;
}

void virtual_time::release_stack(::takt::platform::stack_memory& memory) noexcept {
  stop_clock();
  let_interrupted_go_on();
  real_.release_stack(memory);
  let_run();
}

// --- signals -----------------------------------------------------------------------------------------------------

int virtual_time::enable_interrupts(void (*handler)(std::uint32_t), int) noexcept {
  handler_ = handler;
  if (settings_.measured && settings_.workers > 1) {
    stop_clock();
    const auto look = [] { return running->real_.now(); };
    if (!timer_.make(&virtual_time::on_tick, look, settings_.ticks_per_second)) give_up("no timer for signals");
    let_run();
  }
  return settings_.iteration == 0 ? SIGURG : 0;
}

void virtual_time::on_tick(int, siginfo_t*, void* context) {
  const int saved = errno;
  if (running != nullptr) running->interrupt_running(interval_timer::stopped_at(context));
  errno = saved;
}

// A signal would reach the code that runs wherever it is, and whether one comes is up to those that look for work: they
// go on, up to the time that the code has come to. Nothing here allocates. Nobody else may go on, as the code may be in
// the middle of anything, with a lock of the program's held.
void virtual_time::interrupt_running(std::uintptr_t code) {
  if (runs_ == 0) return;
  // The system's part is no part of the program.
  let_run_at_ = std::min(real_.now(), let_run_at_ + timer_.cost());
  if (!anybody_searches()) {
    timer_.stop();
    return;
  }
  const abi::hot_state& hot = *process_.hot;
  // As on_interrupt() has it: inside the runtime nothing is let in.
  if (hot.busy != 0 || hot.head == nullptr || timer_.in_allocator(code)) return;
  course& c = me();
  interrupted_ = &c;
  stop_clock();
  if (std::exchange(c.signal_waits, false)) {
    sent_at_ = c.time;
    run_handler(c);
    dequeue(c);
  }
  c.looks_at_clock = true;
  wait_for_turn(c);
  c.looks_at_clock = false;
  interrupted_ = nullptr;
  let_run();
}

// For calls that a worker makes which has found something, or has nothing to look for any more.
void virtual_time::let_interrupted_go_on() {
  course& c = me();
  if (interrupted_ == nullptr || interrupted_ == &c) return;
  c.searches = false;
  enqueue(c);
  go_to(earliest());
  if (c.in != nullptr) dequeue(c);
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
  } else {
    to.signal_waits = true;
  }
  let_run();
  return true;
}

void virtual_time::run_handler(course& c) {
  abi::hot_state& hot = *process_.hot;
  const std::int64_t busy = hot.busy;
  const std::uint64_t future = c.time;
  if (c.in != nullptr) dequeue(c);
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
      off_the_clock([this] { let_interrupted_go_on(); });
      ticks_in_calls_ += time() - call_began_;
      return;
    case memory:
      note_memory(amount);
      return;
  }
}

}  // namespace takt::sim
