// filter, copy_if, pack, stable_partition: the right elements in their order.
#include <takt/algorithms/filter.hpp>

#include "support/elements.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>

namespace {

using namespace takt_test;

TEST(algorithms_filter, as_the_standard_does) {
  SCOPED_TRACE(seed_message());
  under_some_settings([] {
    for (const std::size_t n : sizes()) {
      for (const int limit : {0, 10, 500, 1001}) {
        const std::vector<int> a = numbers(n, 1000);
        const auto small = [limit](int x) { return x < limit; };
        std::vector<int> expected;
        std::ranges::copy_if(a, std::back_inserter(expected), small);
        EXPECT_EQ(takt::filter(a, small), expected);
        EXPECT_EQ(takt::filter(a.begin(), a.end(), small), expected);
        std::vector<int> out(expected.size());
        EXPECT_EQ(takt::copy_if(a, out.begin(), small), out.end());
        EXPECT_EQ(out, expected);
        std::vector<std::uint8_t> flags(n);
        std::ranges::transform(a, flags.begin(), small);
        EXPECT_EQ(takt::pack(a, flags), expected);
        const std::vector<std::size_t> indices = takt::pack_index(flags);
        ASSERT_EQ(indices.size(), expected.size());
        for (std::size_t i = 0; i < indices.size(); ++i) EXPECT_EQ(a[indices[i]], expected[i]);
      }
    }
  });
}

TEST(algorithms_filter, long_ranges) {
  SCOPED_TRACE(seed_message());
  for (const takt::config& c :
       {by_default(1), by_default(2), settings(3, takt::lab::beat, std::chrono::microseconds(1)), beat_zero(3)}) {
    SCOPED_TRACE(describe(c));
    takt::configure(c);
    const std::vector<int> a = numbers(TAKT_TEST_SANITIZER ? 50'000 : 200'000, 1000);
    const auto small = [](int x) { return x < 500; };
    std::vector<int> expected;
    std::ranges::copy_if(a, std::back_inserter(expected), small);
    for (int round = 0; round < 5; ++round) EXPECT_EQ(takt::filter(a, small), expected);
  }
}

struct no_default {
  explicit no_default(int x) : value(x) {}
  int value;
};

TEST(algorithms_filter, types_and_projections) {
  under_some_settings([] {
    std::vector<no_default> a;
    for (int k = 0; k < 1000; ++k) a.emplace_back(k);
    const auto odd = takt::filter(a, [](int x) { return x % 2 == 1; }, &no_default::value);
    ASSERT_EQ(odd.size(), 500u);
    for (std::size_t i = 0; i < odd.size(); ++i) EXPECT_EQ(odd[i].value, static_cast<int>(2 * i + 1));
  });
}

TEST(algorithms_filter, the_predicate_is_called_once_for_each_element) {
  under_some_settings([] {
    std::vector<int> a(3000, 1);
    std::atomic<int> calls{0};
    (void)takt::filter(a, [&calls](int) {
      calls.fetch_add(1);
      return true;
    });
    EXPECT_EQ(calls.load(), 3000);
  });
}

TEST(algorithms_filter, stable_partition) {
  SCOPED_TRACE(seed_message());
  under_some_settings([] {
    for (const std::size_t n : sizes()) {
      const std::vector<int> keys = numbers(n, 3);
      std::vector<record> a(n);
      std::vector<move_only> owned;
      for (std::size_t k = 0; k < n; ++k) {
        a[k] = {keys[k], static_cast<int>(k)};
        owned.emplace_back(keys[k] * 10'000 + static_cast<int>(k));
      }
      std::vector<record> expected;
      const auto even = [](int key) { return key % 2 == 0; };
      const auto odd = [](int key) { return key % 2 != 0; };
      std::ranges::copy_if(a, std::back_inserter(expected), even, &record::key);
      const auto middle = static_cast<std::ptrdiff_t>(expected.size());
      std::ranges::copy_if(a, std::back_inserter(expected), odd, &record::key);
      EXPECT_EQ(takt::stable_partition(a, even, &record::key) - a.begin(), middle);
      EXPECT_EQ(a, expected);
      takt::stable_partition(owned.begin(), owned.end(),
                             [even](const move_only& x) { return even(x.value() / 10'000); });
      for (std::size_t k = 0; k < n; ++k) EXPECT_EQ(owned[k].value(), expected[k].key * 10'000 + expected[k].place);
    }
  });
  EXPECT_EQ(move_only::live(), 0);
}

TEST(algorithms_filter, remove_if) {
  SCOPED_TRACE(seed_message());
  const auto drop = [](int key) { return key % 3 == 1; };
  under_some_settings([drop] {
    for (const std::size_t n : sizes()) {
      std::vector<int> a = numbers(n, 1000);
      std::vector<move_only> owned;
      for (const int x : a) owned.emplace_back(x);
      std::vector<int> expected = a;
      std::erase_if(expected, drop);
      a.erase(takt::remove_if(a, drop), a.end());
      EXPECT_EQ(a, expected);
      owned.erase(takt::remove_if(owned.begin(), owned.end(), drop, &move_only::value), owned.end());
      EXPECT_TRUE(std::ranges::equal(owned, expected, {}, &move_only::value));
    }
  });
  EXPECT_EQ(move_only::live(), 0);
}

TEST(algorithms_filter, remove_if_of_long_ranges) {
  SCOPED_TRACE(seed_message());
  const std::vector<int> a = numbers(40'000, 1000);
  const auto drop = [](int x) { return x < 300; };
  std::vector<int> expected = a;
  std::erase_if(expected, drop);
  for (const takt::config& c : {by_default(1), by_default(2), beat_zero(3), eager(4)}) {
    SCOPED_TRACE(describe(c));
    takt::configure(c);
    for (int round = 0; round < 3; ++round) {
      std::vector<int> some = a;
      some.erase(takt::remove_if(some, drop), some.end());
      ASSERT_EQ(some, expected);
    }
  }
}

TEST(algorithms_filter, exceptions_leave_a_partition_as_it_was) {
  under_some_settings([] {
    std::vector<int> a(5000);
    std::iota(a.begin(), a.end(), 0);
    const std::vector<int> before = a;
    const auto bad = [](int x) {
      if (x >= 777 && x % 7 == 0) throw planned_error(x);
      return x % 2 == 0;
    };
    const auto expect_777 = [](auto f) {
      try {
        f();
        FAIL() << "nothing thrown";
      } catch (const planned_error& e) {
        EXPECT_EQ(e.id, 777);
      }
    };
    expect_777([&] { (void)takt::stable_partition(a, bad); });
    EXPECT_EQ(a, before);
    expect_777([&] { (void)takt::filter(a, bad); });
  });
  EXPECT_EQ(planned_error::live(), 0);
}

}  // namespace
