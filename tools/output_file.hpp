// Files that a command writes at the end of long work.
#pragma once

#include <string>

namespace takt::tools {

// Tries to create a file in the folder of `path`, and removes it again: a long measurement must not end in a file that
// cannot be written. Throws usage_error, which names `option`.
void check_writable(const std::string& option, const std::string& path);

// Writes the whole file or leaves what was there. Throws std::runtime_error.
void write_file(const std::string& path, const std::string& text);

}  // namespace takt::tools
