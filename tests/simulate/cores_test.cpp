// Where threads are put on a simulated machine.
#include "sim/cores.hpp"

#include <gtest/gtest.h>

#include <set>

namespace {

using takt::platform::cpu_set;
using takt::sim::cores;

cpu_set cpus(unsigned first, unsigned end) {
  cpu_set all;
  for (unsigned c = first; c < end; ++c) all.add(c);
  return all;
}

TEST(simulated_cores, threads_that_are_awake_have_one_each) {
  cores on(8, 1);
  std::set<unsigned> used;
  for (unsigned t = 0; t < 8; ++t) {
    on.begins(t);
    used.insert(on.of(t));
  }
  EXPECT_EQ(used.size(), 8u);
  // There is none left: two share one.
  on.begins(8);
  EXPECT_EQ(used.count(on.of(8)), 1u);
}

TEST(simulated_cores, who_wakes_is_where_it_was_unless_somebody_else_is) {
  cores on(2, 1);
  on.begins(0);
  const unsigned first = on.of(0);
  on.ends(0);
  on.begins(0);
  EXPECT_EQ(on.of(0), first);
  on.begins(1);
  const unsigned second = on.of(1);
  on.ends(0);
  on.ends(1);
  const cpu_set there = cpus(first, first + 1);
  on.begins(2);
  on.keep_to(2, &there);
  on.begins(0);
  EXPECT_EQ(on.of(2), first);
  EXPECT_EQ(on.of(0), second);
}

TEST(simulated_cores, who_is_bound_is_on_those) {
  const cpu_set upper = cpus(4, 8);
  for (unsigned seed = 0; seed < 20; ++seed) {
    cores on(8, seed);
    std::set<unsigned> used;
    for (unsigned t = 0; t < 4; ++t) {
      on.begins(t);
      on.keep_to(t, &upper);
      used.insert(on.of(t));
    }
    EXPECT_EQ(used, (std::set<unsigned>{4, 5, 6, 7}));
    on.ends(0);
    on.keep_to(1, nullptr);
    on.begins(0);
    EXPECT_GE(on.of(0), 4u);
  }
}

TEST(simulated_cores, the_seed_chooses) {
  std::set<unsigned> used;
  for (unsigned seed = 0; seed < 50; ++seed) {
    cores on(4, seed);
    on.begins(0);
    on.begins(1);
    EXPECT_EQ(on.of(0), 0u);
    used.insert(on.of(1));
  }
  EXPECT_EQ(used, (std::set<unsigned>{1, 2, 3}));
}

}  // namespace
