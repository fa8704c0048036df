// Reductions of floating-point values, which are combined four neighbours at a time.
#include <takt/takt.hpp>

#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <array>
#include <climits>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using takt::parallel_reduce;
using takt_test::under_each_setting;

// Often enough for the loops to be known, to run free, and to meet a beat.
constexpr int k_rounds = TAKT_TEST_SANITIZER ? 25 : 100;

TEST(reduce_groups, sums_of_any_length) {
  under_each_setting([] {
    for (int round = 0; round < k_rounds; ++round) {
      double expected = 0.0;
      for (int n = 0; n < 40; ++n) {
        EXPECT_EQ(parallel_reduce(0, n, 0.0, [](int i) { return double(i); }, std::plus<>()), expected);
        expected += n;
      }
    }
  });
}

// Permutations of four things, each written as four digits: composing them is associative, and not commutative.
double composed(double a, double b) {
  const int first = static_cast<int>(a), second = static_cast<int>(b);
  const auto digit = [](int number, int place) {
    for (; place > 0; --place) number /= 10;
    return number % 10;
  };
  int result = 0;
  for (int place = 3; place >= 0; --place) result = result * 10 + digit(first, digit(second, place));
  return result;
}

double permutation(int i) {
  constexpr std::array<int, 5> some{1032, 3021, 2310, 123, 3102};
  return some[static_cast<std::size_t>(i) % some.size()];
}

TEST(reduce_groups, order_is_kept) {
  ASSERT_NE(composed(permutation(0), permutation(1)), composed(permutation(1), permutation(0)));
  under_each_setting([] {
    for (int round = 0; round < k_rounds; ++round) {
      double expected = 3210;
      for (int n = 0; n < 40; ++n) {
        EXPECT_EQ(parallel_reduce(0, n, 3210.0, permutation, composed), expected) << n;
        expected = composed(expected, permutation(n));
      }
    }
  });
}

TEST(reduce_groups, map_is_called_once_for_each_and_in_order) {
  takt::configure(takt_test::settings(1, takt::trigger::never));
  for (int round = 0; round < k_rounds; ++round) {
    for (int n = 0; n < 20; ++n) {
      std::vector<int> called;
      const double sum = parallel_reduce(
          0, n, 0.0,
          [&](int i) {
            called.push_back(i);
            return 1.0;
          },
          std::plus<>());
      EXPECT_EQ(sum, n);
      ASSERT_EQ(called.size(), static_cast<std::size_t>(n));
      for (int i = 0; i < n; ++i) EXPECT_EQ(called[static_cast<std::size_t>(i)], i);
    }
  }
}

// Which calls of map were made, and what came of the reduction of [0, n) where map(i) throws for every i in `throwing`.
template <class Combine>
void expect_error(int n, std::uint32_t throwing, int first, Combine combine) {
  std::vector<int> calls(static_cast<std::size_t>(n));
  std::string error;
  try {
    (void)parallel_reduce(
        0, n, 0.0,
        [&](int i) {
          ++calls[static_cast<std::size_t>(i)];
          if ((throwing >> i & 1) != 0) throw std::runtime_error(std::to_string(i));
          return 1.0;
        },
        combine);
  } catch (const std::runtime_error& e) {
    error = e.what();
  }
  EXPECT_EQ(error, std::to_string(first));
  for (int i = 0; i < n; ++i) EXPECT_EQ(calls[static_cast<std::size_t>(i)], 1) << i << " of " << n;
}

TEST(reduce_groups, all_iterations_run_whichever_throws) {
  under_each_setting([] {
    for (int n = 1; n <= 12; ++n) {
      for (int first = 0; first < n; ++first) {
        expect_error(n, 1u << first, first, std::plus<>());
        expect_error(n, (1u << first) | (1u << (n - 1)), first, std::plus<>());
      }
    }
  });
}

TEST(reduce_groups, all_iterations_run_where_combine_throws) {
  under_each_setting([] {
    for (int n = 1; n <= 12; ++n) {
      for (int last_good = 0; last_good < n; ++last_good) {
        // Sums of ones: one is above the limit at the latest when all are combined.
        expect_error(n, 0, 77, [last_good](double a, double b) {
          if (a + b > last_good) throw std::runtime_error("77");
          return a + b;
        });
      }
    }
  });
}

template <class I>
double sum_between(I first, I last) {
  return parallel_reduce(first, last, 0.0, [](I i) { return double(i); }, std::plus<>());
}

template <class I>
class reduce_groups_integer : public testing::Test {};
using integers =
    testing::Types<signed char, unsigned char, short, unsigned short, int, unsigned, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(reduce_groups_integer, integers);

// Also where the difference of the bounds does not fit the type, and is a small number in modular arithmetic.
TYPED_TEST(reduce_groups_integer, reversed_ranges_are_empty_also_where_short_loops_are_free) {
  using limits = std::numeric_limits<TypeParam>;
  under_each_setting([] {
    takt::fork_join(
        [] {
          for (int round = 0; round < (TAKT_TEST_SANITIZER ? 300 : 3'000); ++round) {
            EXPECT_EQ(sum_between(TypeParam{1}, TypeParam{7}), 21.0);
            EXPECT_EQ(sum_between(TypeParam{7}, TypeParam{1}), 0.0);
            EXPECT_EQ(sum_between(TypeParam{7}, TypeParam{7}), 0.0);
            EXPECT_EQ(sum_between(limits::max(), limits::min()), 0.0);
            EXPECT_EQ(sum_between(static_cast<TypeParam>(limits::max() - 1), static_cast<TypeParam>(limits::min() + 1)),
                      0.0);
          }
        },
        [] {});
  });
}

TYPED_TEST(reduce_groups_integer, bounds_at_both_ends_of_the_type) {
  using limits = std::numeric_limits<TypeParam>;
  under_each_setting([] {
    for (int n = 0; n < 20; ++n) {
      const auto ones = [](TypeParam first, TypeParam last) {
        return parallel_reduce(first, last, 0.0, [](TypeParam) { return 1.0; }, std::plus<>());
      };
      EXPECT_EQ(ones(limits::min(), static_cast<TypeParam>(limits::min() + n)), n);
      EXPECT_EQ(ones(static_cast<TypeParam>(limits::max() - n), limits::max()), n);
    }
  });
}

// Integers must not be added up as such: the result's type decides.
TEST(reduce_groups, terms_of_another_type_are_combined_with_the_result) {
  under_each_setting([] {
    for (int n = 0; n < 20; ++n) {
      EXPECT_EQ(parallel_reduce(0, n, 0.0, [](int) { return INT_MAX; }, std::plus<>()), n * double{INT_MAX});
    }
  });
}

struct term {
  double value;
};
struct add_terms {
  double operator()(double a, double b) const { return a + b; }
  double operator()(double a, term b) const { return a + b.value; }
};

TEST(reduce_groups, terms_of_another_type_need_not_convert_to_the_result) {
  under_each_setting([] {
    for (int n = 0; n < 20; ++n) {
      EXPECT_EQ(parallel_reduce(0, n, 0.0, [](int i) { return term{double(i)}; }, add_terms{}), n * (n - 1) / 2.0);
    }
  });
}

TEST(reduce_groups, long_sums) {
  under_each_setting([] {
    EXPECT_EQ(parallel_reduce(0, 100'003, 0.0, [](int i) { return double(i); }, std::plus<>()), 100'003.0 * 50'001.0);
    EXPECT_EQ(parallel_reduce(
                  0, 100'003, -std::numeric_limits<float>::infinity(), [](int i) { return float(i % 1009); },
                  [](float a, float b) { return a < b ? b : a; }),
              1008.0f);
  });
}

}  // namespace
