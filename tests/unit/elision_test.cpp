// The serial elision: the program without the runtime, in serial order, on the thread that calls.
#define TAKT_ELISION
#include "unit/elision/both.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>

namespace {

TEST(elision, forks_are_calls_from_left_to_right) {
  std::string order;
  const auto append = [&order](char c) { return [&order, c] { order += c; }; };
  takt::fork_join(append('a'), [&] { takt::fork_join(append('b'), append('c'), append('d')); });
  takt::parallel_invoke(append('e'), append('f'));
  EXPECT_EQ(order, "abcdef");
  auto [number, text] = takt::fork_join([] { return 1; }, [] { return std::string("x"); });
  EXPECT_EQ(number, 1);
  EXPECT_EQ(text, "x");
}

TEST(elision, loops_run_in_order_on_this_thread) {
  std::vector<int> seen;
  const auto here = std::this_thread::get_id();
  takt::parallel_for(0, 3, [&](int i) {
    takt::parallel_for(0, 1000, [&, i](int j) {
      EXPECT_EQ(std::this_thread::get_id(), here);
      seen.push_back(1000 * i + j);
    });
  });
  std::vector<int> expected(3000);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(seen, expected);
  EXPECT_EQ(takt::parallel_reduce(
                0, 4, std::string(), [](int i) { return std::to_string(i); }, std::plus<std::string>()),
            "0123");
}

// What comes behind the exception does not run: that is the serial program.
TEST(elision, exceptions_are_those_of_the_serial_program) {
  int ran = 0;
  const auto body = [&ran](int i) {
    ++ran;
    if (i >= 5) throw std::runtime_error(std::to_string(i));
    return i;
  };
  const auto message = [](auto&& call) -> std::string {
    try {
      call();
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(message([&] { takt::parallel_for(0, 100, body); }), "5");
  EXPECT_EQ(ran, 6);
  EXPECT_EQ(message([&] { (void)takt::parallel_reduce(0, 100, 0, body, std::plus<int>()); }), "5");
  EXPECT_EQ(message([&] { takt::fork_join([&] { body(7); }, [&] { body(8); }); }), "7");
  EXPECT_EQ(ran, 13);
}

TEST(elision, children_of_a_group_run_at_once_and_their_exceptions_wait) {
  std::string order;
  takt::task_group group;
  group.run([&] { order += 'a'; });
  group.run([] { throw std::runtime_error("first"); });
  group.run([] { throw std::logic_error("second"); });
  group.run([&] { order += 'b'; });
  EXPECT_EQ(order, "ab");
  EXPECT_THROW(group.wait(), std::runtime_error);
  EXPECT_NO_THROW(group.wait());
}

TEST(elision, hints_change_nothing) {
  std::string order;
  takt::fork_join(takt::weights(3, 1), takt::bytes(10), [&] { order += 'a'; }, [&] { order += 'b'; });
  takt::fork_join(takt::work(3), [&] { order += 'c'; }, [&] { order += 'd'; }, [&] { order += 'e'; });
  const takt::hints said{.work = takt::work_of([](auto begin, auto end) { return static_cast<double>(end - begin); }),
                         .bytes = 10};
  takt::parallel_for(0, 3, [&](int i) { order += std::to_string(i); }, said);
  EXPECT_EQ(takt::parallel_reduce(
                3, 6, std::string(), [](int i) { return std::to_string(i); }, std::plus<std::string>(), said),
            "345");
  takt::task_group group(takt::bytes(10), takt::group_order::oldest_first, takt::work(2));
  group.run(takt::work(1), [&] { order += 'f'; });
  group.run(takt::work(1), [&] { order += 'g'; });
  group.wait();
  EXPECT_EQ(order, "abcde012fg");
}

TEST(elision, algorithms_give_the_same_results) {
  constexpr std::size_t k_count = 50'000;
  const takt::random_stream random(17);
  const auto keys = takt::tabulate(k_count, [&](std::size_t i) { return static_cast<unsigned>(random(i) % 20'000); });
  auto expected = keys;
  std::sort(expected.begin(), expected.end());
  auto sorted = keys;
  takt::sort(sorted);
  EXPECT_EQ(sorted, expected);
  auto radix_sorted = keys;
  takt::radix_sort(radix_sorted);
  EXPECT_EQ(radix_sorted, expected);
  EXPECT_EQ(takt::filter(keys, [](unsigned k) { return k % 3 == 0; }).size(),
            static_cast<std::size_t>(std::count_if(keys.begin(), keys.end(), [](unsigned k) { return k % 3 == 0; })));
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  auto distinct = takt::remove_duplicates(keys);
  takt::sort(distinct);
  EXPECT_EQ(distinct, expected);
  EXPECT_EQ(takt::find(sorted, 77'777U), sorted.end());
  takt::per_worker<int> scratch;
  EXPECT_EQ(scratch.with([](int& x) { return ++x; }), 1);
}

// A linker that took one program's functions for the other's would make one of them run the wrong way.
TEST(elision, lives_beside_the_parallel_program) {
  static_assert(std::is_class_v<takt::elision::per_worker<int>>);
  const std::uint64_t elided = run_all();
  std::uint64_t promotions = 0;
  EXPECT_EQ(run_all_in_parallel(promotions), elided);
  EXPECT_GT(promotions, 0U);
  const std::uint64_t polls = polls_in_parallel();
  EXPECT_GT(polls, 0U);
  EXPECT_EQ(run_all(), elided);
  EXPECT_EQ(polls_in_parallel(), polls);
}

}  // namespace
