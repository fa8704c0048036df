// The report of TAKT_STATS, and its JSON object.
#pragma once

#include <takt/config.hpp>

#include <string>

namespace takt::core {

class runtime;

std::string format_report(runtime& r);
/// Writes the report when the process exits, if the settings (of the runtime in force then) ask for it. Each runtime
/// that is made comes here before anybody uses it, so the trace begins here, too.
void report_at_exit(const config& settings);

}  // namespace takt::core
