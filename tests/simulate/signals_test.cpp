// Signals on the simulated machine are let in where a thread looks at the clock. What they promote there is promoted
// once.
#include <takt/memory.hpp>
#include <takt/takt.hpp>

#include "simulate/in_virtual_time.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace {

constexpr std::uint64_t k_block = 1'000'000;
constexpr unsigned k_depth = 9;

// A tree of forks, and how often the right branch of each has begun.
class tree {
 public:
  explicit tree(takt::sim::virtual_time& on) : on_(on), began_(std::size_t{1} << k_depth) { run(k_depth, 1); }
  bool each_began_once() const {
    for (std::size_t i = 1; i < began_.size(); ++i) {
      if (began_[i] != 1) return false;
    }
    return true;
  }

 private:
  void run(unsigned depth, std::size_t number) {
    if (depth == 0) {
      // Nobody polls, and then it sleeps with all forks around it that are still latent.
      on_.spend(60'000);
      const takt::memory_scope block(k_block);
      on_.spend(60'000);
      return;
    }
    takt::fork_join([&] { run(depth - 1, 2 * number); },
                    [&] {
                      ++began_[number];
                      run(depth - 1, 2 * number + 1);
                    });
  }

  takt::sim::virtual_time& on_;
  std::vector<int> began_;
};

// Exit codes of a process.
constexpr int k_right = 0;
constexpr int k_wrong = 1;
constexpr int k_not_tried = 2;  // without sleepers or signals

int each_fork_begins_once(takt::lab::config c, const char* sleeps, std::uint64_t look, unsigned workers) {
  c.beat = std::chrono::microseconds(10);
  takt_test::in_virtual_time run(workers, c, look);
  const tree all(run.on);
  if (!all.each_began_once()) return k_wrong;
  return run.total(sleeps) == 0 || run.total("interrupts_used") == 0 ? k_not_tried : k_right;
}

// Each in a process of its own: what begins twice may well crash. A worker that has left a stack looks at the clock,
// and a look that takes long is met by many signals. Which looks are, and leave somebody asleep, is chance: of these
// some.
void expect_each_fork_begins_once(const takt::lab::config& c, const char* sleeps) {
  int tried = 0;
  for (std::uint64_t look = 500; look < 40'000; look += look / 8) {
    const auto count = [&tried](int status) {
      if (!WIFEXITED(status)) return false;
      if (WEXITSTATUS(status) == k_right) ++tried;
      return WEXITSTATUS(status) == k_right || WEXITSTATUS(status) == k_not_tried;
    };
    for (const unsigned workers : {3u, 4u, 5u, 16u}) {
      EXPECT_EXIT(std::exit(each_fork_begins_once(c, sleeps, look, workers)), count, "") << look << ", " << workers;
    }
  }
  EXPECT_GE(tried, 3);
}

TEST(signals, what_is_latent_below_a_sleeper_is_promoted_once_under_hybrid) {
  takt::lab::config c;
  c.lab.hybrid = true;
  c.lab.memory_alpha = k_block / 16;
  c.lab.memory_beta = 0;
  expect_each_fork_begins_once(c, "memory_sleeps");
}

TEST(signals, what_is_latent_below_a_sleeper_is_promoted_once_under_asyncdf) {
  takt::lab::config c;
  c.policy = takt::lab::asyncdf;
  c.lab.memory_k = k_block / 4;
  expect_each_fork_begins_once(c, "memory_sleeps");
}

TEST(signals, what_is_latent_below_a_sleeper_is_promoted_once_under_a_budget) {
  takt::lab::config c;
  c.memory = 6 * k_block;
  expect_each_fork_begins_once(c, "memory_waits");
}

}  // namespace
