#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "tools/bench_locality.hpp"
#include "tools/markup.hpp"

namespace takt::tools {
namespace {

constexpr double k_width = 900;
constexpr double k_left = 250;   // of the bars; names are left of them
constexpr double k_right = 820;  // values are right of them
constexpr double k_top = 28;     // the legend is above
constexpr double k_bar = 11;
constexpr double k_gap = 9;

// Told apart by those who see no red or green.
constexpr const char* k_colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#666666"};
const char* colour(std::size_t i) { return k_colours[i % std::size(k_colours)]; }

// "+12.5%" is 12.5.
double value_of(const std::string& cell) { return std::strtod(cell.c_str(), nullptr); }

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, escaped(text));
}

}  // namespace

std::string picture_of(const figure& f) {
  if (f.drawn.empty() || f.rows.empty()) return "";
  double least = 0;
  double most = 0;
  for (const auto& row : f.rows) {
    for (const std::size_t c : f.drawn) {
      least = std::min(least, value_of(row[c]));
      most = std::max(most, value_of(row[c]));
    }
  }
  if (most == least) most = least + 1;
  const auto x = [&](double value) { return k_left + (value - least) / (most - least) * (k_right - k_left); };
  std::string bars;
  double y = k_top;
  for (const auto& row : f.rows) {
    // What the row is about: all that comes before what is drawn.
    std::string name;
    for (std::size_t c = 0; c < f.drawn.front(); ++c) name += (name.empty() ? "" : ", ") + row[c];
    const double middle = y + k_bar * static_cast<double>(f.drawn.size()) / 2 + 4;
    bars += text_at(k_left - 8, middle, "end", shortened(name, 40));
    for (std::size_t i = 0; i < f.drawn.size(); ++i, y += k_bar) {
      const std::string& cell = row[f.drawn[i]];
      const double from = x(std::min(0.0, value_of(cell)));
      const double to = x(std::max(0.0, value_of(cell)));
      bars +=
          fmt::format("<rect class=\"bar\" x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{}\" fill=\"{}\"/>\n",
                      from, y, std::max(to - from, 0.5), k_bar - 1, colour(i));
      bars += fmt::format("<text class=\"value\" x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"10\">{}</text>\n", to + 4,
                          y + k_bar - 2, escaped(cell));
    }
    y += k_gap;
  }
  std::string legend;
  double at = k_left;
  for (std::size_t i = 0; i < f.drawn.size(); ++i) {
    const std::string& name = f.header[f.drawn[i]];
    legend += fmt::format("<rect x=\"{:.1f}\" y=\"6\" width=\"12\" height=\"12\" fill=\"{}\"/>\n", at, colour(i));
    legend += text_at(at + 16, 16, "start", name);
    at += 34 + 7.5 * static_cast<double>(name.size());
  }
  const std::string zero = fmt::format(
      "<line x1=\"{0:.2f}\" y1=\"{1}\" x2=\"{0:.2f}\" y2=\"{2:.1f}\" stroke=\"#222222\"/>\n", x(0), k_top - 4, y);
  return fmt::format(
      "<figure><figcaption>{}</figcaption><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {:.0f}\" "
      "width=\"{}\" height=\"{:.0f}\" font-size=\"12\" font-family=\"sans-serif\" role=\"img\">\n{}</svg></figure>\n",
      escaped(f.title), k_width, y, k_width, y, legend + zero + bars);
}

}  // namespace takt::tools
