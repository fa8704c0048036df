#include "tools/bench_memory.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "tools/usage_error.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;

fs::path this_file() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

// The folder of the benchmarks that were built with this command.
fs::path programs() {
  std::error_code error;
  const fs::path build = this_file().parent_path().parent_path();
  for (const fs::path& place : {build / "bench", build / "bench" / "bench"}) {
    if (fs::is_regular_file(place / "takt-bench-memory-example", error)) return place;
  }
  throw usage_error("takt-bench-memory-example was not built; build the preset bench");
}

}  // namespace

int memory_command(int argc, char** argv) {
  try {
    const fs::path place = programs();
    std::vector<std::string> words{"python3",   TAKT_BENCH_FOLDER "/memory/report.py",
                                   "--example", place / "takt-bench-memory-example",
                                   "--runners", place / "memory",
                                   "--takt",    this_file()};
    words.insert(words.end(), argv + 1, argv + argc);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp(arguments.front(), arguments.data());
    throw usage_error(fmt::format("python3: {}", std::strerror(errno)));
  } catch (const usage_error& error) {
    fmt::print(stderr, "takt bench memory: {}\n", error.what());
    return 2;
  }
}

}  // namespace takt::tools
