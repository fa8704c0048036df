#include "harness/system.hpp"

namespace takt::bench {

std::string_view system_name() { return "serial"; }
std::string runtime_name() { return "none"; }
void use_workers(unsigned /*workers*/) {}

run_totals totals() { return {}; }

}  // namespace takt::bench
