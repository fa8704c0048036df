#include "tools/bench_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/input_file.hpp"
#include "tools/usage_error.hpp"

namespace takt::tools {
namespace {

using nlohmann::json;

std::optional<double> number_at(const json& row, const char* key) {
  const double value = row.at(key).get<double>();
  if (!(value >= 0.0) || !std::isfinite(value)) {
    throw usage_error(fmt::format("{} is {}", key, value));
  }
  return value;
}

// Null and absent are the same: not measured.
std::optional<double> number_if_any(const json& row, const char* key) {
  if (!row.contains(key) || row.at(key).is_null()) {
    return std::nullopt;
  }
  return number_at(row, key);
}

report_row to_row(const json& one) {
  report_row row;
  row.problem = one.at("problem").get<std::string>();
  row.input = one.at("input").get<std::string>();
  row.system = one.at("system").get<std::string>();
  row.compiler = one.at("compiler").get<std::string>();
  const json& workers = one.at("workers");
  constexpr std::uint64_t k_most_workers = 1'000'000;
  if (!workers.is_number_unsigned() || workers.get<std::uint64_t>() < 1 ||
      workers.get<std::uint64_t>() > k_most_workers) {
    throw usage_error("workers is not a number of workers");
  }
  row.workers = workers.get<unsigned>();
  row.median_s = number_if_any(one, "median_s");
  row.min_s = number_if_any(one, "min_s");
  row.max_s = number_if_any(one, "max_s");
  if (row.min_s.has_value() != row.median_s.has_value() ||
      row.max_s.has_value() != row.median_s.has_value()) {
    throw usage_error("median_s, min_s and max_s must be there together");
  }
  row.ratio_to_serial = number_if_any(one, "ratio_to_serial");
  row.idle_s = number_if_any(one, "idle_s");
  row.tasks = number_if_any(one, "tasks");
  row.steals = number_if_any(one, "steals");
  row.ok = one.at("ok").get<bool>();
  row.failure = one.value("failure", "");
  return row;
}

// Equal rows in the order in which they came first.
template <class Rows, class Key>
auto distinct(const Rows& rows, Key key) {
  std::vector<std::decay_t<decltype(key(*rows.begin()))>> found;
  for (const auto& row : rows) {
    const auto value = key(row);
    if (std::find(found.begin(), found.end(), value) == found.end()) {
      found.push_back(value);
    }
  }
  return found;
}

std::pair<std::string, std::string> benchmark_of(const report_row& row) {
  return {row.problem, row.input};
}

bool is_of(const report_row& row, const std::string& baseline) {
  return row.system == baseline || row.system.rfind(baseline + "-", 0) == 0;
}

// b relative to a: 0.05 is 5% more. Empty unless both are there and a is not 0.
std::optional<double> relative(std::optional<double> a, std::optional<double> b) {
  if (!a || !b || *a <= 0.0) {
    return std::nullopt;
  }
  return *b / *a - 1.0;
}

std::string shown_load(const json& means) {
  std::vector<std::string> all;
  for (const json& one : means) {
    all.push_back(fmt::format("{:.2f}", one.get<double>()));
  }
  return all.empty() ? "unknown" : fmt::format("{}", fmt::join(all, ", "));
}

void set_about(report_set& set, const json& about) {
  const auto text = [&about](const char* key) { return about.at(key).get<std::string>(); };
  set.cpus = about.at("cpus").get<unsigned>();
  std::vector<std::string> compilers;
  for (const auto& [compiler, version] : about.at("compilers").items()) {
    compilers.push_back(compiler + " " + version.get<std::string>());
  }
  std::string date = text("date");
  if (const std::size_t middle = date.find('T'); middle != std::string::npos) {
    date[middle] = ' ';
  }
  if (const json& before = about.at("load_before"); !before.empty()) {
    set.load = before.front().get<double>();
  }
  set.about = {{"date", date},
               {"CPU", fmt::format("{}, {} usable", text("cpu"), set.cpus)},
               {"system", text("system")},
               {"compiler", fmt::format("{}", fmt::join(compilers, "; "))},
               {"load average",
                fmt::format("{} before; {} after (of 1, 5 and 15 minutes)",
                            shown_load(about.at("load_before")), shown_load(about.at("load_after")))},
               {"takt", text("takt")}};
}

}  // namespace

report_set to_report_set(const std::string& name, const json& results) {
  report_set set;
  set.name = name;
  try {
    if (results.at("format").get<std::string>() != "takt-bench-results-1") {
      throw usage_error("an unknown format");
    }
    for (const json& one : results.at("rows")) {
      set.rows.push_back(to_row(one));
    }
    if (results.contains("about")) {
      set_about(set, results.at("about"));
    }
    if (results.contains("stopped")) {
      set.stopped = results.at("stopped").at("why").get<std::string>();
      set.left = results.at("stopped").at("left").get<std::vector<std::string>>();
    }
    for (const json& one : results.at("missing")) {
      set.missing.push_back(fmt::format("{} ({}): {}", one.at("system").get<std::string>(),
                                        one.at("compiler").get<std::string>(),
                                        one.at("why").get<std::string>()));
    }
  } catch (const json::exception& error) {
    throw usage_error(fmt::format("{}: not results of takt bench: {}", name, error.what()));
  } catch (const usage_error& error) {
    throw usage_error(fmt::format("{}: not results of takt bench: {}", name, error.what()));
  }
  return set;
}

report_set read_results(const std::string& path) {
  const std::string text = read_file(path, path);
  json results;
  try {
    results = json::parse(text);
  } catch (const json::exception& error) {
    throw usage_error(fmt::format("{}: not JSON: {}", path, error.what()));
  }
  return to_report_set(path, results);
}

namespace {

// The rows of one benchmark and one compiler, as figure 8 looks at them.
class contest {
 public:
  contest(const std::vector<report_row>& rows, const std::pair<std::string, std::string>& which,
          const std::string& compiler) {
    for (const report_row& row : rows) {
      if (benchmark_of(row) == which && row.compiler == compiler) {
        rows_.push_back(&row);
      }
    }
  }

  // The fastest row of a system with this number of workers, or nothing.
  const report_row* find(const std::string& system, unsigned workers) const {
    const report_row* best = nullptr;
    for (const report_row* row : rows_) {
      if (is_of(*row, system) && row->workers == workers && row->median_s && row->ok &&
          (best == nullptr || *row->median_s < *best->median_s)) {
        best = row;
      }
    }
    return best;
  }

  // Of exactly this system: "takt" is not "takt-never".
  const report_row* find_only(const std::string& system, unsigned workers) const {
    const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const report_row* row) {
      return row->system == system && row->workers == workers && row->median_s && row->ok;
    });
    return found == rows_.end() ? nullptr : *found;
  }

 private:
  std::vector<const report_row*> rows_;
};

std::optional<double> time_of(const report_row* row) {
  return row == nullptr ? std::nullopt : row->median_s;
}

figure8_row compare(const contest& all, const std::string& baseline, unsigned workers) {
  figure8_row result;
  const auto serial = time_of(all.find_only("serial", 1));
  const report_row* never = all.find_only("takt-never", 1);
  const auto elision = time_of(never != nullptr ? never : all.find_only("elision", 1));
  result.base_elision_s = serial;
  result.takt_elision = relative(serial, elision);
  result.base_one_core = relative(serial, time_of(all.find(baseline, 1)));
  result.takt_one_core = relative(elision, time_of(all.find_only("takt", 1)));
  if (workers == 1) {
    return result;
  }
  const report_row* base = all.find(baseline, workers);
  const report_row* takt = all.find_only("takt", workers);
  result.base_all_cores_s = time_of(base);
  result.takt_all_cores = relative(time_of(base), time_of(takt));
  if (base != nullptr && takt != nullptr) {
    result.idle = relative(base->idle_s, takt->idle_s);
    result.tasks = relative(base->tasks, takt->tasks);
  }
  return result;
}

}  // namespace

std::vector<figure8_table> figure8(const std::vector<report_row>& rows) {
  std::vector<figure8_table> tables;
  for (const std::string& compiler :
       distinct(rows, [](const report_row& row) { return row.compiler; })) {
    for (const char* baseline : {"tbb", "omp"}) {
      std::vector<report_row> involved;
      bool has_baseline = false;
      figure8_table table{compiler, baseline, 1, {}};
      for (const report_row& row : rows) {
        const bool of_baseline = is_of(row, baseline);
        if (row.compiler == compiler && (of_baseline || row.system == "takt")) {
          has_baseline = has_baseline || of_baseline;
          table.workers = std::max(table.workers, row.workers);
          involved.push_back(row);
        }
      }
      if (!has_baseline) {
        continue;
      }
      for (const auto& which : distinct(involved, benchmark_of)) {
        figure8_row row = compare(contest(rows, which, compiler), baseline, table.workers);
        row.problem = which.first;
        row.input = which.second;
        table.rows.push_back(std::move(row));
      }
      tables.push_back(std::move(table));
    }
  }
  return tables;
}

}  // namespace takt::tools
