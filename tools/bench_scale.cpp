#include "tools/bench_scale.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <numeric>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "sim/worker_list.hpp"
#include "tools/bench_locality_runs.hpp"
#include "tools/bench_plan.hpp"
#include "tools/command_line.hpp"
#include "tools/markup.hpp"
#include "tools/numbers.hpp"
#include "tools/output_file.hpp"
#include "tools/scale_result.hpp"
#include "tools/scale_run.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

// For the span there are so many times the most workers that are asked for, but no more than can be of use.
constexpr unsigned k_span_times = 4;
constexpr unsigned k_most_span_workers = 1024;
// Of the first run, in which threads start and costs are learned, nothing is counted.
constexpr int k_warm_ups = 1;

struct scale_suite_options {
  std::vector<std::string> problems{};
  std::string workers = "1,2,4,16,64,256";
  std::vector<double> at_least{};  // one for each number of workers, or none
  std::string machine{};           // its costs, caches and memory; "": made up, without caches
  std::string report{};
  std::string json{};
  std::string runners{};
  int runs = 1;
  bool measured = false;
};

// A part of the workers' time, and what it is called.
struct part_name {
  const char* name;
  const char* key;
};
constexpr std::array<part_name, 7> k_parts = {{{"work", "work"},
                                               {"dearer code, memory", "dearer"},
                                               {"scheduling", "scheduling"},
                                               {"idle at the start", "idle_start"},
                                               {"idle in the middle", "idle_middle"},
                                               {"idle at the end", "idle_end"},
                                               {"outside calls", "outside"}}};

struct suite_point {
  unsigned workers = 1;
  double seconds = 0;  // of a run
  double speedup = 0;
  double possible = 0;
  std::array<double, k_parts.size()> parts{};  // of workers * seconds; together 1
  double promotions = 0;
  double steals = 0;
};

struct suite_row {
  std::string suite;
  std::string name;
  double work_s = 0;
  double span_s = 0;
  std::vector<suite_point> points{};
  std::string failure{};
  bool is_measured = false;  // code takes as long as it takes here
  bool is_exact = false;     // code takes the same on all workers
};

// What it touches takes time.
bool uses_caches(const scale_problem& p) { return p.suite == "locality" || p.suite == "loops"; }

std::string shown_name(const scale_problem& p) {
  if (p.suite == "images") {
    return p.iteration_ns == 6 ? "images cheap" : p.iteration_ns > 1000 ? "images dear" : "images in turn";
  }
  if (p.suite == "calls") return fmt::format("calls {:g} ms", 1e-6 * static_cast<double>(p.size * p.iteration_ns));
  if (p.suite == "tasks") return fmt::format("tasks:{}", p.name);
  if (p.suite == "loops") return fmt::format("loops {} {}{}", p.name, p.size, p.input.empty() ? "" : " static");
  return p.input.empty() ? std::string(p.name) : fmt::format("{} {}", p.name, p.input);
}

// Starts programs, and says what one of their runs takes.
class suite {
 public:
  // `memory`: the machine for programs that say what they touch.
  suite(const scale_suite_options& options, const machine_description& machine, const machine_description& memory,
        const std::vector<unsigned>& workers)
      : options_(options), machine_(machine), memory_(memory), folder_(folder_of(options)), workers_(workers) {}

  unsigned span_workers() const {
    const unsigned most = *std::max_element(workers_.begin(), workers_.end());
    return std::max(most, std::min(k_span_times * most, k_most_span_workers));
  }

  suite_row row_of(const scale_problem& p) {
    suite_row row{std::string(p.suite), shown_name(p)};
    row.is_measured = is_measured(p);
    try {
      // Equal cores, whose caches and memory cost all alike.
      row.is_exact = !row.is_measured && !uses_caches(p) && machine_.speeds.empty();
      const sim_report one = counted(p, {1, machine_.costs});
      sim_costs none;
      for (const cost_name& cost : k_costs) none.*cost.value = 0;
      const sim_report span =
          counted(p, {span_workers(), none, {}, {{"TAKT_BEAT_US", std::to_string(k_span_beat_us)}}});
      std::vector<sim_report> reports;
      for (const unsigned n : workers_) {
        const bool has_run = n == 1 && machine_.speeds.empty();
        reports.push_back(has_run ? one : counted(p, {n, machine_.costs, machine_.speeds}));
      }
      row.work_s = program_time(row, one);
      // Not from a run without promotions, which is charged in ways of its own: for more looks at the clock, and for all
      // of a loop that ends early. One worker's searches skip more than those of many, and are charged for it, too.
      for (const sim_report& r : reports) {
        if (row.is_exact) row.work_s = std::min(row.work_s, program_time(row, r));
      }
      // No span is longer than the work, nor than any run.
      row.span_s = std::min(time_of(row, span), row.work_s);
      if (machine_.speeds.empty()) {
        for (const sim_report& r : reports) row.span_s = std::min(row.span_s, time_of(row, r));
      }
      for (std::size_t i = 0; i < reports.size(); ++i) row.points.push_back(point_of(row, workers_[i], reports[i]));
    } catch (const run_failure& failure) {
      row.failure = failure.what();
    }
    return row;
  }

 private:
  bool is_measured(const scale_problem& p) const { return options_.measured || p.iteration_ns == k_as_measured; }

  static std::string folder_of(const scale_suite_options& options) {
    const std::vector<std::string> places =
        options.runners.empty() ? default_directories() : std::vector<std::string>{options.runners};
    for (const std::string& place : places) {
      std::error_code error;
      if (fs::is_regular_file(fs::path(place) / "takt-bench-takt", error)) return place;
    }
    throw usage_error(fmt::format("no takt-bench-takt in {}; build the preset bench, or name a directory with --runners",
                                  fmt::join(places, ", ")));
  }

  // What the program's own code took, of all workers together.
  static double program_time(const suite_row& row, const sim_report& r) {
    return row.is_measured ? r.in_program_s : r.program_s;
  }

  // Where the clock stands still outside the program's code, what is too short for a call counts as well.
  static double time_of(const suite_row& row, const sim_report& r) {
    return row.is_measured ? r.in_calls_s : r.seconds;
  }

  static suite_point point_of(const suite_row& row, unsigned workers, const sim_report& r) {
    suite_point point{workers, time_of(row, r)};
    const double all = workers * point.seconds;
    point.speedup = row.work_s / point.seconds;
    point.possible = std::min<double>(workers, row.work_s / row.span_s);
    point.promotions = r.promotions;
    point.steals = r.steals;
    const double work = std::min(row.work_s, all);
    point.parts = {work,       std::max(0.0, program_time(row, r) - work), r.overhead_s, r.idle_before_s, r.idle_between_s,
                   r.idle_after_s};
    double sum = std::accumulate(point.parts.begin(), point.parts.end(), 0.0);
    // Whose time no call has counted.
    point.parts.back() = std::max(0.0, all - sum);
    sum += point.parts.back();
    for (double& part : point.parts) part /= sum;
    return point;
  }

  struct conditions {
    unsigned workers;
    const sim_costs& costs;
    std::vector<machine_speed> speeds{};
    std::vector<std::pair<std::string, std::string>> environment{};
  };

  sim_report counted(const scale_problem& p, const conditions& under) {
    const sim_report first = simulated(p, under, k_warm_ups);
    // Such a program runs once.
    if (p.suite == "tasks") return first;
    const int runs = p.calls * options_.runs;
    sim_report all = simulated(p, under, k_warm_ups + runs);
    for (double sim_report::* const value :
         {&sim_report::seconds, &sim_report::in_calls_s, &sim_report::promotions, &sim_report::steals,
          &sim_report::program_s, &sim_report::in_program_s, &sim_report::overhead_s, &sim_report::idle_before_s,
          &sim_report::idle_between_s, &sim_report::idle_after_s}) {
      all.*value = std::max(0.0, (all.*value - first.*value) / runs);
    }
    if ((is_measured(p) ? all.in_calls_s : all.seconds) == 0) throw run_failure("takes no time but in its first run");
    return all;
  }

  sim_report simulated(const scale_problem& p, const conditions& under, int runs) {
    simulated_run run;
    run.workers = under.workers;
    run.costs = under.costs;
    run.sites = 1;
    run.speeds = under.speeds;
    run.environment = under.environment;
    run.deterministic = !is_measured(p);
    run.iteration_ns = is_measured(p) ? 0 : p.iteration_ns;
    std::vector<std::string> words;
    if (p.suite == "tasks") {
      words = {fmt::format("{}/takt-bench-tasks-{}", folder_, p.name), std::to_string(p.size)};
    } else if (uses_caches(p)) {
      const auto all = locality_problems();
      run.caches = memory_.caches;
      run.memory = memory_.memory;
      run.cores_per_node = memory_.cores_per_socket;
      run.grain = locality_options{}.grain;
      if (run.deterministic) {
        run.iteration_ns = 0;
        const auto one = std::find_if(all.begin(), all.end(), [&](const auto& known) { return known.name == p.name; });
        run.work_ns = one == all.end() ? 1 : one->work_ns;
      }
      words = {folder_ + "/takt-locality-simulated", "--problem", std::string(p.name), "--size",
               std::to_string(p.size), "--runs", std::to_string(runs)};
      if (!p.input.empty()) words.insert(words.end(), {"--system", std::string(p.input)});
    } else {
      const char* const runner = p.name.starts_with("hbc_") ? "hbc-takt" : "takt";
      words = {fmt::format("{}/takt-bench-{}", folder_, runner), "--problem", std::string(p.name)};
      if (p.size != 0) words.insert(words.end(), {"--size", std::to_string(p.size)});
      if (!p.input.empty()) words.insert(words.end(), {"--input", std::string(p.input)});
      for (int i = 0; i < runs; ++i) run.input += "run\n";
    }
    return run_simulated(words, run, scratch_, false);
  }

  const scale_suite_options& options_;
  const machine_description& machine_;
  const machine_description& memory_;
  const std::string folder_;
  const std::vector<unsigned>& workers_;
  scratch_folder scratch_;
};

std::string page_of(const std::vector<suite_row>& rows, const std::string& about) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\"><head><meta charset=\"utf-8\"/>"
      "<title>takt bench scale</title><style>{}</style></head><body>\n<h1>How the benchmarks scale on simulated "
      "machines</h1>\n<p>{}</p>\n",
      k_page_style, escaped(about));
  for (const suite_row& row : rows) {
    html += fmt::format("<h2>{}: {}{}</h2>\n", escaped(row.suite), escaped(row.name), row.is_measured ? " *" : "");
    if (!row.failure.empty()) {
      html += fmt::format("<p class=\"warning\">{}</p>\n", escaped(row.failure));
      continue;
    }
    scale_result drawn;
    drawn.work_s = {row.work_s, row.work_s, row.work_s};
    for (const suite_point& p : row.points) {
      scale_row one;
      one.workers = p.workers;
      one.in_calls_s = {p.seconds, p.seconds, p.seconds};
      one.speedup = p.speedup;
      one.upper_bound = p.possible;
      one.brent_bound = row.work_s / (row.work_s / p.workers + row.span_s);
      drawn.rows.push_back(one);
    }
    html += fmt::format("<figure><figcaption>Speed-up against the number of workers</figcaption>\n{}</figure>\n",
                        speedup_svg(drawn));
    html += fmt::format("<table><caption>work {}, span at most {}</caption><thead><tr><th>workers</th><th>time</th>"
                        "<th>speed-up</th><th>possible</th>",
                        shown_time(row.work_s), shown_time(row.span_s));
    for (const part_name& part : k_parts) html += fmt::format("<th>{}</th>", part.name);
    html += "<th>promotions</th><th>steals</th></tr></thead><tbody>\n";
    for (const suite_point& p : row.points) {
      html += fmt::format("<tr><td>{}</td><td>{}</td><td>{:.2f}</td><td>{:.2f}</td>", p.workers, shown_time(p.seconds),
                          p.speedup, p.possible);
      for (const double part : p.parts) html += fmt::format("<td>{:.1f}%</td>", 100 * part);
      html += fmt::format("<td>{:.0f}</td><td>{:.0f}</td></tr>\n", p.promotions, p.steals);
    }
    html += "</tbody></table>\n";
  }
  return html + "</body></html>\n";
}

ordered_json to_json(const std::vector<suite_row>& rows, const std::string& about) {
  ordered_json all = ordered_json::array();
  for (const suite_row& row : rows) {
    ordered_json points = ordered_json::array();
    for (const suite_point& p : row.points) {
      ordered_json parts;
      for (std::size_t i = 0; i < k_parts.size(); ++i) parts[k_parts[i].key] = p.parts[i];
      points.push_back({{"workers", p.workers},
                        {"seconds", p.seconds},
                        {"speedup", p.speedup},
                        {"possible", p.possible},
                        {"parts", parts},
                        {"promotions", p.promotions},
                        {"steals", p.steals}});
    }
    all.push_back({{"suite", row.suite},
                   {"problem", row.name},
                   {"measured", row.is_measured},
                   {"work_s", row.work_s},
                   {"span_s", row.span_s},
                   {"points", points}});
    if (!row.failure.empty()) all.back()["failure"] = row.failure;
  }
  return {{"about", about}, {"problems", all}};
}

// Speed-ups, and for the most workers where their time went.
std::string line_of(const suite_row& row) {
  if (!row.failure.empty()) return fmt::format("{:<30} {}\n", row.name, row.failure);
  std::string out = fmt::format("{:<30} {:>9}", row.name + (row.is_measured ? " *" : ""), shown_time(row.work_s));
  for (const suite_point& p : row.points) out += fmt::format(" {:>6.2f} ({:.4g})", p.speedup, p.possible);
  out += "  ";
  for (std::size_t i = 0; i < k_parts.size(); ++i) {
    const double part = row.points.back().parts[i];
    if (part >= 0.01) out += fmt::format(" {} {:.0f}%;", k_parts[i].name, 100 * part);
  }
  out.back() = '\n';
  return out;
}

std::vector<const scale_problem*> wanted_of(const scale_suite_options& options) {
  std::vector<const scale_problem*> wanted;
  const auto add = [&](const std::string& name) {
    const std::size_t before = wanted.size();
    for (const scale_problem& p : scale_problems()) {
      const std::string shown = shown_name(p);
      const bool is_it = name.empty() || name == p.suite || name == shown || shown.starts_with(name + " ");
      if (is_it && std::find(wanted.begin(), wanted.end(), &p) == wanted.end()) wanted.push_back(&p);
    }
    if (wanted.size() == before) throw usage_error(fmt::format("unknown problem '{}'", name));
  };
  for (const std::string& name : options.problems) add(name);
  if (options.problems.empty()) add("");
  return wanted;
}

bool is_good(const suite_row& row, const std::vector<double>& at_least) {
  bool good = row.failure.empty();
  constexpr double k_rounded = 1.02;
  for (const suite_point& p : row.points) {
    if (!row.is_exact || p.speedup <= k_rounded * p.workers) continue;
    good = false;
    fmt::print(stderr, "takt bench scale: {}: speed-up {:.2f} on {} workers is more than there can be\n", row.name,
               p.speedup, p.workers);
  }
  for (std::size_t i = 0; i < at_least.size() && i < row.points.size(); ++i) {
    const suite_point& p = row.points[i];
    if (p.speedup >= at_least[i]) continue;
    good = false;
    fmt::print(stderr, "takt bench scale: {}: speed-up {:.2f} on {} workers is less than {:g}\n", row.name, p.speedup,
               p.workers, at_least[i]);
  }
  return good;
}

int scale_suite(const scale_suite_options& options) {
  std::vector<unsigned> workers;
  if (const std::string wrong = sim::parse_workers(options.workers, k_most_workers, workers); !wrong.empty()) {
    throw usage_error(fmt::format("--workers {}: {}", options.workers, wrong));
  }
  if (!options.at_least.empty() && options.at_least.size() != workers.size()) {
    throw usage_error("--at-least: not one number for each of --workers");
  }
  const std::vector<const scale_problem*> wanted = wanted_of(options);
  const machine_description machine = options.machine.empty() ? made_up_machine() : read_machine(options.machine);
  const fs::path folder = options.report;
  if (!options.json.empty()) check_writable("--json", options.json);
  if (!options.report.empty()) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw usage_error(fmt::format("--report {}: {}", options.report, error.message()));
    check_writable("--report", (folder / "index.html").string());
  }
  const machine_description memory = machine.memory ? machine : read_machine(TAKT_BENCH_MACHINES "/cascade-lake-2x28.json");
  suite runs(options, machine, memory, workers);
  const std::string about =
      fmt::format("Machine: {}; {}. A speed-up is the work (the least that the program's own code takes) over the time; "
                  "what is possible is min(P, work / span), and the span is the time of {} workers without costs.",
                  machine.name, options.measured ? "code as measured, costs made up" : "made-up time (*: code as measured)",
                  runs.span_workers());
  fmt::print("{}\n\n{:<30} {:>9} speed-up (possible) on {} workers; time of the last\n", about, "", "work",
             fmt::join(workers, ", "));
  bool good = true;
  std::vector<suite_row> rows;
  for (const scale_problem* p : wanted) {
    rows.push_back(runs.row_of(*p));
    fmt::print("{}", line_of(rows.back()));
    std::fflush(stdout);
    good = is_good(rows.back(), options.at_least) && good;
  }
  const std::string json = to_json(rows, about).dump(1) + "\n";
  if (!options.json.empty()) write_file(options.json, json);
  if (!options.report.empty()) {
    write_file((folder / "results.json").string(), json);
    write_file((folder / "index.html").string(), page_of(rows, about));
    fmt::print("\nreport written to {}\n", (folder / "index.html").string());
  }
  return good ? 0 : 1;
}

}  // namespace

int scale_suite_command(int argc, char** argv) {
  CLI::App app("How the benchmarks scale on simulated machines, and where the time goes that is lost",
               "takt bench scale");
  scale_suite_options options;
  app.add_option("problems", options.problems,
                 "Problems or suites (library, hbc, images, calls, tasks, baggage, pbbs, locality, loops), separated by commas; of "
                 "tasks as tasks:fib; default: all")
      ->delimiter(',');
  app.add_option("--workers", options.workers, "Numbers of workers, as 1,2,4,...,64")->capture_default_str();
  app.add_flag("--measured", options.measured,
               "Code takes as long as it takes here; otherwise time is made up where code is loops or small forks");
  app.add_option("--machine", options.machine,
                 "A machine's file, for costs, and for caches and memory of locality; default: made-up costs");
  app.add_option("--runs", options.runs, "Runs that are counted, after one that is not")->check(CLI::Range(1, 1000));
  app.add_option("--at-least", options.at_least, "Exit code 1 for a smaller speed-up; one number for each of --workers")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::PositiveNumber);
  app.add_option("--json", options.json, "Write the results to this file");
  app.add_option("--report", options.report, "Write index.html, with a picture for each, and results.json into this folder");
  app.add_option("--runners", options.runners, "Directory with the takt-bench-* runners");
  return run_with_arguments(app, argc, argv, false, [&] {
    try {
      return scale_suite(options);
    } catch (const usage_error&) {
      throw;
    } catch (const std::exception& error) {
      fmt::print(stderr, "takt bench scale: {}\n", error.what());
      return 1;
    }
  });
}

}  // namespace takt::tools
