// Converted loops, as the compiler plugin writes them: what the runtime tells them to do.
#include <takt/omp.hpp>
#include <takt/takt.hpp>

#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <vector>

namespace {

using takt::trigger;
using takt::abi::omp_chunk;
using takt::abi::omp_frame;
using takt::abi::omp_loop;
using takt::abi::omp_way;
using takt_test::settings;

// Adds up the numbers of the iterations; each counts as a fork would, so that the loop nests.
void add_up(void* environment, omp_frame* frame) {
  takt_omp_begin(frame, nullptr);
  auto* total = static_cast<std::uint64_t*>(environment);
  for (omp_chunk c = takt_omp_next(frame); c.begin < c.end; c = takt_omp_next(frame)) {
    for (std::uint64_t i = c.begin; i < c.end; ++i) *total += i;
  }
  (void)takt_omp_end(frame);
}

// Static, as sites are: what is in no library is never granted to run free.
struct loop {
  takt::abi::site where;
  omp_loop what{&add_up, &where, nullptr, 0, 0, 0};
};

// A beat so long that the loop below is a small part of it also with a sanitizer on a busy machine.
takt::config long_beat(trigger t) { return settings(1, t, std::chrono::milliseconds(100)); }

// Asks for loops of 8 iterations that are known to nest, and runs them, until they are free or `most` have run.
// @returns how many were sampled.
int sampled_before_free(loop& l, int most) {
  int sampled = 0;
  takt::fork_join(
      [&] {
        for (int i = 0; i < most && takt::detail::relaxed(l.where.free_below) == 0; ++i) {
          const omp_way way = takt_omp_ask(&l.what, 8, 0);
          EXPECT_TRUE(way == omp_way::nested || way == omp_way::sampled);
          sampled += way == omp_way::sampled ? 1 : 0;
          std::uint64_t total = 0;
          takt_omp_run(&l.what, &total, 8, way);
          EXPECT_EQ(total, 28u);
        }
        if (sampled != 0 && most > 1000) {
          EXPECT_GT(takt::detail::relaxed(l.where.free_below), 8u);
        }
      },
      [] {});
  return sampled;
}

TEST(openmp_loop, short_loops_that_nest_become_free_until_the_call_ends) {
  takt::configure(long_beat(trigger::beat));
  static loop l;
  l.where.nested = 1;
  EXPECT_GT(sampled_before_free(l, 100'000'000), 0);
  EXPECT_EQ(l.where.free_below, 0u);
}

// One loop of `count` iterations in the middle of a nest. @returns how it was run.
omp_way run_one(loop& l, std::uint64_t count) {
  const omp_way way = takt_omp_ask(&l.what, count, 0);
  std::uint64_t total = 0;
  takt_omp_run(&l.what, &total, count, way);
  EXPECT_EQ(total, count * (count - 1) / 2);
  return way;
}

TEST(openmp_loop, longer_ones_become_free_step_by_step) {
  takt::configure(long_beat(trigger::beat));
  static loop l;
  l.where.nested = 1;
  takt::fork_join(
      [&] {
        // At most eight times as many iterations as the loop that was timed.
        std::uint64_t count = 8;
        for (int step = 0; step < 3; ++step) {
          for (int i = 0; takt::detail::relaxed(l.where.free_below) <= count && i < 100'000'000; ++i) run_one(l, count);
          const std::uint64_t below = takt::detail::relaxed(l.where.free_below);
          EXPECT_GT(below, count);
          EXPECT_LE(below, 8 * count + 1);
          EXPECT_EQ(takt::detail::relaxed(l.where.free_past), 0 - below);
          count = below;
        }
      },
      [] {});
  EXPECT_EQ(l.where.free_below, 0u);
}

TEST(openmp_loop, the_next_one_is_sampled_once_none_is_free_any_more) {
  takt::configure(long_beat(trigger::beat));
  static loop l;
  l.where.nested = 1;
  EXPECT_GT(sampled_before_free(l, 100'000'000), 0);
  takt::fork_join([&] { EXPECT_EQ(run_one(l, 8), omp_way::sampled); }, [] {});
}

TEST(openmp_loop, none_is_sampled_where_every_loop_is_to_be_seen) {
  for (const takt::config& c : {long_beat(trigger::eager), long_beat(trigger::never),
                                settings(1, trigger::beat, std::chrono::microseconds(0))}) {
    takt::configure(c);
    loop l;
    l.where.nested = 1;
    EXPECT_EQ(sampled_before_free(l, 100), 0);
    EXPECT_EQ(l.where.free_below, 0u);
  }
}

TEST(openmp_loop, one_without_iterations_stays_where_it_is) {
  takt::configure(long_beat(trigger::beat));
  static loop l;
  EXPECT_EQ(takt_omp_ask(&l.what, 0, 0), omp_way::in_place);
  std::uint64_t total = 0;
  takt_omp_run(&l.what, &total, 0, omp_way::in_place);
  EXPECT_EQ(total, 0u);
}

TEST(openmp_loop, one_in_serial_code_enters_a_parallel_call) {
  takt::configure(long_beat(trigger::beat));
  static loop l;
  const omp_way way = takt_omp_ask(&l.what, 1000, 0);
  EXPECT_EQ(way, omp_way::outside);
  std::uint64_t total = 0;
  takt_omp_run(&l.what, &total, 1000, way);
  EXPECT_EQ(total, 499'500u);
}

struct pieces {
  std::vector<omp_chunk> all;
};

// A leaf loop that remembers its chunks.
void remember_chunks(void* environment, omp_frame* frame) {
  takt_omp_begin(frame, nullptr);
  for (omp_chunk c = takt_omp_next(frame); c.begin < c.end; c = takt_omp_next(frame)) {
    static_cast<pieces*>(environment)->all.push_back(c);
  }
  (void)takt_omp_end(frame);
}

// So that vectors of a chunk lie in cache lines as those of the whole loop do.
TEST(leaf_chunks, long_ones_and_halves_end_at_multiples_of_64) {
  // One worker. With `beat` the loop, which may be long for all that is known, is split at once; with `never` its
  // chunks grow: 1, 2, 4 iterations.
  for (const trigger t : {trigger::beat, trigger::never}) {
    takt::configure(settings(1, t, std::chrono::seconds(10)));
    takt::abi::site where;
    const omp_loop what{&remember_chunks, &where, nullptr, 0, 0, 0};
    constexpr std::uint64_t k_count = 1'000'003;
    pieces seen;
    takt_omp_run(&what, &seen, k_count, omp_way::outside);
    std::uint64_t at = 0;
    int long_ones = 0;
    for (const omp_chunk& c : seen.all) {
      EXPECT_EQ(c.begin, at);
      at = c.end;
      if (c.end - c.begin < 256 || c.end == k_count) continue;
      ++long_ones;
      EXPECT_EQ(c.end % 64, 0u) << c.begin;
    }
    EXPECT_EQ(at, k_count);
    EXPECT_GT(long_ones, t == trigger::never ? 5 : 0);
  }
}

// A loop that tells how it was cut when it began.
void remember_halves(void* environment, omp_frame* frame) {
  takt_omp_begin(frame, nullptr);
  auto& seen = static_cast<pieces*>(environment)->all;
  if (seen.empty() && frame->loop.halves == 2) {
    for (const takt::abi::slot& task : frame->loop.half) {
      const auto& half = *reinterpret_cast<const takt::abi::half_payload*>(task.payload);
      seen.push_back({half.begin, half.end});
    }
  }
  for (omp_chunk c = takt_omp_next(frame); c.begin < c.end; c = takt_omp_next(frame)) {
  }
  (void)takt_omp_end(frame);
}

TEST(halves, are_halves) {
  for (const std::uint64_t count : {3ull, 4ull, 300ull, 1000ull, 8191ull, 8300ull, 1'000'003ull}) {
    // The first call begins with a beat.
    takt::configure(settings(1, trigger::beat, std::chrono::seconds(10)));
    takt::abi::site where;
    const omp_loop what{&remember_halves, &where, nullptr, 0, 0, 0};
    pieces seen;
    takt_omp_run(&what, &seen, count, omp_way::outside);
    ASSERT_EQ(seen.all.size(), 2u);
    // One iteration is under way.
    EXPECT_EQ(seen.all[0].begin, 1u);
    EXPECT_EQ(seen.all[0].end, seen.all[1].begin);
    EXPECT_EQ(seen.all[1].end, count);
    const std::uint64_t first = seen.all[0].end - seen.all[0].begin;
    const std::uint64_t second = seen.all[1].end - seen.all[1].begin;
    const std::uint64_t differ = first < second ? second - first : first - second;
    EXPECT_LE(differ, 1 + first / 32) << count;
    if (count < 8192) {
      EXPECT_LE(differ, 1u) << count;
    } else {
      EXPECT_EQ(seen.all[1].begin % 64, 0u) << count;
    }
  }
}

takt::abi::site nesting;

TEST(claims, double_while_they_are_short_up_to_a_limit) {
  takt::configure(settings(1, trigger::beat, std::chrono::seconds(10)));
  takt::fork_join(
      [] {
        takt::abi::loop_frame frame;
        frame.where = &nesting;
        takt::detail::forget_claims(frame);
        // The first look only notes the time.
        std::uint64_t at = 1'000'000;
        EXPECT_EQ(takt_loop_claims(&frame, at, 16), 16u);
        EXPECT_NE(frame.last_clock, 0u);
        EXPECT_EQ(frame.timed, at);
        std::uint64_t chunk = 16;
        for (int i = 0; i < 10; ++i) {
          at += chunk;
          const std::uint64_t next = takt_loop_claims(&frame, at, chunk);
          EXPECT_EQ(next, chunk < 256 ? 2 * chunk : 256);
          chunk = next;
        }
        // They grow no more, so nobody need ask.
        EXPECT_EQ(frame.chunk, 256u);
      },
      [] {});
}

TEST(claims, become_smaller_when_they_take_long) {
  // With beats always due, any time is long.
  takt::configure(settings(1, trigger::beat, std::chrono::microseconds(0)));
  takt::fork_join(
      [] {
        takt::abi::loop_frame frame;
        frame.where = &nesting;
        frame.last_clock = 1;
        frame.timed = 0;
        EXPECT_EQ(takt_loop_claims(&frame, 64, 64), 32u);
        EXPECT_EQ(frame.chunk, 32u);
        frame.last_clock = 1;
        EXPECT_EQ(takt_loop_claims(&frame, 96, 1), 1u);
      },
      [] {});
}

// With N = 0 no credit is ever left, and every look is a poll.
TEST(claims, are_measured_by_the_polls_of_the_loop_itself) {
  takt::configure(settings(1, trigger::beat, std::chrono::microseconds(0)));
  takt::fork_join(
      [] {
        takt::abi::loop_frame frame;
        frame.where = &nesting;
        frame.next = frame.end = 0;
        takt::detail::forget_claims(frame);
        std::uint64_t seen = takt::detail::polls();
        const std::uint64_t before = seen;
        EXPECT_EQ(takt::detail::next_claim(frame, 100, 64, seen), 64u);
        EXPECT_EQ(takt::detail::next_claim(frame, 164, 64, seen), 32u);
        EXPECT_EQ(takt::detail::next_claim(frame, 196, 32, seen), 16u);
        EXPECT_EQ(seen, before + 3);
      },
      [] {});
}

TEST(claims, fall_to_a_quarter_when_something_else_polls_and_are_measured_again) {
  takt::configure(settings(1, trigger::never, std::chrono::seconds(10)));
  takt::fork_join(
      [] {
        takt::abi::loop_frame frame;
        frame.where = &nesting;
        frame.last_clock = 1;
        frame.timed = 0;
        frame.chunk = 64;
        std::uint64_t seen = takt::detail::polls();
        // Claims that are long enough need no clock.
        EXPECT_EQ(takt::detail::next_claim(frame, 64, 64, seen), 64u);
        EXPECT_EQ(frame.last_clock, 1u);
        --seen;
        EXPECT_EQ(takt::detail::next_claim(frame, 128, 64, seen), 16u);
        EXPECT_EQ(frame.last_clock, 0u);
        EXPECT_EQ(takt::detail::next_claim(frame, 144, 16, seen), 16u);
        EXPECT_NE(frame.last_clock, 0u);
        EXPECT_EQ(takt::detail::next_claim(frame, 160, 16, seen), 32u);
        // Below 16 they are not measured, but stay where a measurement has put them.
        frame.chunk = 64;
        EXPECT_EQ(takt::detail::next_claim(frame, 162, 2, seen), 4u);
        frame.chunk = 8;
        EXPECT_EQ(takt::detail::next_claim(frame, 165, 4, seen), 8u);
        EXPECT_EQ(takt::detail::next_claim(frame, 173, 8, seen), 8u);
      },
      [] {});
}

TEST(claims, begin_where_the_loop_before_came_to) {
  takt::configure(settings(1, trigger::never, std::chrono::seconds(10)));
  takt::fork_join(
      [] {
        takt::abi::site first;
        takt::abi::site other;
        const auto begins_with = [](takt::abi::site& where, std::uint64_t polls_since) {
          takt::abi::loop_frame frame;
          frame.where = &where;
          takt::detail::forget_claims(frame);
          takt_hot.polls += polls_since;
          std::uint64_t seen = takt::detail::polls();
          const std::uint64_t chunk = takt::detail::next_claim(frame, 16, 1, seen);
          takt_hot.polls -= polls_since;
          EXPECT_EQ(frame.last_clock, 0u);
          // What was measured since the last poll is final.
          EXPECT_EQ(frame.chunk, chunk > 2 && polls_since == 0 ? chunk : ~0ull);
          return chunk;
        };
        EXPECT_EQ(begins_with(first, 0), 2u);
        takt::abi::loop_frame frame;
        frame.where = &first;
        takt::detail::forget_claims(frame);
        std::uint64_t at = 16;
        for (std::uint64_t chunk = 16; chunk < 256; at += chunk) chunk = takt_loop_claims(&frame, at, chunk);
        EXPECT_EQ(begins_with(first, 0), 256u);
        EXPECT_EQ(begins_with(first, 1), 64u);
        EXPECT_EQ(begins_with(first, 2), 16u);
        EXPECT_EQ(begins_with(first, 3), 2u);
        EXPECT_EQ(begins_with(other, 0), 2u);
      },
      [] {});
}

// The halves that this poll may make of the loop go on where it was.
TEST(claims, begin_where_the_loop_was_at_its_own_last_poll) {
  takt::configure(settings(1, trigger::beat, std::chrono::seconds(10)));
  takt::fork_join(
      [] {
        takt::abi::site where;
        const auto begins_with = [&where] {
          takt::abi::loop_frame half;
          half.where = &where;
          takt::detail::forget_claims(half);
          return takt_loop_claims(&half, 4, 1);
        };
        takt::abi::loop_frame frame;
        frame.where = &where;
        frame.next = frame.end = 0;
        // Its first look measures nothing.
        takt::detail::forget_claims(frame);
        EXPECT_EQ(takt_loop_due(&frame, 64, 64), 64u);
        EXPECT_EQ(begins_with(), 2u);
        // Too short: it still grows.
        EXPECT_EQ(takt_loop_due(&frame, 128, 64), 128u);
        EXPECT_EQ(begins_with(), 2u);
        EXPECT_EQ(takt_loop_due(&frame, 256, 128), 256u);
        EXPECT_EQ(takt_loop_due(&frame, 512, 256), 256u);
        EXPECT_EQ(begins_with(), 256u);
      },
      [] {});
}

}  // namespace
