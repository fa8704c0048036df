#include "tools/bench_locality.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "tools/bench_locality_runs.hpp"
#include "tools/command_line.hpp"
#include "tools/markup.hpp"
#include "tools/output_file.hpp"
#include "tools/usage_error.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::string to_html(const figure& f) {
  std::string out = fmt::format("<table><caption>{}</caption><tr>", escaped(f.title));
  for (const std::string& cell : f.header) out += fmt::format("<th>{}</th>", escaped(cell));
  out += "</tr>\n";
  for (const auto& row : f.rows) {
    out += "<tr>";
    for (const std::string& cell : row) out += fmt::format("<td>{}</td>", escaped(cell));
    out += "</tr>\n";
  }
  return out + fmt::format("</table><p class=\"note\">{}</p>\n", escaped(f.note));
}

std::string to_page(const std::vector<figure>& all, const std::string& about) {
  std::string out = fmt::format(
      "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>takt bench locality</title>"
      "<style>{}</style></head><body><h1>Locality on a simulated machine</h1><p>{}</p>\n",
      k_page_style, escaped(about));
  for (const figure& f : all) out += picture_of(f) + to_html(f);
  return out + "</body></html>\n";
}

std::string default_program() {
  std::error_code error;
  const fs::path build = fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
  const fs::path places[] = {build.parent_path() / "bench" / "bench", build / "bench"};
  for (const fs::path& place : places) {
    const fs::path program = place / "takt-locality-simulated";
    if (fs::is_regular_file(program, error)) return program.string();
  }
  throw usage_error("takt-locality-simulated was not built; build the preset bench, or name it with --program");
}

void check(const locality_options& options) {
  for (const std::string& name : options.problems) {
    if (std::none_of(locality_problems().begin(), locality_problems().end(),
                     [&](const auto& p) { return p.name == name; })) {
      throw usage_error(fmt::format("unknown problem '{}'", name));
    }
  }
  // A name that the library does not know would be `random` again.
  for (const std::string& policy : options.policies) {
    if (policy != "random" && policy != "adws" && policy != "ml-random" && policy != "ml-adws" &&
        policy != "sb") {
      throw usage_error(fmt::format("unknown policy '{}'; known: random, adws, ml-random, ml-adws, sb", policy));
    }
  }
  if (!std::is_sorted(options.sizes.begin(), options.sizes.end())) {
    throw usage_error("--sizes must ascend");
  }
  if ((options.grain & (options.grain - 1)) != 0) {
    throw usage_error("--grain must be a power of two");
  }
}

int locality(locality_options& options) {
  check(options);
  const machine_description whole = read_machine(options.machine);
  const machine_description machine =
      part_of(whole, options.workers == 0 ? whole.cores() : options.workers, options.shrink, options.grain);
  if (options.program.empty()) options.program = default_program();
  if (!options.report.empty()) {
    std::error_code error;
    fs::create_directories(options.report, error);
    if (error) throw usage_error(fmt::format("--report {}: {}", options.report, error.message()));
    check_writable("--report", (fs::path(options.report) / "index.html").string());
  }
  const std::string about = fmt::format(
      "{}: {} of {} cores, caches divided by {}, kept track of by {} bytes; made-up time, the same each "
      "time; {} run{} after {} that {} not counted.",
      machine.name, machine.cores(), whole.cores(), options.shrink, options.grain, options.runs,
      options.runs == 1 ? "" : "s", options.warm_ups, options.warm_ups == 1 ? "is" : "are");
  simulations runs(options, machine);
  const std::vector<figure> all = all_figures(options, machine, runs);
  fmt::print("{}\n", about);
  for (const figure& f : all) fmt::print("\n{}", to_text(f));
  if (!options.report.empty()) {
    const fs::path folder = options.report;
    write_file((folder / "results.json").string(), ordered_json{{"machine", machine.name},
                                                                {"cores", machine.cores()},
                                                                {"shrink", options.shrink},
                                                                {"grain", options.grain},
                                                                {"points", runs.to_json()}}
                                                           .dump(1) +
                                                       "\n");
    write_file((folder / "index.html").string(), to_page(all, about));
    fmt::print("\nreport written to {}\n", (folder / "index.html").string());
  }
  return 0;
}

}  // namespace

machine_description part_of(machine_description machine, unsigned workers, std::uint64_t shrink, std::uint64_t grain) {
  if (!machine.memory || machine.caches.empty()) {
    throw usage_error("--machine: the file does not say what caches and memory take");
  }
  if (workers % machine.sockets != 0 || workers > machine.cores()) {
    throw usage_error(
        fmt::format("--workers {}: the machine has {} cores, and as many are taken of each of its {} sockets", workers,
                    machine.cores(), machine.sockets));
  }
  const unsigned cores = workers / machine.sockets;
  for (machine_cache& cache : machine.caches) {
    const unsigned sharers = std::min(cache.shared_by, cores);
    const double part = static_cast<double>(sharers) / cache.shared_by;
    cache.bytes = static_cast<std::uint64_t>(part * static_cast<double>(cache.bytes)) / shrink;
    cache.gb_per_s *= part;
    cache.shared_by = sharers;
    if (cache.bytes < grain) {
      throw usage_error(
          fmt::format("--shrink {}: a cache of level {} would be less than {} bytes", shrink, cache.level, grain));
    }
  }
  machine.memory->gb_per_s *= static_cast<double>(cores) / machine.cores_per_socket;
  machine.cores_per_socket = cores;
  return machine;
}

int locality_command(int argc, char** argv) {
  CLI::App app(
      "The figures of the ADWS paper's section 6 on a simulated machine; with --real, and the options of takt "
      "bench, its programs on this one",
      "takt bench locality");
  locality_options options{.machine = TAKT_BENCH_MACHINES "/cascade-lake-2x28.json"};
  const auto add_list = [&app](const char* name, auto& values, const char* about) {
    return app.add_option(name, values, about)->delimiter(',')->allow_extra_args(false);
  };
  app.add_option("problems", options.problems, "Problems, separated by commas; default: all seven")->delimiter(',');
  add_list("--policies", options.policies, "random, adws, ml-random, ml-adws, sb");
  add_list("--sizes", options.sizes, "Working sets, as multiples of all caches of the last level")
      ->check(CLI::Range(0.01, 100.0));
  add_list("--alphas", options.alphas, "Of rrm, for figure 19")->check(CLI::Range(0.001, 1000.0));
  app.add_option("--machine", options.machine, "A machine's file; default: the paper's Cascade Lake");
  app.add_option("--workers", options.workers, "How many of its cores; default: all")->check(CLI::Range(1U, 4096U));
  app.add_option("--shrink", options.shrink, "Divides all caches, and with them the sizes")->check(CLI::Range(1, 1024));
  app.add_option("--grain", options.grain, "Bytes that caches keep track of together")->check(CLI::Range(64, 4096));
  app.add_option("--runs", options.runs, "Runs of each that are counted")->check(CLI::Range(1, 100));
  app.add_option("--warm-ups", options.warm_ups, "Runs of each before those")->check(CLI::Range(1, 100));
  app.add_option("--report", options.report, "Write index.html and results.json into this folder");
  app.add_option("--program", options.program, "takt-locality-simulated, if it is elsewhere");
  return run_with_arguments(app, argc, argv, false, [&] {
    try {
      return locality(options);
    } catch (const usage_error&) {
      throw;
    } catch (const std::exception& error) {
      fmt::print(stderr, "takt bench locality: {}\n", error.what());
      return 1;
    }
  });
}

}  // namespace takt::tools
