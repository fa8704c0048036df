// What else the machine has to do while a run is measured: processes that spin, and less of the CPUs for the runners.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "tools/bench_process.hpp"

namespace takt::tools {

struct bench_load {
  std::string_view name;   // after --load
  std::string_view shown;  // after the input; "": nothing
  int spinners = 0;
  int niceness = 0;    // of the runners
  bool quota = false;  // they have half of the CPUs' time
};

// Throws usage_error for an unknown name.
const bench_load& load_named(std::string_view name);

// Why there is no quota for runners here; "": there is.
std::string why_no_quota();

// In force from its beginning to its end. Runners that are to feel it are started meanwhile, with what `apply` makes of
// their commands, and are gone at its end.
class load_in_force {
 public:
  // Throws runner_failure.
  explicit load_in_force(const bench_load& load);
  load_in_force(const load_in_force&) = delete;
  load_in_force& operator=(const load_in_force&) = delete;
  ~load_in_force();

  void apply(runner_command& command) const;

 private:
  const bench_load& load_;
  std::vector<pid_t> spinners_;
  std::string group_;  // folder of the control group; "": none
};

}  // namespace takt::tools
