// hwloc's description of this machine.
#pragma once

#include <memory>

#include <hwloc.h>

namespace takt::tools {

struct topology_deleter {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};

// Not loaded yet; null where hwloc has no memory.
inline std::unique_ptr<hwloc_topology, topology_deleter> make_topology() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) {
    return nullptr;
  }
  return std::unique_ptr<hwloc_topology, topology_deleter>(raw);
}

}  // namespace takt::tools
