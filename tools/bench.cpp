#include "tools/bench.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>

#include "tools/bench_measure.hpp"
#include "tools/bench_plan.hpp"
#include "tools/bench_report.hpp"
#include "tools/bench_results.hpp"
#include "tools/output_file.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;

constexpr int k_exit_bad_result = 1;
constexpr int k_exit_bad_arguments = 2;

unsigned usable_cpus() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  return sched_getaffinity(0, sizeof mask, &mask) == 0 ? static_cast<unsigned>(CPU_COUNT(&mask))
                                                       : 1U;
}

template <class T>
void drop_repeats(std::vector<T>& values) {
  std::vector<T> kept;
  for (T& value : values) {
    if (std::find(kept.begin(), kept.end(), value) == kept.end()) {
      kept.push_back(std::move(value));
    }
  }
  values = std::move(kept);
}

std::string page_in(const std::string& folder) {
  return (fs::path(folder) / "index.html").string();
}

void check_report_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw usage_error(fmt::format("--report {}: {}", folder, error.message()));
  }
  check_writable("--report", page_in(folder));
}

void write_report(const std::string& folder, const std::vector<report_set>& sets) {
  write_file(page_in(folder), to_html(sets));
  fmt::print("report written to {}\n", page_in(folder));
}

void list_problems(const bench_inventory& inventory) {
  fmt::print("problems:\n");
  for (const auto& [name, problem] : inventory.problems) {
    const bool takes_input = problem.takes_matrix || problem.takes_file;
    fmt::print("  {:<12} {} ({}={}{}{})\n", name, problem.about, problem.size_unit,
               problem.size_default, takes_input ? ", or --input" : "",
               problem.calls > 1 ? fmt::format(", {} calls", problem.calls) : "");
  }
  fmt::print("runners:\n");
  for (const auto& [key, runner] : inventory.runners) {
    fmt::print("  {:<8} {:<6} {}{}\n", key.first, key.second, runner.runtime,
               runner.optimised ? "" : ", NOT OPTIMISED");
  }
}

void warn_of_slow_builds(const bench_inventory& inventory) {
  for (const auto& [key, runner] : inventory.runners) {
    if (!runner.optimised) {
      fmt::print(stderr, "takt bench: {} was built without optimisation; its times mean nothing\n",
                 runner.program);
    }
  }
}

int run_plan(bench_plan& plan, const bench_options& options, const bench_inventory& inventory,
             std::vector<report_set> earlier) {
  for (const bench_match& match : plan.matches) {
    if ((match.problem.takes_matrix || match.problem.takes_file) &&
        !options.inputs.empty()) {
      probe_input(match, options.limit_s);
    }
  }
  if (!options.report.empty()) {
    check_report_folder(options.report);
  }
  // After everything that can be wrong with the arguments: such an error is one line.
  warn_of_slow_builds(inventory);
  std::vector<bench_row> all;
  bool good = true;
  for (bench_match& match : plan.matches) {
    measure(match, options);
    std::vector<bench_row> rows;
    for (const bench_contender& one : match.contenders) {
      rows.push_back(one.row);
      good = good && one.row.ok;
    }
    compare_to_serial(rows);
    const std::string processes =
        options.launches == 1 ? "" : fmt::format("{} processes of ", options.launches);
    fmt::print("{} {} ({}{} runs each, taking turns)\n{}\n", match.problem.name, match.input,
               processes, options.runs, to_table(rows, match.problem.per_call));
    std::fflush(stdout);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  for (const std::string& note : plan.notes) {
    fmt::print("not run: {}\n", note);
  }
  for (const missing_system& one : plan.missing) {
    fmt::print("missing: {} ({}): {}\n", one.system, one.compiler, one.why);
  }
  const auto results = to_json(all, plan.missing);
  if (!options.json.empty()) {
    write_json(options.json, results);
  }
  if (!options.report.empty()) {
    // Through JSON, so that a page looks the same when it is made from the file later.
    earlier.insert(earlier.begin(), to_report_set("this run", nlohmann::json(results)));
    write_report(options.report, earlier);
  }
  return good ? 0 : k_exit_bad_result;
}

void add_options(CLI::App& app, bench_options& options, bool& only_list) {
  // A list is one word with commas, so that what follows it may be a problem again.
  const auto add_list = [&app](const char* name, auto& values, const char* about) {
    return app.add_option(name, values, about)->delimiter(',')->allow_extra_args(false);
  };
  app.add_option("problems", options.problems,
                 "Problems, separated by commas; 'pbbs' or 'hbc' for those of that suite, 'all' for all")
      ->delimiter(',');
  add_list("--systems", options.systems,
           "serial, elision, blocked-elision, takt, takt-beat, takt-lazy, takt-never, takt-eager, "
           "takt-request, tbb, omp, omp-static, omp-dynamic, omp-guided, omp-nested");
  add_list("--compilers", options.compilers, "gcc, clang");
  add_list("--workers", options.workers, "Numbers of workers; default: 1 and one per CPU")
      ->check(CLI::Range(1U, 4096U));
  app.add_option("--input", options.inputs,
                 "Matrix for spmv and pagerank: a Matrix Market file, arrowhead, power-law or "
                 "random; for other problems that read one, a file; may be repeated")
      ->allow_extra_args(false);
  app.add_flag("--transpose", options.transpose, "Use the transposed matrix");
  add_list("--size", options.sizes, "N for all problems or PROBLEM=N; see --list");
  app.add_option("--runs", options.runs, "Runs of each")->check(CLI::Range(1, 1'000'000));
  app.add_option("--launches", options.launches,
                 "Times that each is started: a process keeps the places of its data, and some "
                 "are faster than others; --runs are made each time")
      ->check(CLI::Range(1, 1000));
  app.add_option("--warm-ups", options.warm_ups, "Runs of each that are not counted")
      ->check(CLI::Range(0, 1000));
  app.add_option("--calls", options.calls,
                 "Calls that a run makes, one right after another; default: as --list says")
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--rest", options.rest_ms,
                 "Milliseconds that a process sleeps before each run: threads that spin after a "
                 "call have gone to sleep then")
      ->check(CLI::Range(0, 60'000));
  app.add_option("--limit", options.limit_s, "Seconds after which a single run is given up")
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--json", options.json, "Write the results to this file");
  app.add_flag("--count", options.count,
               "Count the tasks of oneTBB and OpenMP too, in two more runs of each");
  app.add_option("--report", options.report,
                 "Write a page with tables and pictures of the results into this folder; "
                 "counts as --count does")
      ->check(CLI::Validator([](const std::string& folder) {
                return folder.empty() ? std::string("no folder named") : std::string();
              }, "DIR"));
  app.add_option("--from", options.from,
                 "Results files for the page; without problems, nothing is run")
      ->needs("--report");
  app.add_option("--runners", options.directories,
                 "Directory with the takt-bench-* runners; may be repeated")
      ->allow_extra_args(false);
  app.add_flag("--list", only_list, "List problems and runners");
}

int bench(bench_options& options, bool only_list) {
  if (!options.json.empty()) {
    check_writable("--json", options.json);
  }
  // All are read before anything is run or written.
  std::vector<report_set> earlier;
  for (const std::string& file : options.from) {
    earlier.push_back(read_results(file));
  }
  if (!options.report.empty() && !options.from.empty() && options.problems.empty() && !only_list) {
    check_report_folder(options.report);
    write_report(options.report, earlier);
    return 0;
  }
  const bench_inventory inventory = find_runners(options.directories);
  if (only_list) {
    list_problems(inventory);
    return 0;
  }
  if (options.problems.empty()) {
    throw usage_error(options.report.empty()
                          ? "no problem named; --list shows them"
                          : "no problem named, and no results with --from; --list shows problems");
  }
  std::vector<std::string> problems;
  for (const std::string& wanted : options.problems) {
    bool is_group = false;
    for (const auto& [name, problem] : inventory.problems) {
      if (wanted == "all" || wanted == problem.group) {
        is_group = true;
        problems.push_back(name);
      }
    }
    if (!is_group) {
      problems.push_back(wanted);
    }
  }
  options.problems = std::move(problems);
  if (options.workers.empty()) {
    options.workers = {1, usable_cpus()};
  }
  drop_repeats(options.problems);
  drop_repeats(options.systems);
  drop_repeats(options.compilers);
  drop_repeats(options.workers);
  drop_repeats(options.inputs);
  options.count = options.count || !options.report.empty();
  bench_plan plan = make_plan(options, inventory);
  return run_plan(plan, options, inventory, std::move(earlier));
}

// The first line only: some messages of the parser go on with an explanation.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

int bench_command(int argc, char** argv) {
  CLI::App app("Compares takt with the plain serial program and with other systems", "takt bench");
  bench_options options;
  bool only_list = false;
  add_options(app, options, only_list);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      return app.exit(error);
    }
    fmt::print(stderr, "takt bench: {}\n", first_line(error.what()));
    return k_exit_bad_arguments;
  }
  try {
    return bench(options, only_list);
  } catch (const usage_error& error) {
    fmt::print(stderr, "takt bench: {}\n", first_line(error.what()));
    return k_exit_bad_arguments;
  } catch (const std::exception& error) {
    fmt::print(stderr, "takt bench: {}\n", first_line(error.what()));
    return k_exit_bad_result;
  }
}

}  // namespace takt::tools
