// The HTML of bench_report.hpp. Every tag is closed and every entity is a number, so that an XML
// parser reads the page as a browser does.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tools/bench_markup.hpp"
#include "tools/bench_report.hpp"
#include "tools/bench_results.hpp"

namespace takt::tools {
namespace {

// Names, which may be long: cut only in the middle of what could not be in a table else.
std::string name_cell(const std::string& text) {
  return "<td class=\"l w\">" + with_breaks(text) + "</td>";
}

std::string cell(const std::string& text, const char* kind = "") {
  return fmt::format("<td{}>{}</td>", *kind == '\0' ? "" : fmt::format(" class=\"{}\"", kind),
                     escaped(text));
}

constexpr std::size_t k_longest_system = 14;
constexpr const char* k_dash = "\xE2\x80\x93";

std::string time_or_dash(std::optional<double> seconds) {
  return seconds ? shown_time(*seconds) : k_dash;
}

std::string percent_or_dash(std::optional<double> share) {
  if (!share) {
    return k_dash;
  }
  // A hundred times fewer and ten thousand times fewer are not the same.
  const bool nearly_all = *share > -1.0 && *share < -0.99;
  return fmt::format("{:+.{}f}%", *share * 100.0, nearly_all ? 3 : 1);
}

std::string count_or_dash(std::optional<double> count) {
  if (!count) {
    return k_dash;
  }
  return *count < 1e9 ? fmt::format("{:.0f}", *count) : fmt::format("{:.3g}", *count);
}

// Part of the time of all workers.
std::string idle_or_dash(const report_row& row) {
  if (!row.idle_s || !row.median_s || *row.median_s <= 0.0) {
    return k_dash;
  }
  return fmt::format("{:.1f}%", *row.idle_s / (*row.median_s * row.workers) * 100.0);
}

std::string results_table(const report_set& set) {
  std::string html =
      "<table class=\"results\"><caption>All runs</caption><thead><tr>"
      "<th class=\"l\">problem</th><th class=\"l\">input</th><th class=\"l\">system</th>"
      "<th class=\"l\">compiler</th><th>workers</th><th>median</th><th>min</th><th>max</th>"
      "<th>/ serial</th><th>tasks</th><th>steals</th><th>idle</th>"
      "<th class=\"l\">answer</th></tr></thead><tbody>\n";
  for (const report_row& row : set.rows) {
    const std::string answer = row.ok ? "ok" : row.failure.empty() ? "WRONG" : row.failure;
    html += "<tr>" + name_cell(row.problem) + name_cell(row.input) +
            cell(shortened(row.system, k_longest_system), "l") +
            cell(row.compiler, "l") + cell(std::to_string(row.workers)) +
            cell(time_or_dash(row.median_s)) + cell(time_or_dash(row.min_s)) +
            cell(time_or_dash(row.max_s)) +
            cell(row.ratio_to_serial ? shown_ratio(*row.ratio_to_serial) : k_dash) +
            cell(count_or_dash(row.tasks)) + cell(count_or_dash(row.steals)) +
            cell(idle_or_dash(row)) +
            (row.ok ? cell(answer, "l")
                    : "<td class=\"l w bad\">" + with_breaks(answer) + "</td>") +
            "</tr>\n";
  }
  return html + "</tbody></table>\n";
}

using figure8_column = std::optional<double> figure8_row::*;

// Of the shares in a column that are there: of 1.1 and 0.9 it is a little less than 1.
std::optional<double> geometric_mean(const figure8_table& table, figure8_column column) {
  double logarithms = 0.0;
  int count = 0;
  for (const figure8_row& row : table.rows) {
    // Minus 100% has no logarithm: takt needed none at all.
    if (const auto share = row.*column; share && *share > -1.0) {
      logarithms += std::log1p(*share);
      ++count;
    }
  }
  return count == 0 ? std::nullopt : std::optional(std::expm1(logarithms / count));
}

bool lacks(const figure8_table& table, figure8_column column) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [&](const figure8_row& row) { return !(row.*column); });
}

std::string note(const std::string& text) {
  return fmt::format("<p class=\"note\">{}</p>\n", escaped(text));
}

// Why there are dashes in the last two columns.
std::string notes_of(const figure8_table& table) {
  std::string html;
  if (lacks(table, &figure8_row::idle)) {
    html += note(
        table.baseline == "tbb"
            ? "Column 8: oneTBB does not tell when its workers are out of work; takt's idle time "
              "is in the table of all runs."
            : "Column 8: the idle time of an OpenMP program with tasks is not known, only that of "
              "one with loops, and only where the tasks were counted (--count, --report).");
  }
  if (lacks(table, &figure8_row::tasks)) {
    html += note(
        "Column 9: tasks of oneTBB and OpenMP are counted with --count or --report only, and not "
        "where a time is that of one call of many. No tasks at all have no ratio.");
  }
  return html;
}

std::string figure8_html(const figure8_table& table) {
  const std::string base = escaped(table.baseline);
  const std::string cores =
      table.workers == 1 ? "several workers"
      : table.workers == 2 ? "two workers" : fmt::format("{} workers", table.workers);
  std::string html = fmt::format(
      "<table class=\"figure8\"><caption>takt against {0}, compiled by {1} (figure 8 of the "
      "Heartbeat paper)</caption><thead>"
      "<tr><th class=\"l\">1</th><th>2</th><th>3</th><th>4</th><th>5</th><th>6</th><th>7</th>"
      "<th>8</th><th>9</th></tr>"
      "<tr><th class=\"l\"></th><th class=\"g\" colspan=\"2\">serial elision</th>"
      "<th class=\"g\" colspan=\"2\">one worker<br/>(relative to elision)</th><th class=\"g\" colspan=\"2\">{2}</th>"
      "<th class=\"g\" colspan=\"2\">takt / {0}</th></tr>"
      "<tr><th class=\"l\">application / input</th><th>serial</th><th>takt</th><th>{0}</th>"
      "<th>takt</th><th>{0}</th><th>takt</th><th>idle time</th><th>tasks created</th></tr>"
      "</thead><tbody>\n",
      base, escaped(table.compiler), cores);
  for (const figure8_row& row : table.rows) {
    html += "<tr>" + name_cell(row.problem + " / " + row.input) +
            cell(time_or_dash(row.base_elision_s)) + cell(percent_or_dash(row.takt_elision)) +
            cell(percent_or_dash(row.base_one_core)) + cell(percent_or_dash(row.takt_one_core)) +
            cell(time_or_dash(row.base_all_cores_s)) + cell(percent_or_dash(row.takt_all_cores)) +
            cell(percent_or_dash(row.idle)) + cell(percent_or_dash(row.tasks)) + "</tr>\n";
  }
  const auto mean = [&](figure8_column column) {
    return cell(percent_or_dash(geometric_mean(table, column)));
  };
  html += "</tbody><tfoot><tr>" + cell("geometric mean", "l") + cell("") +
          mean(&figure8_row::takt_elision) + mean(&figure8_row::base_one_core) +
          mean(&figure8_row::takt_one_core) + cell("") + mean(&figure8_row::takt_all_cores) +
          mean(&figure8_row::idle) + mean(&figure8_row::tasks) + "</tr></tfoot></table>\n";
  return html + notes_of(table);
}

std::string pictures(const std::vector<report_row>& rows) {
  std::vector<std::pair<std::string, std::vector<const report_row*>>> benchmarks;
  for (const report_row& row : rows) {
    const std::string title = row.problem + ", " + row.input;
    auto found = std::find_if(benchmarks.begin(), benchmarks.end(),
                              [&](const auto& one) { return one.first == title; });
    if (found == benchmarks.end()) {
      found = benchmarks.insert(benchmarks.end(), {title, {}});
    }
    found->second.push_back(&row);
  }
  std::string html;
  for (const auto& [title, of_benchmark] : benchmarks) {
    html += picture(title, of_benchmark);
  }
  return html;
}

// What every reader asks first: when, where, how busy the machine was, and how it came out.
std::string head_of(const report_set& set) {
  std::string html;
  if (set.about.empty()) {
    html += note("This file does not say when and where it was measured.");
  } else {
    html += "<table class=\"about\"><tbody>\n";
    for (const auto& [label, value] : set.about) {
      html += "<tr><th class=\"l\">" + escaped(label) + "</th><td class=\"l w\">" +
              with_breaks(value) + "</td></tr>\n";
    }
    html += "</tbody></table>\n";
  }
  std::string sentence = verdict(set);
  if (sentence.empty()) {
    sentence = "No run of takt is among these results.";
  }
  html += "<p class=\"verdict\"><b>" + escaped(sentence) + "</b></p>\n";
  // What else ran had a share of the CPUs that nobody knows.
  constexpr double k_busy = 0.25;
  if (set.cpus > 0 && set.load > k_busy * set.cpus) {
    html += fmt::format("<p class=\"warning\">The machine was busy when this began (load average "
                        "{:.2f} on {} CPU{}): times may be those of something else.</p>\n",
                        set.load, set.cpus, set.cpus == 1 ? "" : "s");
  }
  if (!set.stopped.empty()) {
    html += fmt::format("<p class=\"warning\">Incomplete, {}. Not here:</p>\n<ul class=\"left\">\n",
                        escaped(set.stopped));
    for (const std::string& one : set.left) {
      html += "<li>" + with_breaks(one) + "</li>\n";
    }
    html += "</ul>\n";
  }
  for (const std::string& one : set.missing) {
    html += note("missing: " + one);
  }
  return html;
}

std::string section(const report_set& set) {
  std::string html = fmt::format("<h2>{}</h2>\n", escaped(set.name)) + head_of(set);
  html += pictures(set.rows);
  for (const figure8_table& table : figure8(set.rows)) {
    html += figure8_html(table);
  }
  return html + baggage_tables(set.rows) + results_table(set);
}

}  // namespace

std::string to_html(const std::vector<report_set>& sets) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\"><head>"
      "<meta charset=\"utf-8\"/>"
      "<meta name=\"viewport\" content=\"width=device-width\"/>"
      "<title>Results of takt bench</title><style>{}</style></head><body>\n"
      "<h1>Results of takt bench</h1>\n"
      "<p class=\"note\">In the pictures a dot is a median, hollow with one worker, on a bar from "
      "the least to the greatest time; the broken line is the serial program. "
      "<a href=\"#how\">How to read the tables</a></p>\n",
      k_page_style);
  for (const report_set& set : sets) {
    html += section(set);
  }
  html +=
      "<h2 id=\"how\">How to read the tables</h2>\n"
      "<p class=\"note\">Times are medians of runs that took turns, with the least and the "
      "greatest. In the tables after figure 8 of the Heartbeat paper, column 3 is relative to "
      "column 2, 4 to 2, 5 to 3 and 7 to 6; 8 and 9 compare takt's totals with the baseline's. "
      "Negative numbers mean that takt needs less; a dash means that there is no such number. "
      "takt's elision is takt with the trigger never and one worker or, where that was not run, "
      "its code with plain calls and loops. Of several OpenMP schedules the fastest counts.</p>\n"
      "<p class=\"note\">Tasks of takt are its promotions; of oneTBB, spawned tasks; of OpenMP, "
      "explicit tasks and one per thread and parallel region. Idle is the part of the workers' "
      "time in which they ran no task; what the program does outside of parallel calls is part "
      "of it.</p>\n";
  return html + "</body></html>\n";
}

}  // namespace takt::tools
