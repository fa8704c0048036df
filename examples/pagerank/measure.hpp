// Interleaved runs of all systems on one graph, each answer compared with the serial one.
#pragma once

#include <span>
#include <vector>

#include "graph.hpp"
#include "systems.hpp"

namespace pagerank {

// Two sums in different orders of at most 2^31 terms that add up to less than 1 differ by less.
inline constexpr double k_agreement = 1e-12;

struct outcome {
  enum class how {
    not_built,
    measured,      // median of interleaved runs
    extrapolated,  // too slow for that: one iteration was timed, in a process of its own
    gave_up,       // one iteration was not done by the time limit: `seconds` is a lower bound
    died,          // the trial did not survive
  };

  const system* which = nullptr;
  how result = how::not_built;
  double seconds = 0.0;     // for all iterations
  double difference = 0.0;  // largest |rank - serial rank| over all nodes and runs
  std::vector<double> times;
  std::vector<double> promotions;  // takt only, one number for each run
  std::vector<double> steals;

  [[nodiscard]] bool has_time() const { return result != how::not_built && result != how::died; }
  [[nodiscard]] bool agrees() const { return difference <= k_agreement; }

  // The differences stay: a wrong answer in a warm-up is as wrong as any.
  void forget_runs() {
    times.clear();
    promotions.clear();
    steals.clear();
  }
};

struct measurement {
  int iterations = 0;
  double residual = 0.0;
  int runs = 0;
  unsigned workers = 0;
  double cpus = 0.0;              // of the machine
  double others_cpus = 0.0;       // of these, what other programs used during the runs
  std::vector<double> rank;       // the serial program's
  std::vector<outcome> outcomes;  // in the order of systems()
};

// At least one value; the upper one of the middle two.
double median(std::vector<double> values);

// Both of one length.
double largest_difference(std::span<const double> a, std::span<const double> b);

// Iterates until the ranks change by less than 1e-10 in all, then measures that many iterations of
// every system. runs = 0: as many as fit in about 20 seconds, at least 3 and at most 9.
measurement measure(const graph& g, int runs);

}  // namespace pagerank
