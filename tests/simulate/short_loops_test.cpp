// Loops of less than a few beats that follow each other, in virtual time: who has a part of them, and who is woken.
#include <takt/lab.hpp>
#include <takt/takt.hpp>

#include "simulate/in_virtual_time.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using takt_test::in_virtual_time;

/// A loop of iterations that take `ns` each. Its site is that of each test's own `Name`: what it learns is of one test.
template <class Name>
class loop_of {
 public:
  loop_of(in_virtual_time& machine, std::uint64_t ns, Name) : machine_(machine), ns_(ns) {}

  /// Runs so many. @returns ns of one, in the mean.
  double run(int calls, std::uint64_t iterations) {
    const std::uint64_t begun = machine_.on.time();
    for (int call = 0; call < calls; ++call) {
      takt::parallel_for(std::uint64_t{0}, iterations, [this](std::uint64_t) { machine_.on.spend(ns_); });
    }
    return static_cast<double>(machine_.on.time() - begun) / calls;
  }

 private:
  in_virtual_time& machine_;
  std::uint64_t ns_;
};

// Who looks for work waits for no beat of a loop that runs, most of all at its end, where no other part is left to be
// taken: with beats alone it is 15.
TEST(short_loops, are_divided_for_who_looks) {
  in_virtual_time machine(32, {});
  loop_of loop(machine, 1'500, [] {});
  (void)loop.run(2, 500);
  EXPECT_GT(500 * 1'500 / loop.run(20, 500), 17.5);
}

// Who promotes a loop has its first iteration, too: the larger half is for the other. With three and one it is 30 us.
TEST(short_loops, of_few_iterations_are_shared_evenly) {
  in_virtual_time machine(2, {});
  loop_of loop(machine, 10'000, [] {});
  (void)loop.run(2, 4);
  EXPECT_LT(loop.run(20, 4), 25'000);
}

// A cheap iteration says little of the dear ones: a half that believes it runs in one piece, and it is 150 us.
TEST(short_loops, of_iterations_that_become_dearer_are_shared_evenly) {
  in_virtual_time machine(2, {});
  std::uint64_t begun = 0;
  for (int call = 0; call < 20; ++call) {
    if (call == 10) begun = machine.on.time();
    takt::parallel_for(std::uint64_t{0}, std::uint64_t{100}, [&](std::uint64_t i) { machine.on.spend(20 + 40 * i); });
  }
  EXPECT_LT(machine.on.time() - begun, 10 * 115'000u);
}

// What is short as a whole has no chunk that tells much: each of them must tell something, or loops have a frame, and a
// poll after each chunk, for hundreds of loops.
TEST(short_loops, soon_run_in_place_after_dear_ones_of_the_same_site) {
  in_virtual_time machine(1, {});
  const auto loop = [&](std::uint64_t ns) {
    takt::parallel_for(std::uint64_t{0}, std::uint64_t{12}, [&](std::uint64_t) { machine.on.spend(ns); });
  };
  std::uint64_t polls = 0;
  takt::fork_join(
      [&] {
        for (int round = 0; round < 10; ++round) {
          for (int call = 0; call < 3; ++call) loop(12'000);
          const std::uint64_t before = in_virtual_time::total("polls");
          for (int call = 0; call < 50; ++call) loop(10);
          polls += in_virtual_time::total("polls") - before;
        }
      },
      [] {});
  EXPECT_LT(polls, 10 * 50u);
}

// After a rest the first iteration waits for memory. A cost that follows it makes an outermost call of each such loop.
TEST(short_loops, that_are_rare_run_in_place) {
  in_virtual_time machine(1, {}, 25);
  const auto loop = [&] {
    machine.on.spend(50'000'000);
    takt::parallel_for(0, 1'000, [&](int i) { machine.on.spend(i == 0 ? 1'000 : 2); });
  };
  for (int call = 0; call < 10; ++call) loop();
  const std::uint64_t before = in_virtual_time::total("polls");
  for (int call = 0; call < 50; ++call) loop();
  EXPECT_EQ(in_virtual_time::total("polls"), before);
}

takt::config with_adws() {
  takt::config c;
  c.policy = takt::policy::adws;
  return c;
}

// A part that had an iteration more than the others once, as the first loop begins late on them, does not keep it for
// good: with that it is 42 us.
TEST(short_loops, of_less_iterations_than_seats_have_one_on_each_under_adws) {
  in_virtual_time machine(56, with_adws());
  loop_of loop(machine, 20'000, [] {});
  takt::fork_join(
      [&] {
        (void)loop.run(20, 50);
        EXPECT_LT(loop.run(40, 50), 35'000);
      },
      [] {});
}

// They wake nobody, and who looks has a half of each.
TEST(short_loops, of_a_third_of_a_beat_begin_on_who_looks) {
  in_virtual_time machine(2, {});
  loop_of loop(machine, 100, [] {});
  (void)loop.run(1, 4'000);
  EXPECT_LT(loop.run(50, 100), 8'000);
}

// One is not worth waking somebody for, a beat of them within two is. Without that it is 10 us a loop.
TEST(short_loops, of_a_third_of_a_beat_wake_somebody_if_many_follow_each_other) {
  in_virtual_time machine(2, {});
  loop_of loop(machine, 100, [] {});
  // Who has had a part of the first, of which nothing is known, sleeps again.
  (void)loop.run(3, 100);
  machine.on.spend(500'000);
  EXPECT_LT(loop.run(50, 100), 8'000);
}

TEST(short_loops, of_a_third_of_a_beat_wake_nobody_if_they_are_far_apart) {
  in_virtual_time machine(2, {});
  loop_of loop(machine, 100, [] {});
  const auto some = [&](int calls) {
    for (int call = 0; call < calls; ++call) {
      (void)loop.run(1, 100);
      machine.on.spend(100'000);
    }
  };
  // Of the first one nothing is known.
  some(3);
  const std::uint64_t before = in_virtual_time::total("promotions_loops");
  some(50);
  EXPECT_EQ(in_virtual_time::total("promotions_loops"), before);
}

// Entering them would cost time for nothing.
TEST(short_loops, of_a_third_of_a_beat_run_in_place_on_one_worker) {
  in_virtual_time machine(1, {});
  loop_of loop(machine, 100, [] {});
  (void)loop.run(1, 4'000);
  const std::uint64_t before = in_virtual_time::total("polls");
  (void)loop.run(50, 100);
  EXPECT_EQ(in_virtual_time::total("polls"), before);
}

// Their data are likely to lie with those who had the parts of the loops before them.
TEST(short_loops, of_a_tenth_of_a_beat_begin_on_others_if_they_follow_what_others_had_parts_of) {
  in_virtual_time machine(2, {});
  loop_of loop(machine, 100, [] {});
  (void)loop.run(3, 400);
  const std::uint64_t before = in_virtual_time::total("promotions_loops");
  for (int round = 0; round < 50; ++round) {
    (void)loop.run(1, 400);
    (void)loop.run(3, 30);
  }
  EXPECT_GT(in_virtual_time::total("promotions_loops"), before + 190);
}

TEST(short_loops, of_a_tenth_of_a_beat_run_in_place_otherwise) {
  in_virtual_time machine(2, {});
  loop_of loop(machine, 100, [] {});
  (void)loop.run(1, 400);
  // Of the first one that follows nobody has a part: they sleep.
  machine.on.spend(500'000);
  (void)loop.run(1, 30);
  const std::uint64_t before = in_virtual_time::total("promotions_loops");
  (void)loop.run(150, 30);
  EXPECT_LT(in_virtual_time::total("promotions_loops"), before + 5);
}

// Where loops wait for a beat it takes half of one, whoever had parts of the loop before.
TEST(short_loops, of_a_sixth_of_a_beat_run_in_place_under_other_triggers) {
  takt::config c;
  c.trigger = takt::lab::beat;
  in_virtual_time machine(2, c);
  loop_of loop(machine, 100, [] {});
  (void)loop.run(10, 4'000);
  const std::uint64_t before = in_virtual_time::total("polls");
  (void)loop.run(50, 50);
  EXPECT_EQ(in_virtual_time::total("polls"), before);
}

// Who leaves its stack for them goes on elsewhere.
TEST(short_loops, are_joined_where_they_began) {
  in_virtual_time machine(2, {});
  loop_of loop(machine, 400, [] {});
  (void)loop.run(3, 100);
  const std::uint64_t before = in_virtual_time::total("suspensions");
  (void)loop.run(50, 100);
  EXPECT_LT(in_virtual_time::total("suspensions"), before + 5);
}

/// Calls with so many us of loop in each, and a rest of 5 ms before it, after some in which its site has learned.
/// @returns how often `counter` was counted in them.
std::uint64_t counted_after_rests(in_virtual_time& machine, std::uint64_t us, const char* counter) {
  loop_of loop(machine, 100, [] {});
  const auto some = [&](int calls) {
    for (int call = 0; call < calls; ++call) {
      machine.on.spend(5'000'000);
      (void)loop.run(1, 10 * us);
    }
  };
  some(5);
  const std::uint64_t before = in_virtual_time::total(counter);
  some(20);
  return in_virtual_time::total(counter) - before;
}

// Who sleeps would come when they are over, and to enter a call takes longer than usual then.
TEST(short_loops, after_a_rest_run_in_place) {
  for (const std::uint64_t us : {3u, 9u, 30u, 90u}) {
    in_virtual_time machine(2, {});
    EXPECT_EQ(counted_after_rests(machine, us, "polls"), 0u) << us << " us";
  }
}

// What is worth a wake-up is given away as ever: at the begin of the loop, not at a poll of it.
TEST(short_loops, that_are_long_enough_wake_somebody_after_a_rest) {
  in_virtual_time machine(2, {});
  EXPECT_GE(counted_after_rests(machine, 200, "steals_done"), 20u);
}

// The first of them run in place, and then others have their part: serially they take 40 us each.
TEST(short_loops, of_more_than_a_beat_are_shared_if_they_follow_each_other) {
  in_virtual_time machine(2, {});
  loop_of loop(machine, 100, [] {});
  (void)loop.run(3, 400);
  machine.on.spend(5'000'000);
  EXPECT_LT(loop.run(50, 400), 27'000);
}

}  // namespace
