#include <gtest/gtest.h>
//
#include "parlay.hpp"
//
#include <parlay/primitives.h>
#include <parlay/sequence.h>
#include <parlay/worker_specific.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>

namespace {

TEST(parlay, runs_on_takts_workers) { EXPECT_EQ(parlay::num_workers(), takt::current_config().workers); }

TEST(parlay, primitives_give_what_they_should) {
  const auto numbers = parlay::tabulate(200000, [](size_t i) { return (i * 2654435761u) % 1000003; });
  const auto sorted = parlay::sort(numbers);
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
  EXPECT_EQ(parlay::reduce(numbers), parlay::reduce(sorted));
  const auto [prefixes, total] = parlay::scan(numbers);
  EXPECT_EQ(total, parlay::reduce(numbers));
  EXPECT_EQ(prefixes[1000], parlay::reduce(numbers.cut(0, 1000)));
  const auto even = parlay::filter(numbers, [](size_t i) { return i % 2 == 0; });
  EXPECT_EQ(even.size(), static_cast<size_t>(std::count_if(numbers.begin(), numbers.end(), [](size_t i) { return i % 2 == 0; })));
}

TEST(parlay, workers_that_run_at_the_same_time_have_elements_of_their_own) {
  parlay::WorkerSpecific<std::atomic<int>> inside([] { return 0; });
  parlay::parallel_for(0, 10000, [&](size_t) {
    auto& mine = *inside;
    ASSERT_EQ(mine++, 0);
    --mine;
  });
}

TEST(parlay, an_exception_arrives) {
  EXPECT_THROW(parlay::par_do([] { throw std::runtime_error("left"); }, [] {}), std::runtime_error);
}

}  // namespace
