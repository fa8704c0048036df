// A platform in virtual time: who is behind goes on, so that P workers seem to run side by side. See README.md beside
// this file.
#pragma once

#include "platform/door.hpp"
#include "platform/platform.hpp"
#include "sim/cores.hpp"
#include "sim/interval_timer.hpp"
#include "sim/machine.hpp"

#include <pthread.h>

#include <csignal>
#include <cstdint>
#include <deque>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace takt::sim {

/// What things take on the machine that is simulated and not on this one, in ticks.
struct costs {
  std::uint64_t promotion = 0;      ///< beyond the code that runs here anyway
  std::uint64_t steal = 0;          ///< the same; three transfers of a cache line
  std::uint64_t spin = 0;           ///< one step of a search in vain
  std::uint64_t look = 0;           ///< at the clock, beyond the code that runs here anyway
  std::uint64_t wake = 0;           ///< for who wakes another
  std::uint64_t wake_latency = 0;   ///< until the other one runs
  std::uint64_t start_latency = 0;  ///< until a new thread runs
  std::uint64_t signal = 0;         ///< until a signal arrives
};

struct virtual_settings {
  unsigned workers = 1;
  /// Whether code takes as long as it takes here. Otherwise only spend() and the costs take time, and a run with the
  /// same seed is the same run.
  bool measured = true;
  /// Not 0, and not measured: an iteration of a leaf loop takes so many ticks, and other code what it is charged in
  /// credit; there are no signals. What a program does beside forks and loops takes no time.
  std::uint64_t iteration = 0;
  /// With `iteration`: code takes what its touches take and nothing else.
  bool only_touches = false;
  costs cost;
  std::vector<unsigned> speeds;  ///< of the first cores, in thousandths; the others have 1000
  double ticks_per_second = 1e9;
  std::uint64_t seed = 1;
  std::uint64_t began = 0;  ///< ticks that have passed when the simulation begins
};

/// How long the calling thread wanted to run and was not let: another program had the CPU. Waiting for input does not
/// count.
class lost_cpu {
 public:
  /// Ticks since the last call; `now` is the clock.
  std::uint64_t lost(std::uint64_t now, double ticks_per_second) noexcept;

 private:
  std::uint64_t looked_at_ = 0;
  double ran_ = 0;
  long switches_ = 0;
};

class virtual_time : public platform::platform {
 public:
  /// The calling thread becomes a virtual one, and no other thread of the operating system may use the platform.
  virtual_time(const virtual_settings& settings, const ::takt::platform::simulated_process& process);
  ~virtual_time() override;

  /// The running code takes so much longer.
  void spend(std::uint64_t ticks);
  /// Ticks of the virtual thread that runs.
  std::uint64_t time();

  /// Runs `f`, which is no part of the program: no time passes.
  template <class F>
  void off_the_clock(F f) {
    stop_clock();
    f();
    let_run();
  }
  /// The running code uses memory: lets those go first that are far behind, then takes `how_long(now)` picoseconds,
  /// which is no part of the program.
  template <class F>
  void wait_for_memory(F how_long) {
    let_others_catch_up();
    stop_clock();
    add_memory_time(how_long(me().time * ps_per_tick_));
    let_run();
  }
  /// Not measured: what the program's code has taken, iterations, credit and memory, all threads together.
  std::uint64_t program_ticks() const { return program_ticks_; }
  /// Outermost parallel calls so far, and the ticks between their begins and ends.
  /// What the program's code took, by the fork or loop that ran: the function of its task; null: none was around.
  struct site_time {
    std::uint64_t work = 0;
    /// Each moment divided among all that ran then: their sum is the time in which anything did, and who ran while
    /// nobody else could has much of it.
    double span = 0;
  };
  void account_for_sites() { accounts_ = true; }
  /// Ticks of the workers in calls: who ran the program's code, who did what the scheduler costs, and who had nothing
  /// to run, before its first part of a call (or for all of it), between its parts, and after its last.
  struct call_time {
    std::uint64_t program = 0;
    std::uint64_t overhead = 0;
    std::uint64_t idle_before = 0;
    std::uint64_t idle_between = 0;
    std::uint64_t idle_after = 0;
  };
  const call_time& in_calls() const { return in_calls_; }
  const std::unordered_map<const void*, site_time>& sites() const { return sites_; }
  std::uint64_t calls() const { return calls_; }
  std::uint64_t ticks_in_calls() const { return ticks_in_calls_; }
  /// Which core the running code is on.
  unsigned core() const { return cores_.of(machine_.current()->number); }
  /// Of the span of all sites: what ran for long without a call of the platform.
  double silent_span() const { return silent_span_; }
  /// What was reported when it changed, as the workers came to it.
  struct memory_at {
    std::uint64_t time;
    std::uint64_t bytes;
  };
  const std::vector<memory_at>& memory_over_time() const { return memory_; }

  std::uint64_t now() noexcept override;
  double rate() const { return settings_.ticks_per_second; }
  double ticks_per_second() noexcept override { return settings_.ticks_per_second; }
  ::takt::platform::thread* start_thread(void (*fn)(void*), void* argument, bool is_small) noexcept override;
  void join_thread(::takt::platform::thread* t) noexcept override;
  bool park(::takt::platform::parker& p, std::uint64_t timeout_ticks) noexcept override;
  void unpark(::takt::platform::parker& p) noexcept override;
  void relax(unsigned round) noexcept override;
  std::uint64_t seed() noexcept override { return settings_.seed * 0x9e3779b97f4a7c15u; }
  bool allocate_stack(std::size_t call_bytes, std::size_t latent_bytes,
                      ::takt::platform::stack_memory& out) noexcept override;
  void release_stack(::takt::platform::stack_memory& memory) noexcept override;
  std::uint64_t this_thread() noexcept override;
  int enable_interrupts(void (*handler)(std::uint32_t), int signal) noexcept override;
  bool interrupt(std::uint64_t thread_name) noexcept override;
  void recall_interrupt() noexcept override { me().signal_waits = false; }
  void keep_per_thread(void* variable, std::size_t bytes, void (*at_end)() noexcept) noexcept override;
  using platform::note;
  void note(::takt::platform::action what, std::uint64_t amount) noexcept override;
  std::uint64_t took(std::uint64_t iterations, std::uint64_t ticks) noexcept override {
    if (settings_.iteration == 0) return ticks;
    const std::uint64_t code = settings_.only_touches ? 0 : iterations * settings_.iteration;
    return slowed(code) + me().memory_before_look;
  }
  bool can_keep_to() noexcept override { return true; }
  void keep_to(const ::takt::platform::cpu_set* cpus) noexcept override;
  unsigned usable_cpus() noexcept override { return settings_.workers; }
  std::size_t default_stack_bytes() noexcept override { return real_.default_stack_bytes(); }

 private:
  using line = std::set<std::pair<std::uint64_t, unsigned>>;  ///< time and number

  /// A virtual thread on its way through time.
  struct course {
    virtual_thread* thread = nullptr;
    std::uint64_t time = 0;
    std::uint64_t parked_at = 0;
    line* in = nullptr;      ///< where it waits for its turn
    line::node_type place;   ///< there, when it does not wait: nothing is allocated where a signal has come
    bool searches = false;   ///< it looks for work, or sleeps meanwhile: beside interrupted code it goes on
    bool spins = false;           ///< it looks for work in vain: it changes nothing for others
    bool looks_at_clock = false;  ///< it stands where a signal may be let in
    bool timed_out = false;
    bool has_limit = false;
    course* sender = nullptr;  ///< of the signal whose handler is to run
    bool in_handler = false;
    bool signal_waits = false;  ///< one came where it could not be let in
    std::uint64_t unaccounted = 0;  ///< ticks before it was interrupted, of code that has not stopped yet
    std::uint64_t units_left = 0;  ///< of credit, less than a tick
    std::uint64_t ps_left = 0;     ///< of memory, less than a tick
    // Ticks of memory: since the last look at the clock, between the two before, and since credit or iterations were
    // last charged.
    std::uint64_t memory_since_look = 0;
    std::uint64_t memory_before_look = 0;
    std::uint64_t memory_uncharged = 0;
    bool runs_program = false;  ///< at its last look at the clock
    // In the call under way: whether it has run a part of it, when the last one ended (or the call began), and what the
    // scheduler has cost since.
    bool has_run = false;
    std::uint64_t line_free_at = 0;  ///< when the line of its tasks will have come to the last thief so far
    std::uint64_t ran_until = 0;
    std::uint64_t overhead = 0;
    std::uint64_t owes = 0;  ///< for lines that others took: paid at its next look at the clock
    void (*fn)(void*) = nullptr;
    void* argument = nullptr;
    virtual_time* owner = nullptr;
  };

  course& me() { return courses_[machine_.current()->number]; }
  /// What the running code has taken since it was let run; every call from it begins so, and ends with let_run().
  void stop_clock();
  void let_run();
  static void on_tick(int, siginfo_t* info, void* context);
  /// The operating system's timer has stopped the code that runs, at `code`: those who look for work go on up to here.
  void interrupt_running(std::uintptr_t code);
  void let_interrupted_go_on();
  bool anybody_searches() const { return !searching_.empty() || !spinning_.empty(); }
  void account(course& c, std::uint64_t took);
  /// It takes so much longer, for what the scheduler does.
  void charge(course& c, std::uint64_t ticks);
  /// The running code steals from the thread of that number.
  void steal_from(std::uint64_t thread);
  /// What code that takes so long on a core of speed 1 takes on the running one.
  std::uint64_t slowed(std::uint64_t ticks) {
    const unsigned core = this->core();
    return core < settings_.speeds.size() ? ticks * k_full_speed / settings_.speeds[core] : ticks;
  }
  void begin_call();
  void end_call();
  /// Until `from` it has run nothing of the call since it last did.
  void account_for_gap(course& c, std::uint64_t from, std::uint64_t& idle);
  void let_others_catch_up();
  void add_memory_time(std::uint64_t ps);
  void enqueue(course& c);
  void dequeue(course& c);
  course& earliest();
  void go_to(course& next);
  /// Lets all who are behind go first.
  void wait_for_turn(course& c);
  void wait(course& c);
  void wake(course& c, std::uint64_t at);
  void run_handler(course& c);
  static void thread_main(void* self);
  static void at_end(machine& m);

  virtual_settings settings_;
  const ::takt::platform::simulated_process process_;
  ::takt::platform::platform& real_;
  machine machine_;
  cores cores_;
  std::deque<course> courses_;  ///< by number; grows and keeps addresses
  // Who can run, apart from each other: those that look for work, and of these the ones that do so in vain.
  line queue_;
  line searching_;
  line spinning_;
  interval_timer timer_;
  volatile std::sig_atomic_t runs_ = 0;  ///< the clock of the code that runs
  course* interrupted_ = nullptr;        ///< who stands where the timer has stopped it
  const std::uint64_t long_;
  const std::uint64_t ps_per_tick_;
  const std::uint64_t far_behind_;
  lost_cpu cpus_;
  std::uint64_t let_run_at_ = 0;
  std::uint64_t sent_at_ = 0;  ///< of the signal under way, if there is one
  std::uint64_t program_ticks_ = 0;
  bool accounts_ = false;
  unsigned running_program_ = 0;  ///< virtual threads
  std::unordered_map<const void*, site_time> sites_;
  double silent_span_ = 0;
  std::uint64_t calls_ = 0;
  std::uint64_t call_began_ = 0;
  std::uint64_t ticks_in_calls_ = 0;
  bool in_call_ = false;
  call_time in_calls_;
  static constexpr unsigned k_full_speed = 1000;
  static constexpr std::size_t k_most_points = 4096;
  void note_memory(std::uint64_t bytes) noexcept;
  std::vector<memory_at> memory_;
  pthread_t thread_ = pthread_self();  ///< the one of the operating system
  void (*handler_)(std::uint32_t) = nullptr;
  void (*kept_at_end_)() noexcept = nullptr;
};

}  // namespace takt::sim
