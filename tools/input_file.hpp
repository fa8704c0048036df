// Files that a command is told to read.
#pragma once

#include <string>

namespace takt::tools {

// All that is in it. Throws usage_error, which begins with `said_as`, where that cannot be had: also of what is no regular
// file, as a FIFO may let a reader wait, and a device may have no end.
std::string read_file(const std::string& path, const std::string& said_as);

}  // namespace takt::tools
