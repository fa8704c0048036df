// The door to the simulator, in a program that has it linked in: what it refuses, and that nothing is loaded.
#include <takt/takt.hpp>

#include "sim/stand_in.hpp"
#include "support/program.hpp"

#include <gtest/gtest.h>

#include <stdlib.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace {

// Null is what the door takes for another version. It is said before anything is done.
TEST(simulator_door, another_version_is_not_let_in) {
  takt::platform::simulated_process process = takt::sim::this_process();
  ++process.door;
  EXPECT_EQ(takt_simulator(&process, "no request that could be served"), nullptr);
}

TEST(simulator_door, a_second_copy_of_takt_is_refused) {
  const auto twice = [] {
    const takt::platform::simulated_process process = takt::sim::this_process();
    EXPECT_NE(takt_simulator(&process, "workers=2,out=/dev/null"), nullptr);
    (void)takt_simulator(&process, "workers=2,out=/dev/null");
    std::exit(0);
  };
  EXPECT_EXIT(twice(), testing::ExitedWithCode(2), "^takt: TAKT_SIM: two copies of takt [^\n]*\n$");
}

TEST(simulator_door, what_is_linked_in_goes_first) {
  const auto simulated = [] {
    setenv("TAKT_SIM", "library=/no/such/library,workers=3", 1);
    (void)takt_test::fib(20);
    std::exit(0);
  };
  EXPECT_EXIT(simulated(), testing::ExitedWithCode(0), "^\\{\"takt_sim\":1,\"workers\":3,");
}

}  // namespace
