// Where parts go under adws, by the threads that run them. The simulator's caches belong to seats, so misses do not tell
// whether a thread comes back to the seat that it had.
#include <takt/takt.hpp>

#include "simulate/in_virtual_time.hpp"
#include "worker/runtime.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

constexpr std::uint64_t k_iteration = 100;
constexpr std::uint64_t k_rest = 5'000'000;  // more than enough for all to sleep

// Asked anew each time: a compiler may keep what it knows of its thread across a join.
[[gnu::noinline]] std::uint64_t thread_here() {
  __asm__ volatile("" ::: "memory");
  const auto* w = static_cast<const takt::core::worker*>(takt_hot.worker);
  return w == nullptr ? 0 : w->owner.signals.this_thread();
}

using threads = std::vector<std::uint64_t>;

// Which thread ran each iteration of a loop of 0.8 ms, in 20 rounds with a rest after each.
std::vector<threads> who_ran(takt::policy policy) {
  takt::config c;
  c.policy = policy;
  c.stack_bytes = std::size_t{1} << 20;
  takt_test::in_virtual_time machine(8, c);
  std::vector<threads> all;
  for (int round = 0; round < 20; ++round) {
    threads by(8'000);
    takt::parallel_for(std::size_t{0}, by.size(), [&](std::size_t i) {
      machine.on.spend(k_iteration);
      by[i] = thread_here();
    });
    all.push_back(by);
    machine.on.spend(k_rest);
  }
  return all;
}

std::size_t moved(const threads& before, const threads& now) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < now.size(); ++i) count += now[i] != before[i] ? 1 : 0;
  return count;
}

TEST(places, are_those_of_threads_also_after_a_rest) {
  const std::vector<threads> planned = who_ran(takt::policy::adws);
  const std::vector<threads> random = who_ran(takt::policy::random);
  std::size_t least_random = random[0].size();
  for (std::size_t r = 10; r < planned.size(); ++r) {
    EXPECT_LT(moved(planned[r - 1], planned[r]), 80u) << "round " << r;
    threads all = planned[r];
    std::sort(all.begin(), all.end());
    EXPECT_EQ(std::unique(all.begin(), all.end()) - all.begin(), 8) << "round " << r;
    least_random = std::min(least_random, moved(random[r - 1], random[r]));
  }
  // What is looked at can differ.
  EXPECT_GT(least_random, 800u);
}

}  // namespace
