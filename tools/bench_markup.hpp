// Pieces of the page of bench_report.hpp.
#pragma once

#include <string>
#include <vector>

#include "tools/bench_report.hpp"
#include "tools/markup.hpp"

namespace takt::tools {

// A ratio, or "1e+09" for one of those.
std::string shown_ratio(double ratio);

// A picture (SVG in a <figure>) of one benchmark: a line per row, with a dot at its median over
// the serial program's and a bar from the least to the greatest. Without serial runs the picture
// is of times.
std::string picture(const std::string& title, const std::vector<const report_row*>& rows);

// Figures 4, 5 and 11 of "Work-stealing without the baggage", of its programs; "" where they are not among the rows.
std::string baggage_tables(const std::vector<report_row>& rows);

}  // namespace takt::tools
