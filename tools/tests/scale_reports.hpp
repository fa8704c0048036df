// Reports as the library would write them, for the tests of takt scale.
#pragma once

#include <string>
#include <vector>

#include "tools/scale_result.hpp"

namespace takt::tools {

inline sim_report report(double in_calls_s, double working_s = 0, double promotions = 0,
                         double steals = 0) {
  sim_report one;
  one.before_s = 0.01;
  one.seconds = in_calls_s + 0.005;
  one.in_calls_s = in_calls_s;
  one.calls = 1;
  one.promotions = promotions;
  one.steals = steals;
  one.working_s = working_s;
  one.trigger = "beat";
  one.raw = {{"takt_sim", 1}};
  return one;
}

inline run_series series(unsigned workers, const std::vector<double>& in_calls_s) {
  run_series all{workers};
  for (const double seconds : in_calls_s) {
    all.reports.push_back(report(seconds));
  }
  return all;
}

// Work and span as given, and for each number of workers `overhead` times what Brent's bound says.
inline scale_runs runs_of(double work_s, double span_s, const std::vector<unsigned>& workers,
                          double overhead = 1) {
  scale_runs runs;
  runs.program = {"./program", "x"};
  runs.machine.name = "calibrated here";
  runs.work = series(1, {work_s});
  runs.work.reports.front().trigger = "never";
  runs.one_worker = series(1, {work_s * overhead});
  runs.span = series(1024, {span_s});
  for (const unsigned p : workers) {
    runs.predicted.push_back(series(p, {(work_s / p + span_s) * overhead}));
  }
  return runs;
}

}  // namespace takt::tools
