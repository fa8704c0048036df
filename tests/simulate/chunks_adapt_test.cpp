// Chunks that adapt (HBC paper, section 6.6 and figure 11): one loop is called ten times, five times with iterations that
// take long and five times with short ones. A chunk of one size is too long for the first or too short for the others.
#include <takt/omp.hpp>
#include <takt/takt.hpp>

#include "simulate/in_virtual_time.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;
using takt::lab::chunking;

// Nanoseconds.
constexpr std::uint64_t k_look = 50;
constexpr std::uint64_t k_long = 10'000;
constexpr std::uint64_t k_short = 20;
constexpr std::uint64_t k_work = 4'000'000;  // of each call

// A loop as the compiler plugin makes it, whose iterations take `each`.
struct calls {
  takt::sim::virtual_time& on;
  std::uint64_t each = 0;
  std::uint64_t done = 0;
  std::vector<std::uint64_t> looks = {};  ///< iterations from each to the next
};

void slice(void* environment, takt::abi::omp_frame* frame) {
  auto& loop = *static_cast<calls*>(environment);
  std::uint64_t cells[1];
  takt_omp_begin(frame, cells);
  std::uint64_t look = 0;
  std::uint64_t since = 0;
  for (;;) {
    const takt::abi::loop_chunk chunk = takt_loop_next(&frame->cursor);
    if (chunk.begin == chunk.end) break;
    if (frame->cursor.look != look) loop.looks.push_back(std::exchange(since, 0));
    look = frame->cursor.look;
    loop.on.spend((chunk.end - chunk.begin) * loop.each);
    loop.done += chunk.end - chunk.begin;
    since += chunk.end - chunk.begin;
  }
  takt_omp_end(frame);
}

takt::abi::site site;
const takt::abi::omp_loop k_loop{&slice, &site, nullptr, 0, 0, 0};

void call(calls& loop, std::uint64_t each) {
  loop.each = each;
  loop.done = 0;
  loop.looks.clear();
  const std::uint64_t count = k_work / each;
  takt::abi::omp_way way = takt::abi::omp_way::in_place;
  std::int64_t units = 0;
  if (takt::detail::is_slow(count, site, units)) way = takt_omp_ask(&k_loop, count, units);
  takt_omp_run(&k_loop, &loop, count, way);
  EXPECT_EQ(loop.done, count);
}

takt::lab::config with(chunking how, std::uint64_t chunk) {
  takt::lab::config c;
  c.beat = 30us;
  c.lab.chunking = how;
  c.lab.chunk = chunk;
  // Chunks that are too long are noticed by nobody.
  c.interrupts = false;
  c.stack_bytes = std::size_t{1} << 20;
  return c;
}

// What ten calls take on eight workers, over an eighth of their work.
double ten_calls(chunking how, std::uint64_t chunk) {
  site = {};
  takt_test::in_virtual_time machine(8, with(how, chunk), k_look);
  calls loop{machine.on};
  const std::uint64_t began = machine.on.time();
  for (const std::uint64_t each : {k_long, k_short}) {
    for (int i = 0; i < 5; ++i) call(loop, each);
  }
  return static_cast<double>(machine.on.time() - began) / (10.0 * k_work / 8);
}

TEST(chunks, that_adapt_are_better_than_any_of_one_size) {
  double best = ten_calls(chunking::fixed, 1);
  for (const std::uint64_t chunk : {2, 4, 8, 16, 32, 64, 128, 256, 512}) {
    best = std::min(best, ten_calls(chunking::fixed, chunk));
  }
  const double by_time = ten_calls(chunking::time, 1);
  const double by_polls = ten_calls(chunking::hbc, 1);
  std::printf("over the work of each: by time %.2f, by polls %.2f, the best size %.2f\n", by_time, by_polls, best);
  EXPECT_LT(by_time, best);
  EXPECT_LT(by_polls, best);
  EXPECT_LT(by_time, 1.05);
}

// Those by time do so at once, both ways: only the first call finds out that its iterations take longer than before.
TEST(chunks, look_before_a_beat_is_over_from_the_second_call_on) {
  site = {};
  const takt::lab::config c = with(chunking::time, 1);
  takt_test::in_virtual_time machine(8, c, k_look);
  const auto beat = static_cast<std::uint64_t>(std::chrono::nanoseconds(c.beat).count());
  calls loop{machine.on};
  for (const std::uint64_t each : {k_short, k_long, k_short, k_long}) {
    call(loop, each);
    for (int i = 0; i < 4; ++i) {
      call(loop, each);
      const std::uint64_t longest = *std::max_element(loop.looks.begin(), loop.looks.end()) * each;
      EXPECT_LE(longest, beat) << each;
      EXPECT_GE(longest, beat / 4) << each;
    }
  }
}

}  // namespace
