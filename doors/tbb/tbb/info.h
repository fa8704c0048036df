#pragma once

#include "takt_door.h"

#include <vector>

namespace tbb {
inline namespace on_takt {

struct attach {};
using numa_node_id = int;
using core_type_id = int;

namespace info {

inline std::vector<numa_node_id> numa_nodes() { return {-1}; }
inline std::vector<core_type_id> core_types() { return {-1}; }
inline int default_concurrency(numa_node_id = -1) { return static_cast<int>(takt::current_config().workers); }

}  // namespace info
}  // namespace on_takt
}  // namespace tbb
