// A platform on which a seed, or a recorded list of decisions, chooses everything that time and other threads choose on
// a real one. See README.md beside this file.
#pragma once

#include "platform/platform.hpp"
#include "sim/machine.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace takt_explore {

using takt::sim::virtual_thread;
using takt::sync::source;

/// What was decided, beside what happens when nothing is decided: the thread goes on until it must wait, then the next
/// one by number runs; a look at the clock takes one tick; no signal arrives, nothing is refused.
enum class kind : std::uint8_t {
  preempt,  ///< `value`: the thread that runs instead
  next,     ///< `value`: the thread that runs while this one waits
  clock,    ///< `value`: ticks that pass besides
  signal,   ///< a signal arrives
  refuse,   ///< a thread, a stack or memory is refused
  seed      ///< `value`: where a worker's choice of victims starts
};

/// At a thread's point number `point`: points are counted for each thread, so that they keep their numbers when
/// something elsewhere is taken out of the schedule.
struct decision {
  std::uint32_t point;
  std::uint8_t thread;
  kind what;
  std::uint64_t value;
};

enum class result : std::uint32_t { held, wrong_answer, deadlock, no_end, leak, crash };
const char* name_of(result r);

/// What one process tells another about the schedule that it runs: in shared memory, so that it outlives a crash.
struct report {
  static constexpr std::size_t k_most_decisions = 1 << 14;

  result how = result::held;
  std::uint64_t seed = 0;
  std::uint64_t schedules = 0;  ///< run before this one
  std::uint64_t points = 0;     ///< of all schedules
  std::uint64_t witnessed = 0;  ///< what the program was made for, in all schedules
  bool complete = false;        ///< the process has come to its end
  std::uint32_t count = 0;      ///< of decisions; more than k_most_decisions were made if it is greater
  char message[512] = {};
  decision decisions[k_most_decisions];
};

/// A small generator of random numbers (splitmix64).
class random_bits {
 public:
  explicit random_bits(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }
  std::uint64_t below(std::uint64_t n) { return next() % n; }
  /// One of `n` in a list.
  template <std::size_t N>
  std::uint64_t any_of(const std::uint64_t (&list)[N]) {
    return list[below(N)];
  }

 private:
  std::uint64_t state_;
};

class explorer final : public takt::platform::platform {
 public:
  /// Of which process, to which the schedules are reported.
  explicit explorer(report& to);

  /// Runs `body` as virtual thread 0, until all threads have ended. With a seed everything is chosen by it; without one
  /// by `replayed`. What goes wrong is reported, and ends the process. @returns the decisions' number.
  void run(void (*body)(void*), void* argument, std::uint64_t seed, const std::vector<decision>* replayed, bool shown);

  /// A choice of the schedule's own, such as a setting: by the seed alone.
  std::uint64_t chosen_below(std::uint64_t n) { return settings_.below(n); }
  /// Virtual CPUs that the machine seems to have.
  void set_cpus(unsigned n) { cpus_ = n; }
  /// Caches of `bytes` that so many of them share each, until it says otherwise; 0: none are known.
  void set_caches(unsigned sharers, std::uint64_t bytes) {
    sharers_ = sharers;
    cache_bytes_ = bytes;
  }
  /// What may be refused now, if this seed refuses at all.
  bool may_refuse_memory = false;
  bool may_refuse_stacks = true;
  bool may_refuse_threads = true;
  /// Memory that the runtime has and has not given back: operator new and delete, in bytes of blocks.
  std::int64_t live_blocks = 0;
  std::int64_t live_stacks = 0;

  /// A program's own thread; join_thread waits for it.
  takt::platform::thread* start_outside(void (*fn)(void*), void* argument);
  void pass_time(std::uint64_t ticks) { clock_ += ticks; }
  [[noreturn]] void fail(result how, const std::string& message);
  bool refuses(const char* what);
  /// The program has come to where it wanted to (program::sees).
  void witness() { ++report_.witnessed; }

  // The facade's.
  void point(const source& at);
  /// In the headers' fast paths, between whose steps signals matter most.
  void fast_point(const source& at);
  void wait(const void* address, const source& at);
  void wake(const void* address);

  static inline explorer* active = nullptr;
  /// Whether what happens belongs to the schedule: not inside the machine itself.
  static inline bool counting = false;

  std::uint64_t now() noexcept override;
  double ticks_per_second() noexcept override { return 1e6; }
  takt::platform::thread* start_thread(void (*fn)(void*), void* argument, bool is_small) noexcept override;
  void join_thread(takt::platform::thread* t) noexcept override;
  bool park(takt::platform::parker& p, std::uint64_t timeout_ticks) noexcept override;
  void unpark(takt::platform::parker& p) noexcept override;
  void relax(unsigned round) noexcept override;
  std::uint64_t seed() noexcept override;
  bool allocate_stack(std::size_t call_bytes, std::size_t latent_bytes,
                      takt::platform::stack_memory& out) noexcept override;
  void release_stack(takt::platform::stack_memory& memory) noexcept override;
  std::uint64_t this_thread() noexcept override;
  int enable_interrupts(void (*handler)(std::uint32_t), int signal) noexcept override;
  bool interrupt(std::uint64_t thread_name) noexcept override;
  void keep_per_thread(void* variable, std::size_t bytes, void (*when_ended)() noexcept) noexcept override;
  unsigned usable_cpus() noexcept override { return cpus_; }
  std::size_t shared_caches(unsigned workers, const takt::platform::placement&, takt::platform::shared_cache* out,
                            std::size_t most) noexcept override {
    std::size_t count = 0;
    for (unsigned first = 0; sharers_ != 0 && first < workers; first += sharers_, ++count) {
      const unsigned here = sharers_ < workers - first ? sharers_ : workers - first;
      if (count < most) out[count] = {2, first, here, cache_bytes_};
    }
    return count;
  }
  std::size_t default_stack_bytes() noexcept override { return k_stack_bytes; }

 private:
  static constexpr std::size_t k_most_threads = 16;
  static constexpr std::uint64_t k_never = ~std::uint64_t{0};

  /// What is decided about a thread.
  struct course {
    virtual_thread* thread = nullptr;
    std::uint64_t points = 0;
    std::uint64_t counted = 0;     ///< of them, in all_points_
    std::uint64_t stop = k_never;  ///< the next point at which something is decided
    std::uint64_t preempt_at = k_never;
    std::uint64_t signal_at = k_never;
    bool signal_in_fast_path = false;  ///< one is under way that arrives at one of the next fast_point()s
    std::uint64_t deadline = k_never;  ///< of a wait with a time limit
    bool timed_out = false;
    bool in_handler = false;
    std::int64_t priority = 0;
    source where;
    std::size_t cursor = 0;  ///< in `replay`
    std::vector<decision> replay;
  };

  struct started {
    explorer* self;
    void (*fn)(void*);
    void* argument;
  };
  takt::platform::thread* start(void (*fn)(void*), void* argument);
  static void thread_main(void* self);
  static void at_end(takt::sim::machine& m);

  course& me() { return courses_[machine_.current()->number]; }
  bool replaying() const { return replaying_; }
  void decide(course& c);
  void deliver(course& c);
  void set_stop(course& c);
  void plan_preemption(course& c);
  void count_points(course& c);
  void prefer(const course& woken);
  course* pick_next(course& from, bool preempts);
  course* by_default(course& from);
  course* at_random(course& from);
  void go_to(course& next, const char* why);
  /// Until it runs again; with `is` runnable it only lets others go first.
  void leave_cpu(course& c, virtual_thread::state is, const void* waits_for, const char* why);
  void record(course& c, kind what, std::uint64_t value);
  /// Whether the list to replay has such a decision at this point.
  bool replayed(course& c, kind what, std::uint64_t& value);
  bool one_in(std::uint64_t n) { return n != 0 && random_.below(n) == 0; }
  std::uint64_t about(std::uint64_t mean) { return 1 + random_.below(2 * mean); }
  bool can_run(const course& c) const;
  bool can_time_out(const course& c) const;
  void show(const char* format, ...) __attribute__((format(printf, 2, 3)));
  static std::string place(const source& at);

  report& report_;
  takt::sim::machine machine_;
  takt::sim::stack_store stacks_;
  std::array<course, k_most_threads> courses_;
  std::array<started, k_most_threads> started_;
  unsigned threads_ = 0;
  void (*handler_)(std::uint32_t) = nullptr;
  void (*kept_at_end_)() noexcept = nullptr;
  unsigned cpus_ = 1;
  unsigned sharers_ = 0;
  std::uint64_t cache_bytes_ = 0;

  std::uint64_t clock_ = 0;
  std::uint64_t left_ = 0;  ///< points that may still be used
  unsigned lonely_ = 0;     ///< time limits that ended a wait one after the other, with everybody else waiting
  bool replaying_ = false;
  bool shown_ = false;

  // How this seed decides.
  random_bits random_{0};
  random_bits settings_{0};
  bool by_priority_ = false;
  std::uint64_t quantum_ = 0;
  std::vector<std::uint64_t> changes_;  ///< by priority: at which of all points the running thread falls back
  std::int64_t lowest_ = 0;
  std::uint64_t all_points_ = 0;
  std::uint64_t jump_one_in_ = 0, jump_most_ = 0;
  std::uint64_t signal_mean_ = 0;
  std::uint64_t timeout_one_in_ = 0;
  std::uint64_t refuse_one_in_ = 0;

 public:
  static constexpr std::size_t k_stack_bytes = std::size_t{1} << 16;
};

}  // namespace takt_explore
