// Futures: results, order, errors, who may wait where.
#include <takt/async.hpp>
#include <takt/takt.hpp>

#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace {

class async : public testing::TestWithParam<unsigned> {
 protected:
  async() { takt::configure(takt_test::lazy_zero(GetParam())); }
};
INSTANTIATE_TEST_SUITE_P(workers, async, testing::Values(1U, 2U, 4U), testing::PrintToStringParamName());

int fib(int n) {
  if (n < 2) return n;
  auto left = takt::async([n] { return fib(n - 1); });
  const int right = fib(n - 2);
  return left.get() + right;
}

TEST_P(async, gives_results) {
  EXPECT_EQ(fib(14), 377);
  EXPECT_EQ(takt::fork_join([] { return fib(12); }, [] { return fib(11); }), std::pair(144, 89));
}

TEST_P(async, gives_what_can_only_be_moved_and_nothing) {
  auto moved = takt::async([p = std::make_unique<int>(7)]() mutable { return std::move(p); });
  int done = 0;
  auto nothing = takt::async([&] { done = 1; });
  EXPECT_EQ(*moved.get(), 7);
  EXPECT_FALSE(moved.valid());
  nothing.get();
  EXPECT_EQ(done, 1);
}

TEST_P(async, goes_on_with_then) {
  auto text = takt::async([] { return fib(10); }).then([](int n) { return std::to_string(n); }).then([](std::string s) {
    return s + "!";
  });
  EXPECT_EQ(text.get(), "55!");
  int order = 0;
  takt::async([&] { order = 1; }).then([&] { order = order * 10 + 2; }).get();
  EXPECT_EQ(order, 12);
}

TEST_P(async, waits_for_all) {
  auto [a, b, c] = takt::when_all(takt::async([] { return fib(9); }), takt::async([] {}), takt::async([] {
                                    return std::make_unique<int>(3);
                                  })).get();
  EXPECT_EQ(a, 34);
  EXPECT_EQ(*c, 3);
  static_assert(std::is_same_v<decltype(b), std::monostate>);
  std::vector<takt::future<int>> many;
  for (int i = 0; i < 100; ++i) many.push_back(takt::async([i] { return i; }));
  const std::vector<int> results = takt::when_all(std::move(many)).get();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(results.at(static_cast<std::size_t>(i)), i);
  std::atomic<int> done{0};
  std::vector<takt::future<void>> nothing;
  for (int i = 0; i < 100; ++i) nothing.push_back(takt::async([&] { ++done; }));
  takt::when_all(std::move(nothing)).get();
  EXPECT_EQ(done, 100);
}

TEST_P(async, throws_where_it_is_waited_for) {
  const auto fails = [] { return takt::async([]() -> int { throw std::out_of_range("x"); }); };
  EXPECT_THROW(fails().get(), std::out_of_range);
  EXPECT_THROW(fails().wait(), std::out_of_range);
  int called = 0;
  EXPECT_THROW(fails().then([&](int) { ++called; }).get(), std::out_of_range);
  EXPECT_THROW(takt::when_all(takt::async([] { return 1; }), fails()).get(), std::out_of_range);
  EXPECT_EQ(called, 0);
  (void)fails();  // nobody asks
}

TEST_P(async, is_waited_for_before_it_is_gone) {
  std::atomic<int> done{0};
  {
    std::vector<takt::future<void>> dropped;
    for (int i = 0; i < 50; ++i) dropped.push_back(takt::async([&] { ++done; }));
    dropped.front() = takt::async([&] { ++done; });
    EXPECT_GE(done, 1);
  }
  EXPECT_EQ(done, 51);
}

TEST_P(async, throws_from_get_what_wait_threw) {
  auto number = takt::async([]() -> int { throw std::out_of_range("x"); });
  EXPECT_THROW(number.wait(), std::out_of_range);
  EXPECT_THROW(number.wait(), std::out_of_range);
  EXPECT_TRUE(number.valid());
  EXPECT_THROW(number.get(), std::out_of_range);
  EXPECT_FALSE(number.valid());
  auto nothing = takt::async([] { throw std::out_of_range("x"); });
  EXPECT_THROW(nothing.wait(), std::out_of_range);
  int called = 0;
  EXPECT_THROW(nothing.then([&] { ++called; }).get(), std::out_of_range);
  EXPECT_EQ(called, 0);
  auto good = takt::async([] { return 7; });
  good.wait();
  good.wait();
  EXPECT_EQ(good.get(), 7);
}

// What has begun by then ends, once it is waited for, and has no result.
TEST_P(async, throws_from_get_that_the_call_was_stopped) {
  std::stop_source source;
  bool stopped = false;
  const auto asks = [&] {
    auto ends = takt::async([] {
      while (!takt::stop_requested()) std::this_thread::yield();
      takt::async([] {}).get();
      return 1;
    });
    source.request_stop();
    EXPECT_THROW(ends.wait(), takt::stopped);
    try {
      (void)ends.get();
    } catch (const takt::stopped&) {
      stopped = true;
      throw;
    }
  };
  EXPECT_FALSE(takt::with_stop(source.get_token(), asks));
  EXPECT_TRUE(stopped);
}

TEST_P(async, begins_nothing_in_a_call_that_is_stopped) {
  for (int round = 0; round < 100; ++round) {
    std::stop_source source;
    int called = 0;
    EXPECT_FALSE(takt::with_stop(source.get_token(), [&] {
      source.request_stop();
      (void)takt::async([&] { ++called; });
      ++called;
    }));
    EXPECT_EQ(called, 0);
  }
}

// Other tasks, and threads that are in no call, wait for what this one has begun.
TEST_P(async, may_be_waited_for_elsewhere) {
  for (int round = 0; round < 50; ++round) {
    auto one = takt::async([] { return fib(8); });
    auto two = takt::async([] { return fib(7); });
    int from_thread = 0;
    std::thread other([&] { from_thread = two.get(); });
    const int in_branch = takt::fork_join([] { return fib(9); }, [&] { return one.get(); }).second;
    other.join();
    EXPECT_EQ(in_branch, 21);
    EXPECT_EQ(from_thread, 13);
  }
}

}  // namespace
