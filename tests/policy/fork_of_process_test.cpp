// fork(2) in a call, under policies that keep records of tasks at their seats: what other threads had is not the
// child's, so the child has records of its own wherever it begins something.
#include <takt/takt.hpp>

#include "cost/numbers.hpp"
#include "policy/policies.hpp"
#include "support/settings.hpp"
#include "support/together.hpp"
#include "worker/runtime.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

namespace {

class child_of_fork : public testing::TestWithParam<takt::policy> {};

// Whether a signal handler could promote as many as ever in what begins on this worker.
bool has_room_for_a_handler(takt::policy p) {
  bool has = false;
  const auto begin = [p, &has] {
    takt::with_policy(p, [&has] {
      takt::core::worker& w = *takt::core::this_worker();
      has = w.scheduler.current()->policy.current->reserve(w, takt::cost::k_handler_room, false);
    });
  };
  // A scope of the policy that is there already is none.
  takt::with_policy(takt::policy::random, begin);
  return has;
}

TEST_P(child_of_fork, stocks_the_seat_that_it_takes) {
  takt::configure(takt_test::with(GetParam(), takt_test::eager(2)));
  pid_t child = -1;
  // The caller has the first seat, and both have begun something.
  takt_test::fork_apart([] {},
                        [&] {
                          child = fork();
                          if (child != 0) return;
                          // As a worker that had none when it forked: the only one there is.
                          takt::core::worker& w = *takt::core::this_worker();
                          const int before = w.seat.number();
                          w.owner.detach(w);
                          const bool moved = w.owner.attach(w) && w.seat.number() != before;
                          const bool has_room = has_room_for_a_handler(GetParam());
                          _exit(moved && has_room ? 0 : moved ? 1 : 2);
                        });
  ASSERT_GT(child, 0);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "exit code 1: no room, 2: it has not moved";
}

INSTANTIATE_TEST_SUITE_P(policies, child_of_fork,
                         testing::Values(takt::policy::adws, takt::policy::ml_adws, takt::lab::ml_random,
                                         takt::lab::sb));

}  // namespace
