// Results whose table is known.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tools/bench_report.hpp"

namespace takt::tools {

inline report_row timed_row(std::string problem, std::string system, unsigned workers,
                            double median_s, double serial_s) {
  report_row row;
  row.problem = std::move(problem);
  row.input = "n=10";
  row.system = std::move(system);
  row.compiler = "gcc";
  row.workers = workers;
  row.median_s = median_s;
  row.min_s = median_s * 0.9;
  row.max_s = median_s * 1.2;
  row.ratio_to_serial = median_s / serial_s;
  return row;
}

// Two benchmarks: one of forks, one of loops that has two OpenMP schedules and a crash.
inline std::vector<report_row> paper_rows() {
  std::vector<report_row> rows = {
      timed_row("sort", "serial", 1, 2.0, 2.0), timed_row("sort", "takt-never", 1, 2.2, 2.0),
      timed_row("sort", "takt", 1, 2.31, 2.0),  timed_row("sort", "takt", 2, 1.2, 2.0),
      timed_row("sort", "tbb", 1, 3.0, 2.0),    timed_row("sort", "tbb", 2, 1.6, 2.0),
      timed_row("sort", "omp", 1, 40.0, 2.0),   timed_row("sort", "omp", 2, 90.0, 2.0)};
  rows[3].tasks = 100;
  rows[3].steals = 4;
  rows[3].idle_s = 0.24;
  rows[5].tasks = 1000;
  rows[7].tasks = 400'000;
  for (const auto& [system, workers, seconds] :
       {std::tuple("serial", 1U, 0.8), std::tuple("elision", 1U, 0.8), std::tuple("takt", 1U, 0.82),
        std::tuple("takt", 2U, 0.45), std::tuple("tbb", 2U, 0.44),
        std::tuple("omp-static", 2U, 0.5), std::tuple("omp-dynamic", 2U, 0.7)}) {
    rows.push_back(timed_row("spmv", system, workers, seconds, 0.8));
  }
  rows[11].idle_s = 0.2;
  rows[13].idle_s = 0.1;
  report_row crashed;
  crashed.problem = "spmv";
  crashed.input = "n=10";
  crashed.system = "omp-guided";
  crashed.compiler = "gcc";
  crashed.workers = 2;
  crashed.ok = false;
  crashed.failure = "crashed (signal 11, Segmentation fault)";
  rows.push_back(crashed);
  return rows;
}

inline report_set paper_set() {
  return {"results.json", paper_rows(), {"tbb (clang): not built"}};
}

// The same, from a machine that was busy, and stopped before its end.
inline report_set stopped_set() {
  report_set set = paper_set();
  set.about = {{"date", "2026-11-25 00:30:00+01:00"}, {"CPU", "Some CPU @ 2.50GHz, 2 usable"},
               {"compiler", "gcc 12.2.0"}, {"load average", "3.00, 1.00, 0.50 before"}};
  set.load = 3;
  set.cpus = 2;
  set.stopped = "stopped by SIGINT";
  set.left = {"pagerank n=1000000: not run", "mandelbrot " + std::string(200, '7') + ": not run"};
  return set;
}

// What makes a layout hard: long names, times far apart and close together, no serial run.
inline report_set hard_set() {
  report_set set{"/a/rather/long/path/" + std::string(200, 'x') + ".json", {}, {}};
  for (const double spread : {1.0, 1.001, 2.0, 7.9, 8.1, 30.0, 1e3, 1e4, 1e9, 1e15}) {
    for (const double least_s : {1e-9, 3.4e-4, 0.95, 4.1}) {
      for (const bool with_serial : {true, false}) {
        for (const double median_s : {least_s, least_s * spread}) {
          report_row row = timed_row("problem", "takt-request", 4096, median_s, least_s);
          row.input = "n=" + std::to_string(set.rows.size() / 2);
          if (!with_serial) {
            row.ratio_to_serial.reset();
          }
          row.tasks = median_s * 1e6;
          row.idle_s = median_s;
          set.rows.push_back(row);
        }
      }
    }
  }
  report_row row = timed_row("instant", "serial", 1, 0.0, 1.0);
  set.rows.push_back(row);
  row.problem = std::string(150, 'p');
  row.input = std::string(150, 'i');
  row.system = std::string(150, 's');
  set.rows.push_back(row);
  row.median_s = row.min_s = row.max_s = row.ratio_to_serial = std::nullopt;
  row.ok = false;
  row.failure = std::string(150, 'f');
  set.rows.push_back(row);
  set.missing.push_back(std::string(300, 'm'));
  return set;
}

}  // namespace takt::tools
