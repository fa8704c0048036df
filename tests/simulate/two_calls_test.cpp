// Two calls in virtual time: who sleeps for memory is not left to a worker that is busy with the other call.
#include <takt/memory.hpp>
#include <takt/takt.hpp>

#include "simulate/in_virtual_time.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace {

constexpr std::uint64_t k_us = 1'000;
constexpr std::uint64_t k_block = 1'000'000;

// A thread of its own that makes a call.
struct other_call {
  takt::sim::virtual_time& on;

  static void main(void* self) { static_cast<other_call*>(self)->run(); }
  void run() {
    const auto spends = [this](std::uint64_t us) { return [this, us] { on.spend(us * k_us); }; };
    takt::fork_join(
        [&] {
          on.spend(300 * k_us);
          // The worker that has no seat before the first call's thread has left its own takes this one,
          takt::fork_join(
              [&] {
                on.spend(50 * k_us);
                // and nobody is free for this one until the task of the first call sleeps.
                takt::fork_join(spends(5'000), spends(5'000));
              },
              spends(10'000));
        },
        [] {});
  }
};

TEST(two_calls, who_sleeps_is_announced_to_its_own_call) {
  takt::config c;
  c.trigger = takt::trigger::eager;
  c.memory_policy = takt::memory_policy::hybrid;
  c.memory_alpha = k_block / 20;
  c.memory_beta = 0;
  takt_test::in_virtual_time run(3, c);
  takt::sim::virtual_time& on = run.on;

  other_call other{on};
  takt::platform::thread* const thread = on.start_thread(&other_call::main, &other, false);
  const std::uint64_t begun = on.time();
  on.spend(50 * k_us);
  takt::fork_join([&] { on.spend(20 * k_us); },
                  [&] {
                    on.spend(350 * k_us);
                    const takt::memory_scope block(k_block);
                    on.spend(10 * k_us);
                  });
  const std::uint64_t took = on.time() - begun;
  on.join_thread(thread);
  EXPECT_LT(took, 1'000 * k_us);
  EXPECT_GT(on.time() - begun, 5'000 * k_us);
  EXPECT_EQ(run.total("memory_sleeps"), 1u);
}

}  // namespace
