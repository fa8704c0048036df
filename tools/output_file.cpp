#include "tools/output_file.hpp"

#include <errno.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "tools/usage_error.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;

// A new file beside `path`, so that a rename can put it there; "" and errno if there can be none.
std::string new_file_beside(const std::string& path) {
  std::string name = path + ".XXXXXX";
  const int file = ::mkstemp(name.data());
  if (file < 0) {
    return "";
  }
  // mkstemp makes it private; what a command writes is as public as any other file of the user.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(file, 0666 & ~mask);
  ::close(file);
  return name;
}

}  // namespace

void check_writable(const std::string& option, const std::string& path) {
  if (path.empty()) {
    throw usage_error(fmt::format("{}: no file named", option));
  }
  std::error_code error;
  const fs::path folder = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : ".";
  if (!fs::is_directory(folder, error)) {
    throw usage_error(fmt::format("{} {}: no such directory", option, path));
  }
  if (fs::is_directory(path, error)) {
    throw usage_error(fmt::format("{} {}: is a directory", option, path));
  }
  // A rename would replace a device by a file.
  if (fs::exists(path, error) && !fs::is_regular_file(path, error)) {
    throw usage_error(fmt::format("{} {}: is not a regular file", option, path));
  }
  const std::string probe = new_file_beside(path);
  if (probe.empty()) {
    throw usage_error(fmt::format("{} {}: {}", option, path, std::strerror(errno)));
  }
  std::remove(probe.c_str());
}

void write_file(const std::string& path, const std::string& text) {
  const std::string partial = new_file_beside(path);
  if (partial.empty()) {
    throw std::runtime_error(fmt::format("{}: {}", path, std::strerror(errno)));
  }
  {
    std::ofstream stream(partial, std::ios::trunc | std::ios::binary);
    stream << text;
    stream.close();
    if (!stream) {
      std::remove(partial.c_str());
      throw std::runtime_error(fmt::format("{}: cannot be written", path));
    }
  }
  std::error_code error;
  fs::rename(partial, path, error);
  if (error) {
    std::remove(partial.c_str());
    throw std::runtime_error(fmt::format("{}: {}", path, error.message()));
  }
}

}  // namespace takt::tools
