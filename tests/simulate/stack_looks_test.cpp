// When the memory of a stack is looked at, in virtual time.
#include <takt/takt.hpp>

#include "sim/stand_in.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

namespace {

class machine_that_counts : public takt::sim::virtual_time {
 public:
  machine_that_counts() : virtual_time(settings(), takt::sim::this_process()) {}
  std::size_t resident_bytes(const takt::platform::stack_memory&) noexcept override {
    ++looks;
    return 0;
  }
  int looks = 0;

 private:
  static takt::sim::virtual_settings settings() {
    takt::sim::virtual_settings result;
    result.workers = 1;
    result.measured = false;
    result.began = 1'000'000'000;
    return result;
  }
};

// A look takes long after a rest, and the caller waits for it: what has run for a moment has not touched much.
TEST(stack_looks, are_made_for_what_has_run_there_and_not_for_the_time_that_has_passed) {
  machine_that_counts on;
  takt::config c;
  c.workers = 1;
  const takt::sim::stand_in runtime(on, c);
  const auto call = [&on](std::uint64_t ns) {
    on.spend(50'000'000);
    takt::fork_join([&on, ns] { on.spend(ns); }, [] {});
  };
  call(100'000);
  call(100'000);
  const int before = on.looks;
  for (int i = 0; i < 5; ++i) call(100'000);
  EXPECT_EQ(on.looks, before);
  call(2'000'000);
  EXPECT_GT(on.looks, before);
}

}  // namespace
