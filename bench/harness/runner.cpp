// The program that runs the problems with one system; `takt bench` starts one per system,
// compiler and number of workers, and talks to it over pipes.
//
// Protocol, one JSON object a line on stdout:
//   --describe                what this runner is and can do
//   {"ready":true}            the input is built
//   stdin "run"    ->         {"seconds":1.5,"ok":true}, and what the runtime counted in the run:
//                             "tasks", "steals", "idle_s"
//   stdin "warm"   ->         the same; the driver does not count it
//   stdin ends                the process ends
// {"error":"..."} in place of any of these, and exit code 2, when it cannot be done.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "harness/freed_memory.hpp"
#include "harness/problem.hpp"
#include "harness/system.hpp"
#include "harness/tasks.hpp"

namespace takt::bench {
namespace {

using nlohmann::json;

void answer(const json& line) { std::cout << line.dump() << std::endl; }

json describe() {
  json problems = json::array();
  for (const auto& [name, entry] : the_catalogue()) {
    json systems = json::array();
    for (const auto& [system, make] : entry.systems) {
      // The serial programs are in every runner as the reference, but only the serial runner
      // may time them: the others carry a runtime's threads and settings.
      if (system != "serial" || system_name() == "serial") {
        systems.push_back(system);
      }
    }
    const problem_info& info = entry.info;
    problems.push_back({{"name", name},
                        {"about", info.about},
                        {"kind", info.form == kind::forks ? "forks" : "loops"},
                        {"systems", systems},
                        {"size_unit", info.size_unit},
                        {"size_default", info.size_default},
                        {"size_min", info.size_min},
                        {"size_max", info.size_max},
                        {"calls", info.calls},
                        {"takes_matrix", info.takes_matrix},
                        {"takes_file", info.takes_file},
                        {"takes_whole_file", info.takes_whole_file},
                        {"group", info.group},
                        {"fresh_process", info.fresh_process},
                        {"per_call", info.per_call}});
  }
#if defined(__clang__)
  std::string compiler = "clang";
  std::string version = __clang_version__;
#else
  std::string compiler = "gcc";
  std::string version = __VERSION__;
#endif
  const std::string suite = the_suite.name;
  if (!suite.empty()) {
    compiler = the_suite.compiler;
    version = the_suite.compiler_version;
  }
#if defined(__OPTIMIZE__) && defined(NDEBUG)
  const bool optimised = true;
#else
  const bool optimised = false;
#endif
  return {{"system", system_name()},       {"runtime", runtime_name()}, {"compiler", compiler},
          {"compiler_version", version},   {"optimised", optimised},    {"suite", suite},
          {"problems", problems}};
}

// What the run between two totals did.
void add_counts(json& line, const run_totals& before, const run_totals& after,
                std::optional<double> elapsed, unsigned workers) {
  if (after.tasks) {
    line["tasks"] = *after.tasks - before.tasks.value_or(0);
  }
  if (after.steals) {
    line["steals"] = *after.steals - before.steals.value_or(0);
  }
  if (after.working_s && elapsed) {
    const double working = *after.working_s - before.working_s.value_or(0.0);
    line["idle_s"] = std::max(0.0, *elapsed * workers - working);
  }
}

run_totals totals_of(const problem_info& info) {
  run_totals all = totals();
  // Where the runtime does not count, the program may.
  if (!all.tasks && info.counts_tasks && system_name() != "serial") {
    all.tasks = task_counters::total();
  }
  return all;
}

int serve(const request& wanted) {
  const auto entry = the_catalogue().find(wanted.problem);
  if (entry == the_catalogue().end()) {
    throw input_error("unknown problem '" + wanted.problem + "'");
  }
  const auto make = entry->second.systems.find(wanted.system);
  if (make == entry->second.systems.end()) {
    throw input_error(wanted.problem + ": this runner has no system '" + wanted.system + "'");
  }
  if (wanted.calls > 1 && entry->second.info.calls == 1) {
    throw input_error(wanted.problem + ": a run is one call");
  }
  keep_freed_memory();
  the_workers = wanted.workers;
  use_workers(wanted.workers);
  const std::unique_ptr<instance> one = make->second(wanted);
  run_totals before;
  answer({{"ready", true}});
  for (std::string line; std::getline(std::cin, line);) {
    if (line != "run" && line != "warm") {
      throw input_error("unknown command '" + line + "'");
    }
    json result{{"seconds", one->run()}};
    const run_totals after = totals_of(entry->second.info);
    add_counts(result, before, after, one->elapsed(), wanted.workers);
    before = after;
    result["ok"] = one->check();
    answer(result);
  }
  return 0;
}

int main_of_runner(int argc, char** argv) {
  request wanted;
  wanted.system = system_name();
  bool only_describe = false;
  CLI::App app("Runs takt's benchmark problems with one system; started by takt bench");
  app.add_flag("--describe", only_describe, "Say what this runner is and can do");
  app.add_option("--problem", wanted.problem, "What to run");
  app.add_option("--system", wanted.system, "Which of this runner's systems");
  app.add_option("--workers", wanted.workers, "Number of workers")->check(CLI::Range(1, 4096));
  app.add_option("--size", wanted.size, "Size of the problem; 0: its default");
  app.add_option("--input", wanted.input, "File or generator");
  app.add_flag("--transpose", wanted.transpose, "Use the transposed matrix");
  app.add_option("--calls", wanted.calls,
                 "Calls in a run, one right after another; 0: the problem's default")
      ->check(CLI::Range(0, 1'000'000));
  app.add_option("--rest", wanted.rest_ms, "Milliseconds to sleep before each run")
      ->check(CLI::Range(0, 60'000));
  CLI11_PARSE(app, argc, argv);
  try {
    if (only_describe) {
      answer(describe());
      return 0;
    }
    return serve(wanted);
  } catch (const std::bad_alloc&) {
    answer({{"error", wanted.problem + ": not enough memory for this input"}});
  } catch (const std::exception& error) {
    answer({{"error", error.what()}});
  }
  return 2;
}

}  // namespace
}  // namespace takt::bench

int main(int argc, char** argv) { return takt::bench::main_of_runner(argc, argv); }
