// `takt bench scale`: how the benchmarks scale on simulated machines of many workers, and where the time goes that is
// lost.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace takt::tools {

// @returns the exit code: 0; 1 when a run failed, or scales less than it should; 2 for wrong arguments and files, with
// one line on stderr.
int scale_suite_command(int argc, char** argv);

// What is simulated: large enough for many workers, and small enough for a simulation.
struct scale_problem {
  std::string_view suite;
  std::string_view name;
  std::int64_t size;  // 0: `input` says all
  std::string_view input{};
  std::uint64_t iteration_ns = 1;  // in made-up time; k_as_measured: most of its code is no loop's, and would take none
  int calls = 1;                   // as many are counted for each run
};
inline constexpr std::uint64_t k_as_measured = 0;
std::span<const scale_problem> scale_problems();

}  // namespace takt::tools
