// The points of `takt bench locality`: programs of bench/locality on a simulated machine.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/scale_machine.hpp"
#include "tools/scale_run.hpp"

namespace takt::tools {

struct locality_options {
  std::vector<std::string> problems{};
  std::vector<std::string> policies{"random", "adws"};
  std::vector<double> sizes{0.5, 1, 2, 4};
  std::vector<double> alphas{1, 2, 4, 8, 16};
  std::string machine{};
  std::string report{};
  std::string program{};
  unsigned workers = 0;
  std::uint64_t shrink = 8;
  std::uint64_t grain = 512;
  int runs = 1;
  int warm_ups = 1;
};

// A problem, and what is said of it to the simulator.
struct locality_problem {
  std::string_view name;
  double bytes;  // of the working set, of each of its size's units (of matmul and heat2d: of its square)
  int power;     // of the size that the bytes grow with
  bool doubles;  // its size is a power of two
  // Nanoseconds of the program's code for each line that it touches, assumed: what a line's elements take on a core of
  // today whose data is in its first cache.
  double work_ns;
};
// All there are.
std::span<const locality_problem> locality_problems();

// The size whose working set is nearest to so many bytes.
std::int64_t size_for(const locality_problem& p, double bytes);
double bytes_of(const locality_problem& p, std::int64_t size);

// What is run: a point of a figure.
struct point {
  std::string problem;
  std::int64_t size = 0;
  std::string scheduler;  // a policy, or "serial"
  bool hints = false;
  bool interleaved = true;
  double alpha = 1;

  auto key() const { return std::tie(problem, size, scheduler, hints, interleaved, alpha); }
  bool operator<(const point& other) const { return key() < other.key(); }
};

// Of one run, after those that are not counted.
struct run_outcome {
  double seconds = 0;
  double busy_s = 0;      // of all workers: the program's code and its memory
  double idle_s = 0;      // no task ran
  double overhead_s = 0;  // the rest
  double queued_s = 0;    // of busy_s, for want of bandwidth
  std::vector<double> misses;
  double remote = 0;  // share of the lines from memory
  double steals = 0;
};

// Runs what has not been run yet. The options and the machine must outlive it.
class simulations {
 public:
  simulations(const locality_options& options, const machine_description& machine)
      : options_(options), machine_(machine) {}

  // Throws run_failure.
  const run_outcome& of(const point& p);
  nlohmann::ordered_json to_json() const;

 private:
  run_outcome make(const point& p);

  const locality_options& options_;
  const machine_description& machine_;
  scratch_folder scratch_;
  std::map<point, run_outcome> done_;
};

}  // namespace takt::tools
