#include "tools/tune_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace takt::tools {
namespace {

constexpr int k_bar = 16;

// Dark enough on white, and told apart by those who see no red or green.
constexpr std::array<const char*, 4> k_colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7"};

constexpr double k_left = 60;
constexpr double k_right = 620;
constexpr double k_top = 40;
constexpr double k_bottom = 320;

// The best of each program is 1.
std::vector<std::vector<double>> relative(const beat_curve& curve) {
  auto result = curve.seconds;
  for (auto& values : result) {
    const double best = *std::min_element(values.begin(), values.end());
    for (double& value : values) {
      value /= best;
    }
  }
  return result;
}

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, text);
}

std::string line(double x1, double y1, double x2, double y2, const char* style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1, x2, y2, style);
}

// A beat's line with its label. All but the last stand left of their lines, so that the next line does not cross them;
// the white edge keeps curves off.
std::string marked_line(double x, double y, const std::string& label, bool last) {
  constexpr double k_room = 80;
  const bool left = (!last && x - k_left > k_room) || k_right - x < k_room;
  return line(x, k_top, x, k_bottom, "stroke=\"#666\" stroke-dasharray=\"4 3\"") +
         fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" stroke=\"#fff\" stroke-width=\"4\" "
                     "paint-order=\"stroke\">{}</text>\n",
                     left ? x - 4 : x + 4, y, left ? "end" : "start", label);
}

// From data to picture.
class axes {
 public:
  axes(const beat_curve& curve, double highest)
      : least_(std::log10(static_cast<double>(curve.beats.front().count()))),
        most_(std::log10(static_cast<double>(curve.beats.back().count()))),
        // Room above the highest point, and never an axis without length.
        highest_(std::max(1.1, highest * 1.05)) {}

  double x(double beat_us) const {
    const double part = (std::log10(beat_us) - least_) / (most_ - least_);
    return k_left + std::clamp(part, 0.0, 1.0) * (k_right - k_left);
  }
  double y(double ratio) const { return k_bottom - ratio / highest_ * (k_bottom - k_top); }
  double highest() const { return highest_; }

 private:
  double least_;
  double most_;
  double highest_;
};

std::string grid(const beat_curve& curve, const axes& scale) {
  constexpr const char* k_grid = "stroke=\"#ddd\"";
  std::string svg;
  for (const auto beat : curve.beats) {
    const double x = scale.x(static_cast<double>(beat.count()));
    svg += line(x, k_top, x, k_bottom, k_grid);
    svg += text_at(x, k_bottom + 16, "middle", fmt::format("{}", beat.count()));
  }
  // About six lines, at round ratios.
  double step = 0.1;
  while (scale.highest() / step > 8) {
    step *= 2;
  }
  for (double ratio = 0; ratio <= scale.highest(); ratio += step) {
    svg += line(k_left, scale.y(ratio), k_right, scale.y(ratio), k_grid);
    svg += text_at(k_left - 6, scale.y(ratio) + 4, "end", fmt::format("{:.1f}", ratio));
  }
  return svg;
}

}  // namespace

std::chrono::microseconds flat_from(const beat_curve& curve, double part, std::chrono::microseconds longest) {
  std::vector<double> logarithms;
  for (std::size_t b = 0; b < curve.beats.size() && curve.beats[b] <= longest; ++b) {
    double sum = 0;
    for (const auto& seconds : curve.least_seconds) {
      sum += std::log(seconds[b]);
    }
    logarithms.push_back(sum / static_cast<double>(curve.least_seconds.size()));
  }
  const double enough = *std::min_element(logarithms.begin(), logarithms.end()) + std::log1p(part);
  const auto first =
      std::find_if(logarithms.begin(), logarithms.end(), [enough](double value) { return value <= enough; });
  return curve.beats[static_cast<std::size_t>(first - logarithms.begin())];
}

std::string curve_text(const std::vector<tune_program>& programs, const beat_curve& curve) {
  std::string text = fmt::format("  {:>8}", "N (us)");
  for (const tune_program& program : programs) {
    text += fmt::format("   {:<{}}", program.name, k_bar + 11);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  text += '\n';
  for (std::size_t b = 0; b < curve.beats.size(); ++b) {
    std::string row = fmt::format("  {:>8}", curve.beats[b].count());
    for (const auto& seconds : curve.seconds) {
      const double slowest = *std::max_element(seconds.begin(), seconds.end());
      const auto length = static_cast<std::size_t>(std::lround(seconds[b] / slowest * k_bar));
      row += fmt::format("   {:>7.2f} ms {:<{}}", seconds[b] * 1e3, std::string(length, '#'), k_bar);
    }
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + '\n';
  }
  return text;
}

std::string curve_svg(const std::vector<tune_program>& programs, const beat_curve& curve,
                      const std::vector<marked_beat>& marks) {
  const auto ratios = relative(curve);
  double highest = 1;
  for (const auto& values : ratios) {
    highest = std::max(highest, *std::max_element(values.begin(), values.end()));
  }
  const axes scale(curve, highest);
  std::string svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 380\" font-family=\"sans-serif\" "
      "font-size=\"12\">\n<title>Run time against the beat interval N</title>\n"
      "<rect width=\"800\" height=\"380\" fill=\"#fff\"/>\n";
  svg += text_at(k_left, 24, "start", "Run time over the program's best, against N");
  svg += grid(curve, scale);
  svg += text_at((k_left + k_right) / 2, k_bottom + 40, "middle", "N, the beat interval (us)");
  double mark_y = k_top + 12;
  for (const marked_beat& mark : marks) {
    svg += marked_line(scale.x(mark.beat_us), mark_y, mark.label, &mark == &marks.back());
    mark_y += 16;  // two beats may be close to each other
  }
  for (std::size_t p = 0; p < ratios.size(); ++p) {
    const char* const colour = k_colours[p % k_colours.size()];
    std::string points;
    for (std::size_t b = 0; b < curve.beats.size(); ++b) {
      const double x = scale.x(static_cast<double>(curve.beats[b].count()));
      const double y = scale.y(ratios[p][b]);
      points += fmt::format("{:.1f},{:.1f} ", x, y);
      svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", x, y, colour);
    }
    points.pop_back();
    svg += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", points, colour);
    const double y = k_top + 12 + 20 * static_cast<double>(p);
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"12\" fill=\"{}\"/>\n", k_right + 16,
                       y - 10, colour);
    svg += text_at(k_right + 34, y, "start", std::string(programs[p].name));
  }
  return svg + "</svg>\n";
}

}  // namespace takt::tools
