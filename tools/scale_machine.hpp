// The machine that takt scale simulates: how many cores, and what its scheduler's actions cost.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace takt::tools {

// In nanoseconds, as TAKT_SIM takes them.
struct sim_costs {
  std::uint64_t wake = 0;
  std::uint64_t waker = 1'500;
  std::uint64_t start = 0;
  std::uint64_t signal = 0;
  std::uint64_t steal = 0;
  std::uint64_t promotion = 0;
  std::uint64_t spin = 50;

  bool operator==(const sim_costs&) const = default;
};

struct cost_name {
  const char* name;  // of the key in a machine's file; TAKT_SIM's has "_ns" after it
  std::uint64_t sim_costs::*value;
  bool required;  // in a machine's file
  const char* meaning;
};

inline constexpr std::array<cost_name, 7> k_costs = {{
    {"wake", &sim_costs::wake, true, "until a woken worker runs"},
    {"waker", &sim_costs::waker, false, "for the worker that wakes another"},
    {"start", &sim_costs::start, true, "until a new thread runs"},
    {"signal", &sim_costs::signal, true, "until a signal arrives"},
    {"steal", &sim_costs::steal, true, "for taking a task from another core"},
    {"promotion", &sim_costs::promotion, false, "of a promotion, beyond its code, which runs"},
    {"spin", &sim_costs::spin, false, "one look for work in vain"},
}};

struct machine_cache {
  unsigned level = 1;
  std::uint64_t bytes = 0;
  unsigned shared_by = 1;  // cores that share one
  double latency_ns = 0;   // of a line that is found here
  double gb_per_s = 0;     // that each hands out; 0: no limit
};

struct machine_memory {
  double local_ns = 0;  // of a line from the socket's own memory
  double remote_ns = 0;
  double gb_per_s = 0;  // of each socket; 0: no limit
  unsigned in_flight = 10;  // lines of one touch that a core waits for at a time
};

struct machine_speed {
  unsigned cores = 1;
  double speed = 1;  // of code, beside memory; half for a core that others use half of the time
};

struct machine_description {
  std::string name;
  std::string source;  // what is published and what is assumed; may be empty
  unsigned sockets = 0;  // 0: not a file's machine, and nobody said how many cores
  unsigned cores_per_socket = 0;
  std::vector<machine_cache> caches{};
  std::optional<machine_memory> memory{};
  // Unequal cores, the first ones first; those that are not named have speed 1.
  std::vector<machine_speed> speeds{};
  sim_costs costs{};

  unsigned cores() const { return sockets * cores_per_socket; }
};

// The most workers that TAKT_SIM takes.
inline constexpr unsigned k_most_workers = 4096;

// Where the machines are that were installed with this command, or built; and what they are called, without ".json".
std::string machines_folder();
std::vector<std::string> machine_names();

// Reads a machine's file (docs/tools/scale.md says what is in it), or that of the machine of that name. Throws
// usage_error, which names the file, unless every key is known, every required one there, and every number possible.
machine_description read_machine(const std::string& said);

// One whose costs are always the same, of the order of what machines of today have, without
// caches and a number of cores.
machine_description made_up_machine();

// Powers of two up to the machine's cores, and all of its cores; up to 64 where they are unknown.
std::vector<unsigned> default_workers(const machine_description& machine);

}  // namespace takt::tools
