// The part of the exception machinery that belongs to a thread must belong to the computation instead: joins inside
// catch blocks and destructors, with the computation continuing on another thread.
#include <takt/takt.hpp>

#include "support/counted.hpp"
#include "support/program.hpp"
#include "support/settings.hpp"
#include "support/together.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <exception>

namespace {

using takt_test::fib;
using takt_test::fork_apart;
using takt_test::planned_error;
using takt_test::under_each_setting;

long current_id() {
  const std::exception_ptr current = std::current_exception();
  if (current == nullptr) return -1;
  try {
    std::rethrow_exception(current);
  } catch (const planned_error& error) {
    return error.id;
  } catch (...) {
    return -2;
  }
}

// Joins, and checks that the exception being handled here is still the one that it was.
template <class Join>
void join_while_handling(long id, Join join) {
  const long outer = current_id();
  try {
    throw planned_error(id);
  } catch (const planned_error& error) {
    join();
    EXPECT_EQ(error.id, id);
    EXPECT_EQ(current_id(), id);
    EXPECT_EQ(std::uncaught_exceptions(), 0);
    EXPECT_THROW(throw, planned_error);
    EXPECT_EQ(current_id(), id);
  }
  EXPECT_EQ(current_id(), outer);
}

TEST(exception_state, fork_inside_a_catch_block) {
  under_each_setting([] {
    const auto forks = [] { EXPECT_EQ(fib(12), 144); };
    join_while_handling(1, forks);
    takt::fork_join([&] { join_while_handling(2, forks); }, [&] { join_while_handling(3, forks); });
    takt::parallel_for(0, 20, [&](int i) { join_while_handling(i, forks); });
    EXPECT_EQ(planned_error::live(), 0);
  });
}

TEST(exception_state, handlers_inside_handlers) {
  under_each_setting([] {
    join_while_handling(1, [] {
      takt::fork_join(
          [] {
            join_while_handling(2, [] {
              takt::fork_join([] { join_while_handling(3, [] { (void)fib(8); }); },
                              [] { join_while_handling(4, [] { (void)fib(8); }); });
            });
          },
          [] { join_while_handling(5, [] { (void)fib(8); }); });
    });
    EXPECT_EQ(planned_error::live(), 0);
  });
}

TEST(exception_state, a_join_inside_a_catch_block_continues_on_another_thread) {
  takt::configure(takt_test::at_random(takt_test::eager(2)));
  for (int round = 0; round < 20; ++round) {
    takt::fork_join([] { join_while_handling(7, [] { EXPECT_TRUE(takt_test::join_that_moves()); }); }, [] {});
  }
  EXPECT_EQ(planned_error::live(), 0);
}

TEST(exception_state, a_stolen_branch_starts_afresh) {
  takt::configure(takt_test::eager(2));
  for (int round = 0; round < 50; ++round) {
    join_while_handling(1, [] {
      fork_apart([] { EXPECT_EQ(current_id(), 1); },
                 [] {
                   join_while_handling(2, [] { (void)fib(5); });
                   EXPECT_EQ(std::uncaught_exceptions(), 0);
                 });
    });
  }
  EXPECT_EQ(planned_error::live(), 0);
}

// A parallel call in a destructor that runs because of an exception in flight.
struct joins_when_destroyed {
  explicit joins_when_destroyed(std::atomic<int>& failures) : failures_(failures) {}
  ~joins_when_destroyed() {
    expect(std::uncaught_exceptions() == 1);
    takt::fork_join(
        [this] {
          expect(std::uncaught_exceptions() == 1);
          expect(fib(10) == 55);
        },
        [this] {
          // Errors come and go here without disturbing the one in flight.
          try {
            takt::fork_join([] { throw planned_error(2); }, [] { throw planned_error(3); });
            expect(false);
          } catch (const planned_error& error) {
            expect(error.id == 2);
          }
        });
    expect(std::uncaught_exceptions() == 1);
  }
  void expect(bool holds) const {
    if (!holds) failures_.fetch_add(1);
  }
  std::atomic<int>& failures_;
};

TEST(exception_state, joins_while_an_exception_is_in_flight) {
  under_each_setting([] {
    std::atomic<int> failures{0};
    const auto unwind = [&failures] {
      try {
        const joins_when_destroyed guard(failures);
        throw planned_error(1);
      } catch (const planned_error& error) {
        if (error.id != 1 || std::uncaught_exceptions() != 0) failures.fetch_add(1);
      }
    };
    for (int round = 0; round < 20; ++round) {
      unwind();
      takt::fork_join(unwind, unwind);
    }
    EXPECT_EQ(failures.load(), 0);
    EXPECT_EQ(planned_error::live(), 0);
  });
}

TEST(exception_state, an_exception_in_flight_moves_with_its_computation) {
  takt::configure(takt_test::at_random(takt_test::eager(2)));
  struct moves {
    ~moves() {
      EXPECT_EQ(std::uncaught_exceptions(), 1);
      EXPECT_TRUE(takt_test::join_that_moves());
      EXPECT_EQ(std::uncaught_exceptions(), 1);
    }
  };
  for (int round = 0; round < 20; ++round) {
    takt::fork_join(
        [] {
          try {
            const moves guard;
            throw planned_error(1);
          } catch (const planned_error& error) {
            EXPECT_EQ(error.id, 1);
            EXPECT_EQ(std::uncaught_exceptions(), 0);
          }
        },
        [] {});
    EXPECT_EQ(std::uncaught_exceptions(), 0);
  }
  EXPECT_EQ(planned_error::live(), 0);
}

TEST(exception_state, rethrowing_inside_a_call_finds_what_its_caller_handles) {
  under_each_setting([] {
    try {
      throw planned_error(6);
    } catch (const planned_error&) {
      // The left branch runs where the join is, so there is an exception to rethrow.
      EXPECT_THROW(takt::fork_join([] { throw; }, [] {}), planned_error);
      EXPECT_EQ(current_id(), 6);
    }
    EXPECT_EQ(planned_error::live(), 0);
  });
}

}  // namespace
