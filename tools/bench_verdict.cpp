// How takt did, in one sentence.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/bench_report.hpp"

namespace takt::tools {
namespace {

constexpr std::size_t k_most_named = 3;

// Ratios, of which 2 and 1/2 are as far from 1.
struct ratios {
  std::vector<double> values{};

  double mean() const {
    double sum = 0;
    for (const double value : values) {
      sum += std::log(value);
    }
    return std::exp(sum / static_cast<double>(values.size()));
  }
  std::string range() const {
    const auto [least, most] = std::ranges::minmax(values);
    return values.size() == 1 ? "" : fmt::format(" ({:.2f} to {:.2f})", least, most);
  }
};

// One problem on one input, by one compiler.
struct contest {
  std::optional<double> serial;
  std::optional<double> takt;
  std::optional<double> other;  // the fastest
};

bool is_other(const std::string& system) {
  return system.starts_with("tbb") || system.starts_with("omp");
}

std::string shown_others(const std::vector<report_row>& rows, unsigned workers) {
  std::vector<std::string> names;
  for (const auto& [prefix, name] : {std::pair("tbb", "oneTBB"), std::pair("omp", "OpenMP")}) {
    if (std::any_of(rows.begin(), rows.end(), [&, start = prefix](const report_row& row) {
          return row.system.starts_with(start) && row.workers == workers && row.ok;
        })) {
      names.emplace_back(name);
    }
  }
  return names.size() == 1 ? names.front()
                           : fmt::format("the faster of {}", fmt::join(names, " and "));
}

std::string shown_losses(std::vector<std::pair<double, std::string>> losses) {
  std::sort(losses.rbegin(), losses.rend());
  std::vector<std::string> named;
  for (std::size_t i = 0; i < std::min(losses.size(), k_most_named); ++i) {
    named.push_back(fmt::format("{} ({:.2f})", losses[i].second, losses[i].first));
  }
  const std::size_t rest = losses.size() - named.size();
  return fmt::format("{}{}", fmt::join(named, ", "), rest == 0 ? "" : fmt::format(" and {} more", rest));
}

}  // namespace

std::string verdict(const report_set& set) {
  unsigned workers = 0;
  for (const report_row& row : set.rows) {
    if (row.system == "takt" && row.median_s && row.ok) {
      workers = std::max(workers, row.workers);
    }
  }
  const auto bad = std::count_if(set.rows.begin(), set.rows.end(),
                                 [](const report_row& row) { return !row.ok; });
  const std::string failures =
      bad == 0 ? ""
               : fmt::format("; {} of {} entries failed or gave a WRONG answer", bad, set.rows.size());
  if (workers == 0) {
    return "";
  }
  std::map<std::tuple<std::string, std::string, std::string>, contest> contests;
  for (const report_row& row : set.rows) {
    if (!row.median_s || !row.ok || *row.median_s <= 0.0) {
      continue;
    }
    contest& one = contests[{row.problem, row.input, row.compiler}];
    if (row.system == "serial") {
      one.serial = row.median_s;
    } else if (row.workers == workers && row.system == "takt") {
      one.takt = row.median_s;
    } else if (row.workers == workers && is_other(row.system)) {
      one.other = std::min(one.other.value_or(*row.median_s), *row.median_s);
    }
  }
  ratios to_serial;
  ratios to_other;
  std::vector<std::pair<double, std::string>> losses;
  for (const auto& [key, one] : contests) {
    if (one.takt && one.serial) {
      to_serial.values.push_back(*one.takt / *one.serial);
    }
    if (one.takt && one.other) {
      to_other.values.push_back(*one.takt / *one.other);
      if (*one.takt > *one.other) {
        losses.emplace_back(*one.takt / *one.other, std::get<0>(key));
      }
    }
  }
  const std::string with = fmt::format("With {} worker{} takt", workers, workers == 1 ? "" : "s");
  if (to_serial.values.empty() && to_other.values.empty()) {
    return fmt::format("{} was run, and nothing that it could be compared with{}.", with, failures);
  }
  std::string sentence = with + " takes ";
  if (!to_serial.values.empty()) {
    sentence += fmt::format("{:.2f} of the serial program's time{}", to_serial.mean(),
                            to_serial.range());
  }
  if (!to_other.values.empty()) {
    sentence += fmt::format("{}{:.2f} of the time of {}{}, {}", to_serial.values.empty() ? "" : " and ",
                            to_other.mean(), shown_others(set.rows, workers), to_other.range(),
                            losses.empty() ? "and is slower on none"
                                           : fmt::format("and is slower on {} of {}: {}", losses.size(),
                                                         to_other.values.size(), shown_losses(losses)));
  }
  const std::size_t most = std::max(to_serial.values.size(), to_other.values.size());
  return fmt::format("{}{}{}.", sentence,
                     most == 1 ? "" : fmt::format("; geometric means of {} programs", most), failures);
}

}  // namespace takt::tools
