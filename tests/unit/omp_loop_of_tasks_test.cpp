// Loops of tasks as the compiler plugin makes them: each iteration runs once, and takes part in the right reductions.
#include <takt/kmp.hpp>
#include <takt/omp.hpp>
#include <takt/takt.hpp>

#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <vector>

namespace {

struct numbers {
  explicit numbers(std::uint64_t count) : seen(count) {}
  std::vector<std::atomic<int>> seen;
  long sum = 0;
  std::atomic<int> in_place{0}, elsewhere{0};
  std::atomic<bool> in_use{false};
};

// What the plugin makes of an iteration.
void run_one(numbers& all, std::uint64_t i, takt::abi::omp_reductions* group, std::uint32_t number) {
  all.seen[i].fetch_add(1);
  (number != 0 ? all.in_place : all.elsewhere).fetch_add(1);
  if (group == nullptr) return;
  if (number != 0) {
    // Nobody else has the variable itself.
    EXPECT_FALSE(all.in_use.exchange(true));
    all.sum += static_cast<long>(i);
    all.in_use = false;
  } else {
    auto* const copy = static_cast<long*>(takt_omp_borrow(group, &all.sum));
    *copy += static_cast<long>(i);
    takt_omp_give_back(copy);
  }
}

std::uint64_t run(void* environment, std::uint64_t begin, std::uint64_t end, takt::abi::omp_reductions* group,
                  std::uint32_t number, takt::abi::loop_frame* frame) {
  std::uint64_t at = begin;
  for (; at < end; ++at) {
    if (frame != nullptr) {
      if (takt::detail::is_overdrawn()) break;
      *const_cast<volatile std::uint64_t*>(&frame->next) = at + 1;
      if (at + 1 > *const_cast<volatile std::uint64_t*>(&frame->end)) break;
    }
    run_one(*static_cast<numbers*>(environment), at, group, number);
  }
  return at;
}

void expect_once(const numbers& all) {
  for (const auto& each : all.seen) EXPECT_EQ(each.load(), 1);
}

template <class Run>
void with_all_settings(Run check) {
  for (const takt::config& c : {takt_test::beat_zero(1), takt_test::beat_zero(3), takt::config{}}) {
    takt::configure(c);
    check(takt_test::describe(c));
  }
}

TEST(omp_loop_of_tasks, each_iteration_runs_once) {
  with_all_settings([](const std::string& settings) {
    for (const std::uint64_t count : {0, 1, 2, 17, 1000}) {
      takt::abi::site where;
      // The second one begins with what the first one has taught.
      for (int round = 0; round < 2; ++round) {
        numbers inside(count), outside(count);
        takt::fork_join([&] { takt_omp_loop_of_tasks(&where, &run, &inside, count, nullptr, 0); }, [] {});
        takt_omp_loop_of_tasks(&where, &run, &outside, count, nullptr, 0);
        expect_once(inside);
        expect_once(outside);
      }
    }
    EXPECT_FALSE(testing::Test::HasFailure()) << settings;
  });
}

// A part that was promoted reduces into a copy, as it may run beside the rest.
TEST(omp_loop_of_tasks, what_is_promoted_has_a_group_of_its_own) {
  constexpr std::uint64_t k_count = 1000;
  with_all_settings([](const std::string& settings) {
    numbers all(k_count);
    takt::abi::site where;
    const takt::kmp::reduced_variable what{
        &all.sum,
        &all.sum,
        sizeof(long),
        nullptr,
        nullptr,
        [](void* into, void* from) { *static_cast<long*>(into) += *static_cast<long*>(from); },
        0};
    takt::abi::omp_reductions group{nullptr, &what, 1, nullptr};
    takt::fork_join([&] { takt_omp_loop_of_tasks(&where, &run, &all, k_count, &group, 1); }, [] {});
    if (group.made != nullptr) takt_omp_combine(&group);
    expect_once(all);
    EXPECT_EQ(all.sum, static_cast<long>(k_count * (k_count - 1) / 2)) << settings;
    EXPECT_EQ(all.in_place + all.elsewhere, static_cast<int>(k_count));
  });
  takt::configure(takt_test::beat_zero(1));
  numbers all(k_count);
  takt::abi::site where;
  takt::fork_join([&] { takt_omp_loop_of_tasks(&where, &run, &all, k_count, nullptr, 1); }, [] {});
  // With beats of no length most of it is promoted.
  EXPECT_GT(all.elsewhere.load(), 0);
}

}  // namespace
