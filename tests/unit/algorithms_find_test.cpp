// find and its relatives: the first match, and no work far behind it.
#include <takt/algorithms/find.hpp>

#include "support/elements.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

namespace {

using namespace takt_test;

TEST(algorithms_find, finds_the_first_match) {
  SCOPED_TRACE(seed_message());
  under_some_settings([] {
    for (const std::size_t n : sizes()) {
      const std::vector<int> a = numbers(n, static_cast<int>(n / 3));
      for (const int value : {0, 1, 7, static_cast<int>(n / 4), -1}) {
        EXPECT_EQ(takt::find(a, value), std::ranges::find(a, value));
        EXPECT_EQ(takt::find(a.begin(), a.end(), value), std::ranges::find(a, value));
        const auto more = [value](int x) { return x > value; };
        EXPECT_EQ(takt::find_if(a, more), std::ranges::find_if(a, more));
        EXPECT_EQ(takt::find_if_not(a, more), std::ranges::find_if_not(a, more));
        EXPECT_EQ(takt::any_of(a, more), std::ranges::any_of(a, more));
        EXPECT_EQ(takt::all_of(a, more), std::ranges::all_of(a, more));
        EXPECT_EQ(takt::none_of(a, more), std::ranges::none_of(a, more));
        EXPECT_EQ(takt::any_of(a, more, [](int x) { return -x; }),
                  std::ranges::any_of(a, more, [](int x) { return -x; }));
      }
    }
  });
}

TEST(algorithms_find, every_place_of_the_only_match) {
  under_some_settings([] {
    for (std::size_t place = 0; place < 600; place += 37) {
      std::vector<int> a(600, 0);
      a[place] = 1;
      EXPECT_EQ(takt::find(a, 1) - a.begin(), static_cast<std::ptrdiff_t>(place));
    }
  });
}

TEST(algorithms_find, really_stops) {
  takt::configure(by_default(1));
  std::vector<int> a(10'000'000, 0);
  a[5000] = 1;
  for (int i = 0; i < 5; ++i) {
    std::atomic<int> calls{0};
    const auto found = takt::find_if(a, [&calls](int x) {
      calls.fetch_add(1, std::memory_order_relaxed);
      return x == 1;
    });
    EXPECT_EQ(found - a.begin(), 5000);
    EXPECT_EQ(calls.load(), 5001);
  }
}

TEST(algorithms_find, an_exception_before_the_match_arrives_and_one_behind_it_does_not) {
  under_some_settings([] {
    std::vector<int> a(4000);
    for (std::size_t k = 0; k < a.size(); ++k) a[k] = static_cast<int>(k);
    const auto search = [&a](int match, int bad) {
      return *takt::find_if(a, [=](int x) {
        if (x >= bad) throw planned_error(x);
        return x == match;
      });
    };
    EXPECT_EQ(search(1000, 1001), 1000);
    try {
      (void)search(1000, 900);
      FAIL() << "nothing thrown";
    } catch (const planned_error& e) {
      EXPECT_EQ(e.id, 900);
    }
  });
  EXPECT_EQ(planned_error::live(), 0);
}

TEST(algorithms_find, equal) {
  under_some_settings([] {
    for (const std::size_t n : sizes()) {
      std::vector<int> a = numbers(n, 100);
      std::vector<int> b = a;
      EXPECT_TRUE(takt::equal(a, b));
      b.push_back(1);
      EXPECT_FALSE(takt::equal(a, b));
      a.push_back(2);
      EXPECT_FALSE(takt::equal(a, b));
    }
  });
}

}  // namespace
