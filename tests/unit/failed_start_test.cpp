// Memory is too short for a runtime. A start that has failed is tried again later, not by each fork of a computation
// that is serial meanwhile.
#include <takt/takt.hpp>

#include "support/faulty_platform.hpp"
#include "support/program.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#if TAKT_TEST_SANITIZER

TEST(failed_start, is_not_to_be_seen) { GTEST_SKIP() << "malloc is the sanitizer's"; }

#else

extern "C" void* __libc_malloc(std::size_t bytes);

namespace {

std::atomic<bool> refuses{false};
std::atomic<int> refused{0};

}  // namespace

extern "C" void* malloc(std::size_t bytes) noexcept {
  if (!refuses.load(std::memory_order_relaxed)) return __libc_malloc(bytes);
  refused.fetch_add(1, std::memory_order_relaxed);
  errno = ENOMEM;
  return nullptr;
}

namespace {

// Of the thread's outermost call. A computation that asks for a runtime at each of its forks, if it has none.
bool enters() {
  return takt_enter([](void*) {}, nullptr);
}
bool computes() { return takt_test::fib(15) == 610; }

TEST(failed_start, is_tried_again_later) {
  takt_test::faulty_platform platform;
  // It hardly moves.
  platform.ticks_per_look = 1;
  takt::platform::replace(&platform);
  const auto after_a_rest = [&platform](auto f) {
    platform.ticks_per_look = static_cast<std::uint64_t>(platform.ticks_per_second());
    const bool result = f();
    platform.ticks_per_look = 1;
    return result;
  };

  refuses = true;
  const bool first = enters();
  const int once = refused.load();
  const bool right = computes();
  const int meanwhile = refused.load();
  const bool again = after_a_rest(enters);
  const int twice = refused.load();
  const bool right_again = computes();
  const int later = refused.load();
  refuses = false;
  EXPECT_FALSE(first);
  EXPECT_GT(once, 0);
  EXPECT_TRUE(right);
  EXPECT_EQ(meanwhile, once);
  EXPECT_FALSE(again);
  EXPECT_GT(twice, once);
  EXPECT_TRUE(right_again);
  EXPECT_EQ(later, twice);

  EXPECT_FALSE(enters()) << "too early";
  EXPECT_TRUE(after_a_rest(enters));
  EXPECT_TRUE(computes());
  takt::platform::replace(nullptr);
  takt::configure(takt::config{});
}

// Who asks for the settings has no use for another answer.
TEST(failed_start, is_tried_by_who_needs_it) {
  takt_test::faulty_platform platform;
  platform.ticks_per_look = 1;
  takt::platform::replace(&platform);
  refuses = true;
  const bool first = enters();
  refuses = false;
  EXPECT_FALSE(first);
  EXPECT_GT(takt::current_config().workers, 0u);
  takt::platform::replace(nullptr);
  takt::configure(takt::config{});
}

}  // namespace

#endif
