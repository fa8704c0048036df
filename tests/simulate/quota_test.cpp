// asyncdf's quota in virtual time: a computation has all of it each time that somebody takes it.
#include <takt/memory.hpp>
#include <takt/takt.hpp>

#include "sim/stand_in.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdint>

namespace {

constexpr std::uint64_t k_us = 1'000;
constexpr std::uint64_t k_block = 1'000'000;

class quota : public testing::Test {
 protected:
  // @returns how many have been put back into the order.
  template <class Program>
  std::uint64_t put_back(Program program) {
    takt::sim::virtual_settings settings;
    settings.workers = 3;
    settings.measured = false;
    settings.began = 1'000'000'000;
    takt::sim::virtual_time on(settings, takt::sim::this_process());
    takt::config c;
    c.workers = settings.workers;
    c.trigger = takt::trigger::eager;
    c.memory_policy = takt::memory_policy::asyncdf;
    c.memory_k = k_block;
    const takt::sim::stand_in runtime(on, c);
    program([&](std::uint64_t us) { on.spend(us * k_us); });
    return nlohmann::json::parse(takt::stats_json()).at("total").at("memory_sleeps").get<std::uint64_t>();
  }
};

TEST_F(quota, is_whole_for_each_task_and_behind_each_join) {
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

TEST_F(quota, is_used_up) {
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
