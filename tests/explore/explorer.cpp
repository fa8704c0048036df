#include "explore/explorer.hpp"

#include "platform/floating_point.hpp"

#include <cxxabi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace takt_explore {

namespace {

/// The machine's own memory is no part of the schedule.
class uncounted {
 public:
  uncounted() : before_(explorer::counting) { explorer::counting = false; }
  ~uncounted() { explorer::counting = before_; }
  uncounted(const uncounted&) = delete;
  uncounted& operator=(const uncounted&) = delete;

 private:
  bool before_;
};

// Far more than any program here needs: threads that run round in circles.
constexpr std::uint64_t k_most_points = 400'000;

}  // namespace

const char* name_of(result r) {
  switch (r) {
    case result::held:
      return "held";
    case result::wrong_answer:
      return "wrong answer";
    case result::deadlock:
      return "deadlock";
    case result::no_end:
      return "no end";
    case result::leak:
      return "leak";
    case result::crash:
      return "crash";
  }
  return "?";
}

explorer::explorer(report& to) : report_(to), machine_(takt_hot, __cxxabiv1::__cxa_get_globals()) {
  machine_.set_at_end(&explorer::at_end);
}

void explorer::run(void (*body)(void*), void* argument, std::uint64_t seed, const std::vector<decision>* decisions,
                   bool shown) {
  for (course& c : courses_) {
    c.points = c.counted = 0;
    c.stop = c.preempt_at = c.signal_at = c.deadline = k_never;
    c.timed_out = c.in_handler = c.signal_in_fast_path = false;
    c.priority = 0;
    c.cursor = 0;
    c.replay.clear();
  }
  replaying_ = decisions != nullptr;
  if (replaying_) {
    for (const decision& d : *decisions) courses_[d.thread].replay.push_back(d);
  }
  shown_ = shown;
  threads_ = 0;
  clock_ = 1'000'000;
  left_ = k_most_points;
  lonely_ = 0;
  all_points_ = 0;
  may_refuse_memory = false;
  may_refuse_stacks = true;
  report_.seed = seed;
  report_.count = 0;

  // The way in which a seed decides is drawn first: some change threads often, some rarely, some never but at the few
  // points that were drawn before (probabilistic concurrency testing: Burckhardt et al., ASPLOS 2010).
  random_ = random_bits(seed);
  settings_ = random_bits(~seed);
  by_priority_ = random_.below(3) == 0;
  quantum_ = random_.any_of({2, 5, 15, 50, 200, 1000});
  changes_.clear();
  const std::uint64_t horizon = random_.any_of({60, 250, 1000, 4000});
  for (std::uint64_t i = random_.below(5); i-- > 0;) changes_.push_back(1 + random_.below(horizon));
  std::sort(changes_.begin(), changes_.end());
  lowest_ = 0;
  jump_one_in_ = random_.any_of({0, 2, 8, 50});
  jump_most_ = random_.any_of({5, 40, 500});
  signal_mean_ = random_.any_of({2, 10, 60});
  timeout_one_in_ = random_.any_of({0, 3, 20});
  refuse_one_in_ = random_.any_of({0, 0, 0, 2, 6, 30});

  (void)start(body, argument);
  course& first = courses_[0];
  active = this;
  counting = true;
  machine_.enter(*first.thread);
  counting = false;
  active = nullptr;
  report_.points += all_points_;
  machine_.clear();
}

void explorer::fail(result how, const std::string& message) {
  counting = false;
  active = nullptr;
  report_.how = how;
  std::snprintf(report_.message, sizeof report_.message, "%s", message.c_str());
  if (shown_) {
    std::printf("%s: %s\n", name_of(how), message.c_str());
    for (unsigned i = 0; i < threads_; ++i) {
      const course& c = courses_[i];
      if (c.thread->is == virtual_thread::state::ended) continue;
      std::printf("  thread %u: before %s%s\n", i, place(c.where).c_str(),
                  c.thread->is == virtual_thread::state::waiting ? ", waits" : "");
    }
    std::fflush(stdout);
  }
  _exit(1);
}

// --- threads ---------------------------------------------------------------------------------------------------

takt::platform::thread* explorer::start(void (*fn)(void*), void* argument) {
  const uncounted pause;
  if (threads_ == k_most_threads) fail(result::no_end, "more threads than there should be");
  started_[threads_] = {this, fn, argument};
  virtual_thread* t = machine_.create(&explorer::thread_main, &started_[threads_]);
  if (t == nullptr) fail(result::crash, "no memory for a virtual thread");
  course& c = courses_[threads_];
  ++threads_;
  c.thread = t;
  c.where = source();
  // Above all that have fallen back, in any order.
  c.priority = static_cast<std::int64_t>(random_.below(1000)) + 1;
  prefer(c);
  return reinterpret_cast<takt::platform::thread*>(t);
}

takt::platform::thread* explorer::start_outside(void (*fn)(void*), void* argument) {
  auto* t = start(fn, argument);
  point(source::current());
  return t;
}

takt::platform::thread* explorer::start_thread(void (*fn)(void*), void* argument, bool) noexcept {
  point(source::current());
  if (may_refuse_threads && refuses("a thread")) return nullptr;
  show("thread %u starts thread %u", machine_.current()->number, threads_);
  lonely_ = 0;
  return start(fn, argument);
}

void explorer::thread_main(void* self) {
  const started s = *static_cast<started*>(self);
  s.self->set_stop(s.self->me());
  s.fn(s.argument);
  if (s.self->kept_at_end_ != nullptr) s.self->kept_at_end_();
}

void explorer::at_end(takt::sim::machine& m) {
  explorer& self = *active;
  course& c = self.me();
  self.wake(c.thread);
  self.lonely_ = 0;
  const bool all = std::all_of(self.courses_.begin(), self.courses_.begin() + self.threads_,
                               [](const course& other) { return other.thread->is == virtual_thread::state::ended; });
  if (all) {
    self.show("thread %u ends", c.thread->number);
    m.leave();
  }
  self.go_to(*self.pick_next(c, false), "ends");
}

void explorer::join_thread(takt::platform::thread* t) noexcept {
  point(source::current());
  const auto* other = reinterpret_cast<virtual_thread*>(t);
  while (other->is != virtual_thread::state::ended) wait(other, source::current());
}

// --- points ----------------------------------------------------------------------------------------------------

void explorer::point(const source& at) {
  course& c = me();
  c.where = at;
  if (++c.points >= c.stop) decide(c);
}

void explorer::fast_point(const source& at) {
  course& c = me();
  if (c.signal_in_fast_path && one_in(3)) {
    c.signal_in_fast_path = false;
    c.stop = c.signal_at = c.points + 1;
  }
  point(at);
}

void explorer::decide(course& c) {
  if (c.points >= c.signal_at) {
    std::uint64_t ignored;
    if (!replaying() || replayed(c, kind::signal, ignored)) deliver(c);
  }
  if (c.points >= c.preempt_at) {
    c.preempt_at = k_never;
    go_to(*pick_next(c, true), "is interrupted");
    return;
  }
  set_stop(c);
}

void explorer::deliver(course& c) {
  c.signal_at = k_never;
  record(c, kind::signal, 0);
  if (shown_) {
    const uncounted pause;
    show("thread %u: the signal arrives before %s", c.thread->number, place(c.where).c_str());
  }
  const source before = c.where;
  c.in_handler = true;
  handler_(takt::platform::floating_point_environment());
  c.in_handler = false;
  c.where = before;
}

void explorer::count_points(course& c) {
  const std::uint64_t used = c.points - c.counted;
  c.counted = c.points;
  all_points_ += used;
  left_ -= std::min(left_, used);
  if (left_ == 0) fail(result::no_end, "the threads go on and on");
}

void explorer::plan_preemption(course& c) {
  if (by_priority_) {
    const auto next = std::upper_bound(changes_.begin(), changes_.end(), all_points_);
    c.preempt_at = next == changes_.end() ? k_never : c.points + (*next - all_points_);
  } else {
    c.preempt_at = c.points + about(quantum_);
  }
}

// The next point at which to look up from running.
void explorer::set_stop(course& c) {
  count_points(c);
  if (replaying()) {
    c.preempt_at = k_never;
    c.signal_at = k_never;
    while (c.cursor < c.replay.size() && c.replay[c.cursor].point <= c.points) ++c.cursor;
    for (std::size_t i = c.cursor; i < c.replay.size(); ++i) {
      const decision& d = c.replay[i];
      if (d.what == kind::preempt && c.preempt_at == k_never) c.preempt_at = d.point;
      if (d.what == kind::signal && c.signal_at == k_never) c.signal_at = d.point;
    }
  } else if (c.preempt_at == k_never || c.preempt_at <= c.points) {
    plan_preemption(c);
  }
  c.stop = std::min({c.preempt_at, c.signal_at, c.points + left_});
}

bool explorer::replayed(course& c, kind what, std::uint64_t& value) {
  for (std::size_t i = 0; i < c.replay.size(); ++i) {
    const decision& d = c.replay[i];
    if (d.point > c.points) break;
    if (d.point == c.points && d.what == what) {
      value = d.value;
      return true;
    }
  }
  return false;
}

void explorer::record(course& c, kind what, std::uint64_t value) {
  if (report_.count < report::k_most_decisions) {
    report_.decisions[report_.count] = {static_cast<std::uint32_t>(c.points),
                                        static_cast<std::uint8_t>(c.thread->number), what, value};
  }
  ++report_.count;
}

// --- who runs --------------------------------------------------------------------------------------------------

bool explorer::can_run(const course& c) const { return c.thread->is == virtual_thread::state::runnable; }
bool explorer::can_time_out(const course& c) const {
  return c.thread->is == virtual_thread::state::waiting && c.deadline != k_never;
}

explorer::course* explorer::by_default(course& from) {
  const unsigned here = from.thread->number;
  for (unsigned i = 1; i < threads_; ++i) {
    course& c = courses_[(here + i) % threads_];
    if (can_run(c)) return &c;
  }
  if (can_run(from)) return &from;
  course* first = nullptr;
  for (unsigned i = 0; i < threads_; ++i) {
    course& c = courses_[i];
    if (can_time_out(c) && (first == nullptr || c.deadline < first->deadline)) first = &c;
  }
  return first;
}

explorer::course* explorer::at_random(course& from) {
  course* found = nullptr;
  unsigned candidates = 0;
  const bool limits = one_in(timeout_one_in_);
  for (unsigned i = 0; i < threads_; ++i) {
    course& c = courses_[i];
    if (&c == &from || !(can_run(c) || (limits && can_time_out(c)))) continue;
    ++candidates;
    if (by_priority_) {
      if (found == nullptr || c.priority > found->priority) found = &c;
    } else if (random_.below(candidates) == 0) {
      found = &c;
    }
  }
  return found != nullptr ? found : by_default(from);
}

explorer::course* explorer::pick_next(course& from, bool preempts) {
  const kind what = preempts ? kind::preempt : kind::next;
  course* usual = preempts ? &from : by_default(from);
  course* chosen = usual;
  if (replaying()) {
    std::uint64_t number;
    if (replayed(from, what, number) && number < threads_ &&
        (can_run(courses_[number]) || can_time_out(courses_[number])))
      chosen = &courses_[number];
  } else {
    // Who spins lets the others go first, as who is interrupted does.
    if (can_run(from)) from.priority = --lowest_;
    chosen = at_random(from);
  }
  if (chosen == nullptr) fail(result::deadlock, "all threads wait");
  if (chosen != usual) record(from, what, chosen->thread->number);
  return chosen;
}

void explorer::go_to(course& next, const char* why) {
  course& from = me();
  if (can_time_out(next)) {
    next.timed_out = true;
    next.thread->is = virtual_thread::state::runnable;
    clock_ = std::max(clock_, next.deadline);
    const bool alone = std::none_of(courses_.begin(), courses_.begin() + threads_,
                                    [&](const course& c) { return &c != &next && can_run(c); });
    lonely_ = alone ? lonely_ + 1 : 0;
    // One look around must be enough, as nobody is there who could have changed anything; five of each that waits in
    // place for memory (cost::k_alone_beats).
    if (lonely_ > 8 * threads_)
      fail(result::deadlock, "all threads wait, but for one with a time limit, which finds nothing to do");
  }
  if (&next == &from) {
    set_stop(from);
    return;
  }
  if (shown_) {
    const uncounted pause;
    show("thread %u %s before %s; %sthread %u goes on", from.thread->number, why, place(from.where).c_str(),
         next.timed_out ? "the time is up: " : "", next.thread->number);
  }
  count_points(from);
  // By priority, the next change counts all threads' points: it is planned anew. So is any time slice.
  if (!replaying_) next.preempt_at = k_never;
  machine_.switch_to(*next.thread);
  set_stop(me());
}

void explorer::leave_cpu(course& c, virtual_thread::state is, const void* waits_for, const char* why) {
  ++c.points;
  c.thread->is = is;
  c.thread->waits_for = waits_for;
  go_to(*pick_next(c, false), why);
}

void explorer::wait(const void* address, const source& at) {
  course& c = me();
  c.where = at;
  leave_cpu(c, virtual_thread::state::waiting, address, "waits");
}

void explorer::wake(const void* address) {
  for (unsigned i = 0; i < threads_; ++i) {
    virtual_thread* t = courses_[i].thread;
    if (t->is != virtual_thread::state::waiting || t->waits_for != address) continue;
    t->is = virtual_thread::state::runnable;
    courses_[i].deadline = k_never;
    prefer(courses_[i]);
  }
}

// By priority, who may run and comes before the running thread does so.
void explorer::prefer(const course& woken) {
  if (replaying_ || !by_priority_ || machine_.current() == nullptr) return;
  course& c = me();
  if (woken.priority > c.priority) c.stop = c.preempt_at = c.points + 1;
}

// --- the platform ----------------------------------------------------------------------------------------------

std::uint64_t explorer::now() noexcept {
  point(source::current());
  course& c = me();
  std::uint64_t jump = 0;
  if (replaying()) {
    if (!replayed(c, kind::clock, jump)) jump = 0;
  } else if (one_in(jump_one_in_)) {
    jump = 1 + random_.below(jump_most_);
  }
  if (jump != 0) {
    record(c, kind::clock, jump);
    show("thread %u: %llu ticks pass", c.thread->number, static_cast<unsigned long long>(jump));
  }
  return clock_ += 1 + jump;
}

bool explorer::park(takt::platform::parker& p, std::uint64_t timeout_ticks) noexcept {
  point(source::current());
  course& c = me();
  c.timed_out = false;
  if (p.token.unseen() == 0) {
    c.deadline = timeout_ticks != 0 ? clock_ + timeout_ticks : k_never;
    while (p.token.unseen() == 0 && !c.timed_out)
      leave_cpu(c, virtual_thread::state::waiting, &p, timeout_ticks != 0 ? "parks with a time limit" : "parks");
    c.deadline = k_never;
    c.timed_out = false;
  }
  const bool token = p.token.unseen() != 0;
  p.token.set_unseen(0);
  return token;
}

void explorer::unpark(takt::platform::parker& p) noexcept {
  point(source::current());
  lonely_ = 0;
  if (takt::sync::has_effect(takt::sync::access::store, takt::sync::effect::lost, source::current())) return;
  p.token.set_unseen(1);
  wake(&p);
}

void explorer::relax(unsigned) noexcept {
  course& c = me();
  c.where = source::current();
  leave_cpu(c, virtual_thread::state::runnable, nullptr, "spins");
}

std::uint64_t explorer::seed() noexcept {
  course& c = me();
  ++c.points;
  std::uint64_t value = 0;
  if (replaying()) {
    if (!replayed(c, kind::seed, value)) value = 0;
  } else {
    value = random_.below(1000);
  }
  if (value != 0) record(c, kind::seed, value);
  return value;
}

bool explorer::refuses(const char* what) {
  course& c = me();
  ++c.points;
  std::uint64_t ignored;
  const bool refused = replaying() ? replayed(c, kind::refuse, ignored) : one_in(refuse_one_in_);
  if (refused) {
    record(c, kind::refuse, 0);
    show("thread %u is refused %s", c.thread->number, what);
  }
  return refused;
}

bool explorer::allocate_stack(std::size_t call_bytes, std::size_t latent_bytes,
                              takt::platform::stack_memory& out) noexcept {
  point(source::current());
  if (may_refuse_stacks && refuses("a stack")) return false;
  const uncounted pause;
  if (!stacks_.take(call_bytes, latent_bytes, out)) return false;
  ++live_stacks;
  return true;
}

void explorer::release_stack(takt::platform::stack_memory& memory) noexcept {
  const uncounted pause;
  stacks_.give(memory);
  --live_stacks;
  memory = {};
}

std::uint64_t explorer::this_thread() noexcept { return machine_.current()->number; }

int explorer::enable_interrupts(void (*handler)(std::uint32_t), int) noexcept {
  handler_ = handler;
  return SIGURG;
}

bool explorer::interrupt(std::uint64_t thread_name) noexcept {
  point(source::current());
  course& to = courses_[thread_name];
  show("thread %u sends a signal to thread %u", machine_.current()->number, to.thread->number);
  // In a replay the list says when it arrives.
  if (replaying() || to.thread->is == virtual_thread::state::ended || to.in_handler) return true;
  if (one_in(2)) {
    to.signal_in_fast_path = true;
    return true;
  }
  to.signal_at = to.points + about(signal_mean_);
  to.stop = std::min(to.stop, to.signal_at);
  return true;
}

void explorer::keep_per_thread(void* variable, std::size_t bytes, void (*when_ended)() noexcept) noexcept {
  const uncounted pause;
  machine_.keep(variable, bytes);
  kept_at_end_ = when_ended;
}

// --- for people ------------------------------------------------------------------------------------------------

void explorer::show(const char* format, ...) {
  if (!shown_) return;
  const uncounted pause;
  va_list arguments;
  va_start(arguments, format);
  std::vprintf(format, arguments);
  va_end(arguments);
  std::putchar('\n');
  std::fflush(stdout);  // a crash must not take the last lines with it
}

std::string explorer::place(const source& at) {
  std::string function = at.function_name();
  if (function.empty()) return "its first step";
  function.resize(std::min(function.size(), function.find('(')));
  if (const auto space = function.rfind(' '); space != std::string::npos) function.erase(0, space + 1);
  std::string file = at.file_name();
  if (const auto slash = file.rfind('/'); slash != std::string::npos) file.erase(0, slash + 1);
  return function + " (" + file + ":" + std::to_string(at.line()) + ")";
}

}  // namespace takt_explore

// --- what the sources call ---------------------------------------------------------------------------------------

namespace takt::sync {

using takt_explore::explorer;

void explored_point(const source& at) noexcept {
  if (explorer::active != nullptr) explorer::active->point(at);
}
void explored_wait(const void* address, const source& at) noexcept { explorer::active->wait(address, at); }
void explored_wake(const void* address) noexcept {
  if (explorer::active != nullptr) explorer::active->wake(address);
}

}  // namespace takt::sync

extern "C" void takt_explore_point() noexcept {
  using takt_explore::explorer;
  if (explorer::active != nullptr) explorer::active->fast_point(takt::sync::source::current());
}
