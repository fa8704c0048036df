// for_each, transform, fill, iota, tabulate: each element once.
#include <takt/algorithms/fill.hpp>
#include <takt/algorithms/for_each.hpp>

#include "support/elements.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <numeric>

namespace {

using namespace takt_test;

TEST(algorithms_elementwise, for_each_calls_once_for_each_element) {
  under_some_settings([] {
    for (const std::size_t n : sizes()) {
      std::vector<int> seen(n, 0);
      takt::for_each(seen, [](int& x) { ++x; });
      takt::for_each(seen.begin(), seen.end(), [](int& x) { ++x; });
      EXPECT_EQ(seen, std::vector<int>(n, 2));
      std::deque<record> records(n);
      takt::for_each(records, [](int& place) { place = 3; }, &record::place);
      EXPECT_TRUE(std::ranges::all_of(records, [](const record& r) { return r.place == 3 && r.key == 0; }));
    }
  });
}

TEST(algorithms_elementwise, for_each_throws_the_first_exception_after_all_calls) {
  under_some_settings([] {
    std::vector<int> seen(3000, 0);
    try {
      takt::for_each(seen, [&seen](int& x) {
        x = 1;
        const auto k = &x - seen.data();
        if (k >= 700 && k % 100 == 0) throw planned_error(k);
      });
      FAIL() << "nothing thrown";
    } catch (const planned_error& e) {
      EXPECT_EQ(e.id, 700);
    }
    EXPECT_EQ(std::accumulate(seen.begin(), seen.end(), 0), 3000);
  });
}

TEST(algorithms_elementwise, transform_as_the_standard_does) {
  SCOPED_TRACE(seed_message());
  under_some_settings([] {
    for (const std::size_t n : sizes()) {
      const std::vector<int> a = numbers(n, 1000, 1);
      const std::vector<int> b = numbers(n + n / 2, 1000, 2);
      std::vector<int> out(n);
      std::vector<int> expected(n);
      const auto twice = [](int x) { return 2 * x; };
      std::ranges::transform(a, expected.begin(), twice);
      EXPECT_EQ(takt::transform(a, out.begin(), twice), out.end());
      EXPECT_EQ(out, expected);
      std::ranges::transform(a, b, expected.begin(), std::minus<>());
      EXPECT_EQ(takt::transform(a, b, out.begin(), std::minus<>()), out.end());
      EXPECT_EQ(out, expected);
      EXPECT_EQ(takt::transform(b, a, out.begin(), std::minus<>()), out.end());
      std::vector<int> in_place = a;
      takt::transform(in_place.begin(), in_place.end(), in_place.begin(), twice);
      std::ranges::transform(a, expected.begin(), twice);
      EXPECT_EQ(in_place, expected);
      std::vector<move_only> owned(n);
      takt::transform(a, owned.begin(), [](int x) { return move_only(x); });
      EXPECT_TRUE(std::ranges::equal(owned, a, {}, &move_only::value));
    }
  });
}

TEST(algorithms_elementwise, fill_iota_and_tabulate) {
  under_some_settings([] {
    for (const std::size_t n : sizes()) {
      std::vector<std::string> text(n);
      takt::fill(text, std::string("abc"));
      EXPECT_EQ(text, std::vector<std::string>(n, "abc"));
      std::vector<double> doubles(n);
      takt::fill(doubles.begin(), doubles.end(), 3);
      EXPECT_EQ(doubles, std::vector<double>(n, 3.0));
      std::vector<std::int64_t> counted(n);
      takt::iota(counted, std::int64_t{-7});
      std::vector<std::int64_t> expected(n);
      std::iota(expected.begin(), expected.end(), -7);
      EXPECT_EQ(counted, expected);
      // From a type that cannot count all elements.
      std::ranges::fill(counted, 0);
      takt::iota(counted, static_cast<signed char>(-7));
      EXPECT_EQ(counted, expected);
      takt::tabulate(counted, [](std::size_t k) { return static_cast<std::int64_t>(k) - 7; });
      EXPECT_EQ(counted, expected);
      const auto owned = takt::tabulate(n, [](std::size_t k) { return move_only(static_cast<int>(k)); });
      ASSERT_EQ(owned.size(), n);
      for (std::size_t k = 0; k < n; ++k) EXPECT_EQ(owned[k].value(), static_cast<int>(k));
      std::vector<overaligned> wide(n);
      takt::fill(wide, overaligned{4});
      EXPECT_TRUE(std::ranges::all_of(wide, [](const overaligned& x) { return x.value == 4; }));
    }
  });
  EXPECT_EQ(move_only::live(), 0);
}

}  // namespace
