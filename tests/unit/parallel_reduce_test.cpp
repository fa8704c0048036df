// parallel_reduce: associative is enough, order is kept, values are moved rather than copied.
#include <takt/takt.hpp>

#include "support/program.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using takt::parallel_reduce;
using takt_test::under_each_setting;

TEST(parallel_reduce, sums) {
  under_each_setting([] {
    EXPECT_EQ(parallel_reduce(0, 100'000, std::int64_t{0}, [](int i) { return std::int64_t{i}; }, std::plus<>()),
              std::int64_t{99'999} * 100'000 / 2);
    EXPECT_EQ(takt_test::triangle(200), takt_test::serial_triangle(200));
  });
}

TEST(parallel_reduce, empty_and_reversed_ranges_give_the_identity) {
  under_each_setting([] {
    const auto fail = [](auto) {
      ADD_FAILURE() << "called for an empty range";
      return 0;
    };
    EXPECT_EQ(parallel_reduce(0, 0, 17, fail, std::plus<>()), 17);
    EXPECT_EQ(parallel_reduce(5, -5, 18, fail, std::plus<>()), 18);
    EXPECT_EQ(parallel_reduce(std::uint64_t{3}, std::uint64_t{2}, 19, fail, std::plus<>()), 19);
  });
}

TEST(parallel_reduce, one_iteration) {
  under_each_setting([] {
    EXPECT_EQ(parallel_reduce(41, 42, 0, [](int i) { return i; }, std::plus<>()), 41);
    EXPECT_EQ(parallel_reduce(41, 42, std::string(), [](int i) { return std::to_string(i); }, std::plus<>()), "41");
  });
}

template <class I>
class parallel_reduce_integer : public testing::Test {};
using integers = testing::Types<signed char, unsigned char, short, unsigned short, int, unsigned, std::int64_t,
                                std::uint64_t>;
TYPED_TEST_SUITE(parallel_reduce_integer, integers);

TYPED_TEST(parallel_reduce_integer, bounds_at_both_ends_of_the_type) {
  using limits = std::numeric_limits<TypeParam>;
  const auto collect = [](TypeParam first, TypeParam last) {
    return parallel_reduce(
        first, last, std::vector<TypeParam>(), [](TypeParam i) { return std::vector<TypeParam>{i}; },
        [](std::vector<TypeParam> a, const std::vector<TypeParam>& b) {
          a.insert(a.end(), b.begin(), b.end());
          return a;
        });
  };
  const auto expected = [](TypeParam first, std::size_t count) {
    std::vector<TypeParam> all(count);
    std::iota(all.begin(), all.end(), first);
    return all;
  };
  under_each_setting([&] {
    EXPECT_EQ(collect(limits::min(), static_cast<TypeParam>(limits::min() + 90)), expected(limits::min(), 90));
    EXPECT_EQ(collect(static_cast<TypeParam>(limits::max() - 90), limits::max()),
              expected(static_cast<TypeParam>(limits::max() - 90), 90));
    if constexpr (limits::is_signed) {
      EXPECT_EQ(collect(-45, 45), expected(-45, 90));
    }
  });
}

TEST(parallel_reduce, mixed_integer_types) {
  under_each_setting([] {
    const std::size_t last = 1000;
    EXPECT_EQ(parallel_reduce(0, last, std::size_t{0}, [](std::size_t i) { return i; }, std::plus<>()),
              std::size_t{499'500});
  });
}

TEST(parallel_reduce, text_is_joined_in_index_order) {
  under_each_setting([] {
    std::string expected;
    for (int i = -300; i < 1700; ++i) expected += std::to_string(i) + " ";
    EXPECT_EQ(parallel_reduce(-300, 1700, std::string(), [](int i) { return std::to_string(i) + " "; }, std::plus<>()),
              expected);
  });
}

// Products of these are different for every order of the factors.
using matrix = std::array<std::uint64_t, 4>;
matrix multiply(const matrix& a, const matrix& b) {
  return {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
}
matrix factor(std::uint64_t i) { return {i + 1, i * i + 3, 7 * i + 5, i ^ 0x55u}; }

TEST(parallel_reduce, products_of_matrices) {
  constexpr matrix unit{1, 0, 0, 1};
  matrix expected = unit;
  for (std::uint64_t i = 0; i < 20'000; ++i) expected = multiply(expected, factor(i));
  under_each_setting([&] {
    EXPECT_EQ(parallel_reduce(std::uint64_t{0}, std::uint64_t{20'000}, unit, &factor, &multiply), expected);
  });
}

TEST(parallel_reduce, nested_and_forking_maps_keep_the_order) {
  const auto row = [](int i) {
    return parallel_reduce(
        0, i % 40, std::string("("), [i](int j) { return std::to_string(i * j + takt_test::fib(j % 7)) + ","; },
        [](std::string a, const std::string& b) {
          // "(" is the neutral element: a part that starts with it adds nothing but its contents.
          return std::move(a) + (b.starts_with('(') ? b.substr(1) : b);
        });
  };
  std::string expected;
  for (int i = 0; i < 80; ++i) {
    expected += '(';
    for (int j = 0; j < i % 40; ++j) expected += std::to_string(i * j + takt_test::serial_fib(j % 7)) + ",";
  }
  under_each_setting([&] { EXPECT_EQ(parallel_reduce(0, 80, std::string(), row, std::plus<>()), expected); });
}

// Counts its copies; moving empties it, so that a value used twice shows.
class expensive {
 public:
  static inline std::atomic<std::uint64_t> copies{0};

  expensive() = default;
  explicit expensive(int i) : items_{i} {}
  expensive(const expensive& other) : items_(other.items_) { copies.fetch_add(1); }
  expensive(expensive&&) noexcept = default;
  expensive& operator=(const expensive& other) {
    items_ = other.items_;
    copies.fetch_add(1);
    return *this;
  }
  expensive& operator=(expensive&&) noexcept = default;

  friend expensive append(expensive a, expensive b) {
    a.items_.insert(a.items_.end(), b.items_.begin(), b.items_.end());
    return a;
  }
  const std::vector<int>& items() const { return items_; }

 private:
  std::vector<int> items_;
};

TEST(parallel_reduce, copies_the_identity_once_for_each_promoted_part) {
  std::vector<int> expected(3000);
  std::iota(expected.begin(), expected.end(), 0);
  under_each_setting([&] {
    expensive::copies = 0;
    const expensive all = parallel_reduce(
        0, 3000, expensive(), [](int i) { return expensive(i); },
        [](expensive a, expensive b) { return append(std::move(a), std::move(b)); });
    EXPECT_EQ(all.items(), expected);
    const auto total = nlohmann::json::parse(takt::stats_json())["total"];
    // Two parts for each split, and the loop itself.
    EXPECT_LE(expensive::copies.load(), 2 * total["promotions_loops"].get<std::uint64_t>() + 1);
  });
}

TEST(parallel_reduce, the_result_has_the_type_of_the_identity) {
  under_each_setting([] {
    const auto halves = parallel_reduce(0, 100, 0.0, [](int i) { return static_cast<float>(i) / 2; }, std::plus<>());
    static_assert(std::is_same_v<decltype(halves), const double>);
    EXPECT_EQ(halves, 2475.0);
    const auto most = parallel_reduce(
        0, 1000, -1L, [](int i) { return i * 37 % 1000; }, [](long a, long b) { return std::max(a, b); });
    EXPECT_EQ(most, 999L);
  });
}

TEST(parallel_reduce, functions_named_callables_and_callables_that_can_only_be_moved) {
  under_each_setting([] {
    std::atomic<int> maps{0};
    std::atomic<int> combines{0};
    auto map = [&maps](int i) {
      maps.fetch_add(1);
      return i;
    };
    auto combine = [&combines, own = std::make_unique<int>(1)](int a, int b) {
      combines.fetch_add(*own);
      return a + b;
    };
    EXPECT_EQ(parallel_reduce(0, 500, 0, map, combine), 124'750);
    EXPECT_EQ(maps.load(), 500);
    EXPECT_GE(combines.load(), 500);
    EXPECT_EQ(parallel_reduce(0, 500, 0, std::move(map), std::move(combine)), 124'750);
  });
}

}  // namespace
