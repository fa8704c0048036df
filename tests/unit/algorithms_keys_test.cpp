// radix_sort, histogram, group_by, reduce_by_key, unique, unique_copy, remove_duplicates, top_k.
#include <takt/algorithms/group_by.hpp>
#include <takt/algorithms/histogram.hpp>
#include <takt/algorithms/radix_sort.hpp>
#include <takt/algorithms/top_k.hpp>
#include <takt/algorithms/unique.hpp>

#include "support/elements.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace {

using namespace takt_test;

TEST(algorithms_keys, radix_sort_is_stable_and_right) {
  SCOPED_TRACE(seed_message());
  under_some_settings([] {
    for (const std::size_t n :
         {std::size_t{0}, std::size_t{1}, std::size_t{100}, std::size_t{3000}, std::size_t{70'000}}) {
      for (const int most : {0, 3, 70'000, 2'000'000'000}) {
        // Several blocks of each byte once: under a sanitizer they take a minute.
        if (TAKT_TEST_SANITIZER && n == 70'000 && most != 70'000) continue;
        std::vector<record> a;
        for (const int x : numbers(n, most)) a.push_back({x - most / 2, static_cast<int>(a.size())});
        std::vector<record> expected = a;
        std::ranges::sort(expected, {}, key_and_place);
        takt::radix_sort(a, [](const record& r) { return r.key; });
        EXPECT_EQ(a, expected);
      }
    }
  });
}

TEST(algorithms_keys, radix_sort_of_long_keys) {
  SCOPED_TRACE(seed_message());
  takt::configure(by_default(2));
  std::mt19937_64 random(chosen_seed());
  std::vector<std::uint64_t> a(100'000);
  for (std::uint64_t& x : a) x = random();
  std::vector<std::uint64_t> expected = a;
  std::ranges::sort(expected);
  takt::radix_sort(a.begin(), a.end());
  EXPECT_EQ(a, expected);
}

TEST(algorithms_keys, histogram) {
  SCOPED_TRACE(seed_message());
  under_some_settings([] {
    for (const std::size_t n : sizes()) {
      const std::vector<int> a = numbers(n, 99);
      std::vector<std::size_t> expected(100, 0);
      for (const int x : a) ++expected[static_cast<std::size_t>(x)];
      EXPECT_EQ(takt::histogram(a, 100), expected);
      std::vector<std::size_t> tens(10, 0);
      for (const int x : a) ++tens[static_cast<std::size_t>(x / 10)];
      EXPECT_EQ(takt::histogram(a.begin(), a.end(), 10, [](int x) { return x / 10; }), tens);
    }
  });
}

TEST(algorithms_keys, groups_and_sums) {
  SCOPED_TRACE(seed_message());
  under_some_settings([] {
    for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{500}, std::size_t{3000}}) {
      const std::vector<int> keys = numbers(n, 20);
      std::vector<record> a;
      std::map<int, std::vector<record>> expected;
      std::vector<std::string> texts;
      for (const int key : keys) {
        a.push_back({key, static_cast<int>(a.size())});
        expected[key].push_back(a.back());
        texts.push_back(std::to_string(a.size()) + ",");
      }
      const auto groups = takt::group_by(a, &record::key);
      EXPECT_TRUE(std::ranges::equal(
          groups, expected, [](const auto& x, const auto& y) { return x.first == y.first && x.second == y.second; }));
      std::map<int, std::string> joined;
      for (std::size_t k = 0; k < n; ++k) joined[keys[k]] += texts[k];
      EXPECT_TRUE(std::ranges::equal(takt::reduce_by_key(keys, texts), joined, [](const auto& x, const auto& y) {
        return x.first == y.first && x.second == y.second;
      }));
    }
  });
}

TEST(algorithms_keys, duplicates) {
  SCOPED_TRACE(seed_message());
  under_some_settings([] {
    for (const std::size_t n : sizes()) {
      std::vector<int> a = numbers(n, static_cast<int>(n / 4));
      std::vector<int> expected;
      std::set<int> seen;
      for (const int x : a) {
        if (seen.insert(x).second) expected.push_back(x);
      }
      EXPECT_EQ(takt::remove_duplicates(a), expected);
      std::ranges::sort(a);
      std::vector<int> unique(n);
      unique.erase(takt::unique_copy(a, unique.begin()), unique.end());
      std::ranges::sort(expected);
      EXPECT_EQ(unique, expected);
      std::vector<move_only> owned;
      for (const int x : a) owned.emplace_back(x);
      a.erase(takt::unique(a), a.end());
      EXPECT_EQ(a, expected);
      owned.erase(takt::unique(owned.begin(), owned.end(), std::equal_to<>(), &move_only::value), owned.end());
      EXPECT_TRUE(std::ranges::equal(owned, expected, {}, &move_only::value));
    }
  });
  EXPECT_EQ(move_only::live(), 0);
}

TEST(algorithms_keys, unique_of_long_ranges) {
  SCOPED_TRACE(seed_message());
  // Runs of one to three elements; some begin where a part does.
  const std::vector<int> a = numbers(40'000, 2);
  std::vector<int> expected = a;
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  for (const takt::config& c : {by_default(1), by_default(2), beat_zero(3), eager(4)}) {
    SCOPED_TRACE(describe(c));
    takt::configure(c);
    for (int round = 0; round < 3; ++round) {
      std::vector<int> some = a;
      some.erase(takt::unique(some), some.end());
      ASSERT_EQ(some, expected);
    }
  }
}

TEST(algorithms_keys, top_k) {
  SCOPED_TRACE(seed_message());
  under_some_settings([] {
    for (const std::size_t n : sizes()) {
      const std::vector<int> keys = numbers(n, 300);
      std::vector<record> a;
      for (const int key : keys) a.push_back({key, static_cast<int>(a.size())});
      std::vector<record> expected = a;
      std::ranges::sort(expected, {}, [](const record& r) { return std::pair(-r.key, r.place); });
      for (const std::size_t k : {0u, 1u, 10u, 200u}) {
        const std::vector<record> best(expected.begin(),
                                       expected.begin() + static_cast<std::ptrdiff_t>(std::min(k, n)));
        EXPECT_EQ(takt::top_k(a, k, {}, &record::key), best);
      }
    }
  });
}

}  // namespace
