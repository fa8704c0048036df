// Run time against beat (figure 7 of the Heartbeat paper): where it is flat, as text, and as a picture.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "tools/tune_measure.hpp"

namespace takt::tools {

// The shortest beat of the curve with which the programs, in the geometric mean of their shortest runs, take at most
// this part longer than with the best beat up to `longest`. Precondition: there are such beats.
std::chrono::microseconds flat_from(const beat_curve& curve, double part, std::chrono::microseconds longest);

// One line per beat, with time and bar for each program. A program's longest bar is its slowest run.
std::string curve_text(const std::vector<tune_program>& programs, const beat_curve& curve);

// A beat to mark on the picture.
struct marked_beat {
  std::string label;
  double beat_us;
};

// A whole SVG file: beats on a logarithmic axis, run times relative to each program's best.
std::string curve_svg(const std::vector<tune_program>& programs, const beat_curve& curve,
                      const std::vector<marked_beat>& marks);

}  // namespace takt::tools
