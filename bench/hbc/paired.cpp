// takt-bench-hbc-paired: the programs of HBC's table as serial code, with takt and with OpenMP on
// the outermost loop, by turns in one process and on the same data. Where memory lies makes
// processes of one program differ by a twentieth; here it is the same for all.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "hbc/enrol.hpp"
#include "hbc/support.h"
#include "tools/numbers.hpp"

#define TAKT_HBC_DECLARE(problem, program)                            \
  extern "C" void hbc_##program##_serial(const hbc_##program*);       \
  extern "C" void hbc_##program##_takt(const hbc_##program*);         \
  extern "C" void hbc_##program##_static(const hbc_##program*);       \
  extern "C" void hbc_##program##_guided(const hbc_##program*);
TAKT_HBC_TABLE(TAKT_HBC_DECLARE)

namespace takt::bench {

namespace {

enum system : std::size_t { serial, takt, omp_static, omp_guided, systems };

struct options {
  unsigned workers = 1;
  unsigned runs = 5;
  unsigned launches = 4;
  int rest_ms = -1;
  std::int64_t size = 0;
  std::vector<std::string> problems;
};

// Seconds: of each system, of each run.
using times = std::array<std::vector<double>, systems>;

template <class P>
using body = void (*)(const typename P::input&, typename P::answer&);

template <class P>
times measure(const options& wanted, const std::array<body<P>, systems>& all) {
  request asked;
  asked.problem = P::info.name;
  asked.size = wanted.size;
  const typename P::input in = P::make(asked);
  typename P::answer expected;
  typename P::answer got;
  P::reset(in, expected);
  all[serial](in, expected);
  times result;
  // The first of each is not counted.
  for (unsigned run = 0; run <= wanted.runs; ++run) {
    for (std::size_t turn = 0; turn < systems; ++turn) {
      const std::size_t which = (run + turn) % systems;
      P::reset(in, got);
      if (wanted.rest_ms > 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(wanted.rest_ms));
      }
      const auto begun = std::chrono::steady_clock::now();
      all[which](in, got);
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
      if (!P::same(in, got, expected)) {
        throw std::runtime_error(std::string(P::info.name) + ": wrong answer");
      }
      if (run != 0) {
        result[which].push_back(took.count());
      }
    }
  }
  return result;
}

struct row {
  std::string_view name;
  std::function<times(const options&)> measure;
};

#define TAKT_HBC_BODY(variant, problem, program) \
  &run_hbc<hbc_##problem##_problem, &hbc_##program##_##variant, &nothing_before>
#define TAKT_HBC_PAIRED(problem, program)                                                     \
  row{#problem, [](const options& wanted) {                                                   \
        return measure<hbc_##problem##_problem>(wanted,                                       \
                                                {TAKT_HBC_BODY(serial, problem, program),     \
                                                 TAKT_HBC_BODY(takt, problem, program),       \
                                                 TAKT_HBC_BODY(static, problem, program),     \
                                                 TAKT_HBC_BODY(guided, problem, program)});   \
      }},

const std::vector<row>& table() {
  static const std::vector<row> rows = {TAKT_HBC_TABLE(TAKT_HBC_PAIRED)};
  return rows;
}

// The process that measured has said why it could not.
struct has_failed {
  int code;
};

// In a process of its own, which has not started any runtime before.
times measure_apart(const row& which, const options& wanted) {
  int ends[2];
  if (pipe(ends) != 0) {
    throw std::system_error(errno, std::generic_category(), "pipe");
  }
  const pid_t child = fork();
  if (child < 0) {
    throw std::system_error(errno, std::generic_category(), "fork");
  }
  if (child == 0) {
    close(ends[0]);
    try {
      setenv("TAKT_WORKERS", std::to_string(wanted.workers).c_str(), 1);
      hbc_use_threads(static_cast<int>(wanted.workers));
      hbc_use_levels(1);
      for (const std::vector<double>& of_system : which.measure(wanted)) {
        const std::size_t bytes = of_system.size() * sizeof(double);
        if (write(ends[1], of_system.data(), bytes) != static_cast<ssize_t>(bytes)) {
          _exit(1);
        }
      }
    } catch (const std::exception& error) {
      std::fprintf(stderr, "takt-bench-hbc-paired: %s\n", error.what());
      _exit(dynamic_cast<const input_error*>(&error) != nullptr ? 2 : 1);
    }
    _exit(0);
  }
  close(ends[1]);
  times result;
  bool is_whole = true;
  for (std::vector<double>& of_system : result) {
    of_system.resize(wanted.runs);
    auto* at = reinterpret_cast<char*>(of_system.data());
    for (std::size_t left = wanted.runs * sizeof(double); left != 0;) {
      const ssize_t got = read(ends[0], at, left);
      if (got <= 0) {
        is_whole = false;
        break;
      }
      at += got;
      left -= static_cast<std::size_t>(got);
    }
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
    throw has_failed{WEXITSTATUS(status)};
  }
  if (!is_whole || status != 0) {
    throw std::runtime_error(std::string(which.name) + " did not come to its end");
  }
  return result;
}

std::string with_spread(const std::vector<double>& ratios) {
  const auto [least, most] = std::ranges::minmax(ratios);
  char text[64];
  std::snprintf(text, sizeof text, "%.3f (%.3f-%.3f)", tools::median(ratios), least, most);
  return text;
}

void compare(const options& wanted) {
  std::printf(
      "%u workers; time / serial, by turns in one process: median (least-most) over %u\n"
      "processes, of the medians of %u runs each\n\n%-18s %-20s %-20s %-20s %s\n",
      wanted.workers, wanted.launches, wanted.runs, "", "takt", "omp-static", "omp-guided",
      "takt / better omp");
  double over_serial = 0;
  double over_omp = 0;
  unsigned count = 0;
  for (const row& one : table()) {
    if (!wanted.problems.empty() && std::ranges::count(wanted.problems, one.name) == 0) {
      continue;
    }
    std::array<std::vector<double>, systems> ratios;
    std::vector<double> best;
    for (unsigned launch = 0; launch < wanted.launches; ++launch) {
      const times took = measure_apart(one, wanted);
      std::array<double, systems> medians;
      std::ranges::transform(took, medians.begin(), tools::median);
      for (std::size_t which = 0; which < systems; ++which) {
        ratios[which].push_back(medians[which] / medians[serial]);
      }
      best.push_back(medians[takt] / std::min(medians[omp_static], medians[omp_guided]));
    }
    std::printf("%-18s %-20s %-20s %-20s %s\n", std::string(one.name).c_str(),
                with_spread(ratios[takt]).c_str(), with_spread(ratios[omp_static]).c_str(),
                with_spread(ratios[omp_guided]).c_str(), with_spread(best).c_str());
    std::fflush(stdout);
    over_serial += std::log(tools::median(ratios[takt]));
    over_omp += std::log(tools::median(best));
    ++count;
  }
  std::printf("%-18s %-62.3f %.3f\n", "geometric mean", std::exp(over_serial / count),
              std::exp(over_omp / count));
}

}  // namespace

}  // namespace takt::bench

int main(int argc, char** argv) {
  takt::bench::options wanted;
  std::vector<std::string> names;
  for (const auto& one : takt::bench::table()) {
    names.emplace_back(one.name);
  }
  CLI::App app("Compares takt with OpenMP and serial code on HBC's programs, in one process");
  app.add_option("--workers", wanted.workers, "Workers, and OpenMP's threads")
      ->check(CLI::Range(1, 4096));
  app.add_option("--runs", wanted.runs, "Runs of each system in a process")
      ->check(CLI::Range(1, 1000));
  app.add_option("--launches", wanted.launches, "Processes of each program")
      ->check(CLI::Range(1, 1000));
  app.add_option("--rest", wanted.rest_ms,
                 "Milliseconds to sleep before each run: OpenMP's idle threads spin for 200 "
                 "(default: 260 with more than one worker)")
      ->check(CLI::Range(0, 60'000));
  app.add_option("--size", wanted.size, "Size of the inputs; 0: each program's default")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000'000}));
  app.add_option("PROGRAM", wanted.problems, "Which; all, if none is named")
      ->check(CLI::IsMember(names));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);
    std::fprintf(stderr, "takt-bench-hbc-paired: %s\n", e.what());
    return 2;
  }
  if (wanted.rest_ms < 0) {
    wanted.rest_ms = wanted.workers == 1 ? 0 : 260;
  }
  try {
    takt::bench::compare(wanted);
    return 0;
  } catch (const takt::bench::has_failed& failed) {
    return failed.code;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "takt-bench-hbc-paired: %s\n", e.what());
    return 1;
  }
}
