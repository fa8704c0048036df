// The tables after figures 4, 5 and 11 of "Work-stealing without the baggage".
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tools/bench_markup.hpp"

namespace takt::tools {
namespace {

constexpr const char* k_dash = "\xE2\x80\x93";

std::string number_cell(const std::string& text) { return "<td>" + escaped(text) + "</td>"; }

std::string quotient_cell(std::optional<double> above, std::optional<double> below) {
  return number_cell(above && below && *below > 0.0 ? fmt::format("{:.2g}", *above / *below) : k_dash);
}

std::string name_cell(const report_row& row) {
  return "<td class=\"l w\">" + with_breaks(row.problem + " / " + row.input) + "</td>";
}

// Those of the programs that are right and have a time.
class baggage_rows {
 public:
  explicit baggage_rows(const std::vector<report_row>& rows) {
    for (const report_row& row : rows) {
      if (row.problem.starts_with("baggage_") && row.ok && row.median_s) {
        rows_.push_back(&row);
      }
    }
  }
  const std::vector<const report_row*>& all() const { return rows_; }

  // Of the same program on the same input as `like`; `workers` 0: with the most.
  const report_row* find(const report_row& like, std::string_view compiler, std::string_view system,
                         unsigned workers) const {
    const report_row* found = nullptr;
    for (const report_row* row : rows_) {
      if (row->problem == like.problem && row->input == like.input && row->compiler == compiler &&
          row->system == system && (workers == 0 || row->workers == workers) &&
          (found == nullptr || row->workers > found->workers)) {
        found = row;
      }
    }
    return found;
  }

 private:
  std::vector<const report_row*> rows_;
};

// Figure 4: one worker over the serial program, with more and more of a fork there.
std::string overheads(const baggage_rows& rows, const std::string& compiler) {
  std::string body;
  for (const report_row* serial : rows.all()) {
    if (serial->system != "serial" || serial->compiler != compiler ||
        rows.find(*serial, compiler, "takt-calls", 1) == nullptr) {
      continue;
    }
    body += "<tr>" + name_cell(*serial);
    for (const char* system : {"takt-calls", "takt-slots", "takt-polls", "takt"}) {
      const report_row* row = rows.find(*serial, compiler, system, 1);
      body += number_cell(row != nullptr && row->ratio_to_serial ? shown_ratio(*row->ratio_to_serial) : k_dash);
    }
    body += "</tr>\n";
  }
  if (body.empty()) {
    return "";
  }
  return fmt::format(
      "<table class=\"figure4\"><caption>Where the overhead comes from: one worker over the serial program, compiled "
      "by "
      "{} (figure 4 of the paper)</caption><thead><tr><th class=\"l\">program</th><th>restructured calls</th>"
      "<th>with slots</th><th>with polls</th><th>takt: with the free "
      "band</th></tr></thead><tbody>\n{}</tbody></table>\n",
      escaped(compiler), body);
}

// Figures 5 and 11: how rare it is that a fork is taken.
std::string steals(const baggage_rows& rows, const std::string& compiler) {
  std::string body;
  for (const report_row* takt : rows.all()) {
    // With the most workers, and not for one.
    if (takt->system != "takt" || takt->compiler != compiler || takt->workers == 1 ||
        rows.find(*takt, compiler, "takt", 0) != takt) {
      continue;
    }
    // oneTBB makes a task of each fork.
    const report_row* tbb = rows.find(*takt, compiler, "tbb", 0);
    const report_row* java = rows.find(*takt, "java", "java", takt->workers);
    std::optional<double> forks;
    if (tbb != nullptr) forks = tbb->tasks;
    const auto count = [](std::optional<double> n) { return number_cell(n ? fmt::format("{:.0f}", *n) : k_dash); };
    body += "<tr>" + name_cell(*takt) + count(takt->workers) + count(forks) + count(takt->tasks) + count(takt->steals) +
            quotient_cell(takt->tasks, forks) + quotient_cell(takt->steals, forks) +
            quotient_cell(java != nullptr ? java->steals : std::nullopt, forks) + "</tr>\n";
  }
  if (body.empty()) {
    return "";
  }
  return fmt::format(
      "<table class=\"figure5\"><caption>Forks that are taken, compiled by {} (figures 5 and 11 of the paper); forks "
      "are "
      "oneTBB&#39;s tasks</caption><thead><tr><th class=\"l\">program</th><th>workers</th><th>forks</th>"
      "<th>takt: promoted</th><th>stolen</th><th>promoted per fork</th><th>stolen per fork</th>"
      "<th>Java: stolen per fork</th></tr></thead><tbody>\n{}</tbody></table>\n",
      escaped(compiler), body);
}

}  // namespace

std::string baggage_tables(const std::vector<report_row>& all) {
  const baggage_rows rows(all);
  std::string html;
  for (const char* compiler : {"gcc", "clang"}) {
    html += overheads(rows, compiler) + steals(rows, compiler);
  }
  return html;
}

}  // namespace takt::tools
