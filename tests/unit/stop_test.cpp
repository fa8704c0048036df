// Stops: who has asked for the end gets it, what is around goes on, and no code sees a result that is not complete.
#include <takt/algorithms.hpp>
#include <takt/takt.hpp>

#include "support/counted.hpp"
#include "support/program.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <numeric>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace {

using takt_test::error_of;
using takt_test::fib;
using takt_test::planned_error;

// Where nothing ever looks at the clock nobody learns of a stop.
template <class Body>
void under_each_setting(Body body) {
  for (const takt::config& c : takt_test::each_setting()) {
    if (c.trigger == takt::trigger::never || (TAKT_TEST_THREAD_SANITIZER && c.workers == 1)) continue;
    SCOPED_TRACE(takt_test::describe(c));
    takt::configure(c);
    body();
  }
}

// More of it than any test waits for, unless it is stopped.
constexpr std::uint64_t k_endless = std::uint64_t{1} << 50;

// --- with_stop -------------------------------------------------------------------------------------------------

TEST(with_stop, returns_what_the_callable_returns) {
  under_each_setting([] {
    std::stop_source nobody;
    bool ran = false;
    EXPECT_TRUE(takt::with_stop(nobody.get_token(), [&] { ran = true; }));
    EXPECT_TRUE(ran);
    const std::optional<long> sum = takt::with_stop(nobody.get_token(), [] { return long{fib(15)}; });
    EXPECT_EQ(sum, 610);
    auto owned = takt::with_stop(takt::on_exception::stop, [] { return std::make_unique<int>(7); });
    EXPECT_EQ(**owned, 7);
    // A token of no source is never asked.
    EXPECT_TRUE(takt::with_stop(std::stop_token(), [] {}));
  });
}

TEST(with_stop, an_endless_loop_ends) {
  under_each_setting([] {
    std::stop_source source;
    std::atomic<std::uint64_t> ran{0};
    const bool complete = takt::with_stop(source.get_token(), [&] {
      takt::parallel_for(std::uint64_t{0}, k_endless, [&](std::uint64_t) {
        if (ran.fetch_add(1, std::memory_order_relaxed) == 1000) source.request_stop();
      });
      ADD_FAILURE() << "goes on behind a loop that is not complete";
    });
    EXPECT_FALSE(complete);
  });
}

TEST(with_stop, endless_nested_loops_end) {
  under_each_setting([] {
    std::stop_source source;
    std::atomic<std::uint64_t> ran{0};
    EXPECT_FALSE(takt::with_stop(source.get_token(), [&] {
      takt::parallel_for(std::uint64_t{0}, k_endless, [&](std::uint64_t) {
        takt::parallel_for(0, 3, [&](int) {
          takt::parallel_for(0, 2, [&](int) {
            if (ran.fetch_add(1, std::memory_order_relaxed) == 1000) source.request_stop();
          });
        });
      });
    }));
  });
}

// With one worker no signal comes to who does not poll: neither what runs free inside, nor what ran free before.
TEST(with_stop, an_endless_row_of_forks_ends) {
  under_each_setting([] {
    std::stop_source source;
    std::uint64_t rounds = 0;
    const auto row = [&](std::uint64_t many) {
      for (std::uint64_t i = 0; i < many; ++i) {
        if (++rounds == 3'000) source.request_stop();
        const auto [a, b] = takt::fork_join([] { return fib(6); }, [] { return fib(7); });
        if (a != 8 || b != 13) ADD_FAILURE() << "a result that is not complete";
      }
    };
    takt::fork_join(
        [&] {
          row(2'000);
          EXPECT_FALSE(takt::with_stop(source.get_token(), [&] { row(k_endless); }));
        },
        [] {});
  });
}

TEST(with_stop, an_endless_row_of_loops_that_ran_free_before_ends) {
  constexpr std::uint64_t k_free = TAKT_TEST_SANITIZER ? 10'000 : 50'000;
  under_each_setting([] {
    std::uint64_t rounds = 0;
    std::stop_source source;
    std::array<int, 4> x{};
    const auto row = [&](std::uint64_t many) {
      for (std::uint64_t i = 0; i < many; ++i) {
        if (++rounds == k_free + k_free / 5) source.request_stop();
        takt::parallel_for(std::size_t{0}, x.size(), [&x](std::size_t k) { x[k] ^= 1; });
      }
    };
    takt::fork_join(
        [&] {
          row(k_free);
          EXPECT_FALSE(takt::with_stop(source.get_token(), [&] { row(k_endless); }));
        },
        [] {});
  });
}

TEST(with_stop, sums_that_are_not_complete_are_never_seen) {
  under_each_setting([] {
    for (int after = 1; after < 2000; after *= 3) {
      std::stop_source source;
      std::atomic<int> ran{0};
      const std::optional<long> sum = takt::with_stop(source.get_token(), [&] {
        return takt::parallel_reduce(
            0, 3000, 0L,
            [&](int i) {
              if (ran.fetch_add(1) == after) source.request_stop();
              return i + 0 * fib(5);
            },
            [](long a, long b) { return a + b; });
      });
      EXPECT_EQ(sum.value_or(4498500), 4498500);
    }
  });
}

TEST(with_stop, algorithms_end_or_are_complete) {
  under_each_setting([] {
    for (int after = 1; after < 4000; after *= 4) {
      std::stop_source source;
      std::atomic<int> compared{0};
      std::vector<std::string> words;
      for (int i = 0; i < 3000; ++i) words.push_back("a word that lies on the heap " + std::to_string(i * 7919 % 3000));
      const bool complete = takt::with_stop(source.get_token(), [&] {
        takt::sort(words, [&](const std::string& a, const std::string& b) {
          if (compared.fetch_add(1) == after) source.request_stop();
          return a < b;
        });
      });
      EXPECT_EQ(words.size(), 3000u);
      EXPECT_TRUE(!complete || std::ranges::is_sorted(words));
    }
  });
}

TEST(with_stop, asked_before_it_begins) {
  under_each_setting([] {
    std::stop_source source;
    source.request_stop();
    std::atomic<int> ran{0};
    EXPECT_FALSE(takt::with_stop(source.get_token(), [&] {
      EXPECT_TRUE(takt::stop_requested());
      takt::parallel_for(std::uint64_t{0}, k_endless, [&](std::uint64_t) { ran.fetch_add(1); });
    }));
  });
}

TEST(with_stop, what_is_around_goes_on) {
  under_each_setting([] {
    std::atomic<int> rows{0};
    takt::parallel_for(0, 20, [&](int row) {
      std::stop_source source;
      if (row % 2 == 0) source.request_stop();
      const bool complete = takt::with_stop(source.get_token(), [&] {
        takt::parallel_for(std::uint64_t{0}, row % 2 == 0 ? k_endless : 50, [](std::uint64_t i) { (void)fib(i % 6); });
      });
      EXPECT_EQ(complete, row % 2 != 0);
      EXPECT_FALSE(takt::stop_requested());
      rows.fetch_add(1);
    });
    EXPECT_EQ(rows.load(), 20);
  });
}

TEST(with_stop, a_stop_of_what_is_around_ends_what_is_inside) {
  under_each_setting([] {
    std::stop_source outer;
    std::stop_source inner;
    std::atomic<int> ran{0};
    bool inside_went_on = false;
    EXPECT_FALSE(takt::with_stop(outer.get_token(), [&] {
      (void)takt::with_stop(inner.get_token(), [&] {
        takt::parallel_for(std::uint64_t{0}, k_endless, [&](std::uint64_t) {
          if (ran.fetch_add(1) == 500) outer.request_stop();
        });
      });
      inside_went_on = true;
    }));
    EXPECT_FALSE(inside_went_on);
    EXPECT_FALSE(inner.stop_requested());
  });
}

TEST(with_stop, code_is_asked) {
  under_each_setting([] {
    EXPECT_FALSE(takt::stop_requested());
    std::stop_source source;
    std::thread asks;
    std::atomic<bool> was_asked{false};
    (void)takt::with_stop(source.get_token(), [&] {
      asks = std::thread([&] { source.request_stop(); });
      while (!takt::stop_requested()) std::this_thread::yield();
      was_asked = true;
    });
    asks.join();
    EXPECT_TRUE(was_asked.load());
  });
}

TEST(with_stop, nothing_stops_what_is_shielded) {
  under_each_setting([] {
    std::stop_source source;
    source.request_stop();
    std::atomic<int> ran{0};
    (void)takt::with_stop(source.get_token(), [&] {
      takt::without_stop([&] {
        EXPECT_FALSE(takt::stop_requested());
        takt::parallel_for(0, 3000, [&](int i) {
          (void)fib(i % 7);
          ran.fetch_add(1);
        });
      });
      EXPECT_TRUE(takt::stop_requested());
    });
    EXPECT_EQ(ran.load(), 3000);
  });
}

// In a stopped computation its destructor has all of its work done.
struct with_loop_in_its_destructor {
  std::atomic<int>& ran;
  ~with_loop_in_its_destructor() {
    takt::without_stop([this] { takt::parallel_for(0, 1000, [this](int) { ran.fetch_add(1); }); });
  }
};

TEST(with_stop, destructors_run) {
  under_each_setting([] {
    std::stop_source source;
    std::atomic<int> ran{0};
    std::atomic<int> iterations{0};
    EXPECT_FALSE(takt::with_stop(source.get_token(), [&] {
      const with_loop_in_its_destructor object{ran};
      takt::parallel_for(std::uint64_t{0}, k_endless, [&](std::uint64_t) {
        if (iterations.fetch_add(1) == 100) source.request_stop();
      });
    }));
    EXPECT_EQ(ran.load(), 1000);
  });
}

// --- on_exception::stop ----------------------------------------------------------------------------------------

TEST(on_exception, ends_an_endless_loop) {
  under_each_setting([] {
    std::atomic<int> ran{0};
    EXPECT_EQ(error_of([&] {
                (void)takt::with_stop(takt::on_exception::stop, [&] {
                  takt::parallel_for(std::uint64_t{0}, k_endless, [&](std::uint64_t i) {
                    ran.fetch_add(1);
                    if (i == 10) throw planned_error(10);
                  });
                });
              }),
              10);
  });
  EXPECT_EQ(planned_error::live(), 0);
}

TEST(on_exception, one_of_several_arrives) {
  under_each_setting([] {
    const long error = error_of([&] {
      (void)takt::with_stop(takt::on_exception::stop, [&] {
        takt::parallel_for(0, 2000, [&](int i) {
          (void)fib(i % 8);
          if (i % 100 == 99) throw planned_error(i);
        });
      });
    });
    EXPECT_EQ(error % 100, 99);
  });
  EXPECT_EQ(planned_error::live(), 0);
}

TEST(on_exception, of_a_branch_ends_the_other_one) {
  under_each_setting([] {
    EXPECT_EQ(error_of([&] {
                (void)takt::with_stop(takt::on_exception::stop, [&] {
                  takt::fork_join([] { throw planned_error(1); },
                                  [] { takt::parallel_for(std::uint64_t{0}, k_endless, [](std::uint64_t) {}); });
                });
              }),
              1);
  });
  EXPECT_EQ(planned_error::live(), 0);
}

TEST(on_exception, of_a_child_ends_the_other_children) {
  under_each_setting([] {
    takt::task_group group(takt::on_exception::stop);
    for (int i = 0; i < 50; ++i) {
      group.run([i] {
        if (i == 25) throw planned_error(25);
        takt::parallel_for(std::uint64_t{0}, k_endless, [](std::uint64_t k) { (void)fib(k % 5); });
      });
      // With one worker the newest one is first.
      if (i == 25) break;
    }
    EXPECT_EQ(error_of([&] { group.wait(); }), 25);
    // And it can be used again.
    std::atomic<int> ran{0};
    for (int i = 0; i < 50; ++i) group.run([&] { ran.fetch_add(1); });
    group.wait();
    EXPECT_EQ(ran.load(), 50);
  });
  EXPECT_EQ(planned_error::live(), 0);
}

// --- Groups ----------------------------------------------------------------------------------------------------

struct counted_capture {
  explicit counted_capture(std::atomic<int>& live) : live_(&live) { live.fetch_add(1); }
  counted_capture(const counted_capture& other) : live_(other.live_) { live_->fetch_add(1); }
  counted_capture& operator=(const counted_capture&) = delete;
  ~counted_capture() { live_->fetch_sub(1); }
  std::atomic<int>* live_;
};

TEST(group_cancel, children_that_have_not_begun_are_destroyed) {
  under_each_setting([] {
    std::atomic<int> live{0};
    std::atomic<int> ran{0};
    {
      takt::task_group group;
      group.cancel();
      for (int i = 0; i < 500; ++i) {
        group.run([held = counted_capture(live), &ran] { ran.fetch_add(1); });
      }
      group.wait();
      EXPECT_EQ(live.load(), 0);
      EXPECT_EQ(ran.load(), 0);
      for (int i = 0; i < 500; ++i) {
        group.run([held = counted_capture(live), &ran] { ran.fetch_add(1); });
      }
      group.wait();
      EXPECT_EQ(ran.load(), 500);
    }
    EXPECT_EQ(live.load(), 0);
  });
}

void grow(takt::task_group& group, std::atomic<int>& ran) {
  if (ran.fetch_add(1) == 2000) group.cancel();
  group.run([&group, &ran] { grow(group, ran); });
  group.run([&group, &ran] { grow(group, ran); });
}

TEST(group_cancel, an_endless_tree_of_children_ends) {
  under_each_setting([] {
    takt::task_group group;
    std::atomic<int> ran{0};
    group.run([&] { grow(group, ran); });
    group.wait();
    EXPECT_GE(ran.load(), 2000);
  });
}

// None of its children ever waits beside another one.
void go_on(takt::task_group& group, std::atomic<int>& ran) {
  if (ran.fetch_add(1) == 2000) group.cancel();
  group.run([&group, &ran] { go_on(group, ran); });
}

TEST(group_cancel, an_endless_chain_of_children_ends) {
  under_each_setting([] {
    takt::task_group group;
    std::atomic<int> ran{0};
    group.run([&] { go_on(group, ran); });
    group.wait();
    EXPECT_GE(ran.load(), 2000);
  });
}

TEST(group_cancel, ends_endless_loops_of_children) {
  under_each_setting([] {
    takt::task_group group;
    std::atomic<int> ran{0};
    group.run([&] {
      takt::parallel_for(std::uint64_t{0}, k_endless, [&](std::uint64_t k) {
        (void)fib(k % 6);
        if (ran.fetch_add(1) == 1000) group.cancel();
      });
    });
    group.wait();
    SUCCEED();
  });
}

TEST(group_cancel, errors_of_children_still_arrive) {
  under_each_setting([] {
    takt::task_group group;
    group.run([&] {
      group.cancel();
      throw planned_error(3);
    });
    EXPECT_EQ(error_of([&] { group.wait(); }), 3);
  });
  EXPECT_EQ(planned_error::live(), 0);
}

TEST(group_cancel, a_group_stops_with_the_code_that_waits) {
  under_each_setting([] {
    std::stop_source source;
    std::atomic<int> ran{0};
    EXPECT_FALSE(takt::with_stop(source.get_token(), [&] {
      takt::task_group group;
      for (int i = 0; i < 20; ++i) {
        group.run([&] {
          takt::parallel_for(std::uint64_t{0}, k_endless, [&](std::uint64_t k) {
            (void)fib(k % 6);
            if (ran.fetch_add(1) == 1000) source.request_stop();
          });
        });
      }
      group.wait();
      ADD_FAILURE() << "goes on behind children that are not complete";
    }));
  });
}

TEST(group_cancel, children_that_were_added_where_it_is_over_are_not_stopped) {
  under_each_setting([] {
    takt::task_group group;
    std::atomic<int> ran{0};
    std::stop_source source;
    (void)takt::with_stop(source.get_token(), [&] {
      for (int i = 0; i < 100; ++i) {
        group.run([&] {
          takt::parallel_for(0, 30, [](int k) { (void)fib(k % 6); });
          ran.fetch_add(1);
        });
      }
      source.request_stop();
    });
    group.wait();
    EXPECT_EQ(ran.load(), 100);
  });
}

// --- Searches --------------------------------------------------------------------------------------------------

std::vector<int> numbers(int n) {
  std::vector<int> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// Searches for ever, unless it is stopped.
bool search_for_ever(std::vector<int>& all) {
  for (;;) {
    if (takt::any_of(all, [](int x) { return fib(4 + x % 3) < 0; })) return true;
  }
}

TEST(nested_searches, the_answer_of_the_outer_one_ends_the_inner_ones) {
  takt::config two = takt_test::by_default(2);
  takt::configure(two);
  std::vector<int> all = numbers(100);
  std::atomic<bool> other_began{false};
  // The second half is another worker's: who searches for ever is stopped by the other one's answer.
  EXPECT_TRUE(takt::any_of(all, [&](int x) {
    if (x == 0) {
      while (!other_began.load()) (void)takt::any_of(all, [](int y) { return fib(5) < y - 1000; });
      return search_for_ever(all);
    }
    other_began = true;
    return x > 60 && fib(10) == 55;
  }));
}

TEST(nested_searches, a_first_match_does_not_stop_what_is_before_it) {
  under_each_setting([] {
    std::vector<int> all = numbers(64);
    for (const int first : {0, 1, 13, 40, 63}) {
      const auto found = takt::find_if(all, [&](int x) {
        // Of the elements before the match each is looked at to the end.
        const bool complete = !takt::any_of(all, [](int y) { return fib(6 + y % 3) < 0; });
        EXPECT_TRUE(complete);
        return x >= first;
      });
      EXPECT_EQ(found - all.begin(), first);
    }
  });
}

TEST(nested_searches, answers_are_right) {
  under_each_setting([] {
    std::vector<int> all = numbers(40);
    for (const int row : {0, 7, 39, 100}) {
      const bool found = takt::any_of(all, [&](int x) {
        return takt::any_of(all, [&](int y) { return takt::any_of(all, [&](int z) { return x == row && y == row && z == row; }); });
      });
      EXPECT_EQ(found, row < 40);
      EXPECT_EQ(takt::all_of(all, [&](int x) { return takt::none_of(all, [&](int y) { return x + y == 2 * row; }); }), row == 100);
    }
  });
}

TEST(nested_searches, forks_in_predicates_are_complete) {
  under_each_setting([] {
    std::vector<int> all = numbers(200);
    std::atomic<int> wrong{0};
    EXPECT_TRUE(takt::any_of(all, [&](int x) {
      if (fib(12) != 144) wrong.fetch_add(1);
      std::vector<int> squares(50);
      takt::parallel_for(0, 50, [&](int i) noexcept { squares[static_cast<std::size_t>(i)] = i * i; });
      for (int i = 0; i < 50; ++i) {
        if (squares[static_cast<std::size_t>(i)] != i * i) wrong.fetch_add(1);
      }
      return x == 150;
    }));
    EXPECT_EQ(wrong.load(), 0);
  });
}

TEST(nested_searches, a_stop_of_what_is_around_ends_them) {
  under_each_setting([] {
    std::vector<int> all = numbers(50);
    std::stop_source source;
    std::atomic<int> ran{0};
    EXPECT_FALSE(takt::with_stop(source.get_token(), [&] {
      (void)takt::find_if(all, [&](int) {
        for (;;) {
          if (ran.fetch_add(1) == 200) source.request_stop();
          if (takt::any_of(all, [](int y) { return fib(5 + y % 3) < 0; })) return true;
        }
      });
      ADD_FAILURE() << "a search that is not complete has an answer";
    }));
  });
}

}  // namespace
