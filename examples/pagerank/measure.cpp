#include "measure.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <takt/takt.hpp>
#include <thread>
#include <utility>

#include "other_load.hpp"
#include "progress.hpp"
#include "trial.hpp"

namespace pagerank {
namespace {

using clock = std::chrono::steady_clock;

// At a damping of 0.85 this is about a hundred iterations; slower graphs stop at the second bound.
constexpr double k_tolerance = 1e-10;
constexpr int k_most_iterations = 200;

// A risky peer is extrapolated from its trial if it is this many times slower than serial and
// all its iterations would take longer than this.
constexpr double k_too_slow = 10.0;
constexpr double k_too_long = 1.0;

// What its trial gets: enough to tell that it is slow, also where serial takes long itself.
constexpr double k_trial_seconds = 5.0;
constexpr double k_trial_ratio = 20.0;
constexpr double k_longest_trial = 600.0;

constexpr double k_seconds_of_runs = 20.0;
constexpr int k_fewest_runs = 3;
constexpr int k_most_runs = 9;

// Totals since the start of the process.
struct counters {
  double promotions;
  double steals;
};

counters takt_counters() {
  const auto total = nlohmann::json::parse(takt::stats_json()).at("total");
  return {total.at("promotions_forks").get<double>() + total.at("promotions_loops").get<double>(),
          total.at("steals_done").get<double>()};
}

std::chrono::microseconds cpu_time() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto in_microseconds = [](const timeval& t) {
    return std::chrono::seconds(t.tv_sec) + std::chrono::microseconds(t.tv_usec);
  };
  return in_microseconds(used.ru_utime) + in_microseconds(used.ru_stime);
}

// Some runtimes' threads spin for a while after their last loop, which the next system would pay
// for: wait until the process uses no CPU, but not for one that never stops.
void settle() {
  constexpr std::chrono::milliseconds k_look{10};
  constexpr int k_looks = 50;
  for (int look = 0; look < k_looks; ++look) {
    const auto before = cpu_time();
    std::this_thread::sleep_for(k_look);
    if (cpu_time() - before < k_look / 10) {
      return;
    }
  }
}

measurement not_measured() {
  measurement m;
  for (const system& s : systems()) {
    outcome out;
    out.which = &s;
    out.result = s.run == nullptr ? outcome::how::not_built : outcome::how::measured;
    m.outcomes.push_back(out);
  }
  m.workers = takt::current_config().workers;
  return m;
}

// Fixes the number of iterations. Returns the time of one.
double solve_serially(const graph& g, measurement& m) {
  const progress step("finding out how many iterations it takes");
  state s;
  s.reset(g);
  const auto start = clock::now();
  do {
    m.residual = run_serial(g, 1, 1, s);
    ++m.iterations;
  } while (m.residual >= k_tolerance && m.iterations < k_most_iterations);
  m.rank = std::move(s.rank);
  return std::chrono::duration<double>(clock::now() - start).count() / m.iterations;
}

// Leaves as `measured` those that are fit to be.
void try_risky_peers(const graph& g, double serial_iteration, measurement& m) {
  const double limit = std::clamp(k_trial_ratio * serial_iteration, k_trial_seconds, k_longest_trial);
  for (outcome& out : m.outcomes) {
    if (out.which->part != role::risky_peer || out.result == outcome::how::not_built) {
      continue;
    }
    try_one_iteration(g, m.workers, limit, out);
    const bool too_slow = out.seconds > k_too_slow * serial_iteration;
    out.seconds *= m.iterations;
    if (out.result == outcome::how::extrapolated && !(too_slow && out.seconds > k_too_long)) {
      out.result = outcome::how::measured;
    }
  }
}

// The time of one run. What is not the run's own, the clean state and the counters, is off the clock.
double run_once(const graph& g, const measurement& m, outcome& out, state& s) {
  settle();
  s.reset(g);
  const bool is_takt = out.which->part == role::takt;
  const counters before = is_takt ? takt_counters() : counters{};
  const auto start = clock::now();
  out.which->run(g, m.iterations, m.workers, s);
  const std::chrono::duration<double> elapsed = clock::now() - start;
  if (is_takt) {
    const counters after = takt_counters();
    out.promotions.push_back(after.promotions - before.promotions);
    out.steals.push_back(after.steals - before.steals);
  }
  out.difference = std::max(out.difference, largest_difference(s.rank, m.rank));
  return elapsed.count();
}

// Each round begins with another system, so that none always runs after the same one.
double run_round(const graph& g, measurement& m, std::size_t round, state& s) {
  const auto start = clock::now();
  for (std::size_t i = 0; i < m.outcomes.size(); ++i) {
    outcome& out = m.outcomes[(round + i) % m.outcomes.size()];
    if (out.result == outcome::how::measured) {
      out.times.push_back(run_once(g, m, out, s));
    }
  }
  return std::chrono::duration<double>(clock::now() - start).count();
}

int runs_that_fit(double seconds_of_a_round) {
  const double fit = std::floor(k_seconds_of_runs / seconds_of_a_round);
  const int runs = static_cast<int>(std::clamp<double>(fit, k_fewest_runs, k_most_runs));
  return runs % 2 == 1 ? runs : runs - 1;  // an odd number has a median
}

}  // namespace

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double largest_difference(std::span<const double> a, std::span<const double> b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a[i] - b[i]);
    if (std::isnan(difference)) {
      return std::numeric_limits<double>::infinity();
    }
    largest = std::max(largest, difference);
  }
  return largest;
}

measurement measure(const graph& g, int runs) {
  measurement m = not_measured();
  const double serial_iteration = solve_serially(g, m);
  // Before takt or any other runtime has threads, see try_one_iteration.
  try_risky_peers(g, serial_iteration, m);

  progress step("measuring");
  step.now("warming up");
  state s;
  // The first round starts everybody's threads and faults in their memory: it is thrown away.
  const double seconds = run_round(g, m, 0, s);
  for (outcome& out : m.outcomes) {
    out.forget_runs();
  }
  const other_load others;
  m.runs = runs > 0 ? runs : runs_that_fit(seconds);
  for (int round = 1; round <= m.runs; ++round) {
    step.now("round " + std::to_string(round) + " of " + std::to_string(m.runs));
    run_round(g, m, static_cast<std::size_t>(round), s);
  }
  m.others_cpus = others.cpus().value_or(0.0);
  // All of them, as the load of others is counted on all, whatever mask this process has.
  m.cpus = static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN));
  for (outcome& out : m.outcomes) {
    if (out.result == outcome::how::measured) {
      out.seconds = median(out.times);
    }
  }
  return m;
}

}  // namespace pagerank
