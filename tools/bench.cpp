#include "tools/bench.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <string.h>

#include "tools/about.hpp"
#include "tools/bench_locality.hpp"
#include "tools/bench_measure.hpp"
#include "tools/bench_memory.hpp"
#include "tools/bench_plan.hpp"
#include "tools/bench_report.hpp"
#include "tools/bench_results.hpp"
#include "tools/bench_scale.hpp"
#include "tools/bench_stop.hpp"
#include "tools/command_line.hpp"
#include "tools/output_file.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;

constexpr int k_exit_bad_result = 1;

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

void warn_of_broken_runners(const bench_inventory& inventory) {
  for (const auto& [program, why] : inventory.broken) {
    fmt::print(stderr, "takt bench: {}: {}; nothing of it is run\n", program, why);
  }
}

std::string sigabbrev_or_number(int signal) {
  const char* const name = sigabbrev_np(signal);
  return name != nullptr ? std::string("SIG") + name : fmt::format("signal {}", signal);
}

// What has been measured so far, as files that are whole at any time.
class kept_results {
 public:
  kept_results(const bench_plan& plan, const bench_options& options,
               const bench_inventory& inventory, std::vector<report_set> earlier)
      : plan_(plan), options_(options), earlier_(std::move(earlier)), about_(about_now()) {
    for (const bench_match& match : plan.matches) {
      for (const bench_contender& one : match.contenders) {
        const auto made_by = [&](const auto& entry) { return entry.first.second == one.row.compiler; };
        const auto runner =
            std::find_if(inventory.runners.begin(), inventory.runners.end(), made_by);
        if (runner != inventory.runners.end()) {
          about_.compilers.try_emplace(one.row.compiler, runner->second.compiler_version);
        }
      }
      left_.push_back(name_of(match) + ": not run");
    }
  }

  // Of the next match: those with a time, or a reason why there is none.
  void add(const bench_match& match, const std::vector<bench_row>& rows) {
    // Of none there is a run: the line that says so stays.
    if (std::none_of(rows.begin(), rows.end(), [](const bench_row& row) {
          return !row.failure.empty() || !row.seconds.empty();
        })) {
      return;
    }
    left_.erase(left_.begin());
    const std::size_t wanted = static_cast<std::size_t>(options_.launches) *
                               static_cast<std::size_t>(options_.runs);
    std::vector<std::string> unfinished;
    for (const bench_row& row : rows) {
      if (row.failure.empty() && row.seconds.size() < wanted) {
        unfinished.push_back(fmt::format("{} {} ({}, {} worker{}): {} of {} runs", name_of(match),
                                         row.system, row.compiler, row.workers,
                                         row.workers == 1 ? "" : "s", row.seconds.size(), wanted));
      }
      if (!row.failure.empty() || !row.seconds.empty()) {
        rows_.push_back(row);
      }
    }
    left_.insert(left_.begin(), unfinished.begin(), unfinished.end());
  }

  const std::vector<std::string>& left() const { return left_; }

  // Both are tried, so that a full disk under one does not take the other.
  void write(const std::string& why) {
    about_.load_after = load_now();
    const bench_rest rest = why.empty() ? bench_rest{} : bench_rest{why, left_};
    const auto results = to_json(rows_, plan_.missing, &about_, rest);
    std::exception_ptr error;
    try {
      if (!options_.json.empty()) {
        write_json(options_.json, results);
      }
    } catch (const std::exception&) {
      error = std::current_exception();
    }
    // Through JSON, so that a page looks the same when it is made from the file later.
    set_ = to_report_set("this run", nlohmann::json(results));
    if (!options_.report.empty()) {
      std::vector<report_set> sets = earlier_;
      sets.insert(sets.begin(), set_);
      write_report(options_.report, sets);
    }
    if (error) {
      std::rethrow_exception(error);
    }
  }

  // Of what was written last.
  const report_set& set() const { return set_; }

 private:
  static std::string name_of(const bench_match& match) {
    return match.problem.name + " " + match.input;
  }

  const bench_plan& plan_;
  const bench_options& options_;
  std::vector<report_set> earlier_;
  run_about about_;
  std::vector<bench_row> rows_;
  std::vector<std::string> left_;  // in the order of the matches; those that are done are gone
  report_set set_;
};

// Measures and shows one problem. @returns whether it came to its end.
bool run_match(bench_match& match, const bench_options& options, std::vector<bench_row>& rows) {
  bool ended = true;
  try {
    measure(match, options);
  } catch (const bench_stopped&) {
    ended = false;
  }
  for (const bench_contender& one : match.contenders) {
    rows.push_back(one.row);
  }
  compare_to_serial(rows);
  const std::string processes =
      options.launches == 1 ? "" : fmt::format("{} processes of ", options.launches);
  fmt::print("{} {} ({}{} runs each, taking turns{})\n{}\n", match.problem.name, match.input,
             processes, options.runs, ended ? "" : "; STOPPED before all were made",
             to_table(rows, match.problem.per_call));
  std::fflush(stdout);
  return ended;
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
  warn_of_broken_runners(inventory);
  for (const missing_system& one : plan.missing) {
    fmt::print("missing: {} ({}): {}\n", one.system, one.compiler, one.why);
  }
  for (const std::string& note : plan.notes) {
    fmt::print("not run: {}\n", note);
  }
  const signals_kept signals;
  kept_results results(plan, options, inventory, std::move(earlier));
  bool good = inventory.broken.empty();
  int stopped_by = 0;
  for (std::size_t i = 0; i < plan.matches.size(); ++i) {
    std::vector<bench_row> rows;
    const bool ended = run_match(plan.matches[i], options, rows);
    for (const bench_row& row : rows) {
      good = good && row.ok;
    }
    results.add(plan.matches[i], rows);
    // Between two problems as in the middle of one.
    stopped_by = stop_signal();
    if (!ended || stopped_by != 0) {
      break;
    }
    // Whoever is killed without a word leaves this behind.
    if (i + 1 < plan.matches.size()) {
      results.write("not at its end when this was written");
    }
  }
  const std::vector<std::string>& left = results.left();
  if (left.empty()) {
    stopped_by = 0;
  }
  results.write(stopped_by == 0 ? "" : fmt::format("stopped by {}", sigabbrev_or_number(stopped_by)));
  if (const std::string sentence = verdict(results.set()); !sentence.empty()) {
    fmt::print("{}\n", sentence);
  }
  if (stopped_by != 0) {
    constexpr std::size_t k_named = 3;
    const std::size_t named = std::min(left.size(), k_named);
    fmt::print(stderr, "takt bench: stopped by {}: what was measured is kept; not there: {}{}\n",
               sigabbrev_or_number(stopped_by), fmt::join(left.begin(), left.begin() + named, "; "),
               left.size() == named ? "" : fmt::format("; and {} more", left.size() - named));
  }
  if (!options.report.empty()) {
    fmt::print("report written to {}\n", page_in(options.report));
  }
  // As shells do for a program that such a signal has ended.
  constexpr int k_exit_by_signal = 128;
  return stopped_by != 0 ? k_exit_by_signal + stopped_by : good ? 0 : k_exit_bad_result;
}

void add_options(CLI::App& app, bench_options& options, bool& only_list) {
  // A list is one word with commas, so that what follows it may be a problem again.
  const auto add_list = [&app](const char* name, auto& values, const char* about) {
    return app.add_option(name, values, about)->delimiter(',')->allow_extra_args(false);
  };
  app.add_option("problems", options.problems,
                 "Problems, separated by commas; 'pbbs', 'hbc', 'baggage' or 'busy' for those of that suite, 'all' for "
                 "all; 'locality', 'memory' or 'scale', first: see takt bench locality --help")
      ->delimiter(',');
  add_list("--systems", options.systems,
           "serial, elision, blocked-elision, takt, takt-beat, takt-lazy, takt-never, takt-eager, "
           "takt-request, takt-adws, takt-hints, tbb, tbb-affinity, omp, omp-static, omp-dynamic, omp-guided, "
           "omp-nested; of baggage also takt-calls, takt-slots, takt-polls, omp-cut-off, java");
  add_list("--compilers", options.compilers, "gcc, clang");
  add_list("--workers", options.workers, "Numbers of workers; default: 1 and one per CPU")
      ->check(CLI::Range(1U, 4096U));
  app.add_option("--input", options.inputs,
                 "Matrix for spmv and pagerank: a Matrix Market file, arrowhead, power-law, "
                 "random, web or web-out; for other problems that read one, a file; may be repeated")
      ->allow_extra_args(false);
  add_list("--load", options.loads,
           "What else the machine does: none, spin-2 or spin-4 (so many busy processes), nice-10 (beside two), "
           "quota (half of the CPUs' time); default: none")
      ->type_name("NAME");
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

// Where none are named.
std::vector<std::string> usual_systems(const std::vector<std::string>& problems) {
  std::vector<std::string> systems = {"serial", "takt", "tbb", "omp"};
  if (problems == std::vector<std::string>{"baggage"}) {
    systems.insert(systems.end(), {"omp-cut-off", "takt-calls", "takt-slots", "takt-polls", "java"});
  }
  return systems;
}

// The suite for a machine that has other things to do: problems of each kind, and calls after a rest. Alone it runs
// them under each load.
void name_busy(bench_options& options) {
  const auto busy = std::find(options.problems.begin(), options.problems.end(), "busy");
  if (busy == options.problems.end()) {
    return;
  }
  if (options.problems.size() == 1) {
    if (options.loads.empty()) {
      options.loads = {"spin-2", "spin-4", "nice-10", "quota"};
    }
    if (options.workers.empty()) {
      options.workers = {usable_cpus()};
    }
  }
  const auto at = options.problems.erase(busy);
  const std::initializer_list<const char*> names = {"fib",        "nqueens", "mergesort",    "sort_random",
                                                    "saxpy",      "reduce",  "mandelbrot",   "stream_child",
                                                    "loop100",    "two_long_leaves", "rested"};
  options.problems.insert(at, names.begin(), names.end());
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
    fmt::print("report written to {}\n", page_in(options.report));
    return 0;
  }
  const bench_inventory inventory = find_runners(options.directories);
  if (only_list) {
    list_problems(inventory);
    warn_of_broken_runners(inventory);
    return inventory.broken.empty() ? 0 : k_exit_bad_result;
  }
  if (options.problems.empty()) {
    throw usage_error(options.report.empty()
                          ? "no problem named; --list shows them"
                          : "no problem named, and no results with --from; --list shows problems");
  }
  if (options.systems.empty()) {
    options.systems = usual_systems(options.problems);
  }
  name_busy(options);
  if (options.loads.empty()) {
    options.loads = {"none"};
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
  drop_repeats(options.loads);
  options.count = options.count || !options.report.empty();
  bench_plan plan = make_plan(options, inventory);
  return run_plan(plan, options, inventory, std::move(earlier));
}

// The first line only: some messages of the parser go on with an explanation.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

int bench_command(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "memory") return memory_command(argc - 1, argv + 1);
  if (argc > 1 && std::string_view(argv[1]) == "scale") return scale_suite_command(argc - 1, argv + 1);
  bench_options options;
  if (argc > 1 && std::string_view(argv[1]) == "locality") {
    const auto is_real = [](const char* word) { return std::string_view(word) == "--real"; };
    if (std::none_of(argv + 2, argv + argc, is_real)) {
      return locality_command(argc - 1, argv + 1);
    }
    // On this machine: the suite of that name.
    argc = static_cast<int>(std::remove_if(argv + 2, argv + argc, is_real) - argv);
    options.systems = {"serial", "takt", "takt-adws", "takt-hints", "tbb", "omp"};
  }
  CLI::App app("Compares takt with the plain serial program and with other systems", "takt bench");
  bool only_list = false;
  add_options(app, options, only_list);
  return run_with_arguments(app, argc, argv, false, [&] {
    try {
      return bench(options, only_list);
    } catch (const usage_error&) {
      throw;
    } catch (const std::exception& error) {
      fmt::print(stderr, "takt bench: {}\n", first_line(error.what()));
      return k_exit_bad_result;
    }
  });
}

}  // namespace takt::tools
