// Hints change no answer: not under the policy that does not want them.
#include <takt/takt.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();

TEST(hints, forks_return_what_they_return_without) {
  const auto two = takt::fork_join(takt::weights(1, 2.5), [] { return 1; }, [] { return std::string("b"); });
  static_assert(std::is_same_v<decltype(two), const std::pair<int, std::string>>);
  EXPECT_EQ(two, std::pair(1, std::string("b")));
  auto three = takt::fork_join(
      takt::bytes(1000), takt::work(5), takt::weights(1, 2, 3), [] { return std::make_unique<int>(7); }, [] {},
      [] { return 3L; });
  static_assert(std::is_same_v<decltype(three), std::tuple<std::unique_ptr<int>, takt::nothing, long>>);
  EXPECT_EQ(*std::get<0>(three), 7);
  EXPECT_EQ(std::get<2>(three), 3);
  std::atomic<int> called{0};
  static_assert(std::is_void_v<decltype(takt::fork_join(takt::bytes(1), [] {}, [] {}, [] {}))>);
  takt::fork_join(takt::work(3), [&] { called += 1; }, [&] { called += 10; });
  takt::fork_join(takt::bytes(3u), [&] { called += 100; }, [] {}, [&] { called += 1000; }, [&] { called += 10000; });
  EXPECT_EQ(called.load(), 11111);
}

TEST(hints, may_be_given_in_variables) {
  const auto weights = takt::weights(1, 2);
  const takt::bytes size = 100;
  const takt::work work(3.5f);
  EXPECT_EQ(takt::fork_join(size, weights, work, [] { return 1; }, [] { return 2; }), std::pair(1, 2));
  const takt::hints said{.work = work, .bytes = size};
  EXPECT_EQ(takt::parallel_reduce(0, 10, 0, [](int i) { return i; }, std::plus<>{}, said), 45);
}

TEST(hints, forks_throw_what_comes_first) {
  std::atomic<int> called{0};
  const auto fork = [&](bool left, bool right) {
    takt::fork_join(
        takt::weights(1, 1),
        [&] {
          ++called;
          if (left) throw std::runtime_error("left");
        },
        [&] {
          ++called;
          if (right) throw std::runtime_error("right");
        });
  };
  for (const auto& [left, right, first] :
       {std::tuple(true, false, "left"), {false, true, "right"}, {true, true, "left"}}) {
    called = 0;
    try {
      fork(left, right);
      FAIL();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), first);
    }
    EXPECT_EQ(called.load(), 2);
  }
}

TEST(hints, loops_of_all_kinds_run_every_iteration_once) {
  constexpr int k_count = 5000;
  const takt::hints said{.work = takt::work_of([](auto begin, auto end) { return static_cast<double>(end - begin); }),
                         .bytes = sizeof(int) * k_count};
  std::vector<int> runs(k_count);
  takt::parallel_for(0, k_count, [&](int i) { ++runs[static_cast<std::size_t>(i)]; }, said);
  takt::parallel_for(0, std::size_t{k_count}, [&](std::size_t i) { ++runs[i]; }, said);
  takt::parallel_for(0, k_count, 1, [&](int i) { ++runs[static_cast<std::size_t>(i)]; }, said);
  takt::parallel_for(runs.begin(), runs.end(), [](int& n) { ++n; }, said);
  takt::parallel_for(runs, [](int& n) { ++n; }, said);
  EXPECT_EQ(runs, std::vector<int>(k_count, 5));
  const auto self = [](auto x) { return long{x}; };
  EXPECT_EQ(takt::parallel_reduce(0, k_count, 0L, self, std::plus<>{}, said), 4999L * 2500);
  EXPECT_EQ(takt::parallel_reduce(0, long{k_count}, 0L, self, std::plus<>{}, said), 4999L * 2500);
  EXPECT_EQ(takt::parallel_reduce(runs.begin(), runs.end(), 0L, self, std::plus<>{}, said), 5L * k_count);
  EXPECT_EQ(takt::parallel_reduce(runs, 0L, self, std::plus<>{}, said), 5L * k_count);
  EXPECT_THROW(takt::parallel_for(0, 10, [](int) { throw std::runtime_error("thrown"); }, said), std::runtime_error);
}

TEST(hints, groups_run_their_children) {
  std::atomic<int> called{0};
  takt::task_group group(takt::bytes(4096), takt::group_order::oldest_first, takt::work(10.0));
  for (int i = 0; i < 100; ++i) group.run(takt::work(i), [&] { ++called; });
  group.run([&] { ++called; });
  group.wait();
  EXPECT_EQ(called.load(), 101);
  group.run(takt::work(1), [] { throw std::runtime_error("thrown"); });
  EXPECT_THROW(group.wait(), std::runtime_error);
}

TEST(hints, that_make_no_sense_change_nothing) {
  for (const double bad : {-1.0, k_nan, std::numeric_limits<double>::infinity(), 0.0, 1e308}) {
    EXPECT_EQ(takt::fork_join(takt::weights(bad, bad, 1), takt::work(bad), takt::bytes(-5), [] { return 1; },
                              [] { return 2; }, [] { return 3; }),
              std::tuple(1, 2, 3));
    EXPECT_EQ(takt::parallel_reduce(0, 1000, 0, [](int i) { return i; }, std::plus<>{},
                                    takt::hints{.work = bad, .bytes = ~0ull}),
              499500);
    takt::task_group group(takt::work{bad}, takt::bytes(0));
    int called = 0;
    group.run(takt::work(bad), [&] { ++called; });
    group.wait();
    EXPECT_EQ(called, 1);
  }
}

}  // namespace
