// What takt scale prints.
#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "tools/numbers.hpp"
#include "tools/scale_result.hpp"

namespace takt::tools {
namespace {

std::string shown_count(double count) {
  return count < 1e9 ? fmt::format("{:.0f}", count) : fmt::format("{:.3g}", count);
}

std::string shown_speedup(double speedup) { return fmt::format("{:.2f}", speedup); }

std::string shown_cost(std::uint64_t ns) {
  return ns == 0 ? "0" : shown_time(static_cast<double>(ns) * 1e-9);
}

}  // namespace

std::string shown_costs(const sim_costs& costs) {
  std::string text;
  for (const cost_name& cost : k_costs) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", cost.name,
                        shown_cost(costs.*cost.value));
  }
  return text;
}

std::string shown_spread(const spread& seconds) {
  return fmt::format("{} ({} to {})", shown_time(seconds.middle), shown_time(seconds.least),
                     shown_time(seconds.most));
}

std::vector<std::pair<std::string, std::string>> summary(const scale_runs& runs,
                                                         const scale_result& result) {
  std::string program;
  for (const std::string& word : runs.program) {
    program += (program.empty() ? "" : " ") + word;
  }
  const std::size_t repeats = runs.work.reports.size();
  return {
      {"program", program},
      {"machine", fmt::format("{}: {}", runs.machine.name, shown_costs(runs.machine.costs))},
      {"runs", repeats == 1 ? "one of each kind"
                            : fmt::format("{} of each kind, in turns; medians (least to greatest)",
                                          repeats)},
      {"time", runs.deterministic ? "made up: forks and iterations take fixed times, all else none"
                                  : "virtual: what code takes is measured here"},
      {"work", fmt::format("{} in {} parallel call{}, {}", shown_spread(result.work_s), shown_count(result.calls),
                           result.calls == 1 ? "" : "s",
                           runs.deterministic ? "of the program's own code with one worker"
                                              : "with one worker and no promotions")},
      {"one worker", fmt::format("{}, {:.3f} times the work", shown_spread(result.one_worker_s),
                                 result.one_worker_s.middle / result.work_s.middle)},
      {"span", fmt::format("{} with {} workers, no costs and a beat of {} us: an upper bound on the "
                           "true span, down to {} us of grain",
                           shown_spread(result.span_s), runs.span.workers, k_span_beat_us,
                           k_span_beat_us)},
      {"parallelism", fmt::format("{:.1f}, work / span", result.parallelism)},
      {"serial", fmt::format("{} before the first parallel call, {} after it outside of calls",
                             shown_time(result.before_s), shown_time(result.between_s))}};
}

std::vector<std::string> table_head(const scale_runs& runs, const scale_result& result) {
  std::vector<std::string> head = {"workers",  "time in calls", "least", "greatest",
                                   "speed-up", "at most",       "Brent", "program",
                                   "promotions", "steals",      "idle"};
  if (!result.rows.front().misses.empty()) {
    for (const machine_cache& cache : runs.machine.caches) {
      head.push_back(fmt::format("L{} misses", cache.level));
    }
  }
  return head;
}

std::vector<std::string> table_cells(const scale_row& row) {
  std::vector<std::string> cells = {
      std::to_string(row.workers),
      shown_time(row.in_calls_s.middle),
      shown_time(row.in_calls_s.least),
      shown_time(row.in_calls_s.most),
      shown_speedup(row.speedup),
      shown_speedup(row.upper_bound),
      shown_speedup(row.brent_bound),
      shown_speedup(row.whole_speedup),
      shown_count(row.promotions),
      shown_count(row.steals),
      fmt::format("{:.1f}%",row.idle * 100)};
  for (const double missed : row.misses) {
    cells.push_back(shown_count(missed));
  }
  return cells;
}

std::vector<std::string> span_lines(const scale_result& result) {
  std::vector<std::string> lines;
  for (const span_part& part : result.span_parts) {
    lines.push_back(fmt::format("{:.0f}% of the span, {} of work: {}", part.share * 100,
                                shown_time(part.site.work_s), part.place));
  }
  return lines;
}

std::string to_text(const scale_runs& runs, const scale_result& result) {
  std::string text;
  for (const auto& [label, value] : summary(runs, result)) {
    text += fmt::format("{:<11}  {}\n", label, value);
  }
  std::vector<std::vector<std::string>> lines = {table_head(runs, result)};
  for (const scale_row& row : result.rows) {
    lines.push_back(table_cells(row));
  }
  text += '\n';
  for (const auto& cells : lines) {
    for (std::size_t column = 0; column < cells.size(); ++column) {
      std::size_t width = 0;
      for (const auto& other : lines) {
        width = std::max(width, other[column].size());
      }
      text += fmt::format("{}{:>{}}", column == 0 ? "" : "  ", cells[column], width);
    }
    text += '\n';
  }
  text += '\n';
  for (const std::string& line : span_lines(result)) {
    text += line + '\n';
  }
  for (const std::string& note : result.notes) {
    text += note + '\n';
  }
  return text + result.advice + '\n';
}

}  // namespace takt::tools
