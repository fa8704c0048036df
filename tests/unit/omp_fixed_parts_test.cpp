// TAKT_DETERMINISTIC=1: which parts a loop that reduces has, as the compiler plugin makes such loops.
#include <takt/omp.hpp>
#include <takt/takt.hpp>

#include "settings/settings.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace {

using takt::abi::loop_chunk;
using takt::abi::omp_frame;
using takt::abi::omp_loop;
using takt::abi::omp_partial;
using part = std::pair<std::uint64_t, std::uint64_t>;

struct seen {
  std::int64_t together = 0;
  double sum = 0;
  std::uint32_t last_ones = 0;
  std::mutex lock;
  std::vector<part> parts;
};

double value_of(std::uint64_t i) { return std::sin(static_cast<double>(i)) * (i % 7 == 0 ? 1e9 : 1e-9); }

void slice(void* environment, omp_frame* frame) {
  auto& all = *static_cast<seen*>(environment);
  double cells[takt::abi::results_of(sizeof(double))];
  takt_omp_chunks(frame, all.together);
  takt_omp_begin(frame, cells);
  double sum = 0;
  for (;;) {
    const loop_chunk chunk = takt_loop_next(&frame->cursor);
    if (chunk.begin == chunk.end) break;
    const std::lock_guard guard(all.lock);
    all.parts.emplace_back(chunk.begin, chunk.end);
    for (std::uint64_t i = chunk.begin; i < chunk.end; ++i) sum += value_of(i);
  }
  const std::uint32_t is_last = takt_omp_end(frame);
  {
    const std::lock_guard guard(all.lock);
    all.last_ones += is_last;
  }
  void* mine[] = {&sum};
  const auto combine = [](void* ours, void* theirs) { **static_cast<double**>(ours) += **static_cast<double**>(theirs); };
  if (takt_omp_reduce(frame, mine, combine) != 0) all.sum += sum;
}

constexpr omp_partial k_sum{0, sizeof(double)};
takt::abi::site place;
const omp_loop k_straight{&slice, &place, &k_sum, 1, sizeof(double), 0};
const omp_loop k_long{&slice, &place, &k_sum, 1, sizeof(double), takt::abi::k_one_by_one};

// As converted code does.
void run(const omp_loop& loop, seen& all, std::uint64_t count) {
  takt::abi::omp_way way = takt::abi::omp_way::in_place;
  std::int64_t units = 0;
  if (takt::detail::is_slow(count, place, units)) way = takt_omp_ask(&loop, count, units);
  takt_omp_run(&loop, &all, count, way);
  std::sort(all.parts.begin(), all.parts.end());
}

class omp_fixed_parts : public testing::Test {
 protected:
  void SetUp() override {
    before_ = std::exchange(takt::settings::deterministic, 1);
    place = {};
  }
  void TearDown() override { takt::settings::deterministic = before_; }

 private:
  int before_ = 0;
};

TEST_F(omp_fixed_parts, depend_on_nothing_but_the_loop) {
  for (const omp_loop* const loop : {&k_straight, &k_long}) {
    for (const std::uint64_t count : {1, 2, 511, 512, 513, 2000, 20'001}) {
      for (const std::int64_t together : {0, 3, 100'000}) {
        seen first;
        for (const takt::config& c : takt_test::each_setting()) {
          SCOPED_TRACE(std::to_string(count) + " iterations, " + std::to_string(together) + " together, " +
                       takt_test::describe(c));
          takt::configure(c);
          seen all;
          all.together = together;
          run(*loop, all, count);
          EXPECT_EQ(all.last_ones, 1u);
          ASSERT_FALSE(all.parts.empty());
          EXPECT_LE(all.parts.size(), 512u);
          std::uint64_t next = 0;
          for (const auto& [begin, end] : all.parts) {
            EXPECT_EQ(std::exchange(next, end), begin);
            EXPECT_TRUE(together <= 1 || end == count || end % static_cast<std::uint64_t>(together) == 0) << end;
          }
          EXPECT_EQ(next, count);
          if (first.parts.empty()) {
            first.parts = all.parts;
            first.sum = all.sum;
          }
          EXPECT_EQ(all.parts, first.parts);
          EXPECT_EQ(all.sum, first.sum) << "bit for bit";
        }
      }
    }
  }
}

// An iteration that may take any time is not kept from others by cheap ones.
TEST_F(omp_fixed_parts, are_single_iterations_where_those_may_be_long) {
  takt::configure(takt_test::by_default(2));
  seen straight, dear;
  run(k_straight, straight, 200);
  EXPECT_EQ(straight.parts.size(), 1u);
  run(k_long, dear, 200);
  EXPECT_EQ(dear.parts.size(), 200u);
}

// OpenMP's loops are complete, whatever is asked of the code around them.
TEST_F(omp_fixed_parts, all_run_where_a_stop_is_asked_for) {
  takt::configure(takt_test::beat_zero(2));
  std::stop_source source;
  seen all;
  (void)takt::with_stop(source.get_token(), [&] {
    source.request_stop();
    run(k_long, all, 512);
  });
  EXPECT_EQ(all.parts.size(), 512u);
}

}  // namespace
