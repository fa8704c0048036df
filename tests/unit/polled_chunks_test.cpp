// Chunks sized by counting polls: the paper's rules, one by one.
#include "lab/loop/polled_chunks.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using takt::core::polled_chunks;

constexpr std::uint64_t k_beat = 1000;

polled_chunks adapted() { return polled_chunks::adapted(takt::lab::settings{}.target_polls); }

// Heartbeats of one window; `polls` in each, but `least` in one of them.
void run_window(polled_chunks& chunks, std::uint64_t& now, std::uint64_t polls, std::uint64_t least) {
  for (unsigned beat = 0; beat < polled_chunks::k_window; ++beat) {
    const std::uint64_t count = beat == 2 ? least : polls;
    for (std::uint64_t p = 1; p < count; ++p) chunks.polled(++now, k_beat);
    chunks.polled(now += k_beat, k_beat);
  }
}

TEST(polled_chunks, begin_with_one_iteration) { EXPECT_EQ(adapted().size(), 1u); }

TEST(polled_chunks, the_least_poll_count_of_eight_heartbeats_sets_the_size) {
  polled_chunks chunks = adapted();
  std::uint64_t now = 0;
  chunks.begin_task(now);
  run_window(chunks, now, 100, 40);
  EXPECT_EQ(chunks.size(), 10u) << "1 * 40 / 4";
  run_window(chunks, now, 9, 6);
  EXPECT_EQ(chunks.size(), 15u) << "10 * 6 / 4";
  run_window(chunks, now, 4, 4);
  EXPECT_EQ(chunks.size(), 15u) << "as aimed at";
  run_window(chunks, now, 5, 1);
  EXPECT_EQ(chunks.size(), 3u) << "15 / 4, rounded down";
  run_window(chunks, now, 1, 1);
  EXPECT_EQ(chunks.size(), 1u) << "never below 1";
}

TEST(polled_chunks, are_as_long_as_the_target_says) {
  for (const std::uint64_t target : {1, 2, 8, 16, 100}) {
    polled_chunks chunks = polled_chunks::adapted(target);
    std::uint64_t now = 0;
    chunks.begin_task(now);
    run_window(chunks, now, 200, 160);
    EXPECT_EQ(chunks.size(), 160 / target) << target;
    run_window(chunks, now, target, target);
    EXPECT_EQ(chunks.size(), 160 / target) << "as aimed at: " << target;
  }
}

TEST(polled_chunks, no_size_changes_within_a_window) {
  polled_chunks chunks = adapted();
  std::uint64_t now = 0;
  chunks.begin_task(now);
  for (unsigned beat = 1; beat < polled_chunks::k_window; ++beat) {
    for (int p = 0; p < 50; ++p) chunks.polled(++now, k_beat);
    chunks.polled(now += k_beat, k_beat);
    EXPECT_EQ(chunks.size(), 1u);
  }
}

TEST(polled_chunks, a_task_begins_an_interval) {
  polled_chunks chunks = adapted();
  std::uint64_t now = 0;
  chunks.begin_task(now);
  run_window(chunks, now, 40, 40);
  ASSERT_EQ(chunks.size(), 10u);
  chunks.begin_task(now += 100 * k_beat);
  // The time before the task is no heartbeat: the window has eight more, of eight polls each.
  run_window(chunks, now, 8, 8);
  EXPECT_EQ(chunks.size(), 20u);
}

TEST(polled_chunks, a_fixed_size_stays) {
  polled_chunks chunks = polled_chunks::fixed(7);
  std::uint64_t now = 0;
  chunks.begin_task(now);
  run_window(chunks, now, 100, 100);
  EXPECT_EQ(chunks.size(), 7u);
}

TEST(polled_chunks, sizes_have_an_upper_bound) {
  polled_chunks chunks = adapted();
  std::uint64_t now = 0;
  chunks.begin_task(now);
  for (int i = 0; i < 20; ++i) run_window(chunks, now, k_beat - 1, k_beat - 1);
  EXPECT_EQ(chunks.size(), polled_chunks::k_most);
}

TEST(polled_chunks, with_every_poll_a_heartbeat_each_iteration_is_a_chunk) {
  polled_chunks chunks = adapted();
  for (std::uint64_t now = 0; now < 100; ++now) {
    chunks.polled(now, 0);
    EXPECT_EQ(chunks.size(), 1u);
  }
}

}  // namespace
