// TAKT_STATS=1: what people want to know of the counters, as a table.
#pragma once

#include <string>

namespace takt::core {

class runtime;

/// Lines of text; the first says what the settings are.
std::string format_table(runtime& r);

}  // namespace takt::core
