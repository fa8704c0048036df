// Converted loops, as the compiler plugin writes them: what the runtime tells them to do.
#include <takt/omp.hpp>
#include <takt/takt.hpp>

#include "loop/loop.hpp"
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

constexpr std::int64_t k_enough = std::int64_t{1} << 30;

// A loop that nests, without an end, when its first iterations have run. Nobody promotes it, as it is not pushed.
loop_cursor nesting(takt::abi::site& where) {
  loop_cursor c;
  c.frame.next = 0;
  c.frame.end = ~0ull;
  c.frame.halves = 0;
  c.where = &where;
  c.most = ~0ull;
  takt::detail::expose(c, 16, takt::detail::polls());
  return c;
}

// `ran` iterations after the last look another one is due; it polls if there is no credit.
// @returns after how many more the next look is to be.
std::uint64_t look_after(loop_cursor& c, std::uint64_t ran, std::int64_t credit = k_enough) {
  takt_hot.credit = credit;
  c.at = c.look = c.timed + ran;
  const std::uint64_t at = c.at;
  (void)takt_loop_next(&c);
  return c.look - at;
}

TEST(strips, are_single_iterations_before_anything_is_measured_and_then_an_eighth_of_the_way_to_the_next_look) {
  takt::configure(settings(1, takt::lab::beat, std::chrono::seconds(10)));
  takt::fork_join(
      [] {
        takt::abi::site where;
        loop_cursor c = nesting(where);
        EXPECT_EQ(look_after(c, 0), 16u);
        EXPECT_EQ(c.clock, 0u);
        // The first look at the clock only notes the time.
        EXPECT_EQ(look_after(c, 16), 32u);
        EXPECT_NE(c.clock, 0u);
        EXPECT_EQ(c.chunk, 1u);
        for (std::uint64_t next = 64; next < 100'000; next *= 2) {
          EXPECT_EQ(look_after(c, next / 2), next);
          EXPECT_EQ(c.chunk, next / 8);
        }
      },
      [] {});
}

TEST(strips, are_single_iterations_where_these_take_long) {
  // With beats always due any time is long, no credit is ever left, and every look is a poll of the loop itself.
  takt::configure(settings(1, takt::lab::beat, std::chrono::microseconds(0)));
  takt::fork_join(
      [] {
        takt::abi::site where;
        loop_cursor c = nesting(where);
        const std::uint64_t before = takt::detail::polls();
        (void)look_after(c, 640, 0);
        for (int i = 0; i < 3; ++i) {
          c.clock -= 1;  // There are counters that do not move between two looks.
          EXPECT_EQ(look_after(c, 640, 0), 16u);
          EXPECT_EQ(c.chunk, 1u);
        }
        EXPECT_EQ(c.polls_seen, before + 4);
        EXPECT_EQ(takt::detail::polls(), before + 4);
      },
      [] {});
}

TEST(strips, are_single_iterations_again_when_something_in_one_has_polled) {
  takt::configure(settings(1, trigger::never, std::chrono::seconds(10)));
  takt::fork_join(
      [] {
        takt::abi::site where;
        loop_cursor c = nesting(where);
        (void)look_after(c, 64);
        EXPECT_EQ(look_after(c, 64), 128u);
        EXPECT_EQ(c.chunk, 16u);
        --c.polls_seen;
        EXPECT_EQ(look_after(c, 128), 16u);
        EXPECT_EQ(c.chunk, 1u);
        EXPECT_EQ(c.clock, 0u);
        EXPECT_EQ(c.polls_seen, takt::detail::polls());
      },
      [] {});
}

// What is known of a loop says when to look, and a loop that is told to look before does.
TEST(strips, end_with_a_look_where_the_credit_has_been_cut) {
  takt::configure(settings(1, takt::lab::beat, std::chrono::seconds(10)));
  takt::fork_join(
      [] {
        takt::abi::site where;
        loop_cursor c = nesting(where);
        for (int i = 0; i < 3; ++i) (void)look_after(c, 1000);
        const std::uint64_t before = takt::detail::polls();
        (void)takt_loop_next(&c);
        EXPECT_EQ(takt::detail::polls(), before);
        ASSERT_LT(c.at, c.look);
        takt_hot.credit = -1;
        (void)takt_loop_next(&c);
        EXPECT_EQ(takt::detail::polls(), before + 1);
      },
      [] {});
}

// How a converted loop's slice was told to run whose iterations may take any time.
struct looks {
  int asked = 0;
  std::uint64_t most = 0;  ///< claimed by the runtime at a time
  loop_phase first{};
  bool cut_at_first = false;
};

void claim_one_by_one(void* environment, omp_frame* frame) {
  auto& seen = *static_cast<looks*>(environment);
  takt_omp_begin(frame, nullptr);
  seen.first = frame->cursor.phase;
  loop_cursor& c = frame->cursor;
  for (loop_chunk chunk = takt_loop_next(&c); chunk.begin < chunk.end; chunk = takt_loop_next(&c)) {
    ++seen.asked;
    seen.most = std::max(seen.most, chunk.end - chunk.begin);
    c.at = chunk.end;
    if (seen.cut_at_first && seen.asked == 1) takt_hot.credit = -1;
    while (c.at < c.look && takt::detail::claim_next(c.frame, c.at)) {
    }
  }
  (void)takt_omp_end(frame);
}

// In place, too, and whatever is known of its cost.
TEST(one_by_one, can_be_taken_back_but_for_one_iteration) {
  takt::configure(settings(1, takt::lab::beat, std::chrono::seconds(10)));
  takt::abi::site where;
  where.unit_cost = 1;
  const omp_loop what{&claim_one_by_one, &where, nullptr, 0, 0, takt::abi::k_one_by_one};
  for (const omp_way way : {omp_way::in_place, omp_way::timed, omp_way::framed}) {
    takt::fork_join(
        [&] {
          looks seen;
          takt_omp_run(&what, &seen, 100'000, way);
          EXPECT_EQ(seen.most, 1u);
          EXPECT_EQ(seen.first == takt::core::k_brief, way != omp_way::framed);
          // One that is known to be over soon measures nothing.
          EXPECT_LE(seen.asked, way == omp_way::framed ? 30 : 100'000 / 16);
        },
        [] {});
  }
}

TEST(one_by_one, a_short_loop_that_is_told_to_look_is_like_any_other_from_there_on) {
  takt::configure(settings(1, takt::lab::beat, std::chrono::seconds(10)));
  takt::abi::site where;
  where.unit_cost = 1;
  const omp_loop what{&claim_one_by_one, &where, nullptr, 0, 0, takt::abi::k_one_by_one};
  takt::fork_join(
      [&] {
        takt_hot.credit = k_enough;
        looks seen{.cut_at_first = true};
        const std::uint64_t before = takt::detail::polls();
        takt_omp_run(&what, &seen, 16, omp_way::in_place);
        EXPECT_GT(takt::detail::polls(), before);
        EXPECT_GT(seen.asked, 2);
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
          takt::detail::push_loop(c, nullptr, nullptr, 0, 100, 2);
          takt_loop_enter(&c, 0);
          EXPECT_EQ(c.phase, loop_phase::unknown);
          takt::abi::loop_chunk chunk = takt_loop_next(&c);
          EXPECT_EQ(chunk.end - chunk.begin, 1u);
          if (nests) (void)takt::detail::spend(1);
          chunk = takt_loop_next(&c);
          EXPECT_EQ(chunk.begin, 1u);
          EXPECT_EQ(c.phase, nests ? loop_phase::exposed : loop_phase::unknown);
          EXPECT_EQ(takt::detail::relaxed(where.nested) != 0, nests);
          EXPECT_EQ(chunk.end - chunk.begin, 1u);
          EXPECT_EQ(c.look - chunk.begin, nests ? 16u : 2u);
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
