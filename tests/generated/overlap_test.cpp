// Children of a group begin while the code between run() and wait() goes on, if a worker is idle: whatever that code
// is, from serial code and in a call, under each setting. In virtual time, by seed; TAKT_SEED repeats one.
#include "generated/settings.hpp"
#include "generated/worlds.hpp"
#include "support/seed.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>

namespace {

using takt_generated::mix;

constexpr std::uint64_t k_long = 5'000'000;  // ns

// Plain code, forks, or a loop.
void take_long(takt_generated::watched_time& on, std::uint64_t seed) {
  constexpr int k_parts = 200;
  const auto part = [&on] { on.spend(k_long / k_parts); };
  switch (mix(seed, 1) % 3) {
    case 0:
      for (int i = 0; i < k_parts; ++i) part();
      break;
    case 1:
      for (int i = 0; i < k_parts / 2; ++i) takt::fork_join(part, part);
      break;
    default:
      takt::parallel_for(0, k_parts, [&](int) { part(); });
      break;
  }
}

// @returns how many children had begun before wait().
int begun_before_wait(takt_generated::watched_time& on, std::uint64_t seed) {
  std::atomic<int> begun{0};
  takt::task_group g(mix(seed, 2) % 2 == 0 ? takt::group_order::newest_first : takt::group_order::oldest_first);
  for (std::uint64_t child = 0; child <= mix(seed, 3) % 3; ++child) {
    g.run([&] {
      ++begun;
      on.spend(k_long);
    });
  }
  take_long(on, seed);
  const int result = begun;
  g.wait();
  return result;
}

TEST(groups, children_begin_before_they_are_waited_for) {
  const bool one = std::getenv("TAKT_SEED") != nullptr;
  const std::uint64_t first = one ? takt_test::chosen_seed() : 1;
  for (std::uint64_t seed = first; seed < first + (one ? 1 : 500); ++seed) {
    takt::lab::config c = takt_generated::settings_of(seed);
    takt_test::choose(c);
    // Somebody is idle, and may be asked to help. (A signal reaches plain code.)
    if (c.workers == 1 || c.trigger == takt::trigger::never || !c.interrupts) continue;
    // Where every poll is a beat no signal is one.
    if (c.beat.count() == 0) continue;
    takt_generated::watched_time on(takt_generated::machine_of(seed), takt::sim::this_process());
    const takt::sim::stand_in runtime(on, c);
    int begun = 0;
    if (mix(seed, 4) % 2 == 0) {
      begun = begun_before_wait(on, seed);
    } else {
      takt::fork_join([&] { begun = begun_before_wait(on, seed); }, [] {});
    }
    EXPECT_GE(begun, 1) << "TAKT_SEED=" << seed << ", " << takt_generated::describe(seed);
  }
}

}  // namespace
