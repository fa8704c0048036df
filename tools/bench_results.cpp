#include "tools/bench_results.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tools/output_file.hpp"

namespace takt::tools {
namespace {

double smallest(const bench_row& row) {
  return *std::min_element(row.seconds.begin(), row.seconds.end());
}

double largest(const bench_row& row) {
  return *std::max_element(row.seconds.begin(), row.seconds.end());
}

const bench_row* serial_partner(const std::vector<bench_row>& rows, const bench_row& row) {
  const auto partner = std::find_if(rows.begin(), rows.end(), [&](const bench_row& other) {
    return other.system == "serial" && other.compiler == row.compiler &&
           other.problem == row.problem && other.input == row.input;
  });
  return partner == rows.end() || partner->seconds.empty() ? nullptr : &*partner;
}

}  // namespace

void compare_to_serial(std::vector<bench_row>& rows) {
  for (bench_row& row : rows) {
    const bench_row* serial = serial_partner(rows, row);
    if (serial == nullptr || row.seconds.empty()) {
      continue;
    }
    const double base = median(serial->seconds);
    if (base > 0.0) {
      row.ratio_to_serial = median(row.seconds) / base;
    }
  }
}

std::string to_table(const std::vector<bench_row>& rows, bool per_call) {
  const bool counts_tasks = std::any_of(rows.begin(), rows.end(),
                                        [](const bench_row& row) { return !row.tasks.empty(); });
  std::string text =
      fmt::format("  {:<15} {:<8} {:>7} {:>11} {:>11} {:>11} {:>9}{}{}  {}\n", "system",
                  "compiler", "workers", "median", "min", "max", "/ serial",
                  per_call ? fmt::format(" {:>11}", "over serial") : "",
                  counts_tasks ? fmt::format(" {:>10}", "tasks") : "", "answer");
  for (const bench_row& row : rows) {
    text += fmt::format("  {:<15} {:<8} {:>7} ", row.system, row.compiler, row.workers);
    if (row.seconds.empty()) {
      text += fmt::format("{}\n", row.failure.empty() ? "not run" : row.failure);
      continue;
    }
    text += fmt::format("{:>11} {:>11} {:>11} {:>9}", shown_time(median(row.seconds)),
                        shown_time(smallest(row)), shown_time(largest(row)),
                        row.ratio_to_serial ? fmt::format("{:.3f}", *row.ratio_to_serial) : "-");
    if (per_call) {
      const bench_row* serial = serial_partner(rows, row);
      text += fmt::format(
          " {:>11}",
          serial == nullptr
              ? "-"
              : fmt::format("{:+.2f} ns", (median(row.seconds) - median(serial->seconds)) * 1e9));
    }
    if (counts_tasks) {
      text += fmt::format(" {:>10}",
                          row.tasks.empty() ? "-" : fmt::format("{:.0f}", median(row.tasks)));
    }
    text += fmt::format("  {}{}\n", row.ok ? "ok" : "WRONG",
                        row.failure.empty() ? "" : "; " + row.failure);
  }
  return text;
}

nlohmann::ordered_json to_json(const std::vector<bench_row>& rows,
                               const std::vector<missing_system>& missing,
                               const run_about* about, const bench_rest& rest) {
  nlohmann::ordered_json result;
  result["format"] = "takt-bench-results-1";
  if (about != nullptr) {
    result["about"] = to_json(*about);
  }
  if (!rest.why.empty()) {
    result["stopped"] = {{"why", rest.why}, {"left", rest.left}};
  }
  result["rows"] = nlohmann::ordered_json::array();
  for (const bench_row& row : rows) {
    nlohmann::ordered_json one;
    one["problem"] = row.problem;
    one["input"] = row.input;
    one["system"] = row.system;
    one["compiler"] = row.compiler;
    one["workers"] = row.workers;
    const bool timed = !row.seconds.empty();
    one["median_s"] = timed ? nlohmann::ordered_json(median(row.seconds)) : nullptr;
    one["min_s"] = timed ? nlohmann::ordered_json(smallest(row)) : nullptr;
    one["max_s"] = timed ? nlohmann::ordered_json(largest(row)) : nullptr;
    one["runs"] = row.seconds.size();
    one["ratio_to_serial"] =
        row.ratio_to_serial ? nlohmann::ordered_json(*row.ratio_to_serial) : nullptr;
    const auto add_median = [&one](const char* name, const std::vector<double>& values) {
      if (!values.empty()) {
        one[name] = median(values);
      }
    };
    add_median("tasks", row.tasks);
    add_median("steals", row.steals);
    add_median("idle_s", row.idle_s);
    one["ok"] = row.ok;
    if (!row.failure.empty()) {
      one["failure"] = row.failure;
    }
    result["rows"].push_back(one);
  }
  result["missing"] = nlohmann::ordered_json::array();
  for (const missing_system& one : missing) {
    result["missing"].push_back(
        {{"system", one.system}, {"compiler", one.compiler}, {"why", one.why}});
  }
  return result;
}

void write_json(const std::string& path, const nlohmann::ordered_json& value) {
  write_file(path, value.dump(2) + "\n");
}

}  // namespace takt::tools
