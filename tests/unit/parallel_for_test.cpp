// parallel_for over integers: every index once, for every integer type and every kind of bounds.
#include <takt/takt.hpp>

#include "support/program.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using takt::parallel_for;
using takt_test::under_each_setting;

// Which indices of [first, last) were visited, each counted in a cell of its own: not atomic, so that two threads that
// visit the same index are also a data race.
template <class I>
class visits {
 public:
  visits(I first, std::size_t count) : first_(first), cells_(count) {}

  void visit(I i) {
    const auto at = static_cast<std::uint64_t>(i) - static_cast<std::uint64_t>(first_);
    if (at < cells_.size()) {
      ++cells_[at];
    } else {
      strangers_.fetch_add(1);
    }
  }
  void expect_each(int times = 1) const {
    EXPECT_EQ(strangers_.load(), 0) << "indices outside the range";
    for (std::size_t k = 0; k < cells_.size(); ++k) ASSERT_EQ(cells_[k], times) << "index " << k << " of the range";
  }
  void expect_every(std::size_t stride) const {
    EXPECT_EQ(strangers_.load(), 0) << "indices outside the range";
    for (std::size_t k = 0; k < cells_.size(); ++k)
      ASSERT_EQ(cells_[k], k % stride == 0 ? 1 : 0) << "index " << k << " of the range";
  }

 private:
  I first_;
  std::vector<int> cells_;
  std::atomic<int> strangers_{0};
};

template <class I>
void check_range(I first, I last) {
  const auto count = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  visits<I> seen(first, count);
  parallel_for(first, last, [&seen](auto i) {
    static_assert(std::is_same_v<decltype(i), I>);
    seen.visit(i);
  });
  SCOPED_TRACE("from " + std::to_string(first) + " to " + std::to_string(last));
  seen.expect_each();
}

template <class I>
class parallel_for_integer : public testing::Test {};
using integers = testing::Types<signed char, unsigned char, char, short, unsigned short, int, unsigned, long,
                                unsigned long, long long, unsigned long long, char16_t>;
TYPED_TEST_SUITE(parallel_for_integer, integers);

TYPED_TEST(parallel_for_integer, all_kinds_of_bounds) {
  using limits = std::numeric_limits<TypeParam>;
  const auto at = [](auto base, int offset) { return static_cast<TypeParam>(base + static_cast<TypeParam>(offset)); };
  under_each_setting([&] {
    check_range<TypeParam>(0, 1);
    check_range<TypeParam>(0, 100);
    check_range<TypeParam>(17, 120);
    check_range<TypeParam>(limits::min(), at(limits::min(), 100));
    check_range<TypeParam>(at(limits::max(), -100), limits::max());
    check_range<TypeParam>(at(limits::max(), -1), limits::max());
    if constexpr (limits::is_signed) {
      check_range<TypeParam>(-50, 50);
      check_range<TypeParam>(-100, -3);
    }
    // As wide as fits: all values of the small types but the last, which no half-open range can name.
    if constexpr (sizeof(TypeParam) <= 2) check_range<TypeParam>(limits::min(), limits::max());
  });
}

TYPED_TEST(parallel_for_integer, empty_and_reversed_ranges_run_nothing) {
  using limits = std::numeric_limits<TypeParam>;
  under_each_setting([] {
    std::atomic<int> calls{0};
    const auto count = [&calls](TypeParam) { calls.fetch_add(1); };
    parallel_for(TypeParam{0}, TypeParam{0}, count);
    parallel_for(limits::max(), limits::max(), count);
    parallel_for(limits::min(), limits::min(), count);
    parallel_for(TypeParam{10}, TypeParam{9}, count);
    parallel_for(limits::max(), limits::min(), count);
    EXPECT_EQ(calls.load(), 0);
  });
}

template <class I, class S>
void check_stride(I first, I last, S stride) {
  const auto count = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  visits<I> seen(first, count);
  parallel_for(first, last, stride, [&seen](auto i) {
    static_assert(std::is_same_v<decltype(i), I>);
    seen.visit(i);
  });
  SCOPED_TRACE("from " + std::to_string(first) + " to " + std::to_string(last) + " by " + std::to_string(stride));
  seen.expect_every(static_cast<std::size_t>(stride));
}

TYPED_TEST(parallel_for_integer, strides) {
  using limits = std::numeric_limits<TypeParam>;
  under_each_setting([] {
    check_stride<TypeParam, TypeParam>(0, 100, 1);
    check_stride<TypeParam, TypeParam>(0, 100, 3);
    check_stride<TypeParam, TypeParam>(1, 100, 33);
    check_stride<TypeParam, TypeParam>(0, 100, 99);
    check_stride<TypeParam, TypeParam>(0, 100, 100);
    check_stride<TypeParam, TypeParam>(0, 1, limits::max());
    // The index after the last one would not fit the type.
    check_stride<TypeParam, TypeParam>(static_cast<TypeParam>(limits::max() - 50), limits::max(), 49);
    check_stride<TypeParam, int>(0, 100, 7);
    check_stride<TypeParam, std::uint64_t>(0, 100, 1'000'000'000'000u);
    if constexpr (limits::is_signed) check_stride<TypeParam, TypeParam>(-100, 100, 9);
  });
}

TEST(parallel_for, bounds_of_a_stride_may_be_of_two_types) {
  std::vector<int> seen(100);
  takt::parallel_for(0, seen.size(), 2, [&](std::size_t i) { ++seen[i]; });
  takt::parallel_for(1, seen.size(), 2u, [&](std::size_t i) { ++seen[i]; }, takt::hints{.work = 100});
  EXPECT_EQ(seen, std::vector<int>(100, 1));
}

TEST(parallel_for, a_stride_that_is_not_positive_runs_nothing) {
  under_each_setting([] {
    std::atomic<int> calls{0};
    const auto count = [&calls](int) { calls.fetch_add(1); };
    parallel_for(0, 10, 0, count);
    parallel_for(0, 10, -1, count);
    parallel_for(10, 0, 1, count);
    parallel_for(10, 0, -1, count);
    EXPECT_EQ(calls.load(), 0);
  });
}

TEST(parallel_for, huge_ranges_with_few_iterations) {
  under_each_setting([] {
    std::atomic<std::uint64_t> sum{0};
    const auto add = [&sum](auto i) { sum.fetch_add(static_cast<std::uint64_t>(i)); };
    constexpr std::uint64_t half = std::uint64_t{1} << 63;
    parallel_for(std::uint64_t{0}, ~std::uint64_t{0}, half, add);
    EXPECT_EQ(sum.exchange(0), half);
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    // Three indices: the least, -1 and most - 1.
    parallel_for(least, most, most, add);
    EXPECT_EQ(sum.exchange(0), static_cast<std::uint64_t>(least) - 1 + static_cast<std::uint64_t>(most - 1));
  });
}

TEST(parallel_for, mixed_integer_types) {
  under_each_setting([] {
    visits<std::size_t> seen(3, 97);
    const std::vector<char> elements(100);
    parallel_for(3, elements.size(), [&seen](auto i) {
      static_assert(std::is_same_v<decltype(i), std::size_t>);
      seen.visit(i);
    });
    seen.expect_each();
    visits<long> wide(-5, 10);
    parallel_for(short{-5}, 5L, [&wide](long i) { wide.visit(i); });
    wide.expect_each();
  });
}

TEST(parallel_for, long_loop_with_a_short_body) {
  under_each_setting([] {
    constexpr std::size_t count = 200'000;
    std::vector<std::uint32_t> y(count);
    parallel_for(std::size_t{0}, count, [&y](std::size_t i) { y[i] += static_cast<std::uint32_t>(3 * i + 1); });
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(y[i], static_cast<std::uint32_t>(3 * i + 1));
  });
}

TEST(parallel_for, nests_to_any_depth) {
  under_each_setting([] {
    std::vector<int> cube(20 * 21 * 22);
    parallel_for(0, 20, [&](int i) {
      parallel_for(0, 21, [&, i](int j) {
        parallel_for(0, 22, [&, i, j](int k) { ++cube[static_cast<std::size_t>((i * 21 + j) * 22 + k)]; });
      });
    });
    for (const int cell : cube) ASSERT_EQ(cell, 1);
  });
}

TEST(parallel_for, rows_of_very_different_length) {
  under_each_setting([] {
    // As in a sparse matrix with a few dense rows: the loop that is worth splitting changes all the time.
    std::vector<std::size_t> begin{0};
    for (std::size_t row = 0; row < 300; ++row) begin.push_back(begin.back() + (row % 97 == 5 ? 5000 : row % 3));
    std::vector<std::uint8_t> cells(begin.back());
    parallel_for(std::size_t{0}, begin.size() - 1, [&](std::size_t row) {
      parallel_for(begin[row], begin[row + 1], [&](std::size_t k) { ++cells[k]; });
    });
    for (const auto cell : cells) ASSERT_EQ(cell, 1);
  });
}

struct large_body {
  std::vector<int>* cells;
  long bulk[40];
  void operator()(int i) const { ++(*cells)[static_cast<std::size_t>(i)]; }
};

TEST(parallel_for, bodies_of_every_kind) {
  under_each_setting([] {
    std::vector<int> cells(64);
    const auto expect_all = [&cells](int times) {
      for (const int cell : cells) ASSERT_EQ(cell, times);
    };
    // Too large to be copied for each chunk; one that can only be moved; one that the caller named.
    parallel_for(0, 64, large_body{&cells, {}});
    expect_all(1);
    parallel_for(0, 64, [own = std::make_unique<std::vector<int>*>(&cells)](int i) {
      ++(**own)[static_cast<std::size_t>(i)];
    });
    expect_all(2);
    const large_body named{&cells, {}};
    parallel_for(0, 64, named);
    expect_all(3);
    // The result of a body is dropped.
    parallel_for(0, 64, [&cells](int i) { return ++cells[static_cast<std::size_t>(i)]; });
    expect_all(4);
    // A body may take more than the index type can say.
    parallel_for(0, 64, [&cells](long i) { ++cells[static_cast<std::size_t>(i)]; });
    expect_all(5);
  });
}

TEST(parallel_for, a_named_body_is_the_one_that_is_called) {
  under_each_setting([] {
    struct counting {
      std::atomic<int> calls{0};
      void operator()(int) { calls.fetch_add(1); }
    } body;
    parallel_for(0, 1000, body);
    EXPECT_EQ(body.calls.load(), 1000);
  });
}

TEST(parallel_for, forks_inside_iterations) {
  under_each_setting([] {
    std::vector<long> results(40);
    parallel_for(0, 40, [&results](int i) { results[static_cast<std::size_t>(i)] = takt_test::fib(i % 12); });
    for (int i = 0; i < 40; ++i) ASSERT_EQ(results[static_cast<std::size_t>(i)], takt_test::serial_fib(i % 12));
  });
}

}  // namespace
