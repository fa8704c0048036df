// takt-locality-simulated: one program of bench/locality a number of times, on the machine that TAKT_SIM says; `takt
// bench locality` starts it. It says nothing: what it took is in the simulator's report. Exit code 1 for a wrong
// answer, 2 for what cannot be run, each with a line on stderr.
#include <cstdio>
#include <exception>
#include <memory>

#include <CLI/CLI.hpp>

#include "harness/problem.hpp"

namespace takt::bench {
namespace {

int run(const request& wanted, int runs) {
  const auto entry = the_catalogue().find(wanted.problem);
  if (entry == the_catalogue().end()) {
    throw input_error("unknown problem '" + wanted.problem + "'");
  }
  const auto make = entry->second.systems.find(wanted.system);
  if (make == entry->second.systems.end()) {
    throw input_error(wanted.problem + ": no program of system '" + wanted.system + "'");
  }
  const std::unique_ptr<instance> one = make->second(wanted);
  for (int i = 0; i < runs; ++i) {
    (void)one->run();
  }
  if (!one->check()) {
    std::fprintf(stderr, "takt-locality-simulated: %s: wrong answer\n", wanted.problem.c_str());
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace takt::bench

int main(int argc, char** argv) {
  takt::bench::request wanted;
  wanted.system = "takt";
  int runs = 1;
  CLI::App app("Runs a program of bench/locality; started by takt bench locality");
  app.add_option("--problem", wanted.problem, "What to run")->required();
  app.add_option("--system", wanted.system, "takt, takt-hints or static");
  app.add_option("--size", wanted.size, "Size of the problem; 0: its default");
  app.add_option("--input", wanted.input, "File, or alpha=X for rrm");
  app.add_option("--runs", runs, "How often")->check(CLI::Range(1, 1000));
  CLI11_PARSE(app, argc, argv);
  try {
    return takt::bench::run(wanted, runs);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "takt-locality-simulated: %s\n", error.what());
    return 2;
  }
}
