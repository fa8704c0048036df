#include "tools/tune.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <takt/takt.hpp>
#include <vector>

#include "settings/settings.hpp"
#include "tools/command_line.hpp"
#include "tools/output_file.hpp"
#include "tools/tune_measure.hpp"
#include "tools/tune_plot.hpp"
#include "tools/usage_error.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;

constexpr int k_failure = 1;

constexpr double k_bounds_percent[] = {5, 2};

struct tune_options {
  int runs = 9;
  double bound_percent = 5;
  std::string settings;  // "": none is written
  std::string svg;
};

// Whole microseconds, rounded up so that the bound holds.
long whole_beat_us(double tau_ns, double percent) {
  return std::max(1L, static_cast<long>(std::ceil(tau_ns / (percent * 10))));
}

void print_tau(const std::vector<tune_program>& programs, const std::vector<tau_facts>& taus) {
  fmt::print("tau, the cost of a promotion, with one worker\n  {:<16} {:>9} {:>9} {:>9} {:>5} {:>11}", "program",
             "median", "min", "max", "runs", "promotions");
  for (const double percent : k_bounds_percent) {
    fmt::print(" {:>12}", fmt::format("N for {:.0f}%", percent));
  }
  fmt::print("\n");
  for (std::size_t p = 0; p < programs.size(); ++p) {
    const tau_facts& tau = taus[p];
    if (tau.tau_ns <= 0) {
      fmt::print("  {:<16} not measured: the runs with promotions were not slower\n", programs[p].name);
      continue;
    }
    fmt::print("  {:<16} {:>6.0f} ns {:>6.0f} ns {:>6.0f} ns {:>5} {:>11}", programs[p].name, tau.tau_ns,
               tau.tau_min_ns, tau.tau_max_ns, tau.runs, tau.promotions);
    for (const double percent : k_bounds_percent) {
      fmt::print(" {:>9.1f} us", tau.beat_us(percent / 100));
    }
    fmt::print("\n");
  }
}

// The largest: a bound that is chosen must hold for every program. 0: none was measured.
double largest_tau_ns(const std::vector<tau_facts>& taus) {
  double largest = 0;
  for (const tau_facts& tau : taus) {
    largest = std::max(largest, tau.tau_ns);
  }
  return largest;
}

// Only for the place that nobody named: a folder that was named wrongly should be reported.
void make_default_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  if (error) {
    throw usage_error(fmt::format("{}: {}", path, error.message()));
  }
}

int tune(const tune_options& options) {
  // Every run configures for itself; without this the first would read the file that is about to be replaced.
  takt::configure(takt::config{});
  const auto& programs = tune_programs();
  const auto taus = measure_tau(programs, options.runs);
  print_tau(programs, taus);
  const double tau_ns = largest_tau_ns(taus);
  std::vector<marked_beat> marks;
  if (tau_ns > 0) {
    fmt::print("beat for all programs, by the largest tau:");
    for (const double percent : k_bounds_percent) {
      const long beat = whole_beat_us(tau_ns, percent);
      fmt::print("{} N = {} us keeps promotions below {:.0f}% of the work", marks.empty() ? "" : ",", beat, percent);
      marks.push_back({fmt::format("{:.0f}%: {} us", percent, beat), static_cast<double>(beat)});
    }
    fmt::print("\n");
  }
  std::fflush(stdout);

  const beat_curve curve = measure_curve(programs, options.runs);
  fmt::print("\nrun time against N, with {} workers\n{}", takt::current_config().workers, curve_text(programs, curve));
  // Not beyond the default: on a busy machine the curve says little, and what it says must do no harm.
  const auto longest = takt::config{}.beat;
  const auto flat = flat_from(curve, options.bound_percent / 100, longest);
  fmt::print("N = {} us is the shortest within {:g}% of the best up to {} us, the default\n", flat.count(),
             options.bound_percent, longest.count());
  if (!options.svg.empty()) {
    write_file(options.svg, curve_svg(programs, curve, marks));
    fmt::print("picture written to {}\n", options.svg);
  }
  if (options.settings.empty()) {
    return 0;
  }
  if (tau_ns <= 0) {
    fmt::print(stderr, "takt tune: tau could not be measured; {} is left as it is\n", options.settings);
    return k_failure;
  }
  const long least = whole_beat_us(tau_ns, options.bound_percent);
  const long beat = std::max(least, static_cast<long>(flat.count()));
  const std::string promotions = fmt::format("From N = {} us on promotions stay below {:g}% of the work,", least,
                                             options.bound_percent);
  const std::string times =
      fmt::format("with {} us run times with all workers are within {:g}% of the best up to {} us.", flat.count(),
                  options.bound_percent, longest.count());
  write_file(options.settings, fmt::format("# By takt tune: tau is {:.0f} ns here. {}\n# {}\nTAKT_BEAT_US={}\n", tau_ns,
                                           promotions, times, beat));
  fmt::print("TAKT_BEAT_US={} written to {}\n", beat, options.settings);
  return 0;
}

}  // namespace

int tune_command(int argc, char** argv) {
  CLI::App app("Measures the cost of a promotion and chooses the beat interval of this machine.", "takt tune");
  tune_options options;
  bool no_write = false;
  app.add_option("--runs", options.runs, "runs of each program with each beat")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--bound", options.bound_percent,
                 "percent of the work that promotions may cost, and of the best run time that the beat may")
      ->check(CLI::Range(0.1, 100.0))
      ->capture_default_str();
  app.add_option("--svg", options.svg, "write run time against N to this file, as a picture");
  auto* const write =
      app.add_option("--write", options.settings, "settings file to write; default: the one that the runtime reads");
  app.add_flag("--no-write", no_write, "write no settings file")->excludes(write);
  return run_with_arguments(app, argc, argv, false, [&] {
    if (app.count("--svg") > 0) {
      check_writable("--svg", options.svg);
    }
    if (write->count() == 0 && !no_write) {
      options.settings = settings::settings_path();
      if (options.settings.empty()) {
        throw usage_error("TAKT_SETTINGS or HOME names no settings file; use --write FILE or --no-write");
      }
      make_default_folder(options.settings);
    }
    if (!no_write) {
      check_writable(write->count() > 0 ? "--write" : "settings file", options.settings);
    }
    return tune(options);
  });
}

}  // namespace takt::tools
