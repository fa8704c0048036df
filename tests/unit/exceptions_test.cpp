// Exceptions: everything runs, the first in serial order arrives, none is leaked.
#include <takt/takt.hpp>

#include "support/counted.hpp"
#include "support/program.hpp"
#include "support/settings.hpp"
#include "support/together.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using takt_test::error_of;
using takt_test::fib;
using takt_test::planned_error;
using takt_test::under_each_setting;

TEST(exceptions, of_two_branches_the_left_one_arrives) {
  under_each_setting([] {
    for (int who = 0; who < 4; ++who) {
      std::atomic<int> ran{0};
      const auto branch = [&ran, who](int bit) {
        return [&ran, who, bit] {
          (void)fib(6);
          ran.fetch_add(1);
          if ((who & bit) != 0) throw planned_error(bit);
        };
      };
      const long expected = who == 0 ? -1 : (who & 1) != 0 ? 1 : 2;
      EXPECT_EQ(error_of([&] { takt::fork_join(branch(1), branch(2)); }), expected);
      EXPECT_EQ(ran.load(), 2);
    }
    EXPECT_EQ(planned_error::live(), 0);
  });
}

TEST(exceptions, of_five_branches_the_first_arrives) {
  under_each_setting([] {
    for (int who = 0; who < 32; ++who) {
      std::atomic<int> ran{0};
      const auto branch = [&ran, who](int number) {
        return [&ran, who, number]() -> std::string {
          ran.fetch_add(1);
          if ((who >> number & 1) != 0) throw planned_error(number);
          return std::string(50, 'x');
        };
      };
      const long expected = who == 0 ? -1 : __builtin_ctz(static_cast<unsigned>(who));
      EXPECT_EQ(
          error_of([&] { (void)takt::fork_join(branch(0), branch(1), branch(2), branch(3), branch(4)); }), expected);
      EXPECT_EQ(error_of([&] { takt::parallel_invoke(branch(0), branch(1), branch(2), branch(3), branch(4)); }),
                expected);
      EXPECT_EQ(ran.load(), 10);
    }
    EXPECT_EQ(planned_error::live(), 0);
  });
}

// A tree of forks in which some leaves throw; the serial order is the order of the leaves.
void tree(int first, int last, std::atomic<int>& ran, const std::function<bool(int)>& throws) {
  if (last - first == 1) {
    ran.fetch_add(1);
    if (throws(first)) throw planned_error(first);
    return;
  }
  const int middle = first + (last - first) / 2;
  takt::fork_join([&] { tree(first, middle, ran, throws); }, [&] { tree(middle, last, ran, throws); });
}

TEST(exceptions, of_nested_forks_the_first_leaf_arrives) {
  under_each_setting([] {
    for (const int first_thrower : {0, 1, 77, 254, 255, 256}) {
      std::atomic<int> ran{0};
      const auto throws = [first_thrower](int leaf) { return leaf >= first_thrower; };
      EXPECT_EQ(error_of([&] { tree(0, 256, ran, throws); }), first_thrower == 256 ? -1 : first_thrower);
      EXPECT_EQ(ran.load(), 256);
    }
    EXPECT_EQ(planned_error::live(), 0);
  });
}

TEST(exceptions, of_iterations_the_lowest_arrives) {
  under_each_setting([] {
    for (const int first_thrower : {0, 1, 500, 998, 999, 1000}) {
      std::vector<int> ran(1000);
      const auto body = [&](int i) {
        ++ran[static_cast<std::size_t>(i)];
        if (i >= first_thrower) throw planned_error(i);
      };
      const long expected = first_thrower == 1000 ? -1 : first_thrower;
      EXPECT_EQ(error_of([&] { takt::parallel_for(0, 1000, body); }), expected);
      EXPECT_EQ(error_of([&] { takt::parallel_for(std::int8_t{0}, std::int8_t{100}, body); }),
                first_thrower < 100 ? first_thrower : -1);
      for (int i = 0; i < 1000; ++i) ASSERT_EQ(ran[static_cast<std::size_t>(i)], i < 100 ? 2 : 1);
    }
    EXPECT_EQ(planned_error::live(), 0);
  });
}

TEST(exceptions, of_iterations_that_are_known_to_be_short) {
  under_each_setting([] {
    // The same loop many times over: it soon runs as a plain loop, which has a way of its own to go on.
    for (int round = 0; round < 300; ++round) {
      std::array<int, 20> ran{};
      const auto body = [&](int i) {
        ++ran[static_cast<std::size_t>(i)];
        if (i % 7 == round % 7) throw planned_error(i);
      };
      ASSERT_EQ(error_of([&] { takt::parallel_for(0, 20, body); }), round % 7);
      for (const int r : ran) ASSERT_EQ(r, 1);
    }
    EXPECT_EQ(planned_error::live(), 0);
  });
}

TEST(exceptions, of_strides_iterators_and_ranges) {
  under_each_setting([] {
    std::vector<int> ran(100);
    const auto throw_all = [&](int& cell) {
      ++cell;
      throw planned_error(&cell - ran.data());
    };
    EXPECT_EQ(error_of([&] { takt::parallel_for(ran.begin() + 50, ran.end(), throw_all); }), 50);
    EXPECT_EQ(error_of([&] { takt::parallel_for(ran, throw_all); }), 0);
    EXPECT_EQ(
        error_of([&] { takt::parallel_for(10, 100, 5, [&](int i) { throw_all(ran[static_cast<std::size_t>(i)]); }); }),
        10);
    int sum = 0;
    for (const int r : ran) sum += r;
    EXPECT_EQ(sum, 50 + 100 + 18);
    EXPECT_EQ(planned_error::live(), 0);
  });
}

TEST(exceptions, of_nested_loops_the_first_in_serial_order_arrives) {
  under_each_setting([] {
    std::vector<int> ran(40 * 30);
    const auto throws = [](int i, int j) { return (i == 17 && j > 20) || i > 17; };
    EXPECT_EQ(error_of([&] {
                takt::parallel_for(0, 40, [&](int i) {
                  takt::parallel_for(0, 30, [&](int j) {
                    ++ran[static_cast<std::size_t>(30 * i + j)];
                    if (throws(i, j)) throw planned_error(30 * i + j);
                  });
                });
              }),
              30 * 17 + 21);
    for (const int r : ran) ASSERT_EQ(r, 1);
    EXPECT_EQ(planned_error::live(), 0);
  });
}

TEST(exceptions, of_a_reduction_the_lowest_arrives_after_every_map_has_run) {
  under_each_setting([] {
    for (const int first_thrower : {0, 333, 499}) {
      std::vector<int> ran(500);
      const auto map = [&](int i) {
        ++ran[static_cast<std::size_t>(i)];
        if (i >= first_thrower) throw planned_error(i);
        return std::to_string(i);
      };
      EXPECT_EQ(error_of([&] { (void)takt::parallel_reduce(0, 500, std::string(), map, std::plus<>()); }),
                first_thrower);
      const auto number = [&map](int i) { return map(i).size(); };
      EXPECT_EQ(error_of([&] { (void)takt::parallel_reduce(0, 500, std::size_t{0}, number, std::plus<>()); }),
                first_thrower);
      for (const int r : ran) ASSERT_EQ(r, 2);
    }
    EXPECT_EQ(planned_error::live(), 0);
  });
}

TEST(exceptions, of_a_reduction_over_values_that_moving_empties) {
  under_each_setting([] {
    // After an iteration has thrown no sum is left; combining must not be tried with what remains of it.
    using value = std::shared_ptr<int>;
    std::atomic<int> ran{0};
    std::atomic<int> emptied{0};
    const auto map = [&ran](int i) {
      ran.fetch_add(1);
      if (i % 10 == 3) throw planned_error(i);
      return std::make_shared<int>(i);
    };
    const auto combine = [&emptied](value a, value b) {
      if (a == nullptr || b == nullptr) {
        emptied.fetch_add(1);
        return a;
      }
      return std::make_shared<int>(*a + *b);
    };
    EXPECT_EQ(error_of([&] { (void)takt::parallel_reduce(0, 2000, std::make_shared<int>(0), map, combine); }), 3);
    EXPECT_EQ(ran.load(), 2000);
    EXPECT_EQ(emptied.load(), 0);
    EXPECT_EQ(planned_error::live(), 0);
  });
}

TEST(exceptions, of_combining_arrive) {
  under_each_setting([] {
    std::atomic<int> ran{0};
    const auto map = [&ran](int i) {
      ran.fetch_add(1);
      return i;
    };
    const auto combine = [](int, int) -> int { throw planned_error(5); };
    EXPECT_EQ(error_of([&] { (void)takt::parallel_reduce(0, 300, 0, map, combine); }), 5);
    EXPECT_EQ(ran.load(), 300);
    EXPECT_EQ(planned_error::live(), 0);
  });
}

TEST(exceptions, of_both_branches_on_different_threads) {
  takt::configure(takt_test::eager(2));
  for (int round = 0; round < 100; ++round) {
    EXPECT_EQ(error_of([] { takt_test::fork_apart([] { throw planned_error(1); }, [] { throw planned_error(2); }); }),
              1);
    EXPECT_EQ(error_of([] { takt_test::fork_apart([] {}, [] { throw planned_error(2); }); }), 2);
  }
  EXPECT_EQ(planned_error::live(), 0);
}

TEST(exceptions, are_caught_between_levels) {
  under_each_setting([] {
    std::atomic<int> caught{0};
    takt::parallel_for(0, 50, [&caught](int i) {
      try {
        takt::fork_join([] { (void)fib(5); }, [i] { throw planned_error(i); });
      } catch (const planned_error& error) {
        caught.fetch_add(error.id == i ? 1 : 1000);
      }
    });
    EXPECT_EQ(caught.load(), 50);
    EXPECT_EQ(planned_error::live(), 0);
  });
}

TEST(exceptions, of_any_type) {
  under_each_setting([] {
    EXPECT_THROW(takt::fork_join([] {}, [] { throw 5; }), int);
    EXPECT_THROW(takt::fork_join([] { throw std::out_of_range("left"); }, [] { throw 5; }), std::out_of_range);
    EXPECT_THROW(takt::parallel_for(0, 10, [](int) { throw "text"; }), const char*);
    try {
      takt::fork_join([] { (void)fib(8); }, [] { throw std::runtime_error("what it says"); });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::exception& error) {
      EXPECT_STREQ(error.what(), "what it says");
    }
  });
}

}  // namespace
