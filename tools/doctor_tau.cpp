#include "tools/doctor_tau.hpp"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <takt/takt.hpp>
#include <vector>

namespace takt::tools {
namespace {

// Twenty milliseconds or so: enough beats of a microsecond for a mean, few time slices.
constexpr long k_input = 33;

constexpr std::chrono::microseconds k_no_beat = std::chrono::seconds(10);
constexpr std::chrono::microseconds k_shortest_beat{1};

// A fork at every call, so that a promotion is never late for want of a fork. Its frames are the
// smallest there are: what is left of T' - T is the promotion itself, its join and its polls.
long fib(long n) {
  if (n < 2) {
    return n;
  }
  const auto [a, b] = takt::fork_join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

std::uint64_t promotions_so_far() {
  const auto stats = nlohmann::json::parse(takt::stats_json());
  return stats.at("total").at("promotions_forks").get<std::uint64_t>();
}

// CPU time of the process, not time on the wall: the runs last milliseconds, and whatever else
// the machine does in between would be counted as promotions.
double cpu_ns() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

struct timed_run {
  double ns;
  std::uint64_t promotions;
};

// One worker: with two, a stolen branch would make the run with promotions the quicker one.
timed_run run_once(std::chrono::microseconds beat) {
  takt::config config;
  config.workers = 1;
  config.beat = beat;
  config.trigger = takt::trigger::beat;
  takt::configure(config);

  // The pool starts at the first call; that is no part of a promotion's cost.
  volatile long sink = fib(10);
  const std::uint64_t before = promotions_so_far();
  const double start = cpu_ns();
  sink = fib(k_input);
  const double end = cpu_ns();
  (void)sink;
  return {end - start, promotions_so_far() - before};
}

// Puts back what was configured, also when a run throws.
class config_guard {
 public:
  config_guard() : before_(takt::current_config()) {}
  ~config_guard() { takt::configure(before_); }
  config_guard(const config_guard&) = delete;
  config_guard& operator=(const config_guard&) = delete;

 private:
  takt::config before_;
};

// Reorders the values. The upper one of two middles: no mean, so that a count stays a count.
template <class T>
T median(std::vector<T>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

tau_facts measure_tau(int runs) {
  const config_guard guard;
  std::vector<double> taus;
  std::vector<std::uint64_t> promotions;
  // In pairs, so that a change of frequency hits both; the first pair only warms up.
  for (int i = 0; i <= runs; ++i) {
    const timed_run quiet = run_once(k_no_beat);
    const timed_run busy = run_once(k_shortest_beat);
    // Without promotions there is no C to divide by, for example with a build that has none.
    if (i > 0 && busy.promotions > quiet.promotions) {
      taus.push_back((busy.ns - quiet.ns) / static_cast<double>(busy.promotions - quiet.promotions));
      promotions.push_back(busy.promotions);
    }
  }

  tau_facts facts;
  if (taus.empty()) {
    return facts;
  }
  facts.runs = static_cast<int>(taus.size());
  facts.promotions = median(promotions);
  // Noise larger than all promotions together; a tau of zero or less would imply N = 0.
  if (median(taus) <= 0) {
    return facts;
  }
  const auto [lowest, highest] = std::minmax_element(taus.begin(), taus.end());
  facts.tau_min_ns = *lowest;
  facts.tau_max_ns = *highest;
  facts.tau_ns = median(taus);
  facts.beat_us = facts.tau_ns / k_overhead / 1000.0;
  return facts;
}

}  // namespace takt::tools
