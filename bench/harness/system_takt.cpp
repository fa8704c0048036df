#include <cstdlib>
#include <string>

#include "harness/system.hpp"

namespace takt::bench {

std::string_view system_name() { return "takt"; }
std::string runtime_name() { return "takt"; }

void use_workers(unsigned workers) {
  // Through the environment and not configure(): a user's programs are started this way, and
  // the pool stays cold until the first parallel call.
  setenv("TAKT_WORKERS", std::to_string(workers).c_str(), 1);
}

}  // namespace takt::bench
