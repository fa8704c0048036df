// Sums and scans of floating-point numbers: right, and with takt::deterministic the same to the last bit whoever does
// what. Compiled with fused multiply-add where the machine has it: code that exists twice could be fused differently.
#include <takt/algorithms/reduce.hpp>
#include <takt/algorithms/scan.hpp>

#include "support/elements.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <string>

namespace {

using namespace takt_test;
using std::chrono::microseconds;

/// Numbers whose sums round differently with each way to set parentheses.
template <class T>
std::vector<T> awkward(std::size_t n) {
  std::vector<T> all(n);
  for (std::size_t k = 0; k < n; ++k) {
    const double x = static_cast<double>(k);
    all[k] = static_cast<T>(std::sin(x) * std::pow(10.0, static_cast<double>(k % 7)));
  }
  return all;
}

std::vector<takt::config> workers_beats_and_triggers() {
  std::vector<takt::config> all;
  for (const unsigned workers : {1u, 2u, 3u, 8u}) {
    for (const takt::trigger t : {takt::lab::beat, takt::lab::request}) {
      for (const microseconds beat : {microseconds(0), microseconds(1), takt::config{}.beat}) {
        all.push_back(settings(workers, t, beat));
      }
    }
    all.push_back(settings(workers, takt::lab::eager));
    all.push_back(settings(workers, takt::trigger::never));
  }
  return all;
}

/// Everything that is promised to be the same each time, of one array.
template <class T>
struct results {
  explicit results(const std::vector<T>& all)
      : sum(takt::reduce(takt::deterministic, all, T(1))),
        sum_by_caller(takt::reduce(takt::deterministic, all, T(1), [](T a, T b) { return a + b; })),
        product(takt::transform_reduce(takt::deterministic, all, all, T(0))),
        inclusive(all.size()),
        exclusive(all),
        of_products(all.size()),
        by_caller(all.size()) {
    const auto scaled = [](T x) { return x * T(1.1); };
    takt::inclusive_scan(takt::deterministic, all, inclusive.begin());
    takt::exclusive_scan(takt::deterministic, exclusive, exclusive.begin(), T(0.5));
    takt::inclusive_scan(takt::deterministic, all, of_products.begin(), std::plus<>(), scaled);
    takt::inclusive_scan(takt::deterministic, all, by_caller.begin(), [](T a, T b) { return a + b; }, scaled);
  }
  friend bool operator==(const results& a, const results& b) {
    const auto same = [](const auto& x, const auto& y) { return std::memcmp(&x, &y, sizeof x) == 0; };
    return same(a.sum, b.sum) && same(a.sum_by_caller, b.sum_by_caller) && same(a.product, b.product) &&
           std::ranges::equal(a.inclusive, b.inclusive, same) && std::ranges::equal(a.exclusive, b.exclusive, same) &&
           std::ranges::equal(a.of_products, b.of_products, same) && std::ranges::equal(a.by_caller, b.by_caller, same);
  }

  T sum;
  T sum_by_caller;
  T product;
  std::vector<T> inclusive;
  std::vector<T> exclusive;
  std::vector<T> of_products;
  std::vector<T> by_caller;
};

template <class T>
void expect_equal_bits(std::size_t n, int runs_per_setting) {
  const std::vector<T> all = awkward<T>(n);
  takt::configure(settings(1, takt::trigger::never));
  const results<T> expected(all);
  for (const takt::config& c : workers_beats_and_triggers()) {
    SCOPED_TRACE(describe(c));
    takt::configure(c);
    for (int run = 0; run < runs_per_setting; ++run) ASSERT_TRUE(results<T>(all) == expected) << "run " << run;
  }
}

#if TAKT_TEST_SANITIZER
constexpr int k_many = 2;
#else
constexpr int k_many = 32;
#endif

// 32 settings, 32 runs each: more than a thousand.
TEST(algorithms_deterministic, thousand_runs_of_double) { expect_equal_bits<double>(30'001, k_many); }
TEST(algorithms_deterministic, thousand_runs_of_float) { expect_equal_bits<float>(30'001, k_many); }
TEST(algorithms_deterministic, long_arrays) { expect_equal_bits<double>(300'000, 1); }
TEST(algorithms_deterministic, of_any_length) {
  for (const std::size_t n : {0u, 1u, 2u, 1024u, 1025u, 4097u, 8193u}) expect_equal_bits<double>(n, 1);
}

/// Integers, so that every sum is exact and the standard's answer the only right one.
template <class T>
void expect_exact(std::size_t n) {
  std::vector<T> all(n);
  for (std::size_t k = 0; k < n; ++k) all[k] = static_cast<T>(k * 7 % 5) - T(2);
  const auto by_caller = [](T a, T b) { return a + b; };
  const T sum = std::accumulate(all.begin(), all.end(), T(3));
  EXPECT_EQ(takt::reduce(all, T(3)), sum);
  EXPECT_EQ(takt::reduce(all, T(3), by_caller), sum);
  EXPECT_EQ(takt::reduce(takt::deterministic, all, T(3)), sum);
  EXPECT_EQ(takt::reduce(takt::deterministic, all, T(3), by_caller), sum);

  std::vector<T> expected(n);
  std::vector<T> out(n);
  std::inclusive_scan(all.begin(), all.end(), expected.begin());
  takt::inclusive_scan(all, out.begin());
  EXPECT_EQ(out, expected);
  takt::inclusive_scan(takt::deterministic, all, out.begin(), by_caller);
  EXPECT_EQ(out, expected);
  out = all;
  takt::inclusive_scan(takt::deterministic, out, out.begin());
  EXPECT_EQ(out, expected);

  std::exclusive_scan(all.begin(), all.end(), expected.begin(), T(9));
  takt::exclusive_scan(takt::deterministic, all, out.begin(), T(9));
  EXPECT_EQ(out, expected);
  out = all;
  takt::exclusive_scan(out, out.begin(), T(9));
  EXPECT_EQ(out, expected);
}

TEST(algorithms_deterministic, exact_sums_are_exact) {
  under_some_settings([] {
    for (std::size_t n = 0; n < 70; ++n) expect_exact<double>(n);
    for (const std::size_t n : {31u, 32u, 33u, 70u, 20'001u}) expect_exact<float>(n);
    expect_exact<double>(20'001);
  });
}

TEST(algorithms_deterministic, order_is_kept) {
  under_some_settings([] {
    std::vector<std::string> letters;
    for (int k = 0; k < 2500; ++k) letters.push_back(std::string(1, static_cast<char>('a' + k % 26)));
    // Long enough to tell them apart, short enough to be copied often.
    const auto last_five = [](const std::string& a, const std::string& b) {
      const std::string both = a + b;
      return both.size() < 5 ? both : both.substr(both.size() - 5);
    };
    std::vector<std::string> out(letters.size());
    std::vector<std::string> expected(letters.size());
    std::inclusive_scan(letters.begin(), letters.end(), expected.begin(), last_five);
    takt::inclusive_scan(takt::deterministic, letters, out.begin(), last_five);
    EXPECT_EQ(out, expected);
    std::exclusive_scan(letters.begin(), letters.end(), expected.begin(), std::string("<"), last_five);
    takt::exclusive_scan(takt::deterministic, letters, out.begin(), std::string("<"), last_five);
    EXPECT_EQ(out, expected);
  });
}

}  // namespace
