// sort and merge: as std::stable_sort, for all kinds of elements and inputs.
#include <takt/algorithms/merge.hpp>
#include <takt/algorithms/sort.hpp>

#include "support/elements.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <string>

namespace {

using namespace takt_test;

std::vector<std::vector<int>> inputs(std::size_t n) {
  std::vector<std::vector<int>> all{numbers(n, 1'000'000), numbers(n, 3), std::vector<int>(n, 5)};
  std::vector<int> up(n);
  std::iota(up.begin(), up.end(), 0);
  all.push_back(up);
  all.emplace_back(up.rbegin(), up.rend());
  // Almost sorted, with equal elements.
  std::vector<int> nearly = up;
  for (int& x : nearly) x /= 2;
  const std::vector<int> places = numbers(2 * (n / 50), static_cast<int>(n) - 1, 9);
  for (std::size_t i = 0; i + 1 < places.size(); i += 2) {
    std::swap(nearly[static_cast<std::size_t>(places[i])], nearly[static_cast<std::size_t>(places[i + 1])]);
  }
  all.push_back(nearly);
  return all;
}

TEST(algorithms_sort, as_the_standard_does) {
  SCOPED_TRACE(seed_message());
  under_some_settings([] {
    for (const std::size_t n : sizes()) {
      for (const std::vector<int>& input : inputs(n)) {
        std::vector<int> a = input;
        std::vector<int> expected = input;
        std::ranges::sort(expected);
        EXPECT_EQ(takt::is_sorted(a), std::ranges::is_sorted(a));
        takt::sort(a);
        EXPECT_EQ(a, expected);
        EXPECT_TRUE(takt::is_sorted(a));
        a = input;
        takt::sort(a.begin(), a.end(), std::greater<>());
        EXPECT_TRUE(std::ranges::equal(a, std::vector<int>(expected.rbegin(), expected.rend())));
        std::deque<int> parts(input.begin(), input.end());
        takt::sort(parts);
        EXPECT_TRUE(std::ranges::equal(parts, expected));
      }
    }
  });
}

TEST(algorithms_sort, is_stable) {
  SCOPED_TRACE(seed_message());
  under_some_settings([] {
    for (const std::size_t n : sizes()) {
      for (const std::vector<int>& keys : inputs(n)) {
        std::vector<record> a(n);
        for (std::size_t k = 0; k < n; ++k) a[k] = {keys[k], static_cast<int>(k)};
        std::vector<record> expected = a;
        std::ranges::sort(expected, {}, key_and_place);
        takt::stable_sort(a, {}, &record::key);
        EXPECT_EQ(a, expected);
      }
    }
  });
}

template <class T>
void sorts(T (*make)(int), int (*value)(const T&)) {
  under_some_settings([&] {
    for (const std::size_t n : sizes()) {
      const std::vector<int> keys = numbers(n, static_cast<int>(n));
      std::vector<T> a;
      for (const int key : keys) a.push_back(make(key));
      takt::sort(a);
      std::vector<int> expected;
      for (const int key : keys) expected.push_back(value(make(key)));
      std::ranges::sort(expected);
      EXPECT_TRUE(std::ranges::equal(a, expected, [&](const T& x, int y) { return value(x) == y; }));
    }
  });
}

TEST(algorithms_sort, all_kinds_of_elements) {
  SCOPED_TRACE(seed_message());
  sorts<move_only>([](int x) { return move_only(x); }, [](const move_only& x) { return x.value(); });
  EXPECT_EQ(move_only::live(), 0);
  sorts<overaligned>([](int x) { return overaligned{x}; }, [](const overaligned& x) { return x.value; });
  sorts<throwing_move>([](int x) { return throwing_move(x); }, [](const throwing_move& x) { return x.value; });
  sorts<large>([](int x) { return large{x, {}}; }, [](const large& x) { return x.value; });
  sorts<signed char>([](int x) { return static_cast<signed char>(x % 7); },
                     [](const signed char& x) { return int{x}; });
}

TEST(algorithms_sort, strings) {
  under_some_settings([] {
    std::vector<std::string> a;
    for (const int x : numbers(2000, 100'000)) a.push_back("some text that is not short " + std::to_string(x));
    std::vector<std::string> expected = a;
    std::ranges::sort(expected);
    takt::sort(a);
    EXPECT_EQ(a, expected);
  });
}

TEST(algorithms_sort, exceptions_of_comparisons_leave_valid_elements) {
  under_some_settings([] {
    std::vector<move_only> owned;
    std::vector<int> plain = numbers(3000, 1'000'000);
    for (const int x : plain) owned.emplace_back(x);
    const auto bad = [](const auto& a, const auto& b) {
      if (a > b && (&a - &b) % 3 == 0) throw planned_error(1);
      return a < b;
    };
    EXPECT_THROW(takt::sort(owned, bad), planned_error);
    EXPECT_EQ(owned.size(), 3000u);
    EXPECT_EQ(move_only::live(), 3000);
    for (move_only& x : owned) x = move_only(1);
    EXPECT_THROW(takt::sort(plain, bad), planned_error);
  });
  EXPECT_EQ(move_only::live(), 0);
  EXPECT_EQ(planned_error::live(), 0);
}

TEST(algorithms_sort, merge_as_the_standard_does) {
  SCOPED_TRACE(seed_message());
  under_some_settings([] {
    for (const std::size_t n : sizes()) {
      for (const std::size_t m : {std::size_t{0}, std::size_t{1}, n / 3, n}) {
        for (const int most : {3, 100'000}) {
          std::vector<int> keys_a = numbers(n, most, 1);
          std::vector<int> keys_b = numbers(m, most, 2);
          std::ranges::sort(keys_a);
          std::ranges::sort(keys_b);
          std::vector<record> a;
          std::vector<record> b;
          for (const int x : keys_a) a.push_back({x, static_cast<int>(a.size())});
          for (const int x : keys_b) b.push_back({x, 10'000 + static_cast<int>(b.size())});
          std::vector<record> out(n + m);
          std::vector<record> expected(n + m);
          std::ranges::merge(a, b, expected.begin(), {}, &record::key, &record::key);
          EXPECT_EQ(takt::merge(a, b, out.begin(), {}, &record::key), out.end());
          EXPECT_EQ(out, expected);
          const std::deque<int> parts(keys_b.begin(), keys_b.end());
          std::vector<int> numbers_out(n + m);
          takt::merge(keys_a.begin(), keys_a.end(), parts.begin(), parts.end(), numbers_out.begin());
          EXPECT_TRUE(std::ranges::equal(numbers_out, expected, {}, {}, &record::key));
        }
      }
    }
  });
}

TEST(algorithms_sort, long_ranges) {
  SCOPED_TRACE(seed_message());
  // Under a sanitizer still long enough for several buckets.
  constexpr int k_elements = TAKT_TEST_SANITIZER ? 60'000 : 200'000;
  under({by_default(1), by_default(2), settings(3, takt::lab::beat, std::chrono::microseconds(1)), beat_zero(3)}, [] {
    std::vector<std::vector<int>> all = inputs(k_elements);
    // Few elements out of order.
    all.push_back(all[3]);
    for (const int k : numbers(200, k_elements - 2)) std::swap(all.back()[static_cast<std::size_t>(k)], all.back()[7]);
    for (std::vector<int>& a : all) {
      std::vector<int> expected = a;
      std::ranges::sort(expected);
      takt::sort(a);
      EXPECT_EQ(a, expected);
      std::vector<record> records(a.size());
      for (std::size_t k = 0; k < a.size(); ++k) records[k] = {expected[(k * 77'773) % a.size()], static_cast<int>(k)};
      std::vector<record> sorted = records;
      std::ranges::sort(sorted, {}, key_and_place);
      takt::stable_sort(records, {}, &record::key);
      EXPECT_EQ(records, sorted);
    }
  });
}

}  // namespace
