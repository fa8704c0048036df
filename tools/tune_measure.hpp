// tau, the cost of one promotion, and what the beat interval does to run times, measured on this machine.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

namespace takt::tools {

// A small program of some twenty milliseconds. `run` returns its answer.
struct tune_program {
  std::string_view name;
  std::uint64_t (*run)();
};

// A fork recursion, a loop nest with rows of all lengths, and a mergesort that mixes forks with serial stretches.
const std::vector<tune_program>& tune_programs();

struct tau_facts {
  double tau_ns = 0;  // median; 0: it could not be measured
  double tau_min_ns = 0;
  double tau_max_ns = 0;
  int runs = 0;                  // pairs of runs with a usable result
  std::uint64_t promotions = 0;  // in one run, median

  // The N that keeps promotions below this part of the work, by the bound W <= (1 + tau/N) w.
  double beat_us(double part) const { return tau_ns / part / 1000.0; }
};

// The protocol of section 5 of the Heartbeat paper, with one worker: T with a beat so long that none comes, T' and the
// number C of promotions with the shortest beat; tau = (T' - T) / C. One result per program. The programs take turns,
// `runs` pairs of each, which takes 50 ms a pair. Afterwards the configuration is what it was.
// Precondition: no parallel call is under way.
std::vector<tau_facts> measure_tau(const std::vector<tune_program>& programs, int runs);

// Figure 7 of the paper: the median run time on all CPUs, for each program and each beat.
struct beat_curve {
  std::vector<std::chrono::microseconds> beats;
  std::vector<std::vector<double>> seconds;  // [program][beat]
  // The shortest run of each: what a machine that does other things too disturbs least.
  std::vector<std::vector<double>> least_seconds;
};

// Everything takes turns, `runs` times. Precondition and configuration as of measure_tau().
beat_curve measure_curve(const std::vector<tune_program>& programs, int runs);

}  // namespace takt::tools
