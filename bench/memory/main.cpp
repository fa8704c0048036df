// One of the four programs, for limits.py: prints the checksum of its answer, the seconds it took, and the most
// kilobytes that were resident and mapped.
#include "memory/parallel.hpp"
#include "memory/programs.hpp"

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>

namespace {

struct named {
  const char* name;
  bench::program* (*make)(std::size_t);
};

constexpr named k_programs[] = {{"strassen", &bench::make_strassen},
                                {"mergesort", &bench::make_mergesort},
                                {"decision_tree", &bench::make_decision_tree},
                                {"pipeline", &bench::make_pipeline}};

bool parse(const char* text, std::size_t& n) {
  const char* const end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, n);
  return error == std::errc{} && stop == end && n > 0;
}

// Of this process, as /proc/self/status has it; 0: it is not there.
std::size_t kilobytes(const char* field) {
  std::FILE* const file = std::fopen("/proc/self/status", "r");
  if (file == nullptr) return 0;
  char line[256];
  unsigned long found = 0;
  while (found == 0 && std::fgets(line, sizeof line, file) != nullptr) {
    if (std::strncmp(line, field, std::strlen(field)) == 0) std::sscanf(line + std::strlen(field), ": %lu", &found);
  }
  std::fclose(file);
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t n = 0;
  std::size_t workers = 0;
  bench::program* (*make)(std::size_t) = nullptr;
  for (const named& p : k_programs) {
    if (argc >= 4 && std::strcmp(argv[1], p.name) == 0) make = p.make;
  }
  const bool has_table = argc == 5 && make == &bench::make_decision_tree;
  if (make == nullptr || (argc != 4 && !has_table) || !parse(argv[2], n) || !parse(argv[3], workers)) {
    std::fputs(
        "usage: takt-bench-memory-SYSTEM strassen|mergesort|decision_tree|pipeline SIZE WORKERS, or decision_tree SIZE "
        "WORKERS TABLE\n",
        stderr);
    return 2;
  }
  std::unique_ptr<bench::program> program;
  try {
    program.reset(has_table ? bench::make_decision_tree_of(n, argv[4]) : make(n));
  } catch (const bench::bad_input& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  const auto begin = std::chrono::steady_clock::now();
  bench::run(workers, [&] { program->compute(); });
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("%016llx %.6f %zu %zu\n", static_cast<unsigned long long>(program->checksum()), took.count(),
              kilobytes("VmHWM"), kilobytes("VmPeak"));
  return 0;
}
