// Which runners there are, what they can run, and what the user wants of it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tools/bench_load.hpp"
#include "tools/bench_process.hpp"
#include "tools/bench_results.hpp"
#include "tools/usage_error.hpp"

namespace takt::tools {

struct bench_options {
  std::vector<std::string> problems;
  std::vector<std::string> systems;
  std::vector<std::string> compilers{"gcc", "clang"};
  std::vector<unsigned> workers;
  std::vector<std::string> inputs;
  std::vector<std::string> loads;
  std::vector<std::string> sizes;  // "N" or "PROBLEM=N"
  std::vector<std::string> directories;
  std::string json;
  std::string report;             // folder of the page
  std::vector<std::string> from;  // results files that go into the page too
  bool count = false;             // the tasks of oneTBB and OpenMP too
  bool transpose = false;
  int launches = 1;
  int runs = 5;
  int warm_ups = 1;
  int calls = 0;  // in a run; 0: the problem's default
  int rest_ms = 0;
  int limit_s = 120;
};

// A problem as the runners describe it.
struct bench_problem {
  std::string name;
  std::string about;
  bool loops = false;
  std::string size_unit;
  std::int64_t size_default = 0;
  std::int64_t size_min = 0;
  std::int64_t size_max = 0;
  std::int64_t calls = 1;
  bool takes_matrix = false;
  bool fresh_process = false;
  bool per_call = false;
  bool takes_file = false;
  bool takes_whole_file = false;
  std::string group;
  // Of programs with runners of their own: the name of the suite, and the compiler that makes
  // them in every build.
  std::string suite;
  std::string compiler;
  // By runner, the systems that it has a program for.
  std::map<std::string, std::set<std::string>> systems;
};

struct bench_runner {
  std::string program;
  std::string runtime;
  bool optimised = true;
  std::string compiler_version{};
};

// All runners found, by (name, compiler), and the problems they know. The name is that of the
// runner's system, after that of its suite if it has one: "takt", "hbc-takt".
struct bench_inventory {
  std::map<std::pair<std::string, std::string>, bench_runner> runners;
  std::map<std::string, bench_problem> problems;
  // Programs that do not say what they are: why, by path.
  std::map<std::string, std::string> broken{};
};

// Where runners are looked for if nobody says where.
std::vector<std::string> default_directories();

// Looks in `directories`; with none given, in the build folders of the presets bench and
// bench-clang beside the one this program was built in, then in that one. The first runner of
// a kind wins, of those that say what they are. Throws usage_error if there is not a single runner.
bench_inventory find_runners(const std::vector<std::string>& directories);

// One problem on one input, and who runs it.
struct bench_contender {
  bench_row row;  // times still to come
  runner_command command;
  std::string counter{};  // library that counts its tasks, or ""
};
struct bench_match {
  bench_problem problem;
  std::string input;  // as shown
  const bench_load* load = nullptr;
  std::vector<bench_contender> contenders;
};
struct bench_plan {
  std::vector<bench_match> matches;
  // A compiler that has built no runner at all is one entry, for all systems.
  std::vector<missing_system> missing;
  std::vector<std::string> notes;  // what was asked for and does not apply
};

// Throws usage_error for anything in `options` that is unknown or out of range.
bench_plan make_plan(const bench_options& options, const bench_inventory& inventory);

}  // namespace takt::tools
