// takt-bench-schedules: takt against OpenMP's schedules on machines that are not there (HBC
// paper, figure 4). Each program runs in virtual time, its code as long as it takes here.
#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "sim/stand_in.hpp"
#include "sim/programs.hpp"
#include "sim/team.hpp"
#include "tools/numbers.hpp"
#include <takt/lab.hpp>
#include <takt/takt.hpp>

namespace takt::bench {

namespace {

struct options {
  std::vector<unsigned> workers = {1, 8, 64};
  std::int64_t rows = 4'000'000;
  bool eager = false;
  unsigned runs = 3;
  unsigned rounds = 5;
};

// Nanoseconds. The team's threads spin while they wait for a loop, takt's sleep.
constexpr double k_wake = 5000;
constexpr double k_waker = 1500;
constexpr double k_signal = 3000;
constexpr double k_steal = 300;
constexpr double k_spin = 50;
constexpr double k_team_begin = 1000;
constexpr double k_counter_alone = 10;
constexpr double k_counter_shared = 60;

std::uint64_t ticks(double ns) {
  return static_cast<std::uint64_t>(ns * 1e-9 * platform::threads().ticks_per_second());
}

// A machine in virtual time, and a runtime on it.
class simulated {
 public:
  simulated(unsigned workers, takt::trigger how, bool is_team)
      : on_(machine(workers, is_team), sim::this_process()), runtime_(on_, settings(workers, how)) {}
  sim::virtual_time& on() { return on_; }

 private:
  static sim::virtual_settings machine(unsigned workers, bool is_team) {
    sim::virtual_settings s;
    s.workers = workers;
    s.ticks_per_second = platform::threads().ticks_per_second();
    s.began = platform::threads().now();
    if (is_team) return s;
    s.cost.wake = ticks(k_waker);
    s.cost.wake_latency = ticks(k_wake);
    s.cost.start_latency = ticks(k_wake);
    s.cost.signal = ticks(k_signal);
    s.cost.steal = ticks(k_steal);
    s.cost.spin = ticks(k_spin);
    return s;
  }
  static config settings(unsigned workers, takt::trigger how) {
    config c;
    c.workers = workers;
    c.trigger = how;
    c.stack_bytes = std::size_t{1} << 20;
    return c;
  }

  sim::virtual_time on_;
  sim::stand_in runtime_;
};

struct scheduler {
  std::string name;
  // Ticks of one round; the first round of each run, which warms up, is not counted.
  std::function<double(const loop_program&, unsigned workers, unsigned rounds)> run;
};

double timed(sim::virtual_time& on, unsigned rounds, const std::function<void()>& round) {
  round();
  const std::uint64_t begun = on.time();
  for (unsigned r = 0; r < rounds; ++r) round();
  return static_cast<double>(on.time() - begun) / rounds;
}

scheduler serial() {
  return {"serial", [](const loop_program& p, unsigned /*workers*/, unsigned rounds) {
            simulated one(1, trigger::never, true);
            return timed(one.on(), rounds, [&] { p.range(0, p.count); });
          }};
}

scheduler with_takt(const char* name, trigger how) {
  return {name, [how](const loop_program& p, unsigned workers, unsigned rounds) {
            simulated machine(workers, how, false);
            return timed(machine.on(), rounds, p.nested);
          }};
}

// What a team's threads have to pay; for nothing, a dynamic schedule is a greedy one.
enum class overhead { usual, none };

scheduler with_team(const char* name, schedule how, std::uint64_t chunk,
                    overhead paid = overhead::usual) {
  return {name, [=](const loop_program& p, unsigned workers, unsigned rounds) {
            simulated machine(1, trigger::never, true);
            const double counter = workers == 1 ? k_counter_alone : k_counter_shared;
            team_loop loop{.threads = workers, .how = how, .chunk = chunk, .cost = {}};
            if (paid == overhead::usual) {
              loop.cost = {.begin = ticks(k_team_begin), .counter = ticks(counter)};
            }
            return timed(machine.on(), rounds,
                         [&] { bench::run(machine.on(), loop, p.count, p.range); });
          }};
}

bool compare(const options& wanted) {
  const scheduler alone = serial();
  std::vector<scheduler> all = {
      with_takt("takt", config::from_environment().trigger),
      with_team("static", schedule::fixed, 1),
      with_team("dynamic", schedule::dynamic, 1),
      with_team("dynamic,64", schedule::dynamic, 64),
      with_team("guided", schedule::guided, 1),
      with_team("greedy,64", schedule::dynamic, 64, overhead::none),
  };
  if (wanted.eager) all.push_back(with_takt("eager", takt::lab::eager));
  std::map<std::pair<unsigned, std::string>, double> logarithms;
  const std::vector<loop_program> programs = make_programs(wanted.rows);
  std::printf("speed-up over the serial loop, in virtual time: median (least-most) of %u runs\n",
              wanted.runs);
  for (const loop_program& p : programs) {
    for (const unsigned workers : wanted.workers) {
      std::map<std::string, std::vector<double>> speedups;
      // Interleaved: what disturbs this machine for a while disturbs all of them.
      for (unsigned r = 0; r < wanted.runs; ++r) {
        const double base = alone.run(p, 1, wanted.rounds);
        for (const scheduler& s : all) {
          p.clear();
          speedups[s.name].push_back(base / s.run(p, workers, wanted.rounds));
          if (!p.right()) {
            std::fprintf(stderr, "takt-bench-schedules: %s, %s, %u workers: wrong answer\n",
                         p.name.c_str(), s.name.c_str(), workers);
            return false;
          }
        }
      }
      std::printf("\n%s, %u workers\n", p.name.c_str(), workers);
      for (const scheduler& s : all) {
        std::printf("  %-12s %s\n", s.name.c_str(),
                    tools::shown_spread(speedups[s.name], 2).c_str());
        logarithms[{workers, s.name}] += std::log(tools::median(speedups[s.name]));
      }
      std::fflush(stdout);
    }
  }
  for (const unsigned workers : wanted.workers) {
    std::printf("\ngeometric mean, %u workers\n", workers);
    for (const scheduler& s : all) {
      const double mean = logarithms[{workers, s.name}] / static_cast<double>(programs.size());
      std::printf("  %-12s %.2f\n", s.name.c_str(), std::exp(mean));
    }
  }
  return true;
}

}  // namespace

}  // namespace takt::bench

int main(int argc, char** argv) {
  takt::bench::options wanted;
  CLI::App app("Compares takt with OpenMP's schedules on simulated machines");
  app.add_option("--workers", wanted.workers, "Numbers of workers")
      ->delimiter(',')
      ->check(CLI::Range(1, 4096));
  app.add_option("--rows", wanted.rows, "Rows of the matrices, points of the image")
      ->check(CLI::Range(16, 100'000'000));
  app.add_flag("--eager", wanted.eager, "Eager work stealing as well, which is slow");
  app.add_option("--runs", wanted.runs, "Runs of each")->check(CLI::Range(1, 1000));
  app.add_option("--rounds", wanted.rounds, "Calls in each run")->check(CLI::Range(1, 1000));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);
    std::fprintf(stderr, "takt-bench-schedules: %s\n", e.what());
    return 2;
  }
  try {
    return takt::bench::compare(wanted) ? 0 : 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "takt-bench-schedules: %s\n", e.what());
    return 2;
  }
}
