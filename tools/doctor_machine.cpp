#include "tools/doctor_machine.hpp"

#include "tools/topology.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ratio>
#include <tuple>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace takt::tools {
namespace {

using steady = std::chrono::steady_clock;
using microseconds = std::chrono::duration<double, std::micro>;

// hwloc says -1 for objects at several depths and 0 for a level the machine does not report;
// either way there is one of them.
unsigned at_least_one(int count) { return static_cast<unsigned>(std::max(1, count)); }

char kind_of(hwloc_obj_cache_type_t type) {
  switch (type) {
    case HWLOC_OBJ_CACHE_DATA:
      return 'd';
    case HWLOC_OBJ_CACHE_INSTRUCTION:
      return 'i';
    case HWLOC_OBJ_CACHE_UNIFIED:
      break;
  }
  return 'u';
}

// Caches that look the same are one line; big and small cores give one line each.
void add_cache(std::vector<cache_facts>& caches, const hwloc_obj& object) {
  const auto& attributes = object.attr->cache;
  cache_facts facts{attributes.depth, kind_of(attributes.type), attributes.size, 1,
                    at_least_one(hwloc_bitmap_weight(object.cpuset))};
  const auto same = std::find_if(caches.begin(), caches.end(), [&](const cache_facts& other) {
    return other.level == facts.level && other.kind == facts.kind && other.bytes == facts.bytes &&
           other.cpus == facts.cpus;
  });
  if (same != caches.end()) {
    ++same->count;
  } else {
    caches.push_back(facts);
  }
}

// Counts the whole machine and not only the affinity mask: the mask is reported beside it.
std::optional<topology_facts> examine_topology() {
  const auto topology = make_topology();
  if (!topology) {
    return std::nullopt;
  }
  hwloc_topology* const raw = topology.get();
  // hwloc leaves out instruction caches unless told otherwise.
  hwloc_topology_set_cache_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_ALL);
  hwloc_topology_set_icache_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_ALL);
  if (hwloc_topology_load(raw) != 0) {
    return std::nullopt;
  }
  const auto count = [raw](hwloc_obj_type_t type) { return at_least_one(hwloc_get_nbobjs_by_type(raw, type)); };
  topology_facts facts{
      count(HWLOC_OBJ_PACKAGE), count(HWLOC_OBJ_NUMANODE), count(HWLOC_OBJ_CORE), count(HWLOC_OBJ_PU), {}};
  // By depth, because how many cache levels there are differs from machine to machine.
  for (int depth = 0; depth < hwloc_topology_get_depth(raw); ++depth) {
    if (hwloc_obj_type_is_cache(hwloc_get_depth_type(raw, depth)) == 0) {
      continue;
    }
    hwloc_obj_t object = nullptr;
    while ((object = hwloc_get_next_obj_by_depth(raw, depth, object)) != nullptr) {
      add_cache(facts.caches, *object);
    }
  }
  std::ranges::sort(facts.caches, {}, [](const cache_facts& cache) {
    return std::tuple(cache.level, cache.kind, cache.bytes, cache.cpus);
  });
  return facts;
}

#if defined(__x86_64__)
constexpr const char* k_clock_source = "tsc";

// Not serialising, as in the runtime: a beat does not mind a few cycles either way.
std::uint64_t read_ticks() { return __rdtsc(); }

bool ticks_are_invariant() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  // Advanced power management information; bit 8 of edx is "invariant TSC".
  return __get_cpuid(0x80000007U, &a, &b, &c, &d) != 0 && (d & (1U << 8U)) != 0;
}
#else
constexpr const char* k_clock_source = "steady_clock";

std::uint64_t read_ticks() { return static_cast<std::uint64_t>(steady::now().time_since_epoch().count()); }

// Steady by definition.
bool ticks_are_invariant() { return true; }
#endif

clock_facts examine_clock() {
  constexpr auto k_window = std::chrono::milliseconds(40);
  constexpr int k_reads = 1000;
  constexpr int k_rounds = 20;

  // Against the system's clock: what the processor states as its rate can be off, and
  // virtual machines state none.
  const auto start = steady::now();
  const std::uint64_t first_tick = read_ticks();
  auto now = start;
  while (now - start < k_window) {
    now = steady::now();
  }
  const std::uint64_t ticks = read_ticks() - first_tick;
  const double ticks_per_us = static_cast<double>(ticks) / microseconds(now - start).count();

  // The quickest round: an interrupt makes one slower, nothing makes one faster.
  auto quickest = steady::duration::max();
  std::uint64_t sink = 0;
  for (int round = 0; round < k_rounds; ++round) {
    const auto begin = steady::now();
    for (int i = 0; i < k_reads; ++i) {
      sink += read_ticks();
    }
    quickest = std::min(quickest, steady::now() - begin);
  }
  // Without a use of the sum the reads could be left out.
  volatile std::uint64_t used = sink;
  (void)used;
  return {k_clock_source, ticks_are_invariant(), ticks_per_us, microseconds(quickest).count() * 1000.0 / k_reads};
}

}  // namespace

machine_facts examine_machine() {
  const long online = ::sysconf(_SC_NPROCESSORS_ONLN);
  return {online > 0 ? static_cast<unsigned>(online) : 1U, platform::find_cpu_limits(), examine_topology(),
          examine_clock()};
}

}  // namespace takt::tools
