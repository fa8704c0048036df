// The JSON object of TAKT_STATS.
#pragma once

#include <takt/config.hpp>

#include <memory>
#include <string>
#include <vector>

namespace takt::core {

class runtime;
class worker;

std::string format_report(const runtime& r, const std::vector<std::unique_ptr<worker>>& workers);
/// Writes the report when the process exits, if the settings (of the runtime in force then) ask for it. Each runtime
/// that is made comes here before anybody uses it, so the trace begins here, too.
void report_at_exit(const config& settings);

}  // namespace takt::core
