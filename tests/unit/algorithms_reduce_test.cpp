// reduce, transform_reduce, count, minima and maxima; the deterministic forms.
#include <takt/algorithms/count.hpp>
#include <takt/algorithms/extremum.hpp>
#include <takt/algorithms/reduce.hpp>

#include "support/elements.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

namespace {

using namespace takt_test;

TEST(algorithms_reduce, sums) {
  SCOPED_TRACE(seed_message());
  under_some_settings([] {
    for (const std::size_t n : sizes()) {
      const std::vector<int> a = numbers(n, 1000, 1);
      const std::vector<int> b = numbers(n, 1000, 2);
      EXPECT_EQ(takt::reduce(a, std::int64_t{5}), std::accumulate(a.begin(), a.end(), std::int64_t{5}));
      EXPECT_EQ(takt::reduce(a.begin(), a.end(), 0, [](int x, int y) { return std::max(x, y); }),
                n == 0 ? 0 : *std::ranges::max_element(a));
      EXPECT_EQ(takt::transform_reduce(a, b, std::int64_t{1}),
                std::inner_product(a.begin(), a.end(), b.begin(), std::int64_t{1}));
      EXPECT_EQ(takt::transform_reduce(a, 0L, std::plus<>(), [](int x) { return x % 7L; }),
                std::transform_reduce(a.begin(), a.end(), 0L, std::plus<>(), [](int x) { return x % 7L; }));
      EXPECT_EQ(takt::reduce(takt::deterministic, a, std::int64_t{5}),
                std::accumulate(a.begin(), a.end(), std::int64_t{5}));
    }
  });
}

TEST(algorithms_reduce, order_is_kept_and_init_is_used_once) {
  under_some_settings([] {
    for (const std::size_t n : sizes()) {
      std::string expected = "<";
      for (std::size_t k = 0; k < n; ++k) expected += std::to_string(k) + ",";
      std::vector<std::size_t> all(n);
      std::iota(all.begin(), all.end(), 0);
      const auto text = [](std::size_t k) { return std::to_string(k) + ","; };
      EXPECT_EQ(takt::transform_reduce(all, std::string("<"), std::plus<>(), text), expected);
      EXPECT_EQ(takt::transform_reduce(takt::deterministic, all, std::string("<"), std::plus<>(), text), expected);
    }
  });
}

TEST(algorithms_reduce, values_that_can_only_be_moved) {
  under_some_settings([] {
    std::vector<int> ones(3000, 1);
    const auto sum = takt::transform_reduce(
        ones, move_only(10), [](move_only a, move_only b) { return move_only(a.value() + b.value()); },
        [](int x) { return move_only(x); });
    EXPECT_EQ(sum.value(), 3010);
  });
  EXPECT_EQ(move_only::live(), 0);
}

TEST(algorithms_reduce, the_first_exception_arrives) {
  under_some_settings([] {
    std::vector<int> all(5000);
    std::iota(all.begin(), all.end(), 0);
    try {
      (void)takt::transform_reduce(
          all, move_only(0), [](move_only a, move_only) { return a; },
          [](int x) {
            if (x >= 1234 && x % 2 == 0) throw planned_error(x);
            return move_only(x);
          });
      FAIL() << "nothing thrown";
    } catch (const planned_error& e) {
      EXPECT_EQ(e.id, 1234);
    }
  });
  EXPECT_EQ(move_only::live(), 0);
  EXPECT_EQ(planned_error::live(), 0);
}

TEST(algorithms_reduce, counts) {
  SCOPED_TRACE(seed_message());
  under_some_settings([] {
    for (const std::size_t n : sizes()) {
      const std::vector<int> a = numbers(n, 5);
      EXPECT_EQ(takt::count(a, 3), std::ranges::count(a, 3));
      EXPECT_EQ(takt::count(a.begin(), a.end(), 3), std::ranges::count(a, 3));
      const auto even = [](int x) { return x % 2 == 0; };
      EXPECT_EQ(takt::count_if(a, even), std::ranges::count_if(a, even));
      EXPECT_EQ(takt::count_if(a, even, [](int x) { return x + 1; }),
                std::ranges::count_if(a, even, [](int x) { return x + 1; }));
    }
  });
}

TEST(algorithms_reduce, minima_and_maxima_are_the_standards_ones) {
  SCOPED_TRACE(seed_message());
  under_some_settings([] {
    for (const std::size_t n : sizes()) {
      for (const int most : {0, 3, 1'000'000}) {
        const std::vector<int> a = numbers(n, most, static_cast<std::uint32_t>(most));
        EXPECT_EQ(takt::min_element(a), std::ranges::min_element(a));
        EXPECT_EQ(takt::max_element(a), std::ranges::max_element(a));
        EXPECT_EQ(takt::min_element(a.begin(), a.end(), std::greater<>()),
                  std::ranges::min_element(a, std::greater<>()));
        const auto negated = [](int x) { return -x; };
        EXPECT_EQ(takt::max_element(a, {}, negated), std::ranges::max_element(a, {}, negated));
        const auto both = takt::minmax_element(a);
        const auto expected = std::minmax_element(a.begin(), a.end());
        EXPECT_EQ(both.min, expected.first);
        EXPECT_EQ(both.max, expected.second);
      }
    }
  });
}

}  // namespace
