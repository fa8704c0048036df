// fork_join and parallel_invoke: what is called, how often, and what the results are.
#include <takt/takt.hpp>

#include "support/program.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using takt::fork_join;
using takt::nothing;
using takt::parallel_invoke;
using takt_test::fib;
using takt_test::under_each_setting;

int give_int() { return 7; }
int& give_reference() {
  static int kept = 11;
  return kept;
}
void give_nothing() {}

// The shape of the result depends on the callables alone.
template <class... F>
using joined = decltype(fork_join(std::declval<F>()...));
using returns_int = int (*)();
using returns_reference = int& (*)();
using returns_void = void (*)();
using returns_pointer = std::unique_ptr<int> (*)();
static_assert(std::is_same_v<joined<returns_int, returns_pointer>, std::pair<int, std::unique_ptr<int>>>);
static_assert(std::is_same_v<joined<returns_int, returns_void>, std::pair<int, nothing>>);
static_assert(std::is_same_v<joined<returns_void, returns_int>, std::pair<nothing, int>>);
static_assert(std::is_void_v<joined<returns_void, returns_void>>);
static_assert(std::is_void_v<joined<returns_void, returns_void, returns_void>>);
static_assert(std::is_same_v<joined<returns_reference, returns_int>, std::pair<int, int>>);
static_assert(std::is_same_v<joined<returns_int, returns_int, returns_void>, std::tuple<int, int, nothing>>);

TEST(fork_join, recursion_gives_the_serial_answer) {
  under_each_setting([] { EXPECT_EQ(fib(16), takt_test::serial_fib(16)); });
}

TEST(fork_join, results_arrive_in_argument_order) {
  under_each_setting([] {
    const auto [number, text] = fork_join([] { return fib(10); }, [] { return std::string("two"); });
    EXPECT_EQ(number, 55);
    EXPECT_EQ(text, "two");
  });
}

// Each of the callables forks again, so that the neighbours of a result are in use while it waits.
template <std::size_t... I>
auto join_many(std::index_sequence<I...>) {
  return fork_join([] { return fib(8) + static_cast<long>(I); }...);
}

template <std::size_t... I>
auto expect_many(std::index_sequence<I...>) {
  return std::tuple((21 + static_cast<long>(I))...);
}

template <std::size_t Count>
void check_many() {
  constexpr std::make_index_sequence<Count> indices;
  EXPECT_EQ(std::tuple(join_many(indices)), expect_many(indices)) << Count << " callables";
}

TEST(fork_join, two_to_eight_callables) {
  under_each_setting([] {
    check_many<2>();
    check_many<3>();
    check_many<4>();
    check_many<5>();
    check_many<6>();
    check_many<7>();
    check_many<8>();
  });
}

TEST(fork_join, three_results_of_different_kinds) {
  under_each_setting([] {
    int calls = 0;
    auto [first, second, third, fourth] =
        fork_join([] { return std::string(100, 'a'); }, [&calls] { ++calls; }, [] { return std::make_unique<int>(3); },
                  [] { return 4.5; });
    EXPECT_EQ(first, std::string(100, 'a'));
    EXPECT_EQ(second, nothing{});
    EXPECT_EQ(*third, 3);
    EXPECT_EQ(fourth, 4.5);
    EXPECT_EQ(calls, 1);
  });
}

TEST(fork_join, every_void_callable_runs_once) {
  under_each_setting([] {
    std::array<std::atomic<int>, 8> calls{};
    const auto call = [&calls](std::size_t i) { return [&calls, i] { calls[i].fetch_add(1); }; };
    fork_join(call(0), call(1));
    fork_join(call(2), call(3), call(4), call(5), call(6), call(7));
    for (const auto& c : calls) EXPECT_EQ(c.load(), 1);
  });
}

TEST(fork_join, functions_and_function_pointers) {
  under_each_setting([] {
    EXPECT_EQ(fork_join(give_int, &give_int), std::pair(7, 7));
    // A reference is not kept: the result is a value.
    auto [a, b] = fork_join(give_reference, give_int);
    a = 12;
    EXPECT_EQ(give_reference(), 11);
    EXPECT_EQ(b, 7);
    fork_join(give_nothing, &give_nothing);
  });
}

// A callable with state, large enough not to be worth copying.
struct tally {
  int calls = 0;
  std::array<char, 200> bulk{};
  int operator()() { return ++calls; }
};

TEST(fork_join, named_callables_keep_their_state) {
  under_each_setting([] {
    tally large_left;
    tally large_right;
    int small_calls = 0;
    auto small = [n = 0, &small_calls]() mutable { small_calls = ++n; };
    for (int round = 1; round <= 3; ++round) {
      EXPECT_EQ(fork_join(large_left, large_right), std::pair(round, round));
      fork_join(give_nothing, small);
      EXPECT_EQ(small_calls, round);
    }
    EXPECT_EQ(large_left.calls, 3);
    EXPECT_EQ(large_right.calls, 3);
  });
}

TEST(fork_join, constant_callables) {
  under_each_setting([] {
    const auto five = [] { return 5; };
    const std::function<int()> six = [] { return 6; };
    EXPECT_EQ(fork_join(five, six), std::pair(5, 6));
    EXPECT_EQ(fork_join(six, five), std::pair(6, 5));
  });
}

TEST(fork_join, callables_that_can_only_be_moved) {
  under_each_setting([] {
    const auto box = [](int n) { return [p = std::make_unique<int>(n)]() mutable { return std::move(p); }; };
    auto [a, b, c] = fork_join(box(1), box(2), box(3));
    EXPECT_EQ(*a, 1);
    EXPECT_EQ(*b, 2);
    EXPECT_EQ(*c, 3);
  });
}

// May be called only as a temporary, which is what it is handed over as.
struct one_shot {
  std::unique_ptr<int> value;
  std::unique_ptr<int> operator()() && { return std::move(value); }
};
struct small_one_shot {
  int value;
  int operator()() && { return value; }
};

TEST(fork_join, callables_that_may_be_called_once) {
  under_each_setting([] {
    auto [a, b] = fork_join(one_shot{std::make_unique<int>(1)}, one_shot{std::make_unique<int>(2)});
    EXPECT_EQ(*a, 1);
    EXPECT_EQ(*b, 2);
    EXPECT_EQ(fork_join(small_one_shot{3}, small_one_shot{4}), std::pair(3, 4));
  });
}

TEST(fork_join, captures_of_every_size) {
  under_each_setting([] {
    std::array<long, 5> fits{};      // exactly the payload of a slot
    std::array<long, 6> too_large{};  // one word more
    std::array<long, 400> huge{};
    fits.fill(3);
    too_large.fill(5);
    huge.fill(7);
    const auto sum = [](const auto& values) {
      long s = fib(6);
      for (const long v : values) s += v;
      return s;
    };
    EXPECT_EQ(fork_join([fits, sum] { return sum(fits); }, [fits, sum] { return sum(fits); }), std::pair(23L, 23L));
    EXPECT_EQ(fork_join([too_large, sum] { return sum(too_large); }, [too_large, sum] { return sum(too_large); }),
              std::pair(38L, 38L));
    EXPECT_EQ(fork_join([huge, sum] { return sum(huge); }, [huge, sum] { return sum(huge); }),
              std::pair(2808L, 2808L));
  });
}

TEST(fork_join, arguments_by_reference_are_written_where_they_are) {
  under_each_setting([] {
    std::vector<int> left;
    std::string right;
    fork_join([&left] { left.assign(1000, 1); }, [&right] { right = "written"; });
    EXPECT_EQ(left.size(), 1000u);
    EXPECT_EQ(right, "written");
  });
}

TEST(parallel_invoke, every_callable_runs_once_and_results_are_dropped) {
  under_each_setting([] {
    std::array<std::atomic<int>, 5> calls{};
    const auto call = [&calls](std::size_t i) { return [&calls, i] { return ++calls[i]; }; };
    parallel_invoke(call(0));
    parallel_invoke(call(1), call(2));
    parallel_invoke(call(3), [&calls] { calls[4].fetch_add(1); }, [] { return std::make_unique<int>(1); });
    for (const auto& c : calls) EXPECT_EQ(c.load(), 1);
    static_assert(std::is_void_v<decltype(parallel_invoke(give_int, give_int))>);
  });
}

}  // namespace
