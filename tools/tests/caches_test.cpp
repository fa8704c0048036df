// What the library reads of this machine's caches is what hwloc says of them.
#include "platform/threads/caches.hpp"
#include "platform/threads/cpu_set.hpp"
#include "tools/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {

using takt::platform::cpu_cache;
using takt::platform::cpu_set;

std::vector<cpu_cache> as_hwloc_says(const cpu_set& cpus) {
  std::vector<cpu_cache> caches;
  const auto topology = takt::tools::make_topology();
  if (!topology || hwloc_topology_load(topology.get()) != 0) return caches;
  for (int depth = 0; depth < hwloc_topology_get_depth(topology.get()); ++depth) {
    if (hwloc_obj_type_is_dcache(hwloc_get_depth_type(topology.get(), depth)) == 0) continue;
    hwloc_obj_t object = nullptr;
    while ((object = hwloc_get_next_obj_by_depth(topology.get(), depth, object)) != nullptr) {
      cpu_cache c{object->attr->cache.depth, object->attr->cache.size, {}};
      for (int cpu = hwloc_bitmap_first(object->cpuset); cpu >= 0; cpu = hwloc_bitmap_next(object->cpuset, cpu))
        c.cpus.add(static_cast<unsigned>(cpu));
      c.cpus.keep(cpus);
      if (c.cpus.count() != 0) caches.push_back(c);
    }
  }
  return caches;
}

TEST(caches, are_those_of_hwloc) {
  const cpu_set cpus = takt::platform::cpus_of_process();
  const std::vector<cpu_cache> ours = takt::platform::caches_of(cpus);
  const std::vector<cpu_cache> theirs = as_hwloc_says(cpus);
  if (ours.empty() && theirs.empty()) GTEST_SKIP() << "nothing is known of caches here";
  EXPECT_EQ(ours.size(), theirs.size());
  for (const cpu_cache& c : theirs) {
    EXPECT_EQ(std::ranges::count_if(ours,
                                    [&c](const cpu_cache& own) {
                                      return own.level == c.level && own.bytes == c.bytes && own.cpus == c.cpus;
                                    }),
              1)
        << "level " << c.level << ", " << c.bytes << " bytes, first cpu " << c.cpus.after(-1);
  }
}

}  // namespace
