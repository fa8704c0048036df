// Pieces of the page of bench_report.hpp.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/bench_report.hpp"

namespace takt::tools {

// Text for an element or an attribute. Names come from files: what is not UTF-8, or a character
// that XML does not have, becomes U+FFFD.
std::string escaped(const std::string& text);

// At most `most` characters of UTF-8; the rest becomes an ellipsis.
std::string shortened(const std::string& text, std::size_t most);

// A ratio, or "1e+09" for one of those.
std::string shown_ratio(double ratio);

// A picture (SVG in a <figure>) of one benchmark: a line per row, with a dot at its median over
// the serial program's and a bar from the least to the greatest. Without serial runs the picture
// is of times.
std::string picture(const std::string& title, const std::vector<const report_row*>& rows);

}  // namespace takt::tools
