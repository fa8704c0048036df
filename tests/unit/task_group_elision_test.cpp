// The serial elision of a group with an order: children run in run(), in either.
#define TAKT_ELISION
#include <takt/takt.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

TEST(task_group_elision, children_run_at_once_in_either_order) {
  for (const auto order : {takt::group_order::newest_first, takt::group_order::oldest_first}) {
    std::string begun;
    takt::task_group group(order);
    group.run([&] {
      begun += 'a';
      group.run([&begun] { begun += 'b'; });
    });
    group.run([&begun] { begun += 'c'; });
    EXPECT_EQ(begun, "abc");
    group.wait();
  }
}

}  // namespace
