// A computation sets flush-to-zero, or a rounding mode, inside a parallel call and leaves it set. What it forks from
// then on starts with it, on whatever thread, and runs in parallel.
#include "host.hpp"

#include <cfenv>
#include <limits>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace {

// Numbers that are too small become 0: no mode of <cfenv>.
void set_flush_to_zero(bool on) {
#if defined(__SSE__)
  _MM_SET_FLUSH_ZERO_MODE(on ? _MM_FLUSH_ZERO_ON : _MM_FLUSH_ZERO_OFF);
#elif defined(__aarch64__)
  constexpr std::uint64_t k_flush = std::uint64_t{1} << 24;
  std::uint64_t control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  control = on ? control | k_flush : control & ~k_flush;
  __asm__ volatile("msr fpcr, %0" : : "r"(control));
#else
#error "flush-to-zero of this machine"
#endif
}
bool flushes_to_zero() {
  volatile double least = std::numeric_limits<double>::min();
  return least / 2 == 0;
}

// Both branches flush, at the same time; what has not changed anything does not.
void check_flush_to_zero() {
  HOST_CHECK(!flushes_to_zero());
  bool met = false;
  takt::fork_join(
      [&] {
        set_flush_to_zero(true);
        std::atomic<int> here{0};
        std::atomic<int> right{0};
        const auto meet = [&] {
          if (flushes_to_zero()) right.fetch_add(1);
          here.fetch_add(1);
          return host::wait_until([&] { return here.load() == 2; });
        };
        const auto [a, b] = takt::fork_join(meet, meet);
        met = a && b && right == 2;
        set_flush_to_zero(false);
      },
      [] { HOST_CHECK(!flushes_to_zero()); });
  HOST_CHECK(met, "flush-to-zero");
}

// Forks inside the changed code: both branches see the change, and run at the same time.
bool changed_forks_run_side_by_side(int mode) {
  bool met = false;
  takt::fork_join(
      [&] {
        std::fesetround(mode);
        std::atomic<int> here{0};
        std::atomic<int> right{0};
        const auto meet = [&] {
          if (std::fegetround() == mode) right.fetch_add(1);
          here.fetch_add(1);
          return host::wait_until([&] { return here.load() == 2; });
        };
        const auto [a, b] = takt::fork_join(meet, meet);
        met = a && b && right == 2;
      },
      [] {});
  return met;
}

// The first change that a process makes is seen only at the next promotion: what was pushed until then may not be given
// away, as nobody knows whether it came before the change or after it.
void change_once() {
  takt::fork_join(
      [] {
        std::fesetround(FE_DOWNWARD);
        std::atomic<long> sum{0};
        takt::parallel_for(0, 1'000'000, [&](int i) { sum.fetch_add(i, std::memory_order_relaxed); });
        HOST_CHECK(sum == 499'999'500'000);
      },
      [] {});
}

}  // namespace

int main() {
  change_once();
  HOST_CHECK(host::two_run_side_by_side());
  for (int round = 0; round < 5; ++round) {
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      HOST_CHECK(changed_forks_run_side_by_side(mode));
      std::fesetround(FE_TONEAREST);
      HOST_CHECK(host::two_run_side_by_side());
    }
  }
  for (int round = 0; round < 5; ++round) check_flush_to_zero();
  // Loops, and the fork around them.
  std::atomic<int> wrong{0};
  takt::fork_join(
      [&] {
        std::fesetround(FE_UPWARD);
        HOST_CHECK(host::two_run_side_by_side());
        takt::parallel_for(0, 2000, [&](int) {
          takt::parallel_for(0, 50, [&](int) {
            if (std::fegetround() != FE_UPWARD) wrong.fetch_add(1);
          });
        });
      },
      [&] { takt::parallel_for(0, 1000, [](int) {}); });
  HOST_CHECK(wrong == 0, "%d", wrong.load());
}
