// asyncdf's quota in virtual time: a computation has all of it each time that somebody takes it.
#include <takt/lab.hpp>
#include <takt/memory.hpp>
#include <takt/takt.hpp>

#include "simulate/in_virtual_time.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace {

constexpr std::uint64_t k_us = 1'000;
constexpr std::uint64_t k_block = 1'000'000;

// @returns how many have been put back into the order.
template <class Program>
std::uint64_t put_back(Program program) {
  takt::lab::config c;
  c.trigger = takt::lab::eager;
  c.policy = takt::lab::asyncdf;
  c.lab.memory_k = k_block;
  takt_test::in_virtual_time run(3, c);
  program([&](std::uint64_t us) { run.on.spend(us * k_us); });
  return run.total("memory_sleeps");
}

TEST(quota, is_whole_for_each_task_and_behind_each_join) {
  const auto program = [](auto spend) {
    takt::fork_join(
        [&] {
          const takt::memory_scope first(k_block);
          // The right branch is the last to end, elsewhere.
          takt::fork_join([&] { spend(20); }, [&] { spend(100); });
          const takt::memory_scope second(k_block);
          spend(20);
        },
        [&] {
          // Who is alone is not put back.
          const takt::memory_scope block(k_block);
          spend(500);
        });
  };
  EXPECT_EQ(put_back(program), 0u);
}

TEST(quota, is_used_up) {
  const auto program = [](auto spend) {
    takt::fork_join(
        [&] {
          const takt::memory_scope first(k_block);
          spend(20);
          const takt::memory_scope second(k_block);
          spend(20);
          // What it was put back for is of the new quota.
          const takt::memory_scope third(k_block);
          spend(20);
        },
        [&] { spend(200); });
  };
  EXPECT_EQ(put_back(program), 2u);
}

}  // namespace
