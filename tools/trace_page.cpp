#include "tools/trace_page.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/markup.hpp"
#include "tools/numbers.hpp"

namespace takt::tools {
namespace {

// The script has the same numbers.
constexpr int k_width = 1000;
constexpr int k_left = 150;
constexpr int k_right = 990;
constexpr int k_top = 8;
constexpr int k_lane = 40;
constexpr int k_bar = 20;
constexpr int k_axis = 40;

// Told apart by those who see no red or green; the last is for all other places.
constexpr std::array<const char*, 9> k_colours = {"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9",
                                                  "#d55e00", "#f0e442", "#7f3c8d", "#8c8c8c"};
constexpr const char* k_idle_colour = "#dcdcdc";
constexpr const char* k_asleep_colour = "#ffffff";
constexpr std::size_t k_others = k_colours.size() - 1;

// What is drawn: a colour of a place, or one of these.
constexpr std::size_t k_idle = k_colours.size();
constexpr std::size_t k_asleep = k_idle + 1;
constexpr std::size_t k_classes = k_asleep + 1;

// For each place its colour: those with most time have one of their own.
std::vector<std::size_t> colours_of(const trace_timeline& timeline) {
  std::vector<std::size_t> colours(timeline.places.size(), k_others);
  const std::vector<int> order = by_time(timeline);
  // One place more than there are colours has no need to share.
  for (std::size_t i = 0; i < std::min(order.size(), k_others); ++i) {
    colours[static_cast<std::size_t>(order[i])] = i;
  }
  return colours;
}

std::size_t class_of(const trace_span& span, const std::vector<std::size_t>& colours) {
  return span.what == trace_span::k_idle     ? k_idle
         : span.what == trace_span::k_asleep ? k_asleep
                                             : colours[static_cast<std::size_t>(span.what)];
}

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>", x, y, anchor,
                     escaped(text));
}

std::string rectangle(double x, double y, double width, double height, const char* colour,
                      const char* more = "") {
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"{}/>",
                     x, y, width, height, colour, more);
}

const char* colour_of(std::size_t kind) {
  return kind < k_colours.size() ? k_colours[kind] : kind == k_idle ? k_idle_colour : k_asleep_colour;
}

// The whole time: of each picture element what took most of it.
std::string bar(const trace_lane& lane, const trace_timeline& timeline,
                const std::vector<std::size_t>& colours, double y) {
  constexpr auto k_elements = static_cast<std::size_t>(k_right - k_left);
  std::vector<std::array<double, k_classes>> share(k_elements);
  const double scale = static_cast<double>(k_elements) / timeline.us;
  for (const trace_span& span : lane.spans) {
    const std::size_t kind = class_of(span, colours);
    const double begin = std::max(0.0, span.from_us * scale);
    const double end = std::min((span.from_us + span.us) * scale, static_cast<double>(k_elements));
    for (auto i = static_cast<std::size_t>(begin); i < k_elements && static_cast<double>(i) < end; ++i) {
      share[i][kind] += std::min(end, static_cast<double>(i) + 1) - std::max(begin, static_cast<double>(i));
    }
  }
  std::string svg;
  std::size_t since = 0;
  std::size_t before = k_classes;
  for (std::size_t i = 0; i <= k_elements; ++i) {
    std::size_t kind = k_classes;
    if (i < k_elements) {
      const auto most = std::max_element(share[i].begin(), share[i].end());
      kind = *most > 0 ? static_cast<std::size_t>(most - share[i].begin()) : k_classes;
    }
    if (kind == before) {
      continue;
    }
    if (before != k_classes) {
      svg += rectangle(static_cast<double>(k_left) + static_cast<double>(since), y,
                       static_cast<double>(i - since), k_bar, colour_of(before));
    }
    since = i;
    before = kind;
  }
  return svg;
}

std::string ticks(const std::vector<double>& marks, const trace_timeline& timeline, double y,
                  const char* colour) {
  std::string svg;
  int before = -1;
  for (const double at : marks) {
    const int x = k_left + static_cast<int>(at / timeline.us * (k_right - k_left - 1));
    if (x != before) {
      svg += rectangle(x, y, 1, 5, colour);
    }
    before = x;
  }
  return svg;
}

constexpr const char* k_promotion_colour = "#222222";
constexpr const char* k_steal_colour = "#d55e00";
constexpr const char* k_beat_colour = "#b0b0b0";

// 1, 2 or 5 times a power of ten.
double step_of(double us) {
  const double power = std::pow(10, std::floor(std::log10(us / 8)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (us / (factor * power) <= 8) {
      return factor * power;
    }
  }
  return 10 * power;
}

std::string axis(const trace_timeline& timeline, double bottom) {
  std::string svg;
  const double step = step_of(timeline.us);
  const double unit = step >= 1e6 ? 1e6 : step >= 1e3 ? 1e3 : 1;
  const char* const name = unit == 1 ? "us" : unit == 1e3 ? "ms" : "s";
  for (double at = 0; at <= timeline.us; at += step) {
    const double x = k_left + at / timeline.us * (k_right - k_left);
    svg += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"#dddddd\"/>",
                       x, k_top, bottom);
    // The last one would be over the edge.
    if (x < k_right - 12) {
      svg += text_at(x, bottom + 16, "middle", at == 0 ? "0" : fmt::format("{:g} {}", at / unit, name));
    }
  }
  return svg;
}

std::string picture(const trace_timeline& timeline, const std::vector<std::size_t>& colours) {
  const double bottom = k_top + k_lane * static_cast<double>(timeline.lanes.size());
  std::string svg = fmt::format(
      "<svg id=\"timeline\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0} {1:.0f}\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">"
      "<title>What each worker did, over time</title>\n<g id=\"names\">",
      k_width, bottom + k_axis);
  constexpr std::size_t k_longest = 18;
  for (std::size_t i = 0; i < timeline.lanes.size(); ++i) {
    svg += text_at(k_left - 10, k_top + k_lane * static_cast<double>(i) + 15, "end",
                   shortened(timeline.lanes[i].label, k_longest));
  }
  svg += "</g>\n<g id=\"axis\">" + axis(timeline, bottom) + "</g>\n<g id=\"lanes\">";
  for (std::size_t i = 0; i < timeline.lanes.size(); ++i) {
    const trace_lane& lane = timeline.lanes[i];
    const double y = k_top + k_lane * static_cast<double>(i);
    svg += rectangle(k_left, y, k_right - k_left, k_bar, "none", " stroke=\"#cccccc\"") +
           bar(lane, timeline, colours, y) + ticks(lane.promotions, timeline, y + k_bar, k_promotion_colour) +
           ticks(lane.steals, timeline, y + k_bar + 5, k_steal_colour) +
           ticks(lane.beats, timeline, y + k_bar + 10, k_beat_colour) + "\n";
  }
  return svg + "</g>\n" + fmt::format("<g id=\"where\">{}</g></svg>\n",
                                      text_at((k_left + k_right) / 2.0, bottom + 34, "middle",
                                              "time since the first event"));
}

std::string swatch(const char* colour, const std::string& text, const char* shape = "box") {
  return fmt::format("<li><span class=\"{}\" style=\"background:{}\"></span>{}</li>\n", shape, colour,
                     with_breaks(text));
}

std::string legend(const trace_timeline& timeline, const std::vector<std::size_t>& colours) {
  std::string html = "<ul class=\"legend\">\n";
  bool others = false;
  for (const int place : by_time(timeline)) {
    const std::size_t colour = colours[static_cast<std::size_t>(place)];
    if (colour != k_others) {
      html += swatch(k_colours[colour], timeline.places[static_cast<std::size_t>(place)]);
    }
    others = others || colour == k_others;
  }
  if (others) {
    html += swatch(k_colours[k_others], "all other places");
  }
  return html + swatch(k_idle_colour, "looks for work") +
         swatch(k_asleep_colour, "asleep, or outside of parallel calls") +
         swatch(k_promotion_colour, "promotion", "tick") + swatch(k_steal_colour, "steal", "tick") +
         swatch(k_beat_colour, "beat is due", "tick") + "</ul>\n";
}

std::string cells(const std::vector<std::string>& texts) {
  std::string html;
  for (const std::string& text : texts) {
    html += "<td>" + escaped(text) + "</td>";
  }
  return html;
}

std::string percent(double part, double whole) {
  return whole > 0 ? fmt::format("{:.1f}%", part / whole * 100) : "\xE2\x80\x93";
}

std::string places_table(const trace_timeline& timeline) {
  struct row {
    double us = 0;
    double longest = 0;
    std::uint64_t pieces = 0;
  };
  std::vector<row> rows(timeline.places.size());
  double all = 0;
  for (const trace_lane& lane : timeline.lanes) {
    for (const trace_span& span : lane.spans) {
      if (span.what < 0) {
        continue;
      }
      row& one = rows[static_cast<std::size_t>(span.what)];
      one.us += span.us;
      one.longest = std::max(one.longest, span.us);
      ++one.pieces;
      all += span.us;
    }
  }
  std::string html =
      "<table class=\"places\"><caption>Where the time went</caption><thead><tr><th class=\"l\">place"
      "</th><th>time</th><th>of all</th><th>pieces</th><th>mean</th><th>longest</th></tr></thead><tbody>\n";
  for (const int place : by_time(timeline)) {
    const row& one = rows[static_cast<std::size_t>(place)];
    html += "<tr><td class=\"l w\">" + with_breaks(timeline.places[static_cast<std::size_t>(place)]) + "</td>" +
            cells({shown_time(one.us * 1e-6), percent(one.us, all), std::to_string(one.pieces),
                   shown_time(one.us * 1e-6 / static_cast<double>(std::max<std::uint64_t>(one.pieces, 1))),
                   shown_time(one.longest * 1e-6)}) +
            "</tr>\n";
  }
  return html + "</tbody></table>\n";
}

std::string workers_table(const trace_timeline& timeline) {
  std::string html =
      "<table class=\"results\"><caption>Workers</caption><thead><tr><th class=\"l\">worker</th>"
      "<th>ran tasks</th><th>looked for work</th><th>asleep</th><th>took no part</th><th>tasks done</th><th>steals</th>"
      "<th>promotions</th><th>beats</th><th>events dropped</th></tr></thead><tbody>\n";
  for (const trace_lane& lane : timeline.lanes) {
    const trace_totals totals = totals_of(lane);
    const auto done = std::count_if(lane.spans.begin(), lane.spans.end(),
                                    [](const trace_span& span) { return span.ends_task; });
    html += "<tr><td class=\"l w\">" + with_breaks(lane.name) + "</td>" +
            cells({percent(totals.running, timeline.us), percent(totals.idle, timeline.us),
                   percent(totals.asleep, timeline.us),
                   percent(std::max(0.0, timeline.us - totals.all()), timeline.us), std::to_string(done),
                   std::to_string(lane.steals.size()), std::to_string(lane.promotions.size()),
                   std::to_string(lane.beats.size()), std::to_string(lane.dropped)}) +
            "</tr>\n";
  }
  return html + "</tbody></table>\n";
}

// In tenths of a microsecond, each since the one before: short.
std::string marks_data(const std::vector<double>& marks) {
  std::string text = "[";
  long long before = 0;
  for (const double at : marks) {
    const long long now = std::llround(at * 10);
    text += fmt::format("{}{}", text.size() == 1 ? "" : ",", now - before);
    before = now;
  }
  return text + "]";
}

std::string data(const trace_timeline& timeline, const std::vector<std::size_t>& colours) {
  // Nobody will ever see them.
  constexpr double k_shortest_idle = 0.5;
  std::string text = fmt::format("{{\"end\":{},\"lanes\":[", std::llround(timeline.us * 10));
  for (const trace_lane& lane : timeline.lanes) {
    text += fmt::format("{}{{\"spans\":[", &lane == timeline.lanes.data() ? "" : ",\n");
    long long before = 0;
    bool first = true;
    for (const trace_span& span : lane.spans) {
      if (span.what == trace_span::k_idle && span.us < k_shortest_idle) {
        continue;
      }
      const long long from = std::llround(span.from_us * 10);
      const long long to = std::llround((span.from_us + span.us) * 10);
      text += fmt::format("{}{},{},{}", first ? "" : ",", from - before, to - from, span.what);
      before = to;
      first = false;
    }
    text += fmt::format("],\"promotions\":{},\"steals\":{},\"beats\":{}}}", marks_data(lane.promotions),
                        marks_data(lane.steals), marks_data(lane.beats));
  }
  text += fmt::format("],\"colours\":[{}],\"places\":", fmt::join(colours, ","));
  std::string places =
      nlohmann::json(timeline.places).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  // So that no text ends the element, or looks like markup.
  for (const auto& [sign, code] : {std::pair("<", "\\u003c"), std::pair(">", "\\u003e"), std::pair("&", "\\u0026")}) {
    for (std::size_t at = places.find(sign); at != std::string::npos; at = places.find(sign)) {
      places.replace(at, 1, code);
    }
  }
  return text + places + "}";
}

std::string about_table(const trace_timeline& timeline, const run_about& about) {
  std::vector<std::string> load;
  for (const double one : about.load_before) {
    load.push_back(fmt::format("{:.2f}", one));
  }
  std::string date = about.date;
  std::replace(date.begin(), date.end(), 'T', ' ');
  const std::string processes =
      timeline.processes == 1 ? "" : fmt::format(", {} processes", timeline.processes);
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"program", timeline.program + processes},
      {"date", date},
      {"CPU", fmt::format("{}, {} usable", about.cpu, about.cpus)},
      {"load average", fmt::format("{} before (of 1, 5 and 15 minutes)", fmt::join(load, ", "))},
      {"takt", about.takt}};
  std::string html = "<table class=\"about\"><tbody>\n";
  for (const auto& [label, value] : rows) {
    html += "<tr><th class=\"l\">" + label + "</th><td class=\"l w\">" + with_breaks(value) + "</td></tr>\n";
  }
  return html + "</tbody></table>\n";
}

}  // namespace

std::string to_html(const trace_timeline& timeline, const run_about& about) {
  const std::vector<std::size_t> colours = colours_of(timeline);
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\"><head>"
      "<meta charset=\"utf-8\"/><meta name=\"viewport\" content=\"width=device-width\"/>"
      "<title>Timeline by takt trace</title><style>{}"
      "ul.legend{{list-style:none;padding:0;columns:3 18em}}ul.legend li{{break-inside:avoid}}"
      "span.box,span.tick{{display:inline-block;width:1em;height:1em;border:1px solid #ccc;margin-right:.5em;"
      "vertical-align:-.15em}}span.tick{{width:2px;border:none;margin-left:.4em;margin-right:.9em}}"
      "svg text{{user-select:none}}#seen{{min-height:1.4em}}"
      "</style></head><body>\n<h1>Timeline by takt trace</h1>\n",
      k_page_style);
  html += about_table(timeline, about);
  html += "<p class=\"verdict\"><b>" + escaped(verdict(timeline)) + "</b></p>\n";
  if (timeline.dropped > 0) {
    html += fmt::format("<p class=\"warning\">{} events are not here: of each worker the newest {} are kept. "
                        "TAKT_TRACE=FILE,events=N, or takt trace --events, keeps more.</p>\n",
                        timeline.dropped, timeline.ring);
  }
  if (timeline.us > 0) {
    html += "<figure><figcaption>What each worker did, over time</figcaption>\n" + picture(timeline, colours) +
            "</figure>\n<p class=\"note\" id=\"seen\">The wheel magnifies, dragging moves, a double click shows "
            "all.</p>\n" +
            legend(timeline, colours);
  }
  html += places_table(timeline) + workers_table(timeline);
  html +=
      "<p class=\"note\">A place is the line of the program that made the fork, the loop or the call of an "
      "algorithm. A piece is what a worker ran of it without a break: a task, or part of one that had to wait. "
      "What is run within a task without being promoted is part of it: short forks and loops are not seen here. "
      "Where the picture has less room than there were pieces, what took most of the time is drawn.</p>\n";
  if (timeline.us > 0) {
    html += "<script type=\"application/json\" id=\"data\">" + data(timeline, colours) +
            "</script>\n<script id=\"view\">//<![CDATA[\n" + std::string(k_trace_script) + "//]]></script>\n";
  }
  return html + "</body></html>\n";
}

}  // namespace takt::tools
