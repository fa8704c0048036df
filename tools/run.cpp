#include "tools/run.hpp"

#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "settings/sizes.hpp"
#include "tools/command_line.hpp"
#include "tools/usage_error.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;

struct run_options {
  std::string memory;
  std::string need;
  bool openmp = false;
  std::vector<std::string> program;
};

// As it was installed with this command, or built with it.
std::string library_of_takt(const char* installed, const char* built) {
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* const place : {installed, built}) {
    const fs::path library = fs::canonical(here / place, error);
    if (error) continue;
    // The loader takes the list apart at colons and spaces.
    if (library.string().find_first_of(": ") != std::string::npos) {
      throw usage_error(fmt::format("{}: a path with a colon or a space cannot be preloaded", library.string()));
    }
    return library.string();
  }
  const fs::path wanted = (here / installed).lexically_normal();
  throw usage_error(fmt::format("{} is not where it was installed: {}", wanted.filename().string(), wanted.string()));
}

// In front of what is there.
void prepend(const char* list, const std::string& what) {
  const char* const others = std::getenv(list);
  const bool has_others = others != nullptr && others[0] != '\0';
  ::setenv(list, has_others ? (what + ":" + others).c_str() : what.c_str(), 1);
}

void check(const run_options& options) {
  std::uint64_t bytes = 0;
  unsigned percent = 0;
  const bool is_size = settings::parse_size(options.memory.c_str(), bytes) && bytes != 0;
  if (!options.memory.empty() && !is_size && !settings::parse_percent(options.memory.c_str(), percent)) {
    throw usage_error(fmt::format("--memory {}: no size such as 2G, and no share such as 50%", options.memory));
  }
  const bool is_need = settings::parse_size(options.need.c_str(), bytes) && bytes != 0;
  if (!options.need.empty() && !is_need) {
    throw usage_error(fmt::format("--memory-need {}: no size such as 2G", options.need));
  }
  if (!options.need.empty() && options.memory.empty() && std::getenv("TAKT_MEMORY") == nullptr) {
    throw usage_error("--memory-need says nothing without --memory: there is no budget");
  }
  if (options.program.empty() || options.program.front().empty()) {
    throw usage_error("no program given (see takt run --help)");
  }
}

// Whether it is large against what glibc's arenas reserve at most: 64 MiB each, and eight of them for each CPU.
bool has_address_space_for_arenas() {
  const rlim_t arenas = rlim_t{8} * static_cast<unsigned>(::get_nprocs()) * (rlim_t{64} << 20);
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit most{};
    // Without a limit it is RLIM_INFINITY, the largest number.
    if (::getrlimit(resource, &most) == 0 && most.rlim_cur < arenas) return false;
  }
  return true;
}

int run(const run_options& options) {
  if (options.openmp) {
    // By the names of other runtimes for who has not loaded one, and in front of those that somebody has.
    const std::string library = library_of_takt(TAKT_OPENMP_FROM_TOOL, "../omp-runtime/lib/libtakt-omp.so");
    prepend("LD_PRELOAD", library);
    prepend("LD_LIBRARY_PATH", fs::path(library).parent_path().string());
  }
  // In front of other allocators, which then are the real ones.
  if (!options.openmp || std::getenv("TAKT_MEMORY") != nullptr || !options.memory.empty()) {
    prepend("LD_PRELOAD", library_of_takt(TAKT_PRELOAD_FROM_TOOL, "../preload/libtakt-memory.so"));
  }
  if (!options.memory.empty()) {
    ::setenv("TAKT_MEMORY", options.memory.c_str(), 1);
  }
  if (!options.need.empty()) {
    ::setenv("TAKT_MEMORY_NEED", options.need.c_str(), 1);
  }
  // What is freed is to be gone: glibc's malloc keeps blocks below a size that grows with what is freed.
  const bool makes_wait = std::getenv("TAKT_MEMORY") != nullptr;
  if (makes_wait) ::setenv("MALLOC_MMAP_THRESHOLD_", "65536", 0);
  // And what its arenas reserve the program could not use for large blocks. But one for all threads has one lock.
  if (makes_wait && !has_address_space_for_arenas()) ::setenv("MALLOC_ARENA_MAX", "1", 0);
  std::vector<char*> arguments;
  for (const std::string& word : options.program) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  throw usage_error(fmt::format("{}: cannot be started: {}", options.program.front(), std::strerror(errno)));
}

}  // namespace

int run_command(int argc, char** argv) {
  CLI::App app("Runs a program that uses takt, and sees how much memory its tasks allocate; or an OpenMP program on takt.", "takt run");
  run_options options;
  app.prefix_command();
  app.footer("Usage: takt run [OPTIONS] -- PROGRAM [ARGUMENTS]");
  app.add_option("--memory", options.memory, "what tasks may hold at a time, for example 2G, or 50% of what there is")
      ->type_name("SIZE");
  app.add_option("--memory-need", options.need,
                 "what they hold at most with one worker: TAKT_MEMORY_NEED of TAKT_STATS=1")
      ->type_name("SIZE");
  app.add_flag("--openmp", options.openmp, "its OpenMP regions run on takt's workers, whatever compiler made them");
  return run_with_arguments(app, argc, argv, true, [&] {
    options.program = program_of(app, argc, argv);
    check(options);
    return run(options);
  });
}

}  // namespace takt::tools
