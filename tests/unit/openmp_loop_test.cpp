// Converted loops, as the compiler plugin writes them: what the runtime tells them to do.
#include <takt/omp.hpp>
#include <takt/takt.hpp>

#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

using takt::trigger;
using takt::abi::loop_chunk;
using takt::abi::omp_frame;
using takt::abi::omp_loop;
using takt::abi::omp_way;
using takt_test::settings;

// Adds up the numbers of the iterations; each counts as a fork would, so that the loop nests.
void add_up(void* environment, omp_frame* frame) {
  takt_omp_begin(frame, nullptr);
  auto* total = static_cast<std::uint64_t*>(environment);
  for (loop_chunk c = takt_loop_next(&frame->cursor); c.begin < c.end; c = takt_loop_next(&frame->cursor)) {
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
          EXPECT_TRUE(way == omp_way::framed || way == omp_way::sampled);
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
  takt::configure(long_beat(takt::lab::beat));
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
  takt::configure(long_beat(takt::lab::beat));
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
  takt::configure(long_beat(takt::lab::beat));
  static loop l;
  l.where.nested = 1;
  EXPECT_GT(sampled_before_free(l, 100'000'000), 0);
  takt::fork_join([&] { EXPECT_EQ(run_one(l, 8), omp_way::sampled); }, [] {});
}

TEST(openmp_loop, none_is_sampled_where_every_loop_is_to_be_seen) {
  for (const takt::config& c : {long_beat(takt::lab::eager), long_beat(trigger::never),
                                settings(1, takt::lab::beat, std::chrono::microseconds(0))}) {
    takt::configure(c);
    loop l;
    l.where.nested = 1;
    EXPECT_EQ(sampled_before_free(l, 100), 0);
    EXPECT_EQ(l.where.free_below, 0u);
  }
}

TEST(openmp_loop, one_without_iterations_stays_where_it_is) {
  takt::configure(long_beat(takt::lab::beat));
  static loop l;
  EXPECT_EQ(takt_omp_ask(&l.what, 0, 0), omp_way::in_place);
  std::uint64_t total = 0;
  takt_omp_run(&l.what, &total, 0, omp_way::in_place);
  EXPECT_EQ(total, 0u);
}

TEST(openmp_loop, one_in_serial_code_enters_a_parallel_call) {
  takt::configure(long_beat(takt::lab::beat));
  static loop l;
  const omp_way way = takt_omp_ask(&l.what, 1000, 0);
  EXPECT_EQ(way, omp_way::outside);
  std::uint64_t total = 0;
  takt_omp_run(&l.what, &total, 1000, way);
  EXPECT_EQ(total, 499'500u);
}

struct pieces {
  std::vector<loop_chunk> all;
  std::int64_t chunk = 0;  ///< of remember_halves: what the program asks for
};

// A leaf loop that remembers its chunks.
void remember_chunks(void* environment, omp_frame* frame) {
  takt_omp_begin(frame, nullptr);
  for (loop_chunk c = takt_loop_next(&frame->cursor); c.begin < c.end; c = takt_loop_next(&frame->cursor)) {
    static_cast<pieces*>(environment)->all.push_back(c);
  }
  (void)takt_omp_end(frame);
}

// So that vectors of a chunk lie in cache lines as those of the whole loop do.
TEST(leaf_chunks, long_ones_and_halves_end_at_multiples_of_64) {
  // One worker. With `beat` the loop, which may be long for all that is known, is split at once; with `never` its
  // chunks grow: 1, 2, 4 iterations.
  for (const trigger t : {takt::lab::beat, trigger::never}) {
    takt::configure(settings(1, t, std::chrono::seconds(10)));
    takt::abi::site where;
    const omp_loop what{&remember_chunks, &where, nullptr, 0, 0, 0};
    constexpr std::uint64_t k_count = 1'000'003;
    pieces seen;
    takt_omp_run(&what, &seen, k_count, omp_way::outside);
    std::uint64_t at = 0;
    int long_ones = 0;
    for (const loop_chunk& c : seen.all) {
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
  takt_omp_chunks(frame, static_cast<pieces*>(environment)->chunk);
  takt_omp_begin(frame, nullptr);
  auto& seen = static_cast<pieces*>(environment)->all;
  const std::uint32_t halves = seen.empty() ? frame->cursor.frame.halves : 0;
  for (std::uint32_t h = 0; h < halves; ++h) {
    const auto& half = *reinterpret_cast<const takt::abi::half_payload*>(frame->cursor.frame.half[h].payload);
    seen.push_back({half.begin, half.end});
  }
  for (loop_chunk c = takt_loop_next(&frame->cursor); c.begin < c.end; c = takt_loop_next(&frame->cursor)) {
  }
  (void)takt_omp_end(frame);
}

TEST(halves, are_halves) {
  for (const std::uint64_t count : {3ull, 4ull, 300ull, 1000ull, 8191ull, 8300ull, 1'000'003ull}) {
    // The first call begins with a beat.
    takt::configure(settings(1, takt::lab::beat, std::chrono::seconds(10)));
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

// How a loop is cut when it begins whose program asks for such chunks.
std::vector<loop_chunk> halves_of(std::uint64_t count, std::int64_t chunk) {
  takt::configure(settings(1, takt::lab::beat, std::chrono::seconds(10)));
  takt::abi::site where;
  const omp_loop what{&remember_halves, &where, nullptr, 0, 0, 0};
  pieces seen{{}, chunk};
  takt_omp_run(&what, &seen, count, omp_way::outside);
  return seen.all;
}

TEST(halves, part_no_chunk) {
  constexpr std::int64_t k_most = std::numeric_limits<std::int64_t>::max();
  for (const std::uint64_t count : {1000ull, 8300ull, 1'000'003ull}) {
    const auto all = static_cast<std::int64_t>(count);
    for (const std::int64_t chunk : {std::int64_t{2}, std::int64_t{7}, std::int64_t{333}, all / 2 - 1, all - 1}) {
      const std::vector<loop_chunk> halves = halves_of(count, chunk);
      // One is under way.
      auto begin = static_cast<std::uint64_t>(chunk);
      for (const loop_chunk& half : halves) {
        EXPECT_EQ(half.begin, begin) << count << ' ' << chunk;
        EXPECT_EQ(half.begin % static_cast<std::uint64_t>(chunk), 0u) << count << ' ' << chunk;
        begin = half.end;
      }
      EXPECT_EQ(begin, count) << chunk;
    }
    for (const std::int64_t chunk : {all, all + 1, k_most}) EXPECT_TRUE(halves_of(count, chunk).empty()) << chunk;
    for (const std::int64_t chunk : {-k_most - 1, std::int64_t{-7}, std::int64_t{0}, std::int64_t{1}}) {
      const std::vector<loop_chunk> halves = halves_of(count, chunk);
      ASSERT_EQ(halves.size(), 2u) << chunk;
      EXPECT_EQ(halves[0].begin, 1u) << chunk;
    }
  }
}

using takt::abi::loop_cursor;
using takt::abi::loop_phase;

// A loop that nests, without an end, at a look: as if iterations had been claimed one by one from 0 on. Nothing of it
// can be promoted, as all is claimed.
loop_cursor nesting(takt::abi::site& where, std::uint64_t at) {
  loop_cursor c;
  c.frame.next = c.frame.end = 0;
  c.where = &where;
  takt::detail::expose(c, at, takt::detail::polls());
  return c;
}

constexpr std::int64_t k_enough = std::int64_t{1} << 30;

// @returns how many are claimed at a time after the look that is due, which polls if there is no credit.
std::uint64_t look(loop_cursor& c, std::int64_t credit = k_enough) {
  takt_hot.credit = credit;
  c.look = c.at;
  const std::uint64_t at = c.at;
  (void)takt_loop_next(&c);
  EXPECT_EQ(c.look, at + std::max<std::uint64_t>(c.chunk, takt::abi::k_between_looks));
  return c.chunk;
}

// The same, after `ran` more iterations.
std::uint64_t look_after(loop_cursor& c, std::uint64_t ran, std::int64_t credit = k_enough) {
  c.at = c.timed + ran;
  return look(c, credit);
}

constexpr std::uint64_t k_far = 1'000'000;

TEST(claims, double_while_they_are_short_up_to_a_limit) {
  takt::configure(settings(1, takt::lab::beat, std::chrono::seconds(10)));
  takt::fork_join(
      [] {
        takt::abi::site where;
        loop_cursor c = nesting(where, k_far);
        EXPECT_EQ(look(c), 2u);
        for (const std::uint64_t expected : {4, 8, 16}) EXPECT_EQ(look(c), expected);
        // The first look at the clock only notes the time.
        EXPECT_EQ(c.clock, 0u);
        c.at = k_far;
        EXPECT_EQ(look(c), 16u);
        EXPECT_NE(c.clock, 0u);
        EXPECT_EQ(c.timed, k_far);
        for (const std::uint64_t expected : {32, 64, 128, 256, 256, 256}) EXPECT_EQ(look_after(c, c.chunk), expected);
        // They grow no more, so nobody need look at the clock.
        EXPECT_EQ(c.most, 256u);
      },
      [] {});
}

TEST(claims, become_smaller_when_they_take_long) {
  // With beats always due, any time is long, no credit is ever left, and every look is a poll of the loop itself.
  takt::configure(settings(1, takt::lab::beat, std::chrono::microseconds(0)));
  takt::fork_join(
      [] {
        takt::abi::site where;
        loop_cursor c = nesting(where, 100);
        c.chunk = 64;
        const std::uint64_t before = takt::detail::polls();
        EXPECT_EQ(look(c, 0), 64u);
        for (const std::uint64_t expected : {32, 16, 8}) {
          c.clock -= 1;  // There are counters that do not move between two looks.
          EXPECT_EQ(look_after(c, 64, 0), expected);
          EXPECT_EQ(c.most, expected);
        }
        EXPECT_EQ(c.polls_seen, before + 4);
        EXPECT_EQ(takt::detail::polls(), before + 4);
      },
      [] {});
}

TEST(claims, fall_to_a_quarter_when_something_else_polls_and_are_measured_again) {
  takt::configure(settings(1, trigger::never, std::chrono::seconds(10)));
  takt::fork_join(
      [] {
        takt::abi::site where;
        loop_cursor c = nesting(where, k_far);
        c.chunk = c.most = 64;
        c.clock = 1;
        c.timed = 0;
        // Claims that are long enough need no clock.
        EXPECT_EQ(look(c), 64u);
        EXPECT_EQ(c.clock, 1u);
        --c.polls_seen;
        EXPECT_EQ(look(c), 16u);
        EXPECT_EQ(c.clock, 0u);
        EXPECT_EQ(c.polls_seen, takt::detail::polls());
        EXPECT_EQ(look(c), 16u);
        EXPECT_NE(c.clock, 0u);
        EXPECT_EQ(look_after(c, 16), 32u);
        // Below 16 they are not measured, but stay where a measurement has put them.
        c.chunk = 2;
        c.most = 8;
        for (const std::uint64_t expected : {4, 8, 8}) EXPECT_EQ(look(c), expected);
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
          takt_hot.polls += polls_since;
          loop_cursor c = nesting(where, 4);
          const std::uint64_t chunk = look(c);
          takt_hot.polls -= polls_since;
          EXPECT_EQ(c.clock, 0u);
          return chunk;
        };
        EXPECT_EQ(begins_with(first, 0), 2u);
        loop_cursor c = nesting(first, k_far);
        c.chunk = 16;
        EXPECT_EQ(look(c), 16u);
        while (c.chunk < 256) look_after(c, c.chunk);
        EXPECT_EQ(begins_with(first, 0), 256u);
        EXPECT_EQ(begins_with(first, 1), 64u);
        EXPECT_EQ(begins_with(first, 3), 2u);
        EXPECT_EQ(begins_with(other, 0), 2u);
      },
      [] {});
}

// The halves that this poll may make of the loop go on where it was.
TEST(claims, begin_where_the_loop_was_at_its_own_last_poll) {
  takt::configure(settings(1, takt::lab::beat, std::chrono::seconds(10)));
  takt::fork_join(
      [] {
        takt::abi::site where;
        const auto begins_with = [&where] {
          loop_cursor half = nesting(where, 4);
          return look(half);
        };
        loop_cursor c = nesting(where, 64);
        c.chunk = 64;
        c.timed = 0;
        // Its first look measures nothing.
        EXPECT_EQ(look_after(c, 64, 0), 64u);
        EXPECT_EQ(begins_with(), 2u);
        // Too short: it still grows.
        EXPECT_EQ(look_after(c, 64, 0), 128u);
        EXPECT_EQ(begins_with(), 2u);
        EXPECT_EQ(look_after(c, 128, 0), 256u);
        EXPECT_EQ(look_after(c, 256, 0), 256u);
        EXPECT_EQ(begins_with(), 256u);
      },
      [] {});
}

TEST(cursor, of_a_site_that_never_ran_watches_one_iteration) {
  takt::configure(settings(1, trigger::never));
  for (const bool nests : {false, true}) {
    takt::fork_join(
        [nests] {
          takt::abi::site where;
          loop_cursor c;
          c.at = 0;
          c.where = &where;
          c.phase = loop_phase::unknown;
          c.together = 0;
          takt::detail::push_loop(c, nullptr, nullptr, 0, 100);
          takt_loop_enter(&c, 0);
          EXPECT_EQ(c.phase, loop_phase::unknown);
          takt::abi::loop_chunk chunk = takt_loop_next(&c);
          EXPECT_EQ(chunk.end - chunk.begin, 1u);
          if (nests) (void)takt::detail::spend(1);
          chunk = takt_loop_next(&c);
          EXPECT_EQ(chunk.begin, 1u);
          EXPECT_EQ(c.phase, nests ? loop_phase::exposed : loop_phase::unknown);
          EXPECT_EQ(takt::detail::relaxed(where.nested) != 0, nests);
          EXPECT_EQ(chunk.end - chunk.begin, nests ? 1u : 2u);
          while (chunk.begin < chunk.end) chunk = takt_loop_next(&c);
          EXPECT_EQ(c.at, 100u);
          EXPECT_FALSE(takt::detail::leave_loop(c));
        },
        [] {});
  }
}

TEST(cursor, of_a_plain_loop_gives_out_all_of_it_once) {
  loop_cursor c;
  c.phase = loop_phase::plain;
  c.look = 0;
  c.at = 5;
  c.frame.end = ~0ull;
  const takt::abi::loop_chunk all = takt_loop_next(&c);
  EXPECT_EQ(all.begin, 5u);
  EXPECT_EQ(all.end, ~0ull);
  const takt::abi::loop_chunk none = takt_loop_next(&c);
  EXPECT_EQ(none.begin, none.end);
}

}  // namespace
