#include <gtest/gtest.h>
//
#include "pstl.hpp"
//
#include <algorithm>
#include <execution>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace {

using std::execution::par;
using numbers = std::vector<long>;

numbers some(std::size_t count) {
  numbers all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<long>(i * 2654435761u % 1000003);
  return all;
}
// Empty ones, short ones, and such as are cut.
const std::size_t k_sizes[] = {0, 1, 2, 3, 100, 50001};

TEST(pstl, loops) {
  for (const std::size_t size : k_sizes) {
    numbers all = some(size), twice(size);
    std::transform(par, all.begin(), all.end(), twice.begin(), [](long i) { return 2 * i; });
    std::for_each(par, all.begin(), all.end(), [](long& i) { i *= 2; });
    EXPECT_EQ(all, twice);
    std::fill(par, all.begin(), all.end(), 7);
    EXPECT_EQ(std::count(par, all.begin(), all.end(), 7), static_cast<long>(size));
  }
}

// Not commutative: the order of the parts shows.
TEST(pstl, reductions_keep_the_order) {
  for (const std::size_t size : k_sizes) {
    const numbers all = some(size);
    EXPECT_EQ(std::reduce(par, all.begin(), all.end(), 5L), std::accumulate(all.begin(), all.end(), 5L));
    const auto letter = [](long i) { return std::string(1, static_cast<char>('a' + i % 26)); };
    std::string expected = "_";
    for (const long i : all) expected += letter(i);
    EXPECT_EQ(std::transform_reduce(par, all.begin(), all.end(), std::string("_"), std::plus<>(), letter), expected);
    EXPECT_EQ(std::min_element(par, all.begin(), all.end()), std::min_element(all.begin(), all.end()));
    EXPECT_EQ(std::is_sorted(par, all.begin(), all.end()), std::is_sorted(all.begin(), all.end()));
  }
}

TEST(pstl, scans) {
  for (const std::size_t size : k_sizes) {
    const numbers all = some(size);
    numbers expected(size), got(size);
    std::inclusive_scan(all.begin(), all.end(), expected.begin());
    std::inclusive_scan(par, all.begin(), all.end(), got.begin());
    EXPECT_EQ(got, expected);
    std::transform_exclusive_scan(all.begin(), all.end(), expected.begin(), 3L, std::plus<>(), std::negate<>());
    std::transform_exclusive_scan(par, all.begin(), all.end(), got.begin(), 3L, std::plus<>(), std::negate<>());
    EXPECT_EQ(got, expected);
    std::vector<double> reals(all.begin(), all.end()), sums(size), exact(size);
    std::inclusive_scan(reals.begin(), reals.end(), exact.begin());
    std::inclusive_scan(par, reals.begin(), reals.end(), sums.begin());
    EXPECT_EQ(sums, exact);
  }
}

TEST(pstl, filters_and_partitions) {
  const auto even = [](long i) { return i % 2 == 0; };
  for (const std::size_t size : k_sizes) {
    const numbers all = some(size);
    numbers expected, got(size);
    std::copy_if(all.begin(), all.end(), std::back_inserter(expected), even);
    got.erase(std::copy_if(par, all.begin(), all.end(), got.begin(), even), got.end());
    EXPECT_EQ(got, expected);
    numbers left = all;
    left.erase(std::remove_if(par, left.begin(), left.end(), std::not_fn(even)), left.end());
    EXPECT_EQ(left, expected);
    numbers parted = all, stably = all;
    std::stable_partition(parted.begin(), parted.end(), even);
    std::stable_partition(par, stably.begin(), stably.end(), even);
    EXPECT_EQ(stably, parted);
  }
}

TEST(pstl, sorts_and_merges) {
  for (const std::size_t size : k_sizes) {
    numbers all = some(size), expected = all, got = all;
    const auto last_digit = [](long a, long b) { return a % 10 < b % 10; };
    std::stable_sort(expected.begin(), expected.end(), last_digit);
    std::stable_sort(par, got.begin(), got.end(), last_digit);
    EXPECT_EQ(got, expected);
    std::sort(par, got.begin(), got.end(), std::greater<>());
    EXPECT_TRUE(std::is_sorted(got.rbegin(), got.rend()));
    std::sort(all.begin(), all.end());
    numbers other = some(size / 2), both(size + size / 2), merged(both.size());
    std::sort(other.begin(), other.end());
    std::merge(all.begin(), all.end(), other.begin(), other.end(), both.begin());
    std::merge(par, all.begin(), all.end(), other.begin(), other.end(), merged.begin());
    EXPECT_EQ(merged, both);
    numbers plain, parallel(both.size());
    std::set_union(all.begin(), all.end(), other.begin(), other.end(), std::back_inserter(plain));
    parallel.erase(std::set_union(par, all.begin(), all.end(), other.begin(), other.end(), parallel.begin()),
                   parallel.end());
    EXPECT_EQ(parallel, plain);
  }
  std::vector<std::unique_ptr<int>> owners(1000);
  for (int i = 0; i < 1000; ++i) owners[static_cast<std::size_t>(i)] = std::make_unique<int>(999 - i);
  std::sort(par, owners.begin(), owners.end(), [](const auto& a, const auto& b) { return *a < *b; });
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(*owners[static_cast<std::size_t>(i)], i);
}

TEST(pstl, searches) {
  const numbers all = some(50001);
  EXPECT_EQ(std::find(par, all.begin(), all.end(), all[40000]), std::find(all.begin(), all.end(), all[40000]));
  EXPECT_TRUE(std::any_of(par, all.begin(), all.end(), [&](long i) { return i == all[30000]; }));
  EXPECT_FALSE(std::any_of(par, all.begin(), all.end(), [](long i) { return i < 0; }));
  EXPECT_TRUE(std::equal(par, all.begin(), all.end(), all.begin()));
}

}  // namespace
