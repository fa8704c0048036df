// The bounds on work and span (Heartbeat paper, theorems 1 and 2), over random programs in virtual time: the shipped
// scheduler keeps them. newest_test.cpp has one that does not.
#include <takt/lab.hpp>

#include "bounds/check.hpp"
#include "bounds/run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <utility>

namespace {

using namespace takt_bounds;

constexpr std::uint64_t k_beats[] = {1, 2, 5, 10, 20, 50, 100};

void hold_for_random_programs(takt::trigger trigger) {
  double work_most = 0, span_most = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const std::uint64_t beat = k_beats[seed % std::size(k_beats)];
    const bounds b = check(make_program(seed, 500), beat, 0, trigger);
    EXPECT_LE(b.work, 1.0) << "seed " << seed << ", N = " << beat << " tau";
    EXPECT_LE(b.span, 1.0) << "seed " << seed << ", N = " << beat << " tau";
    work_most = std::max(work_most, b.work);
    span_most = std::max(span_most, b.span);
  }
  std::printf("at most %.3f of the bound on work and %.3f of the bound on span\n", work_most, span_most);
}

TEST(bounds, hold_for_random_programs) { hold_for_random_programs(takt::trigger::lazy); }
TEST(bounds, hold_for_random_programs_by_beats_alone) { hold_for_random_programs(takt::lab::beat); }

// Leaves as long as N, and four times as long: a beat that falls due in one is noticed at its end. What free code hides
// is in it, too.
TEST(bounds, hold_for_leaves_as_long_as_the_beat_which_make_it_late) {
  double work_most = 0, span_most = 0, without = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const std::uint64_t beat = k_beats[seed % std::size(k_beats)];
    const std::uint64_t longest = beat * 1000 * (1 + seed % 4);
    const node program = make_program(seed, longest);
    const bounds b = check(program, beat, longest);
    EXPECT_LE(b.work, 1.0) << "seed " << seed << ", N = " << beat << " tau";
    EXPECT_LE(b.span, 1.0) << "seed " << seed << ", N = " << beat << " tau";
    work_most = std::max(work_most, b.work);
    span_most = std::max(span_most, b.span);
    without = std::max(without, check(program, beat).span);
  }
  // Otherwise no beat has been late.
  EXPECT_GT(without, 1.0);
  std::printf("at most %.3f of the bound on work and %.3f of the bound on span, %.3f of that for beats on time\n",
              work_most, span_most, without);
}

TEST(bounds, hold_for_the_ladder) {
  for (const std::uint64_t beat : {1u, 4u, 20u}) {
    const bounds b = check(make_ladder(256, 10, 50), beat);
    EXPECT_LE(b.work, 1.0);
    EXPECT_LE(b.span, 1.0);
  }
}

// Serial code that makes one parallel call after another. What the calls before it have taught, and spent, must not
// keep one of them on one worker.
node calls(unsigned count, const node& call, node last) {
  for (unsigned i = 0; i < count; ++i) last = {kind::sequence, 0, 0, {call, std::move(last)}};
  return last;
}

// 150 microseconds, five beats.
node short_call() {
  const node row{kind::loop, 0, 2, {{kind::leaf, 250, 0, {}}}};
  return {kind::loop, 0, 300, {row}};
}

double time_on_two_workers(const node& program) {
  return static_cast<double>(run(program, 2, 30, k_tau).time) / static_cast<double>(work(program));
}

TEST(calls, of_a_few_beats_run_on_two_workers) {
  EXPECT_LT(time_on_two_workers(calls(99, short_call(), short_call())), 0.54);
}

TEST(calls, that_are_tiny_do_not_make_the_next_one_late) {
  const node leaf{kind::leaf, 10, 0, {}};
  EXPECT_LT(time_on_two_workers(calls(100, {kind::fork, 0, 0, {leaf, leaf}}, short_call())), 0.7);
}

TEST(virtual_time, is_the_same_each_time) {
  const node program = make_program(7, 500);
  run(program, 8, 5, k_tau);  // from then on it is known what its loops take
  const measured first = run(program, 8, 5, k_tau);
  const measured second = run(program, 8, 5, k_tau);
  EXPECT_EQ(first.time, second.time);
  EXPECT_EQ(first.promotions, second.promotions);
  EXPECT_LT(first.time, work(program));
}

}  // namespace
