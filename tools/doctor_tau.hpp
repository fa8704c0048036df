// tau, the cost of one promotion, measured on this machine.
#pragma once

#include <cstdint>

namespace takt::tools {

struct tau_facts {
  double tau_ns = 0;  // median; 0: it could not be measured
  double tau_min_ns = 0;
  double tau_max_ns = 0;
  int runs = 0;                  // pairs of runs with a usable result
  std::uint64_t promotions = 0;  // in one run, median
  double beat_us = 0;            // N for an overhead of k_overhead
};

// By the bound W <= (1 + tau/N) w, N = tau / k_overhead costs at most this part of the work.
inline constexpr double k_overhead = 0.05;

// The protocol of section 5 of the Heartbeat paper, on a fork recursion with one worker: T with
// a beat so long that none comes, T' and the number C of promotions with the shortest beat;
// tau = (T' - T) / C. Takes about a second. Afterwards the configuration is what it was.
// Precondition: no parallel call is under way.
tau_facts measure_tau(int runs);

}  // namespace takt::tools
