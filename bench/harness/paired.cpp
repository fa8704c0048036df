// The main program of takt-bench-paired and takt-bench-hbc-paired: all systems take turns in one
// process, on the same data. Where memory lies makes processes of one program differ by a
// twentieth; here it is the same for all. Where their code lies does the same, so processes take
// turns between four programs, in which all code has been moved (code_at.cpp).
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "harness/freed_memory.hpp"
#include "harness/problem.hpp"
#include "harness/system.hpp"
#include "tools/numbers.hpp"

namespace takt::bench {

namespace {

struct options {
  request every;
  unsigned runs = 5;
  unsigned launches = 4;
  std::vector<std::string> systems = {"takt",       "tbb",        "omp",
                                      "omp-static", "omp-guided", "omp-dynamic"};
  std::vector<std::string> problems;
  // Of a process that another one has started: where the times go, and what the turns come from.
  int report_to = -1;
  unsigned seed = 0;
};

// As many programs as places in a cache line at which code begins.
constexpr unsigned k_places = 4;
constexpr unsigned k_place_bytes = 16;

// The first run of a system that is so many times slower than the serial program's is its only one.
constexpr double k_too_slow = 3.0;

// Seconds: of each system, of each run.
using times = std::vector<std::vector<double>>;

class wrong_answer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

double checked_run(instance& one, const request& wanted, const std::string& system) {
  one.become(system);
  const double seconds = one.run();
  if (!one.check()) {
    throw wrong_answer(wanted.problem + ": " + system + " gave a wrong answer");
  }
  return seconds;
}

times measure(const catalogue_entry& entry, const request& wanted,
              const std::vector<std::string>& systems, unsigned runs, unsigned seed) {
  keep_freed_memory();
  the_workers = wanted.workers;
  setenv("TAKT_WORKERS", std::to_string(wanted.workers).c_str(), 1);
  use_workers(wanted.workers);
  const std::unique_ptr<instance> one = entry.systems.at("serial")(wanted);
  times result(systems.size());
  std::vector<double> first;
  for (const std::string& system : systems) {
    first.push_back(checked_run(*one, wanted, system));
  }
  std::vector<std::size_t> order(systems.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // From one process to the next, too: none is to come after the same other one each time.
  std::mt19937 random(seed);
  for (unsigned run = 0; run < runs; ++run) {
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t which : order) {
      const bool is_too_slow = first[which] > k_too_slow * first[0];
      if (!is_too_slow) {
        result[which].push_back(checked_run(*one, wanted, systems[which]));
      } else if (run == 0) {
        result[which].push_back(first[which]);
      }
    }
  }
  return result;
}

void write_all(int to, const void* data, std::size_t bytes) {
  const auto* at = static_cast<const char*>(data);
  while (bytes != 0) {
    const ssize_t written = write(to, at, bytes);
    if (written < 0) throw std::system_error(errno, std::generic_category(), "write");
    at += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

bool read_all(int from, void* data, std::size_t bytes) {
  auto* at = static_cast<char*>(data);
  while (bytes != 0) {
    const ssize_t got = read(from, at, bytes);
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

void send(int to, const times& all) {
  for (const std::vector<double>& one : all) {
    const std::size_t count = one.size();
    write_all(to, &count, sizeof count);
    write_all(to, one.data(), count * sizeof(double));
  }
}

bool receive(int from, times& all) {
  for (std::vector<double>& one : all) {
    std::size_t count = 0;
    if (!read_all(from, &count, sizeof count)) return false;
    one.resize(count);
    if (!read_all(from, one.data(), count * sizeof(double))) return false;
  }
  return true;
}

void complain(std::string_view what) {
  std::fputs(fmt::format("{}: {}\n", program_invocation_short_name, what).c_str(), stderr);
}

// The process that measured has said why it could not.
struct has_failed {
  int code;
};

std::string program_at(unsigned place) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  return place == 0 ? self : fmt::format("{}-at-{}", self, place * k_place_bytes);
}

std::vector<std::string> command(const options& wanted, const request& asked,
                                 const std::vector<std::string>& systems, unsigned launch,
                                 int report_to) {
  std::vector<std::string> words = {program_at(launch % k_places), asked.problem};
  const auto add = [&](std::string_view name, const auto& value) {
    words.push_back(fmt::format("--{}={}", name, value));
  };
  add("workers", asked.workers);
  add("systems", fmt::format("{}", fmt::join(systems, ",")));
  add("runs", wanted.runs);
  add("rest", asked.rest_ms);
  add("size", asked.size);
  add("calls", asked.calls);
  if (!asked.input.empty()) add("input", asked.input);
  if (asked.transpose) words.emplace_back("--transpose");
  add("seed", launch);
  add("report-to", report_to);
  return words;
}

// In place of this process, which the caller has made for it.
[[noreturn]] void become(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  complain(words[0] + ": " + std::strerror(errno));
  _exit(2);
}

times measure_apart(const options& wanted, const request& asked,
                    const std::vector<std::string>& systems, unsigned launch) {
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
    become(command(wanted, asked, systems, launch, ends[1]));
  }
  close(ends[1]);
  times result(systems.size());
  const bool is_whole = receive(ends[0], result);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
    throw has_failed{WEXITSTATUS(status)};
  }
  if (!is_whole || status != 0) {
    throw std::runtime_error(asked.problem + " did not come to its end");
  }
  return result;
}

// Over the processes: each system's time over the serial program's, and takt's over each system's.
struct ratios {
  std::vector<double> over_serial;
  std::vector<double> of_takt;
  bool was_too_slow = false;  // in one of them
};

std::vector<ratios> compare(const options& wanted, const request& asked,
                            const std::vector<std::string>& systems) {
  std::vector<ratios> result(systems.size());
  const auto takt = std::ranges::find(systems, "takt");
  for (unsigned launch = 0; launch < wanted.launches; ++launch) {
    const times took = measure_apart(wanted, asked, systems, launch);
    std::vector<double> seconds(took.size());
    std::ranges::transform(took, seconds.begin(), tools::median);
    for (std::size_t which = 0; which < systems.size(); ++which) {
      result[which].over_serial.push_back(seconds[which] / seconds[0]);
      result[which].was_too_slow |= took[which].size() < wanted.runs;
      if (takt != systems.end()) {
        const double of_takt = seconds[static_cast<std::size_t>(takt - systems.begin())];
        result[which].of_takt.push_back(of_takt / seconds[which]);
      }
    }
  }
  return result;
}

// Each system's loops are lucky at some of the places, and all have been at each of them: in the
// mean luck is the same for all.
double over_places(const std::vector<double>& of_launches) {
  const std::size_t places = std::min<std::size_t>(of_launches.size(), k_places);
  double log_sum = 0.0;
  for (std::size_t place = 0; place < places; ++place) {
    std::vector<double> here;
    for (std::size_t launch = place; launch < of_launches.size(); launch += places) {
      here.push_back(of_launches[launch]);
    }
    log_sum += std::log(tools::median(here));
  }
  return std::exp(log_sum / static_cast<double>(places));
}

std::string shown(const std::vector<double>& of_launches) {
  return tools::shown_spread(over_places(of_launches), of_launches, 3);
}

// The systems to compare, the serial program first.
std::vector<std::string> systems_of(const catalogue_entry& entry, const options& wanted) {
  std::vector<std::string> systems = {"serial"};
  for (const std::string& system : wanted.systems) {
    if (system != "serial" && entry.systems.contains(system)) {
      systems.push_back(system);
    }
  }
  return systems;
}

void compare_all(const options& wanted) {
  fmt::print(
      "{} workers; time / serial, and takt's time / that, by turns in one process: medians\n"
      "(least-most) over {} processes, of the medians of {} runs each, geometric means over\n"
      "places of the code; ! too slow for another run\n",
      wanted.every.workers, wanted.launches, wanted.runs);
  double log_sum = 0.0;
  unsigned count = 0;
  for (const std::string& problem : wanted.problems) {
    const catalogue_entry& entry = the_catalogue().at(problem);
    request asked = wanted.every;
    asked.problem = problem;
    const std::vector<std::string> systems = systems_of(entry, wanted);
    const std::vector<ratios> all = compare(wanted, asked, systems);
    fmt::print("\n{}\n", problem);
    double worst = 0.0;
    for (std::size_t which = 1; which < systems.size(); ++which) {
      const bool is_peer = systems[which] != "takt" && !all[which].of_takt.empty();
      fmt::print("  {:<14} {:<28} {}{}\n", systems[which],
                 shown(all[which].over_serial), is_peer ? shown(all[which].of_takt) : "",
                 all[which].was_too_slow ? " !" : "");
      if (is_peer) worst = std::max(worst, over_places(all[which].of_takt));
    }
    if (worst > 0.0) {
      log_sum += std::log(worst);
      ++count;
    }
    std::fflush(stdout);
  }
  if (count > 1) {
    fmt::print("\ngeometric mean of takt / best peer: {:.3f}\n", std::exp(log_sum / count));
  }
}

// The process that compare_all() has started for one problem. @returns its exit code.
int measure_and_report(const options& wanted) {
  request asked = wanted.every;
  asked.problem = wanted.problems.front();
  const catalogue_entry& entry = the_catalogue().at(asked.problem);
  try {
    send(wanted.report_to,
         measure(entry, asked, systems_of(entry, wanted), wanted.runs, wanted.seed));
    return 0;
  } catch (const std::bad_alloc&) {
    complain(asked.problem + ": not enough memory for this input");
    return 2;
  } catch (const wrong_answer& error) {
    complain(error.what());
    return 1;
  } catch (const std::exception& error) {
    complain(error.what());
    return 2;
  }
}

// Problems that a process can run again and again.
std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& [name, entry] : the_catalogue()) {
    if (!entry.info.fresh_process) all.push_back(name);
  }
  return all;
}

// Those that run if none is named: what is no part of the suite would be in its geometric mean.
std::vector<std::string> names_of_suite() {
  std::vector<std::string> all = names();
  std::erase_if(all, [](const std::string& name) {
    return the_catalogue().at(name).info.group != the_suite.name;
  });
  return all;
}

std::vector<std::string> all_systems() {
  std::set<std::string> all;
  for (const auto& [name, entry] : the_catalogue()) {
    for (const auto& [system, make] : entry.systems) {
      all.insert(system);
    }
  }
  return {all.begin(), all.end()};
}

}  // namespace

}  // namespace takt::bench

int main(int argc, char** argv) {
  using takt::bench::complain;
  takt::bench::options wanted;
  wanted.every.rest_ms = -1;
  CLI::App app("Compares takt, its peers and serial code, by turns in one process");
  app.add_option("--workers", wanted.every.workers, "Workers of each system")
      ->check(CLI::Range(1, 4096));
  app.add_option("--systems", wanted.systems, "Which, besides serial")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(takt::bench::all_systems()));
  app.add_option("--runs", wanted.runs, "Runs of each system in a process")
      ->check(CLI::Range(1, 1000));
  app.add_option("--launches", wanted.launches, "Processes of each problem")
      ->check(CLI::Range(1, 1000));
  app.add_option("--rest", wanted.every.rest_ms,
                 "Milliseconds to sleep before each run: OpenMP's idle threads spin for 200 "
                 "(default: 260 with more than one worker)")
      ->check(CLI::Range(0, 60'000));
  app.add_option("--size", wanted.every.size, "Size of the problem; 0: its default")
      ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()));
  app.add_option("--input", wanted.every.input, "File or generator");
  app.add_flag("--transpose", wanted.every.transpose, "Use the transposed matrix");
  app.add_option("--calls", wanted.every.calls,
                 "Calls in a run, one right after another; 0: the problem's default")
      ->check(CLI::Range(0, 1'000'000));
  app.add_option("PROBLEM", wanted.problems, "As `takt bench` names them; all of the suite, if none is named")
      ->check(CLI::IsMember(takt::bench::names()));
  // Without a group they are not shown.
  app.add_option("--report-to", wanted.report_to)->group("");
  app.add_option("--seed", wanted.seed)->group("");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);
    complain(e.what());
    return 2;
  }
  if (wanted.every.rest_ms < 0) {
    wanted.every.rest_ms = wanted.every.workers == 1 ? 0 : 260;
  }
  if (wanted.problems.empty()) {
    wanted.problems = takt::bench::names_of_suite();
  }
  if (wanted.report_to >= 0) {
    // The runtimes' threads would outlive what they use.
    _exit(takt::bench::measure_and_report(wanted));
  }
  try {
    takt::bench::compare_all(wanted);
    return 0;
  } catch (const takt::bench::has_failed& failed) {
    return failed.code;
  } catch (const std::exception& error) {
    complain(error.what());
    return 1;
  }
}
