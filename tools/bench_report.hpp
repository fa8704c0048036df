// Results as one page of HTML that needs nothing else: tables, figure 8 of the Heartbeat paper
// where the data is there, and a picture per benchmark.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace takt::tools {

// One row of a results file; see bench/harness/results.schema.json.
struct report_row {
  std::string problem;
  std::string input;
  std::string system;
  std::string compiler;
  unsigned workers = 1;
  std::optional<double> median_s;
  std::optional<double> min_s;
  std::optional<double> max_s;
  std::optional<double> ratio_to_serial;
  std::optional<double> idle_s;
  std::optional<double> tasks;
  std::optional<double> steals;
  bool ok = true;
  std::string failure;
};

// One results file, or the results of this call.
struct report_set {
  std::string name;
  std::vector<report_row> rows;
  std::vector<std::string> missing;  // a line each
  // When and where, as label and value; none in files of older versions.
  std::vector<std::pair<std::string, std::string>> about{};
  double load = 0;    // before, of the last minute
  unsigned cpus = 0;  // 0: unknown
  std::string stopped{};  // why there is less than was asked for; "": there is not
  std::vector<std::string> left{};  // what is not there
};

// Throws usage_error, which names `name`, for what is not a result of takt bench.
report_set to_report_set(const std::string& name, const nlohmann::json& results);

// Reads a results file. Throws usage_error if that cannot be done.
report_set read_results(const std::string& path);

// One row of figure 8; columns without data are empty. Times in seconds, shares relative:
// 0.05 is +5%.
struct figure8_row {
  std::string problem;
  std::string input;
  std::optional<double> base_elision_s;    // column 2: the serial program
  std::optional<double> takt_elision;      // 3: takt-never with one worker, else elision, to 2
  std::optional<double> base_one_core;     // 4: to 2
  std::optional<double> takt_one_core;     // 5: to 3
  std::optional<double> base_all_cores_s;  // 6
  std::optional<double> takt_all_cores;    // 7: to 6
  std::optional<double> idle;              // 8: takt's idle time to the baseline's
  std::optional<double> tasks;             // 9: takt's tasks to the baseline's
};

// Figure 8 for one compiler and one baseline, over all problems and inputs that takt or the
// baseline ran.
struct figure8_table {
  std::string compiler;
  std::string baseline;  // "tbb" or "omp"
  unsigned workers = 1;  // of columns 6 to 9: the most that takt or the baseline ran with
  std::vector<figure8_row> rows;
};

// Of several OpenMP schedules the one that is fastest with `workers` workers is the baseline.
// No table for a baseline without rows.
std::vector<figure8_table> figure8(const std::vector<report_row>& rows);

// How takt did, in one sentence: over the serial programs, and over the fastest of the others on
// each problem, which are named where they win. "" for results without takt.
std::string verdict(const report_set& set);

// The page. It is HTML and well-formed XML at once, refers to nothing outside, and runs nothing;
// all text of the sets is escaped.
std::string to_html(const std::vector<report_set>& sets);

}  // namespace takt::tools
