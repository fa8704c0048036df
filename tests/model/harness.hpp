// How a model test runs: a Relacy test suite explored by one of its schedulers, expected to hold; or the same suite
// with a bug planted, expected to fail. Everything is seeded: two runs explore the same executions.
#pragma once

#include "sync/atomic.hpp"

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <new>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

// Relacy replaces the plain global operators only. With the others, which the runtime uses too, it sees every
// allocation: leaks, double frees and uses after a free are failures.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return operator new(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return operator new[](bytes); }
void operator delete(void* p, std::size_t) noexcept { operator delete(p); }
void operator delete[](void* p, std::size_t) noexcept { operator delete[](p); }

namespace takt::model {

template <template <rl::thread_id_t> class Scheduler>
struct exploration {
  rl::scheduler_type_e type;
  /// Executions for the random scheduler; the bounded one stops when it has seen all there are.
  std::uint64_t iterations;
  /// Preemptions per execution for the bounded scheduler.
  unsigned preemptions;
};

constexpr exploration<rl::random_scheduler> at_random(std::uint64_t iterations) {
  return {rl::sched_random, iterations, 0};
}
constexpr exploration<rl::context_bound_scheduler> all_with_preemptions(unsigned n) { return {rl::sched_bound, 0, n}; }

struct outcome {
  bool failed;
  rl::test_result_e result;
  std::uint64_t iterations;
  std::string text;
};

/// What rl::simulate does, which compiles each suite for all three of Relacy's schedulers: most of the time of a build.
template <class Suite, template <rl::thread_id_t> class Scheduler>
outcome explore(const exploration<Scheduler>& how) {
  // Relacy's own kind of stream: other allocations made while it writes would be taken for the test's.
  rl::ostringstream out;
  rl::ostringstream progress;
  rl::ostringstream state;
  rl::test_params params;
  params.search_type = how.type;
  params.iteration_count = how.iterations;
  params.context_bound = how.preemptions;
  params.output_stream = &out;
  params.progress_stream = &progress;
  constexpr auto run = rl::run_test<Suite, Scheduler<Suite::params::thread_count>>;
  const rl::test_result_e result = run(params, state, false);
  if (result != rl::test_result_success) {
    // The last execution once more, for its history.
    params.initial_state = state.str();
    params.collect_history = true;
    EXPECT_EQ(run(params, state, true), result) << "not the same execution";
  }
  return {result != rl::test_result_success, result, params.stop_iteration, std::string(out.str().c_str())};
}

/// Shows what was explored, and the whole history of a failure.
template <class Suite, class Exploration>
void holds(const Exploration& how) {
  const outcome o = explore<Suite>(how);
  std::cout << (how.type == rl::sched_random ? "random" : "bounded") << ": " << o.iterations << " executions\n";
  EXPECT_FALSE(o.failed) << o.text;
}

/// The twin: `expected` is how the bug must show. A twin that fails in another way tests something else.
template <class Suite, class Exploration>
void fails(rl::test_result_e expected, const Exploration& how, const sync::planted_bug* bug = nullptr) {
  sync::planted = bug;
  const outcome o = explore<Suite>(how);
  sync::planted = nullptr;
  ASSERT_TRUE(o.failed) << "the planted bug was not found in " << o.iterations << " executions";
  std::cout << "found in execution " << o.iterations << ": " << rl::test_result_str(o.result) << "\n";
  EXPECT_EQ(o.result, expected) << o.text;
}

/// What sleepers wait with, in platform/threads: a token and a futex. A thread that waits for ever is a deadlock to
/// the checker.
class parker {
 public:
  void park() { (void)park(false); }
  /// @returns false when the time, which ends whenever the checker likes, passed first.
  bool park_timed() { return park(true); }
  void unpark() {
    token_.store(1, rl::mo_release, RL_INFO);
    token_.wake(rl::ctx(), 1, RL_INFO);
  }
  bool has_token() { return token_.fetch_add(0, rl::mo_relaxed, RL_INFO) != 0; }

 private:
  bool park(bool timed) {
    for (;;) {
      if (take()) return true;
      rl::context& c = rl::ctx();
      c.sched();
      {
        // The kernel compares the word and queues the thread in one step.
        rl::preemption_disabler one_step(c);
        if (has_token()) continue;
      }
      const rl::unpark_reason reason = token_.wait(c, timed, false, RL_INFO);
      if (reason == rl::unpark_reason_timeout) return take();
    }
  }
  bool take() { return token_.exchange(0, rl::mo_acquire, RL_INFO) != 0; }

  rl::atomic<int> token_{0};
};

/// One step of a spin loop.
struct relax {
  void operator()(unsigned) const { rl::yield(1, RL_INFO); }
};

}  // namespace takt::model
