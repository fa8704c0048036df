// reverse, rotate, flatten, permutations, set operations.
#include <takt/algorithms/flatten.hpp>
#include <takt/algorithms/permutation.hpp>
#include <takt/algorithms/reverse.hpp>
#include <takt/algorithms/set_operations.hpp>

#include "support/elements.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace {

using namespace takt_test;

TEST(algorithms_arrange, reverse_and_rotate) {
  SCOPED_TRACE(seed_message());
  under_some_settings([] {
    for (const std::size_t n : sizes()) {
      std::vector<move_only> a;
      std::vector<int> expected(n);
      std::iota(expected.begin(), expected.end(), 0);
      for (const int x : expected) a.emplace_back(x);
      takt::reverse(a);
      std::ranges::reverse(expected);
      const std::ptrdiff_t by = static_cast<std::ptrdiff_t>(n / 3);
      const auto middle = takt::rotate(a.begin(), a.begin() + by, a.end()) - a.begin();
      EXPECT_EQ(middle, std::rotate(expected.begin(), expected.begin() + by, expected.end()) - expected.begin());
      EXPECT_TRUE(std::ranges::equal(a, expected, {}, &move_only::value));
    }
  });
}

TEST(algorithms_arrange, flatten) {
  SCOPED_TRACE(seed_message());
  under_some_settings([] {
    for (const std::size_t n : {0u, 1u, 5u, 300u}) {
      std::vector<std::vector<int>> parts;
      std::vector<int> expected;
      for (const int size : numbers(n, 50)) {
        parts.push_back(numbers(static_cast<std::size_t>(size % 7 == 0 ? 0 : size), 1000, static_cast<unsigned>(size)));
        expected.insert(expected.end(), parts.back().begin(), parts.back().end());
      }
      EXPECT_EQ(takt::flatten(parts), expected);
    }
  });
}

TEST(algorithms_arrange, permutations_depend_on_seed_and_size_alone) {
  takt::configure(settings(1, takt::trigger::never));
  std::vector<std::vector<std::size_t>> expected;
  for (const std::size_t n : sizes()) expected.push_back(takt::random_permutation(n, 7));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    std::vector<std::size_t> sorted = expected[i];
    std::ranges::sort(sorted);
    std::vector<std::size_t> all(sizes()[i]);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(sorted, all);
  }
  EXPECT_NE(takt::random_permutation(100, 7), takt::random_permutation(100, 8));
  under_some_settings([&] {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(takt::random_permutation(sizes()[i], 7), expected[i]);
      std::vector<move_only> a;
      for (std::size_t k = 0; k < sizes()[i]; ++k) a.emplace_back(static_cast<int>(k));
      takt::shuffle(a, 7);
      EXPECT_TRUE(
          std::ranges::equal(a, expected[i], {}, &move_only::value, [](std::size_t k) { return static_cast<int>(k); }));
    }
  });
}

TEST(algorithms_arrange, set_operations_as_the_standard_does) {
  SCOPED_TRACE(seed_message());
  under_some_settings([] {
    for (const std::size_t n : sizes()) {
      for (const std::size_t m : {std::size_t{0}, std::size_t{2}, n / 5, n}) {
        for (const int most : {3, 50, 10'000}) {
          const auto make = [most](std::size_t size, unsigned salt) {
            std::vector<int> keys = numbers(size, most, salt);
            std::ranges::sort(keys);
            std::vector<record> all;
            for (const int key : keys) all.push_back({key, static_cast<int>(10'000 * salt + all.size())});
            return all;
          };
          const std::vector<record> a = make(n, 1);
          const std::vector<record> b = make(m, 2);
          const auto less = [](const record& x, const record& y) { return x.key < y.key; };
          std::vector<record> expected;
          std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected), less);
          EXPECT_EQ(takt::set_union(a, b, {}, &record::key), expected);
          expected.clear();
          std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected), less);
          EXPECT_EQ(takt::set_intersection(a, b, {}, &record::key), expected);
          expected.clear();
          std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected), less);
          EXPECT_EQ(takt::set_difference(a, b, {}, &record::key), expected);
          expected.clear();
          std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected), less);
          EXPECT_EQ(takt::set_symmetric_difference(a, b, {}, &record::key), expected);
        }
      }
    }
  });
}

}  // namespace
