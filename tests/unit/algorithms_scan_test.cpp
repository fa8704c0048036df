// Scans: every prefix as the standard's, also for combinations whose order matters.
#include <takt/algorithms/scan.hpp>

#include "support/elements.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

namespace {

using namespace takt_test;

TEST(algorithms_scan, as_the_standard_does) {
  SCOPED_TRACE(seed_message());
  under_some_settings([] {
    for (const std::size_t n : sizes()) {
      const std::vector<int> a = numbers(n, 1000);
      std::vector<std::int64_t> out(n);
      std::vector<std::int64_t> expected(n);
      std::partial_sum(a.begin(), a.end(), expected.begin(), std::plus<std::int64_t>());
      const auto widen = [](int x) { return std::int64_t{x}; };
      EXPECT_EQ(takt::inclusive_scan(a, out.begin(), std::plus<>(), widen), out.end());
      EXPECT_EQ(out, expected);
      takt::inclusive_scan(takt::deterministic, a, out.begin(), std::plus<>(), widen);
      EXPECT_EQ(out, expected);
      std::exclusive_scan(a.begin(), a.end(), expected.begin(), std::int64_t{-3});
      EXPECT_EQ(takt::exclusive_scan(a.begin(), a.end(), out.begin(), std::int64_t{-3}), out.end());
      EXPECT_EQ(out, expected);
      takt::exclusive_scan(takt::deterministic, a, out.begin(), std::int64_t{-3});
      EXPECT_EQ(out, expected);
    }
  });
}

TEST(algorithms_scan, long_ranges) {
  SCOPED_TRACE(seed_message());
  for (const takt::config& c :
       {by_default(1), by_default(2), settings(3, takt::lab::beat, std::chrono::microseconds(1)), beat_zero(3)}) {
    SCOPED_TRACE(describe(c));
    takt::configure(c);
    const std::vector<int> a = numbers(200'000, 1000);
    for (int round = 0; round < (TAKT_TEST_SANITIZER ? 2 : 5); ++round) {
      std::vector<int> out(a.size());
      std::vector<int> expected(a.size());
      takt::inclusive_scan(a, out.begin());
      std::inclusive_scan(a.begin(), a.end(), expected.begin());
      EXPECT_EQ(out, expected);
      takt::exclusive_scan(a, out.begin(), 1);
      std::exclusive_scan(a.begin(), a.end(), expected.begin(), 1);
      EXPECT_EQ(out, expected);
      takt::exclusive_scan(takt::deterministic, a, out.begin(), 1);
      EXPECT_EQ(out, expected);
    }
  }
}

TEST(algorithms_scan, in_place) {
  SCOPED_TRACE(seed_message());
  under_some_settings([] {
    for (const std::size_t n : sizes()) {
      for (const bool fixed : {false, true}) {
        std::vector<int> a = numbers(n, 50);
        std::vector<int> expected(n);
        std::exclusive_scan(a.begin(), a.end(), expected.begin(), 7);
        if (fixed) {
          takt::exclusive_scan(takt::deterministic, a, a.begin(), 7);
        } else {
          takt::exclusive_scan(a, a.begin(), 7);
        }
        EXPECT_EQ(a, expected);
        std::inclusive_scan(a.begin(), a.end(), expected.begin());
        if (fixed) {
          takt::inclusive_scan(takt::deterministic, a, a.begin());
        } else {
          takt::inclusive_scan(a, a.begin());
        }
        EXPECT_EQ(a, expected);
      }
    }
  });
}

TEST(algorithms_scan, order_is_kept) {
  under_some_settings([] {
    std::vector<std::string> letters;
    for (int k = 0; k < 300; ++k) letters.push_back(std::string(1, static_cast<char>('a' + k % 26)));
    std::vector<std::string> out(letters.size());
    std::vector<std::string> expected(letters.size());
    std::inclusive_scan(letters.begin(), letters.end(), expected.begin());
    takt::inclusive_scan(letters, out.begin());
    EXPECT_EQ(out, expected);
    std::exclusive_scan(letters.begin(), letters.end(), expected.begin(), std::string("<"));
    takt::exclusive_scan(letters, out.begin(), std::string("<"));
    EXPECT_EQ(out, expected);
    // Maxima: nothing is neutral to them but the least number.
    const std::vector<int> a = numbers(4000, 1 << 20);
    std::vector<int> highest(a.size());
    std::vector<int> expected_highest(a.size());
    const auto most = [](int x, int y) { return std::max(x, y); };
    takt::inclusive_scan(a, highest.begin(), most);
    std::inclusive_scan(a.begin(), a.end(), expected_highest.begin(), most);
    EXPECT_EQ(highest, expected_highest);
  });
}

TEST(algorithms_scan, the_first_exception_arrives) {
  under_some_settings([] {
    std::vector<int> a(5000);
    std::iota(a.begin(), a.end(), 0);
    std::vector<int> out(a.size());
    try {
      takt::inclusive_scan(a, out.begin(), std::plus<>(), [](int x) {
        if (x >= 777 && x % 7 == 0) throw planned_error(x);
        return x;
      });
      FAIL() << "nothing thrown";
    } catch (const planned_error& e) {
      EXPECT_EQ(e.id, 777);
    }
  });
  EXPECT_EQ(planned_error::live(), 0);
}

}  // namespace
