// What another worker's cache line costs in virtual time.
#include "sim/stand_in.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace {

constexpr std::uint64_t k_steal = 300;

struct thief {
  takt::sim::virtual_time* on;
  std::uint64_t victim;
  std::uint64_t took = 0;
};

void steal(void* argument) {
  auto& t = *static_cast<thief*>(argument);
  const std::uint64_t before = t.on->time();
  t.on->note(takt::platform::action::steal, t.victim + 1);
  t.took = t.on->time() - before;
}

// Three threads steal at the same time.
std::vector<std::uint64_t> took_from(takt::sim::virtual_time& on, const std::array<std::uint64_t, 3>& victims) {
  std::array<thief, 3> thieves{};
  std::vector<takt::platform::thread*> threads;
  for (std::size_t i = 0; i < thieves.size(); ++i) {
    thieves[i] = {&on, victims[i]};
    threads.push_back(on.start_thread(&steal, &thieves[i], true));
  }
  for (takt::platform::thread* t : threads) on.join_thread(t);
  std::vector<std::uint64_t> took;
  for (const thief& t : thieves) took.push_back(t.took);
  std::ranges::sort(took);
  return took;
}

takt::sim::virtual_settings settings() {
  takt::sim::virtual_settings s;
  s.workers = 8;
  s.measured = false;
  s.cost.steal = k_steal;
  return s;
}

TEST(shared_lines, thieves_of_one_victim_wait_for_each_other) {
  takt::sim::virtual_time on(settings(), takt::sim::this_process());
  EXPECT_EQ(took_from(on, {0, 0, 0}), (std::vector<std::uint64_t>{k_steal, k_steal + 100, k_steal + 200}));
}

TEST(shared_lines, thieves_of_several_do_not) {
  takt::sim::virtual_time on(settings(), takt::sim::this_process());
  EXPECT_EQ(took_from(on, {1, 2, 3}), (std::vector<std::uint64_t>(3, k_steal)));
}

TEST(shared_lines, the_victim_fetches_them_back) {
  takt::sim::virtual_time on(settings(), takt::sim::this_process());
  (void)took_from(on, {0, 0, 0});
  const std::uint64_t before = on.time();
  EXPECT_EQ(on.now() - before, k_steal);
  EXPECT_EQ(on.now() - before, k_steal);
}

}  // namespace
