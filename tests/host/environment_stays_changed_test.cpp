// A computation sets flush-to-zero, or a rounding mode, inside a parallel call and leaves it set. What it forks from
// then on starts with it, on whatever thread, and runs in parallel.
#include "host.hpp"

#include <cfenv>

namespace {

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
