// Run time against beat (figure 7 of the Heartbeat paper), as text and as a picture.
#pragma once

#include <string>
#include <vector>

#include "tools/tune_measure.hpp"

namespace takt::tools {

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
