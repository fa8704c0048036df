#include "harness/system.hpp"

namespace takt::bench {

std::string_view system_name() { return "serial"; }
std::string runtime_name() { return "none"; }
void use_workers(unsigned /*workers*/) {}
std::optional<std::uint64_t> tasks_created() { return {}; }

}  // namespace takt::bench
