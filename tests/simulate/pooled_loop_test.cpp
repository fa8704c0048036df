// Converted loops of which each slice is dear to begin, in virtual time: how many begin, and how soon it is over.
#include <takt/omp.hpp>
#include <takt/takt.hpp>

#include "simulate/in_virtual_time.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace {

constexpr std::uint64_t k_us = 1'000;

// What it takes, in microseconds, and how often it began.
struct dear_loop {
  takt::sim::virtual_time& on;
  std::uint64_t beginning;
  std::uint64_t iteration;
  std::uint64_t count;
  unsigned slices = 0;
  std::uint64_t ran = 0;
  std::uint64_t claims = 0;

  static void slice(void* self, takt::abi::omp_frame* frame) { static_cast<dear_loop*>(self)->run(frame); }
  void run(takt::abi::omp_frame* frame) {
    ++slices;
    on.spend(beginning * k_us);
    takt_omp_begin_pooled(frame, nullptr, count, 0);
    for (auto c = takt_omp_claim(frame); c.begin < c.end; c = takt_omp_claim(frame)) {
      ran += c.end - c.begin;
      ++claims;
      on.spend((c.end - c.begin) * iteration * k_us);
    }
    (void)takt_omp_end(frame);
  }
};

// In a call, beside which there is nothing. @returns microseconds.
std::uint64_t run_once(dear_loop& loop, const takt::abi::omp_loop& what, std::uint64_t threads = 0) {
  loop.slices = 0;
  loop.ran = 0;
  loop.claims = 0;
  const std::uint64_t begun = loop.on.time();
  takt_omp_run(&what, &loop, threads, takt::abi::omp_way::in_place);
  EXPECT_EQ(loop.ran, loop.count);
  return (loop.on.time() - begun) / k_us;
}

TEST(pooled_loop, begins_once_on_each_worker) {
  takt_test::in_virtual_time run(8, {});
  static takt::abi::site where;
  const takt::abi::omp_loop what{&dear_loop::slice, &where, nullptr, 0, 0, takt::abi::k_pooled};
  dear_loop loop{run.on, 1'000, 5, 20'000};
  for (int round = 0; round < 3; ++round) {
    const std::uint64_t took = run_once(loop, what);
    EXPECT_EQ(loop.slices, 8u);
    // 100 ms for eight, who begin one after the other at worst, and a chunk.
    EXPECT_LT(took, 12'500 + 4 * 1'000 + 100u);
  }
}

// Nor more than the threads of the region, however it begins: the first time in a call, later as it is known.
TEST(pooled_loop, no_more_begin_than_the_region_asks_for) {
  takt_test::in_virtual_time run(8, {});
  static takt::abi::site where;
  const takt::abi::omp_loop what{&dear_loop::slice, &where, nullptr, 0, 0, takt::abi::k_pooled};
  dear_loop loop{run.on, 1'000, 5, 20'000};
  for (const unsigned threads : {3u, 1u, 2u, 8u}) {
    (void)run_once(loop, what, threads);
    EXPECT_EQ(loop.slices, threads);
  }
}

TEST(pooled_loop, nobody_is_asked_to_begin_what_is_over_before) {
  takt_test::in_virtual_time run(8, {});
  static takt::abi::site where;
  const takt::abi::omp_loop what{&dear_loop::slice, &where, nullptr, 0, 0, takt::abi::k_pooled};
  dear_loop loop{run.on, 1'000, 5, 150};
  // The first time nothing is known of the iterations.
  (void)run_once(loop, what);
  for (int round = 0; round < 3; ++round) {
    EXPECT_LT(run_once(loop, what), 1'000 + 750 + 50u);
    EXPECT_EQ(loop.slices, 1u);
  }
}

// Nobody is to have a part of what is left: to leave half of it costs a claim for each iteration.
TEST(pooled_loop, nothing_is_left_for_who_is_not_to_come) {
  takt_test::in_virtual_time run(32, {});
  static takt::abi::site where;
  const takt::abi::omp_loop what{&dear_loop::slice, &where, nullptr, 0, 0, takt::abi::k_pooled};
  dear_loop loop{run.on, 100, 1, 60};
  (void)run_once(loop, what);
  (void)run_once(loop, what);
  EXPECT_LT(loop.claims, 20u);
}

// In serial code, where short ones are not worth a parallel call: it is not known before the first slice has begun that
// this one is.
TEST(pooled_loop, a_long_one_after_many_short_ones_is_shared) {
  takt_test::in_virtual_time run(8, {});
  static takt::abi::site where;
  const takt::abi::omp_loop what{&dear_loop::slice, &where, nullptr, 0, 0, takt::abi::k_pooled};
  dear_loop loop{run.on, 1, 1, 2};
  for (int round = 0; round < 100; ++round) (void)run_once(loop, what);
  EXPECT_EQ(loop.slices, 1u);
  loop.count = 100'000;
  EXPECT_LT(run_once(loop, what), 100'000 / 8 + 1'000u);
  EXPECT_GE(loop.slices, 8u);
}

TEST(pooled_loop, cheap_ones_before_say_nothing_of_dear_ones) {
  takt_test::in_virtual_time run(8, {});
  static takt::abi::site where;
  const takt::abi::omp_loop what{&dear_loop::slice, &where, nullptr, 0, 0, takt::abi::k_pooled};
  dear_loop loop{run.on, 5'000, 1, 1'000};
  for (int round = 0; round < 3; ++round) (void)run_once(loop, what);
  loop.iteration = 1'000;
  EXPECT_LT(run_once(loop, what), 5'000 + 1'000'000 / 8 + 50'000u);
  EXPECT_EQ(loop.slices, 8u);
}

// Each is a claim of its own if chunks are as long as the site's average allows.
TEST(pooled_loop, cheap_ones_after_dear_ones_are_claimed_together) {
  takt_test::in_virtual_time run(4, {});
  static takt::abi::site where;
  const takt::abi::omp_loop what{&dear_loop::slice, &where, nullptr, 0, 0, takt::abi::k_pooled};
  dear_loop dear{run.on, 1, 1'000, 200};
  dear_loop cheap{run.on, 1, 1, 100'000};
  for (int round = 0; round < 3; ++round) {
    (void)run_once(dear, what);
    (void)run_once(cheap, what);
    EXPECT_LT(cheap.claims, 100'000 / 5u);
  }
}

// By the last loop it would be a short one, which runs in one piece: 8 ms.
TEST(pooled_loop, a_dear_one_is_shared_although_the_last_one_was_cheap) {
  takt_test::in_virtual_time run(8, {});
  static takt::abi::site where;
  const takt::abi::omp_loop what{&dear_loop::slice, &where, nullptr, 0, 0, takt::abi::k_pooled};
  dear_loop dear{run.on, 1, 800, 10};
  dear_loop cheap{run.on, 1, 1, 10};
  takt::fork_join(
      [&] {
        for (int round = 0; round < 3; ++round) {
          EXPECT_LT(run_once(dear, what), 4 * 800u);
          (void)run_once(cheap, what);
        }
      },
      [] {});
}

// What iterations of loops that nest take is not known, and the last ones may be dear.
TEST(pooled_loop, dear_ones_at_the_end_are_shared) {
  takt_test::in_virtual_time run(4, {});
  static takt::abi::site where;
  where.nested = 1;
  const takt::abi::omp_loop what{[](void* self, takt::abi::omp_frame* frame) {
                                   auto& on = *static_cast<takt::sim::virtual_time*>(self);
                                   takt_omp_begin_pooled(frame, nullptr, 400, 1);
                                   for (auto c = takt_omp_claim(frame); c.begin < c.end; c = takt_omp_claim(frame)) {
                                     for (std::uint64_t i = c.begin; i < c.end; ++i)
                                       on.spend((i < 360 ? 1 : 2'000) * k_us);
                                   }
                                   (void)takt_omp_end(frame);
                                 },
                                 &where,
                                 nullptr,
                                 0,
                                 0,
                                 takt::abi::k_pooled};
  const std::uint64_t begun = run.on.time();
  takt_omp_run(&what, &run.on, 0, takt::abi::omp_way::in_place);
  EXPECT_LT(run.on.time() - begun, (40 / 4 + 7) * 2'000 * k_us);
}

// Who is done takes of what is left, down to the last iterations: with chunks of half a beat it is 17 us.
TEST(pooled_loop, ends_on_all_workers_together) {
  takt_test::in_virtual_time run(8, {});
  static takt::abi::site where;
  const takt::abi::omp_loop what{&dear_loop::slice, &where, nullptr, 0, 0, takt::abi::k_pooled};
  dear_loop loop{run.on, 1, 1, 100};
  for (int round = 0; round < 10; ++round) (void)run_once(loop, what);
  EXPECT_LE(run_once(loop, what), 1 + 100 / 8 + 3u);
}

TEST(pooled_loop, short_ones_inside_a_call_poll_no_more_than_other_code) {
  takt_test::in_virtual_time run(1, {});
  static takt::abi::site where;
  const takt::abi::omp_loop what{&dear_loop::slice, &where, nullptr, 0, 0, takt::abi::k_pooled};
  dear_loop loop{run.on, 0, 1, 2};
  takt::fork_join(
      [&] {
        for (int round = 0; round < 3'000; ++round) (void)run_once(loop, what);
      },
      [] {});
  // 6 ms, a look in 15 us.
  EXPECT_LT(takt_test::in_virtual_time::total("polls"), 600u);
}

}  // namespace
