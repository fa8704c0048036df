// Pipelines: order, one at a time, bounds, errors, what stages may contain.
#include <takt/pipeline.hpp>
#include <takt/takt.hpp>

#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int k_items = 2'000;

// Every poll promotes, so that others have a part in everything.
class pipeline : public testing::TestWithParam<unsigned> {
 protected:
  pipeline() { takt::configure(takt_test::lazy_zero(GetParam())); }
};
INSTANTIATE_TEST_SUITE_P(workers, pipeline, testing::Values(1U, 2U, 4U), testing::PrintToStringParamName());

/// 0, 1, ... below `end`.
auto numbers(int end) {
  return [next = 0, end]() mutable -> std::optional<int> {
    if (next == end) return std::nullopt;
    return next++;
  };
}

std::vector<int> first(int many) {
  std::vector<int> result(static_cast<std::size_t>(many));
  std::iota(result.begin(), result.end(), 0);
  return result;
}

int fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = takt::fork_join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

/// Counts who is inside.
class room {
 public:
  template <class F>
  auto with(F f) {
    const int inside = ++inside_;
    int most = most_;
    while (inside > most && !most_.compare_exchange_weak(most, inside)) {
    }
    auto result = f();
    --inside_;
    return result;
  }
  int most() const { return most_; }

 private:
  std::atomic<int> inside_{0};
  std::atomic<int> most_{0};
};

TEST_P(pipeline, writes_in_the_order_of_reading) {
  std::vector<int> written;
  takt::pipeline(numbers(k_items), [](int i) { return fib(i % 9) >= 0 ? i : -1; }, [&](int i) { written.push_back(i); });
  EXPECT_EQ(written, first(k_items));
}

TEST_P(pipeline, takes_one_at_a_time_where_it_is_told_to) {
  room reading;
  room ordered;
  room unordered;
  std::vector<int> in_order;
  std::vector<int> written;
  auto next = numbers(k_items);
  takt::pipeline([&] { return reading.with([&] { return next(); }); },
                 takt::in_order([&](int i) {
                   in_order.push_back(i);
                   return ordered.with([i] { return fib(i % 7) >= 0 ? i : -1; });
                 }),
                 takt::one_at_a_time([&](int i) {
                   return unordered.with([i] { return fib((i + 3) % 7) >= 0 ? i : -1; });
                 }),
                 takt::one_at_a_time([&](int i) { written.push_back(i); }));
  EXPECT_EQ(in_order, first(k_items));
  std::ranges::sort(written);
  EXPECT_EQ(written, first(k_items));
  EXPECT_EQ(reading.most(), 1);
  EXPECT_EQ(ordered.most(), 1);
  EXPECT_EQ(unordered.most(), 1);
}

TEST_P(pipeline, has_no_more_items_than_it_may) {
  for (const std::size_t most : {std::size_t{1}, std::size_t{3}}) {
    std::atomic<int> items{0};
    int seen = 0;
    auto next = numbers(k_items);
    takt::pipeline(
        takt::in_flight{most},
        [&]() -> std::optional<int> {
          const std::optional<int> item = next();
          if (item.has_value()) seen = std::max(seen, ++items);
          return item;
        },
        [](int i) { return fib(i % 9); }, [&](int) { --items; });
    EXPECT_EQ(items, 0);
    EXPECT_LE(seen, static_cast<int>(most));
  }
}

TEST_P(pipeline, any_number_may_be_in_flight) {
  std::vector<int> written;
  takt::pipeline(takt::in_flight{std::numeric_limits<std::size_t>::max()}, numbers(k_items),
                 [](int i) { return fib(i % 9) >= 0 ? i : -1; }, [&](int i) { written.push_back(i); });
  EXPECT_EQ(written, first(k_items));
}

TEST_P(pipeline, ends_where_the_last_stage_is_parallel) {
  std::atomic<int> sum{0};
  takt::pipeline(numbers(k_items), takt::in_order([](int i) { return i; }), takt::parallel([&](int i) { sum += i; }));
  EXPECT_EQ(sum, k_items * (k_items - 1) / 2);
}

TEST_P(pipeline, hands_on_what_can_only_be_moved) {
  std::vector<int> written;
  auto next = numbers(100);
  takt::pipeline(
      [&]() -> std::optional<std::unique_ptr<int>> {
        const std::optional<int> i = next();
        return i.has_value() ? std::optional(std::make_unique<int>(*i)) : std::nullopt;
      },
      takt::one_at_a_time([](std::unique_ptr<int> i) { return i; }),
      takt::in_order([](std::unique_ptr<int> i) { return std::make_unique<std::string>(std::to_string(*i)); }),
      [&](const std::unique_ptr<std::string>& text) { written.push_back(std::stoi(*text)); });
  EXPECT_EQ(written, first(100));
}

TEST_P(pipeline, of_nothing_calls_no_stage) {
  takt::pipeline(numbers(0), [](int) { ADD_FAILURE(); });
}

TEST_P(pipeline, runs_in_stages_and_in_branches) {
  std::atomic<int> sum{0};
  const auto inner = [&](int n) { takt::pipeline(numbers(n), [](int i) { return i; }, [&](int i) { sum += i; }); };
  takt::fork_join([&] { takt::pipeline(numbers(50), [&](int n) { inner(n); return n; }, [](int) {}); },
                  [&] { inner(100); });
  int expected = 100 * 99 / 2;
  for (int n = 0; n < 50; ++n) expected += n * (n - 1) / 2;
  EXPECT_EQ(sum, expected);
}

TEST_P(pipeline, ends_with_an_exception_of_any_stage) {
  for (const int where : {0, 1, 2, 3}) {
    std::vector<int> written;
    auto next = numbers(k_items);
    const auto may_throw = [&](int stage, int i) {
      if (stage == where && i == 100) throw std::out_of_range(std::to_string(stage));
      return i;
    };
    const auto all = [&] {
      takt::pipeline(
          [&]() -> std::optional<int> {
            const std::optional<int> i = next();
            return may_throw(0, *i);
          },
          [&](int i) { return may_throw(1, i); }, takt::in_order([&](int i) { return may_throw(2, i); }),
          [&](int i) { written.push_back(may_throw(3, i)); });
    };
    EXPECT_THROW(all(), std::out_of_range);
    EXPECT_EQ(written, first(static_cast<int>(written.size())));
    EXPECT_LE(written.size(), 100U);
    // Not much has been read behind it.
    EXPECT_LT(*next(), 100 + 5 * static_cast<int>(4 * GetParam()));
  }
}

TEST(pipeline_arguments, no_item_in_flight_is_refused) {
  EXPECT_THROW(takt::pipeline(takt::in_flight{0}, numbers(1), [](int) {}), std::invalid_argument);
}

}  // namespace
