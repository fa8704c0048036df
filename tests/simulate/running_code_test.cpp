// A simulated signal reaches code that runs, where it is: also what makes no call of the platform for long.
#include <takt/takt.hpp>

#include "simulate/simulated.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

namespace {

using takt_test::json;

class running_code : public takt_test::simulated {};

std::uint64_t promoted_forks() {
  return json::parse(takt::stats_json()).at("total").at("promotions_forks").get<std::uint64_t>();
}

// Some two hundred microseconds, of which nobody hears.
void compute_long() {
  volatile std::uint64_t state = 1;
  for (int i = 0; i < 200'000; ++i) state = state * 6364136223846793005u + 1;
}

void tree(unsigned depth, const std::function<void()>& leaf) {
  if (depth == 0) return leaf();
  takt::fork_join([&] { tree(depth - 1, leaf); }, [&] { tree(depth - 1, leaf); });
}

// The forks of the tree are short so often that they run free, and then they are not. @returns how many of those became
// tasks.
std::uint64_t promoted_of_long(unsigned depth, const std::function<void()>& leaf) {
  std::uint64_t promoted = 0;
  takt::fork_join(
      [&] {
        (void)takt_test::fib(22);
        for (int i = 0; i < 2000; ++i) tree(4, [] {});
        const std::uint64_t before = promoted_forks();
        tree(depth, leaf);
        promoted = promoted_forks() - before;
      },
      [] {});
  return promoted;
}

TEST_F(running_code, free_forks_are_promoted) {
  // One for each of the others. More, where nobody is preempted: the leaves' time is measured.
  const json report = run("workers=8", [] { return promoted_of_long(8, &compute_long) >= 7; });
  EXPECT_GE(report.at("stats").at("total").at("steals_done"), 7);
}

// Who is stopped may hold a lock, or be inside the allocator: no other code of the program runs meanwhile.
TEST_F(running_code, no_lock_is_met_that_stopped_code_holds) {
  const auto program = [] {
    std::mutex lock;
    std::uint64_t leaves = 0;
    const auto leaf = [&] {
      const std::lock_guard guard(lock);
      compute_long();
      std::vector<std::vector<int>> kept;
      for (std::size_t i = 1; i < 2000; ++i) kept.emplace_back(i % 100);
      leaves += kept.size() == 1999 ? 1 : 0;
    };
    return promoted_of_long(7, leaf) > 0 && leaves == 128;
  };
  (void)run("workers=8", program);
}

}  // namespace
