// The timeline as a page of its own: a picture that can be moved and magnified, and tables.
#pragma once

#include <string>

#include "tools/about.hpp"
#include "tools/trace_file.hpp"

namespace takt::tools {

// HTML and well-formed XML at once. It refers to nothing outside; its script only draws, and without
// it the whole time is shown as one picture.
std::string to_html(const trace_timeline& timeline, const run_about& about);

// The script, as the content of <script>.
extern const char* const k_trace_script;

}  // namespace takt::tools
