#include "tools/scale.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "sim/worker_list.hpp"
#include "tools/command_line.hpp"
#include "tools/output_file.hpp"
#include "tools/scale_calibrate.hpp"
#include "tools/scale_machine.hpp"
#include "tools/scale_result.hpp"
#include "tools/scale_run.hpp"
#include "tools/usage_error.hpp"

namespace takt::tools {
namespace {

// More of them find hardly more parallelism, and cost time.
constexpr unsigned k_span_workers = 1024;
// An algorithm of takt is several forks and loops: those of one place are shown as one.
constexpr unsigned k_asked_sites = 40;
constexpr std::size_t k_shown_places = 5;

struct scale_options {
  std::string workers;  // "": as the machine has cores
  std::string machine;  // "": this one, calibrated
  int runs = 3;
  std::string json;
  std::string html;
  bool deterministic = false;
  bool show_output = false;
  std::vector<std::string> program;
};

std::vector<unsigned> parse_workers(const std::string& text) {
  std::vector<unsigned> workers;
  if (const std::string wrong = sim::parse_workers(text, k_most_workers, workers); !wrong.empty()) {
    throw usage_error(fmt::format("--workers {}: {}", text, wrong));
  }
  return workers;
}

// One kind of run, and where its reports go.
struct planned_run {
  simulated_run run;
  run_series* series;
};

// Long work should be seen to go on, but only by people.
class progress {
 public:
  explicit progress(std::size_t all) : all_(all), shown_(::isatty(STDERR_FILENO) != 0) {}
  ~progress() {
    if (shown_) {
      fmt::print(stderr, "\r\x1b[K");
    }
  }
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  void next(unsigned workers) {
    ++done_;
    if (shown_) {
      fmt::print(stderr, "\r\x1b[Krun {} of {}, {} workers", done_, all_, workers);
      std::fflush(stderr);
    }
  }

 private:
  std::size_t all_;
  std::size_t done_ = 0;
  bool shown_;
};

// All kinds take turns, so that what else the machine does hits all of them.
void run_all(const scale_options& options, const std::vector<planned_run>& plan) {
  const scratch_folder scratch;
  progress shown(plan.size() * static_cast<std::size_t>(options.runs));
  for (int round = 0; round < options.runs; ++round) {
    for (const planned_run& one : plan) {
      shown.next(one.run.workers);
      try {
        one.series->reports.push_back(
            run_simulated(options.program, one.run, scratch, options.show_output));
      } catch (const run_failure& failure) {
        throw usage_error(fmt::format("{} with {} worker{}: {}", options.program.front(),
                                      one.run.workers, one.run.workers == 1 ? "" : "s",
                                      failure.what()));
      }
    }
  }
}

// Those with most of the span, each place once.
std::vector<span_part> by_place(const std::vector<span_part>& parts) {
  std::vector<code_site> sites;
  for (const span_part& part : parts) {
    sites.push_back(part.site);
  }
  const std::vector<std::string> places = places_of(sites);
  std::vector<span_part> together;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto same = std::find_if(together.begin(), together.end(),
                                   [&](const span_part& one) { return one.place == places[i]; });
    if (same == together.end()) {
      together.push_back(parts[i]);
      together.back().place = places[i];
    } else {
      same->share = std::min(1.0, same->share + parts[i].share);
      same->site.span_s += parts[i].site.span_s;
      same->site.work_s += parts[i].site.work_s;
    }
  }
  // Each moment is divided among what ran then, as far as the simulation can tell: it may count one twice.
  double all = 0;
  for (const span_part& one : together) {
    all += one.share;
  }
  for (span_part& one : together) {
    one.share /= std::max(1.0, all);
  }
  std::sort(together.begin(), together.end(), [](const span_part& a, const span_part& b) {
    return a.share > b.share || (a.share == b.share && a.place < b.place);
  });
  together.resize(std::min(together.size(), k_shown_places));
  return together;
}

void scale(const scale_options& options) {
  scale_runs runs;
  runs.program = options.program;
  runs.deterministic = options.deterministic;
  runs.machine = !options.machine.empty()  ? read_machine(options.machine)
                 : options.deterministic ? made_up_machine()
                                         : calibrate();
  const std::vector<unsigned> workers =
      options.workers.empty() ? default_workers(runs.machine) : parse_workers(options.workers);
  for (const unsigned number : workers) {
    runs.predicted.push_back({number});
  }
  const sim_costs& costs = runs.machine.costs;
  const std::vector<machine_cache>& caches = runs.machine.caches;
  std::vector<planned_run> plan;
  plan.push_back({{1, costs}, &runs.work});
  // In made-up time a loop without promotions would be claimed, and charged, as a whole, also where it ends early.
  if (!options.deterministic) plan.front().run.environment = {{"TAKT_TRIGGER", "never"}};
  const bool has_one = workers.front() == 1;
  if (!has_one) {
    plan.push_back({{1, costs, caches}, &runs.one_worker});
  }
  for (run_series& series : runs.predicted) {
    plan.push_back({{series.workers, costs, caches}, &series});
  }
  sim_costs none;
  for (const cost_name& cost : k_costs) {
    none.*cost.value = 0;
  }
  runs.span.workers = std::max(k_span_workers, workers.back());
  plan.push_back({{runs.span.workers,
                   none,
                   {},
                   k_asked_sites,
                   {{"TAKT_BEAT_US", std::to_string(k_span_beat_us)}}},
                  &runs.span});
  for (planned_run& one : plan) {
    one.run.deterministic = options.deterministic;
    if (one.series != &runs.span && one.series != &runs.work) {
      one.run.speeds = runs.machine.speeds;
    }
  }
  run_all(options, plan);
  if (has_one) {
    runs.one_worker = runs.predicted.front();
  }
  scale_result result = evaluate(runs);
  result.span_parts = by_place(result.span_parts);
  if (!options.json.empty()) {
    using nlohmann::ordered_json;
    write_file(options.json, to_json(runs, result)
                                     .dump(2, ' ', false, ordered_json::error_handler_t::replace) +
                                 "\n");
  }
  if (!options.html.empty()) {
    write_file(options.html, to_html(runs, result));
  }
  fmt::print("{}", to_text(runs, result));
}

}  // namespace

int scale_command(int argc, char** argv) {
  CLI::App app("Runs a program that uses takt on simulated machines, and says how it would scale.",
               "takt scale");
  scale_options options;
  app.prefix_command();
  app.footer("Usage: takt scale [OPTIONS] -- PROGRAM [ARGUMENTS]");
  app.add_option("--workers", options.workers,
                 "numbers of workers, as 1,2,4,...,64; default: powers of two up to 64, or up to the "
                 "cores of --machine");
  app.add_option("--machine", options.machine,
                 "the machine's name or file; default: this one's caches, and costs measured here");
  app.add_flag("--deterministic", options.deterministic,
               "forks and iterations take fixed times, all else none: the same numbers each time");
  app.add_option("--runs", options.runs, "runs of each kind")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--json", options.json, "write all numbers to this file");
  app.add_option("--html", options.html, "write a page with table and picture to this file");
  app.add_flag("--show-output", options.show_output, "show what the program writes, in all runs");
  return run_with_arguments(app, argc, argv, true, [&] {
    options.program = program_of(app, argc, argv);
    if (options.program.empty() || options.program.front().empty()) {
      throw usage_error("no program given (see takt scale --help)");
    }
    if (app.count("--workers") > 0) {
      parse_workers(options.workers);
    }
    if (app.count("--machine") > 0) {
      read_machine(options.machine);
    }
    if (app.count("--json") > 0) {
      check_writable("--json", options.json);
    }
    if (app.count("--html") > 0) {
      check_writable("--html", options.html);
    }
    if (!options.json.empty() && options.json == options.html) {
      throw usage_error("--json and --html name the same file");
    }
    scale(options);
    return 0;
  });
}

}  // namespace takt::tools
