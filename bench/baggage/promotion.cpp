// takt-bench-promotion: what it takes to make a task of the oldest fork, with so many forks inside each other on the
// stack. One worker: who takes the task, and when, is not part of it.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <takt/takt.hpp>

#include "promotion/promote.hpp"

namespace takt::bench {
namespace {

constexpr int k_depths[] = {10, 100, 1'000, 100'000};
constexpr int k_rounds = 21;
// Not more of one stack than this: then there are as many forks on it as at first.
constexpr std::size_t k_promotions = 10;

double now_ns() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// What it takes to look at the clock twice.
double clock_ns() {
  std::vector<double> all(1001);
  for (double& one : all) {
    const double begun = now_ns();
    one = now_ns() - begun;
  }
  std::ranges::nth_element(all, all.begin() + 500);
  return all[500];
}

struct measured {
  std::vector<double> first;
  std::vector<double> others;
};

void promote(measured& all) {
  core::worker& w = *core::this_worker();
  for (std::size_t i = 0; i < k_promotions; ++i) {
    const core::runtime_scope scope;
    const double begun = now_ns();
    const bool done = core::promote_oldest(w);
    const double took = now_ns() - begun;
    if (done) (i == 0 ? all.first : all.others).push_back(took);
  }
}

// Every fork writes its slot, as those outside of the free band do. @returns how many forks there were.
[[gnu::noinline]] int descend(int depth, measured& all) {
  if (depth == 0) {
    promote(all);
    return 0;
  }
  const auto [forks, one] =
      takt::detail::fork_framed([depth, &all] { return descend(depth - 1, all); }, [] { return 1; }, nullptr);
  return forks + one;
}

double median(std::vector<double>& all) {
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::ranges::nth_element(all, middle);
  return *middle;
}

int run() {
  takt::config settings;
  settings.workers = 1;
  settings.trigger = takt::trigger::never;
  settings.stack_bytes = std::size_t{256} << 20;
  takt::configure(settings);
  const double clock = clock_ns();
  std::printf("%8s %14s %14s   (ns; medians of %d stacks)\n", "forks", "the first", "the next nine", k_rounds);
  for (const int depth : k_depths) {
    measured all;
    for (int round = 0; round < k_rounds; ++round) {
      int forks = 0;
      takt::fork_join([&] { forks = descend(depth, all); }, [] {});
      if (forks != depth) {
        std::fprintf(stderr, "takt-bench-promotion: %d forks of %d\n", forks, depth);
        return 1;
      }
    }
    const std::size_t wanted = k_rounds * (k_promotions - 1);
    if (all.first.size() != k_rounds || all.others.size() != wanted) {
      std::fprintf(stderr, "takt-bench-promotion: %zu promotions of %zu\n", all.first.size() + all.others.size(),
                   k_rounds + wanted);
      return 1;
    }
    std::printf("%8d %14.0f %14.0f\n", depth, median(all.first) - clock, median(all.others) - clock);
  }
  return 0;
}

}  // namespace
}  // namespace takt::bench

int main() { return takt::bench::run(); }
