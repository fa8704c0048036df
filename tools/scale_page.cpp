// The HTML of takt scale. As all our pages it is well-formed XML, too.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include "tools/about.hpp"
#include "tools/markup.hpp"
#include "tools/scale_result.hpp"

namespace takt::tools {
namespace {

constexpr double k_width = 900;
constexpr double k_height = 430;
constexpr double k_left = 70;
constexpr double k_right = 640;  // the legend is right of it
constexpr double k_top = 20;
constexpr double k_bottom = 370;

// Told apart by those who see no red or green, and by their dashes.
constexpr const char* k_predicted = "#0072b2";
constexpr const char* k_upper = "#d55e00";
constexpr const char* k_brent = "#009e73";
constexpr const char* k_whole = "#666666";

// From data to picture: powers of two are as far apart on both axes, so that what scales
// perfectly is a straight line.
class axes {
 public:
  explicit axes(const std::vector<scale_row>& rows) {
    double least = 1;
    double most = 2;
    for (const scale_row& row : rows) {
      most_workers_ = std::max(most_workers_, std::log2(row.workers));
      for (const double value : {row.speedup, row.brent_bound, row.whole_speedup,
                                 row.upper_bound}) {
        if (value == 0) {
          continue;
        }
        least = std::min(least, value);
        most = std::max(most, value);
      }
    }
    // A hundredth is as bad as it can be shown.
    low_ = std::floor(std::log2(std::max(least, 0.01)));
    high_ = std::ceil(std::log2(most * 1.05));
  }

  double x(double workers) const {
    return k_left + std::log2(workers) / most_workers_ * (k_right - k_left);
  }
  double y(double speedup) const {
    const double part = (std::log2(std::max(speedup, 0.01)) - low_) / (high_ - low_);
    return k_bottom - std::clamp(part, 0.0, 1.0) * (k_bottom - k_top);
  }
  int first_x() const { return 0; }
  int last_x() const { return static_cast<int>(most_workers_ + 1e-9); }
  int first_y() const { return static_cast<int>(low_); }
  int last_y() const { return static_cast<int>(high_); }

 private:
  double most_workers_ = 1;
  double low_;
  double high_;
};

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y,
                     anchor, escaped(text));
}

std::string line(double x1, double y1, double x2, double y2, const std::string& style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1,
                     x2, y2, style);
}

std::string grid(const axes& scale) {
  std::string svg;
  for (int power = scale.first_x(); power <= scale.last_x(); ++power) {
    const double x = scale.x(std::exp2(power));
    svg += line(x, k_top, x, k_bottom, "stroke=\"#dddddd\"");
    svg += text_at(x, k_bottom + 18, "middle", fmt::format("{:g}", std::exp2(power)));
  }
  for (int power = scale.first_y(); power <= scale.last_y(); ++power) {
    const double y = scale.y(std::exp2(power));
    svg += line(k_left, y, k_right, y, "stroke=\"#dddddd\"");
    svg += text_at(k_left - 8, y + 4, "end", fmt::format("{:.3g}", std::exp2(power)));
  }
  return svg + text_at((k_left + k_right) / 2, k_bottom + 42, "middle",
                       "workers (both axes logarithmic)");
}

struct curve {
  const char* name;
  const char* colour;
  const char* dashes;  // "": a full line
  double scale_row::*value;
};

constexpr curve k_curves[] = {
    {"at most: min(P, work / span)", k_upper, "7 4", &scale_row::upper_bound},
    {"Brent: work / (work / P + span)", k_brent, "2 4", &scale_row::brent_bound},
    {"predicted, whole program", k_whole, "10 3 2 3", &scale_row::whole_speedup},
    {"predicted, in parallel calls", k_predicted, "", &scale_row::speedup},
};

// Nobody has the whole program's where it is all zero.
bool is_known(const curve& one, const std::vector<scale_row>& rows) {
  return std::any_of(rows.begin(), rows.end(), [&](const scale_row& row) { return row.*one.value > 0; });
}

std::string style_of(const curve& one) {
  const std::string dashes =
      *one.dashes == '\0' ? "" : fmt::format(" stroke-dasharray=\"{}\"", one.dashes);
  return fmt::format("stroke=\"{}\" stroke-width=\"2\"{}", one.colour, dashes);
}

std::string drawn(const curve& one, const std::vector<scale_row>& rows, const axes& scale) {
  std::string points;
  for (const scale_row& row : rows) {
    points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", scale.x(row.workers),
                          scale.y(row.*one.value));
  }
  return fmt::format("<polyline points=\"{}\" fill=\"none\" {}/>\n", points, style_of(one));
}

// The prediction's dots, on bars from the slowest to the fastest run.
std::string marks(const scale_result& result, const axes& scale) {
  std::string svg;
  for (const scale_row& row : result.rows) {
    const double x = scale.x(row.workers);
    const double work = result.work_s.middle;
    svg += line(x, scale.y(work / row.in_calls_s.most), x, scale.y(work / row.in_calls_s.least),
                fmt::format("class=\"spread\" stroke=\"{}\" stroke-width=\"5\" opacity=\"0.4\"",
                            k_predicted));
    svg += fmt::format(
        "<circle class=\"median\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>\n", x,
        scale.y(row.speedup), k_predicted);
  }
  return svg;
}

std::string legend(const std::vector<scale_row>& rows) {
  std::string svg;
  double y = k_top + 12;
  for (const curve& one : k_curves) {
    if (!is_known(one, rows)) {
      continue;
    }
    svg += line(k_right + 16, y - 4, k_right + 44, y - 4, style_of(one));
    svg += text_at(k_right + 50, y, "start", one.name);
    y += 22;
  }
  return svg;
}

}  // namespace

std::string speedup_svg(const scale_result& result) {
  const axes scale(result.rows);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" font-family=\"sans-serif\" "
      "font-size=\"12\"><title>Speed-up against the number of workers</title>\n",
      k_width, k_height);
  svg += grid(scale) + legend(result.rows);
  for (const curve& one : k_curves) {
    if (is_known(one, result.rows)) {
      svg += drawn(one, result.rows, scale);
    }
  }
  return svg + marks(result, scale) + "</svg>\n";
}

namespace {

// When and where. Times that are made up are the same anywhere.
std::string where_and_when(const scale_runs& runs) {
  if (runs.deterministic) {
    return "";
  }
  const run_about about = about_now();
  std::string date = about.date;
  std::replace(date.begin(), date.end(), 'T', ' ');
  return fmt::format("<p class=\"note\">{}; {}, {} usable; load average {}</p>\n", escaped(date),
                     escaped(about.cpu), about.cpus,
                     about.load_before.empty() ? "unknown" : fmt::format("{:.2f}", about.load_before.front()));
}

}  // namespace

std::string to_html(const scale_runs& runs, const scale_result& result) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\"><head>"
      "<meta charset=\"utf-8\"/>"
      "<meta name=\"viewport\" content=\"width=device-width\"/>"
      "<title>Result of takt scale</title><style>{}</style></head><body>\n"
      "<h1>Result of takt scale</h1>\n{}<p class=\"advice\"><b>{}</b></p>\n"
      "<figure><figcaption>Speed-up against the number of workers</figcaption>\n{}</figure>\n",
      k_page_style, where_and_when(runs), escaped(result.advice), speedup_svg(result));
  html += "<table class=\"results\"><caption>Predictions</caption><thead><tr>";
  for (const std::string& cell : table_head(runs, result)) {
    html += "<th>" + escaped(cell) + "</th>";
  }
  html += "</tr></thead><tbody>\n";
  for (const scale_row& row : result.rows) {
    html += "<tr>";
    for (const std::string& cell : table_cells(row)) {
      html += "<td>" + escaped(cell) + "</td>";
    }
    html += "</tr>\n";
  }
  html += "</tbody></table>\n<table class=\"summary\"><caption>How it was found</caption><tbody>\n";
  for (const auto& [label, value] : summary(runs, result)) {
    html += "<tr><td class=\"l\">" + escaped(label) + "</td><td class=\"l w\">" +
            with_breaks(value) + "</td></tr>\n";
  }
  html += "</tbody></table>\n";
  for (const std::string& line : span_lines(result)) {
    html += "<p class=\"note\">" + escaped(line) + "</p>\n";
  }
  for (const std::string& note : result.notes) {
    html += "<p class=\"note\">" + escaped(note) + "</p>\n";
  }
  html +=
      "<p class=\"note\">Speed-up is work over time in calls; at most is min(P, work / span), and "
      "since the span is an upper bound it may be exceeded a little; Brent is work / (work / P + "
      "span), which a scheduler without costs reaches at least; program is the speed-up of the "
      "whole program with its serial parts; idle is the part of the workers' time in calls in "
      "which they ran no task. The simulation knows nothing of memory bandwidth and of what "
      "workers do to each other's caches.</p>\n";
  if (!runs.machine.source.empty()) {
    html += "<p class=\"note\">" + escaped(runs.machine.name + ": " + runs.machine.source) +
            "</p>\n";
  }
  return html + "</body></html>\n";
}

}  // namespace takt::tools
