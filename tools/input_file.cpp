#include "tools/input_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "tools/usage_error.hpp"

namespace takt::tools {

namespace fs = std::filesystem;

std::string read_file(const std::string& path, const std::string& said_as) {
  std::error_code error;
  const fs::file_status found = fs::status(path, error);
  if (fs::exists(found) && !fs::is_regular_file(found)) {
    throw usage_error(fmt::format("{}: cannot be read: is not a regular file", said_as));
  }
  const std::ifstream stream(path, std::ios::binary);
  std::ostringstream content;
  content << stream.rdbuf();
  if (!stream || content.bad()) {
    throw usage_error(fmt::format("{}: cannot be read", said_as));
  }
  return content.str();
}

}  // namespace takt::tools
