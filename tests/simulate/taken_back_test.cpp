// What a loop claims is what nobody else can have: it stays little, whatever was learned of the iterations before.
#include <takt/omp.hpp>
#include <takt/takt.hpp>

#include "simulate/in_virtual_time.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace {

constexpr unsigned k_workers = 16;
constexpr std::uint64_t k_cheap = 4'000;
constexpr std::uint64_t k_cheap_ticks = 100;
constexpr std::uint64_t k_dear = 64;
constexpr std::uint64_t k_dear_ticks = 1'000'000;

class taken_back : public testing::Test {
 protected:
  /// A cheap iteration, or one that takes ten thousand times as long.
  void iteration(std::uint64_t i) { run_.on.spend(i < k_cheap ? k_cheap_ticks : k_dear_ticks); }

  /// Who has claimed dear iterations with cheap ones runs them one after the other.
  template <class Loop>
  void expect_shared(Loop loop) {
    for (int round = 0; round < 3; ++round) {
      const std::uint64_t begun = run_.on.time();
      loop();
      EXPECT_LE(run_.on.time() - begun, 3 * k_dear / k_workers * k_dear_ticks) << round;
    }
  }

  takt_test::in_virtual_time run_{k_workers, takt::config{}};
};

TEST_F(taken_back, dear_iterations_behind_cheap_ones) {
  expect_shared([&] { takt::parallel_for(std::uint64_t{0}, k_cheap + k_dear, [&](std::uint64_t i) { iteration(i); }); });
}

TEST_F(taken_back, dear_iterations_behind_cheap_ones_that_fork) {
  expect_shared([&] {
    takt::parallel_for(std::uint64_t{0}, k_cheap + k_dear, [&](std::uint64_t i) {
      takt::fork_join([] {}, [] {});
      iteration(i);
    });
  });
}

}  // namespace
