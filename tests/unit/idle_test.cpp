// A process that has nothing to do uses no CPU.
#include <takt/takt.hpp>

#include "support/program.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <chrono>
#include <thread>

namespace {

double cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// The sleep is what is measured, not a way to wait for something. The bound is far above what the kernel charges for
// two seconds of nothing, and far below what one thread that polls or ticks would use.
void expect_idle() {
  const double before = cpu_seconds();
  std::this_thread::sleep_for(std::chrono::seconds(2));
  EXPECT_LT(cpu_seconds() - before, 0.050);
}

TEST(idle, after_parallel_work) {
  takt::configure(takt_test::by_default(4));
  EXPECT_EQ(takt_test::fib(27), takt_test::serial_fib(27));
  expect_idle();
}

TEST(idle, after_eager_work_of_several_threads) {
  takt::configure(takt_test::eager(4));
  std::thread other([] { EXPECT_EQ(takt_test::fib(14), 377); });
  EXPECT_EQ(takt_test::fib(14), 377);
  other.join();
  expect_idle();
}

TEST(idle, with_beat_zero) {
  takt::configure(takt_test::beat_zero(4));
  EXPECT_EQ(takt_test::triangle(100), takt_test::serial_triangle(100));
  expect_idle();
}

}  // namespace
