#include "tools/doctor.hpp"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <takt/takt.hpp>

#include "platform/platform.hpp"
#include "platform/threads/usable_memory.hpp"
#include "settings/known_settings.hpp"
#include "tools/command_line.hpp"
#include "tools/doctor_levels.hpp"
#include "tools/doctor_machine.hpp"
#include "tools/numbers.hpp"
#include "tools/tune_measure.hpp"

namespace takt::tools {
namespace {

using nlohmann::ordered_json;

// The part of the work that promotions may cost with the beat that is suggested.
constexpr double k_overhead = 0.05;

// What the runtime says of itself: its pool, how often it could not have a thread, and settings in force.
struct runtime_facts {
  unsigned wanted = 0;
  unsigned allowed = 0;
  unsigned started = 0;
  unsigned refused = 0;
  std::string trigger;
  std::string policy;
};

// Parallel work, until all threads are there or one has been refused. They start when there is something for them to
// do; that may not be long enough for all of very many.
runtime_facts start_threads() {
  const unsigned wanted = takt::current_config().workers - 1;
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  runtime_facts facts;
  do {
    takt::parallel_for(0, 64, [](int) {
      const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
      while (std::chrono::steady_clock::now() < until) takt::fork_join([] {}, [] {});
    });
    const auto report = nlohmann::json::parse(takt::stats_json());
    const auto& total = report.at("total");
    facts = {wanted,
             total.at("threads_allowed"),
             total.at("threads_started"),
             total.at("threads_refused"),
             report.at("trigger"),
             report.at("policy")};
  } while (facts.started < std::min(wanted, facts.allowed) && facts.refused == 0 &&
           std::chrono::steady_clock::now() < end);
  return facts;
}

ordered_json topology_json(const topology_facts& topology) {
  auto caches = ordered_json::array();
  for (const cache_facts& cache : topology.caches) {
    caches.push_back({{"level", cache.level},
                      {"kind", std::string(1, cache.kind)},
                      {"bytes", cache.bytes},
                      {"count", cache.count},
                      {"cpus_each", cache.cpus}});
  }
  return {{"packages", topology.packages},
          {"numa_nodes", topology.numa_nodes},
          {"cores", topology.cores},
          {"cpus", topology.cpus},
          {"caches", std::move(caches)}};
}

// What cannot be known is null, so that a key is always there.
ordered_json to_json(const machine_facts& machine, const takt::config& config, const runtime_facts& runtime,
                     const level_facts& levels, const tau_facts& tau) {
  const auto& limits = machine.limits;
  const bool has_quota = !limits.quota_file.empty();
  const bool has_tau = tau.tau_ns > 0;
  ordered_json out;
  out["cpus"] = {{"online", machine.online_cpus},
                 {"affinity", limits.affinity},
                 {"quota", has_quota ? ordered_json(limits.quota) : ordered_json()},
                 {"quota_file", has_quota ? ordered_json(limits.quota_file) : ordered_json()},
                 {"usable", limits.usable()}};
  out["topology"] = machine.topology ? topology_json(*machine.topology) : ordered_json();
  out["levels"] = json_of(levels);
  out["clock"] = {{"source", machine.clock.source},
                  {"invariant", machine.clock.invariant},
                  {"ticks_per_us", machine.clock.ticks_per_us},
                  {"read_ns", machine.clock.read_ns}};
  out["config"] = {{"workers", config.workers},
                   {"beat_us", config.beat.count()},
                   {"trigger", runtime.trigger},
                   {"policy", runtime.policy},
                   {"memory", config.memory},
                   {"memory_need", config.memory_need},
                   {"stack_bytes", config.stack_bytes},
                   {"stats", config.stats},
                   {"interrupts", config.interrupts}};
  out["unknown_settings"] = ordered_json::array();
  for (const settings::unknown_setting& unknown : settings::unknown_settings()) {
    out["unknown_settings"].push_back(
        {{"name", unknown.name},
         {"nearest", unknown.nearest.empty() ? ordered_json() : ordered_json(unknown.nearest)}});
  }
  out["threads"] = {{"started", runtime.started}, {"allowed", runtime.allowed}, {"refused", runtime.refused}};
  out["tau"] = {{"ns", has_tau ? ordered_json(tau.tau_ns) : ordered_json()},
                {"min_ns", has_tau ? ordered_json(tau.tau_min_ns) : ordered_json()},
                {"max_ns", has_tau ? ordered_json(tau.tau_max_ns) : ordered_json()},
                {"runs", tau.runs},
                {"promotions", tau.promotions},
                {"overhead", k_overhead},
                {"beat_us", has_tau ? ordered_json(tau.beat_us(k_overhead)) : ordered_json()}};
  return out;
}

void print_cpus(const machine_facts& machine) {
  const auto& limits = machine.limits;
  fmt::print("cpus      {} online, {} of them this process's\n", machine.online_cpus, limits.affinity);
  if (limits.quota_file.empty()) {
    fmt::print("quota     none\n");
  } else {
    fmt::print("quota     {:.2f} cpus, from {}\n", limits.quota, limits.quota_file);
  }
  fmt::print("workers   {} by default\n", limits.usable());
}

void print_topology(const machine_facts& machine) {
  if (!machine.topology) {
    fmt::print("topology  unknown (hwloc could not read it)\n");
    return;
  }
  const topology_facts& topology = *machine.topology;
  fmt::print("topology  packages: {}, numa nodes: {}, cores: {}, cpus: {}\n", topology.packages, topology.numa_nodes,
             topology.cores, topology.cpus);
  for (const cache_facts& cache : topology.caches) {
    fmt::print("          L{}{} {} x {}, each for {} {}\n", cache.level,
               cache.kind == 'u' ? "" : std::string(1, cache.kind), cache.count, readable_bytes(cache.bytes),
               cache.cpus, cache.cpus == 1 ? "cpu" : "cpus");
  }
}

// Says what the beat in force costs too: the reader wants to know whether to change it.
void print_tau(const tau_facts& tau, const takt::config& config) {
  if (tau.tau_ns <= 0) {
    fmt::print("tau       could not be measured: the runs with promotions were not slower\n");
    return;
  }
  fmt::print("tau       {:.0f} ns per promotion ({:.0f} to {:.0f} in {} runs of {} promotions)\n", tau.tau_ns,
             tau.tau_min_ns, tau.tau_max_ns, tau.runs, tau.promotions);
  fmt::print("beat      N = {:.1f} us keeps promotions below {:.0f}% of the work", tau.beat_us(k_overhead),
             k_overhead * 100);
  if (config.beat.count() > 0) {
    const double share = tau.tau_ns / (static_cast<double>(config.beat.count()) * 1000.0);
    fmt::print("; N = {} us, now in force, below {:.2g}%", config.beat.count(), share * 100);
  }
  fmt::print("\n");
}

void print_threads(const runtime_facts& runtime) {
  if (runtime.refused == 0 && runtime.allowed < runtime.wanted) {
    const char* const limit = platform::unmapped_space().from;
    fmt::print("threads   {} started beside the caller's; LIMITED to {} of {} by address space: see {}\n",
               runtime.started, runtime.allowed, runtime.wanted, limit != nullptr ? limit : "ulimit -v");
  } else if (runtime.refused == 0) {
    fmt::print("threads   {} started beside the caller's\n", runtime.started);
  } else {
    fmt::print("threads   {} started beside the caller's; REFUSED {} {}: see ulimit -u and the cgroup's pids.max\n",
               runtime.started, runtime.refused, runtime.refused == 1 ? "time" : "times");
  }
}

void print_text(const machine_facts& machine, const takt::config& config, const runtime_facts& runtime,
                const level_facts& levels, const tau_facts& tau) {
  print_cpus(machine);
  print_topology(machine);
  fmt::print("{}", text_of(levels));
  fmt::print("clock     {}, {}, {:.1f} ticks per us, {:.1f} ns per read\n", machine.clock.source,
             machine.clock.invariant ? "invariant" : "NOT invariant: beats may be uneven", machine.clock.ticks_per_us,
             machine.clock.read_ns);
  fmt::print(
      "config    workers: {}, beat: {} us, trigger: {}, policy: {}, stack: {}, stats: {}, interrupts: {}\n",
      config.workers == 0 ? fmt::format("{} (default)", machine.limits.usable()) : fmt::format("{}", config.workers),
      config.beat.count(), runtime.trigger, runtime.policy,
      config.stack_bytes == 0 ? "as RLIMIT_STACK" : readable_bytes(config.stack_bytes),
      config.stats.empty() ? "none" : config.stats, config.interrupts ? "on" : "off");
  for (const settings::unknown_setting& unknown : settings::unknown_settings()) {
    fmt::print("settings  {} is UNKNOWN, and does nothing{}\n", unknown.name,
               unknown.nearest.empty() ? "" : fmt::format("; did you mean {}?", unknown.nearest));
  }
  print_threads(runtime);
  print_tau(tau, config);
}

}  // namespace

int doctor_command(int argc, char** argv) {
  CLI::App app("Prints what takt sees of this machine, and the beat interval it suggests.", "takt doctor");
  bool as_json = false;
  int runs = 15;
  app.add_flag("--json", as_json, "one JSON object in place of text");
  app.add_option("--runs", runs, "pairs of runs to measure tau with")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  return run_with_arguments(app, argc, argv, false, [&] {
    // Handed to the runtime too, which would otherwise read the environment again and report a bad
    // value a second time. The measurement configures for itself and puts this back.
    const takt::config config = takt::config::from_environment();
    takt::configure(config);
    const machine_facts machine = examine_machine();
    const runtime_facts runtime = start_threads();
    const omp::place_hints hints = omp::hints_of_environment();
    const level_facts levels{platform::find_seats(takt::current_config().workers, hints.wanted), runtime.policy,
                             platform::threads().can_keep_to(), hints};
    const tau_facts tau = measure_tau({tune_programs().front()}, runs).front();
    if (as_json) {
      fmt::print("{}\n", to_json(machine, config, runtime, levels, tau).dump(2));
    } else {
      print_text(machine, config, runtime, levels, tau);
    }
    return 0;
  });
}

}  // namespace takt::tools
