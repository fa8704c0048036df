// For tests of what runs free: every look at the clock is a tick after the one before, so that all forks and loops are
// short, on any machine.
#pragma once

#include "support/faulty_platform.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

namespace takt_test {

class clock_by_tick : public testing::Test {
 protected:
  void SetUp() override {
    platform_.ticks_per_look = 1;
    takt::platform::replace(&platform_);
  }
  void TearDown() override {
    // The next runtime must not refer to a platform that is gone.
    takt::platform::replace(nullptr);
    takt::configure(settings(1, takt::lab::beat));
  }
  faulty_platform platform_;
};

}  // namespace takt_test
