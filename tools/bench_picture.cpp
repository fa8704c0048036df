#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "tools/bench_markup.hpp"
#include "tools/bench_results.hpp"

namespace takt::tools {
namespace {

constexpr double k_width = 900;
constexpr double k_left = 250;   // of the plot; names are left of it
constexpr double k_right = 690;  // figures are right of it
constexpr double k_top = 10;
constexpr double k_line = 22;
constexpr double k_axis = 44;  // height of the axis with its title

constexpr std::size_t k_longest_name = 32;
constexpr std::size_t k_longest_failure = 64;

// What is drawn of one row: all three times over the serial program's, or in seconds.
struct drawn {
  double middle;
  double least;
  double most;
};

std::optional<drawn> to_draw(const report_row& row, bool relative) {
  if (!row.median_s || (relative && (!row.ratio_to_serial || *row.median_s <= 0.0))) {
    return std::nullopt;
  }
  const double scale = relative ? *row.ratio_to_serial / *row.median_s : 1.0;
  return drawn{*row.median_s * scale, std::min(*row.min_s, *row.median_s) * scale,
               std::max(*row.max_s, *row.median_s) * scale};
}

// From data to picture: from zero on, or logarithmic where the values are far apart.
class axis {
 public:
  explicit axis(const std::vector<std::optional<drawn>>& values) {
    double least = 0.0;
    double most = 0.0;
    for (const auto& one : values) {
      if (one) {
        least = least > 0.0 ? std::min(least, one->least) : one->least;
        most = std::max(most, one->most);
      }
    }
    constexpr double k_far_apart = 8;
    logarithmic_ = least > 0.0 && most / least > k_far_apart;
    low_ = logarithmic_ ? least / 1.2 : 0.0;
    high_ = logarithmic_ ? most * 1.2 : most > 0.0 ? most * 1.05 : 1.0;
  }

  double x(double value) const {
    const double part = logarithmic_ ? std::log(value / low_) / std::log(high_ / low_)
                                     : value / high_;
    return k_left + std::clamp(part, 0.0, 1.0) * (k_right - k_left);
  }
  bool shows(double value) const { return value >= low_ && value <= high_; }

  // Round values, few enough that their labels do not touch.
  std::vector<double> ticks() const {
    constexpr int k_most = 7;
    std::vector<double> result;
    if (logarithmic_) {
      const int first = static_cast<int>(std::floor(std::log10(low_)));
      const int last = static_cast<int>(std::ceil(std::log10(high_)));
      const bool few_decades = last - first <= 3;
      const int stride = (last - first) / k_most + 1;
      for (int exponent = first; exponent <= last; exponent += few_decades ? 1 : stride) {
        for (const double digit : {1.0, 2.0, 5.0}) {
          const double value = digit * std::pow(10.0, exponent);
          if (shows(value) && (few_decades || digit == 1.0)) {
            result.push_back(value);
          }
        }
      }
      return result;
    }
    double step = std::pow(10.0, std::floor(std::log10(high_)) - 1);
    for (int i = 0; high_ / step > k_most; ++i) {
      step *= i % 3 == 1 ? 2.5 : 2.0;  // 1, 2, 5, 10, ...
    }
    for (int i = 0; i * step <= high_; ++i) {
      result.push_back(i * step);
    }
    return result;
  }

 private:
  double low_;
  double high_;
  bool logarithmic_;
};

const char* colour_of(const std::string& system) {
  // Told apart by those who see no red or green.
  if (system == "serial" || system == "elision") {
    return "#666666";
  }
  if (system == "takt") {
    return "#0072b2";
  }
  if (system.rfind("takt", 0) == 0) {
    return "#56b4e9";
  }
  return system.rfind("tbb", 0) == 0 ? "#d55e00" : "#009e73";
}

std::string text_at(double x, double y, const char* anchor, const std::string& text,
                    const char* more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                     anchor, more, escaped(text));
}

std::string line(double x1, double y1, double x2, double y2, const char* style) {
  return fmt::format("<line x1=\"{:.2f}\" y1=\"{:.1f}\" x2=\"{:.2f}\" y2=\"{:.1f}\" {}/>\n", x1,
                     y1, x2, y2, style);
}

// Short: ticks are round values.
std::string time_on_axis(double seconds) {
  if (seconds == 0.0) {
    return "0";
  }
  for (const auto& [unit, scale] :
       {std::pair("ns", 1e-9), std::pair("us", 1e-6), std::pair("ms", 1e-3)}) {
    if (seconds < scale * 999) {
      return fmt::format("{:g} {}", seconds / scale, unit);
    }
  }
  return fmt::format("{:g} s", seconds);
}

std::string grid(const axis& scale, bool relative, double bottom) {
  std::string svg;
  for (const double value : scale.ticks()) {
    svg += line(scale.x(value), k_top, scale.x(value), bottom, "stroke=\"#dddddd\"");
    svg += text_at(scale.x(value), bottom + 16, "middle",
                   relative ? fmt::format("{:g}", value) : time_on_axis(value));
  }
  if (relative && scale.shows(1.0)) {
    svg += line(scale.x(1.0), k_top, scale.x(1.0), bottom,
                "stroke=\"#222222\" stroke-dasharray=\"4 3\"");
  }
  return svg + text_at((k_left + k_right) / 2, bottom + 34, "middle",
                       relative ? "time over the serial program's (less is better)"
                                : "time (less is better)");
}

// Hollow for one worker.
std::string mark(const drawn& value, const axis& scale, double y, const report_row& row) {
  const char* const colour = colour_of(row.system);
  return line(scale.x(value.least), y, scale.x(value.most), y,
              fmt::format("class=\"spread\" stroke=\"{}\" stroke-width=\"3\" opacity=\"0.45\"",
                          colour)
                  .c_str()) +
         fmt::format("<circle class=\"median\" cx=\"{:.2f}\" cy=\"{:.1f}\" r=\"4.5\" "
                     "fill=\"{}\" stroke=\"{}\" stroke-width=\"2\"/>\n",
                     scale.x(value.middle), y, row.workers == 1 ? "#ffffff" : colour, colour);
}

}  // namespace

std::string shown_ratio(double ratio) {
  return ratio < 1e5 ? fmt::format("{:.3f}", ratio) : fmt::format("{:.3g}", ratio);
}

std::string picture(const std::string& title, const std::vector<const report_row*>& rows) {
  const bool relative = std::any_of(rows.begin(), rows.end(), [](const report_row* row) {
    return row->median_s && row->ratio_to_serial;
  });
  std::vector<std::optional<drawn>> values;
  for (const report_row* row : rows) {
    values.push_back(to_draw(*row, relative));
  }
  const axis scale(values);
  const double bottom = k_top + k_line * static_cast<double>(rows.size());
  std::string svg = fmt::format(
      "<figure><figcaption>{0}</figcaption>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
      "width=\"{1:.0f}\" height=\"{2:.0f}\" viewBox=\"0 0 {1:.0f} {2:.0f}\" role=\"img\" "
      "font-family=\"sans-serif\" font-size=\"12\"><title>{0}</title>\n",
      escaped(title), k_width, bottom + k_axis);
  svg += grid(scale, relative, bottom);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const report_row& row = *rows[i];
    const double y = k_top + k_line * (static_cast<double>(i) + 0.5);
    svg += text_at(k_left - 14, y + 4, "end",
                   shortened(fmt::format("{}, {} worker{} ({})", row.system, row.workers,
                                         row.workers == 1 ? "" : "s", row.compiler),
                             k_longest_name));
    if (values[i]) {
      svg += mark(*values[i], scale, y, row);
    }
    if (!row.median_s) {
      svg += text_at(k_left + 8, y + 4, "start",
                     shortened(row.failure.empty() ? "no time" : row.failure, k_longest_failure),
                     " fill=\"#b00020\"");
    } else {
      const std::string time = shown_time(*row.median_s);
      const std::string figures =
          values[i] && relative ? fmt::format("{} ({})", shown_ratio(*row.ratio_to_serial), time) : time;
      svg += text_at(k_right + 14, y + 4, "start", figures + (row.ok ? "" : " WRONG"),
                     row.ok ? "" : " fill=\"#b00020\"");
    }
  }
  return svg + "</svg></figure>\n";
}

}  // namespace takt::tools
