// One run of a program on a simulated machine.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/scale_machine.hpp"
#include "tools/scale_sites.hpp"

namespace takt::tools {

// The run gave no usable result; what() says how in a few words, on one line: "cannot be started:
// No such file or directory", "ended with exit code 3".
class run_failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What the library writes at the end of a simulated run. Times in seconds.
struct sim_report {
  double before_s = 0;    // real time until the first parallel call
  double seconds = 0;     // virtual time from there to the end
  double in_calls_s = 0;  // the part of it inside parallel calls
  double calls = 0;
  double promotions = 0;
  double steals = 0;
  double working_s = 0;  // of all workers together
  std::string trigger;
  // Of each simulated cache level, if there are caches: what missed there.
  std::vector<double> misses{};
  double touched = 0;  // lines that the program said it uses
  // What touches took, if they took time, and what of it for want of bandwidth; lines from memory.
  double memory_s = 0;
  double queued_s = 0;
  double local_lines = 0;
  double remote_lines = 0;
  double program_s = 0;  // deterministic: what the program's code was charged, memory included
  // Of all workers together in calls, if sites were asked for: the program's code, what the scheduler costs, and who had
  // nothing to run: before its first part of a call, between its parts, and after its last.
  double in_program_s = 0;
  double overhead_s = 0;
  double idle_before_s = 0;
  double idle_between_s = 0;
  double idle_after_s = 0;
  std::vector<code_site> sites{};  // those with most of the span first, if they were asked for
  double silent_s = 0;           // of the span, in code that ran for long without a fork, loop or poll; the same
  nlohmann::ordered_json raw{};  // all of it, but for the statistics of each worker
};

// Throws run_failure if it is not the report of a run with so many workers.
sim_report to_report(const std::string& text, unsigned workers);

struct simulated_run {
  unsigned workers = 1;
  sim_costs costs{};
  std::vector<machine_cache> caches{};  // that the program's touches go to
  unsigned sites = 0;  // how many are to be reported
  std::vector<std::pair<std::string, std::string>> environment{};  // besides TAKT_SIM
  bool deterministic = false;  // code takes what it is charged, and nothing is measured
  std::uint64_t iteration_ns = 0;  // what an iteration is charged then; 0: the simulator's default
  // Touches take time if this is said: what it says, and the times of the caches.
  std::optional<machine_memory> memory{};
  unsigned cores_per_node = 1;
  double work_ns = 0;        // deterministic: of the code that uses a line
  bool interleaved = false;  // pages go to all nodes in turn, not to who touches them first
  std::uint64_t grain = 0;   // bytes that caches keep track of together; 0: a line
  std::vector<machine_speed> speeds{};  // of cores that are not alike
  std::string input{};  // what the program reads
};

// The value of TAKT_SIM for a run that is to write its report to `out`.
std::string takt_sim_value(const simulated_run& run, const std::string& out);

// A folder that goes with its last user.
class scratch_folder {
 public:
  scratch_folder();  // throws std::runtime_error if there can be none
  ~scratch_folder();
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Starts the program (words[0], looked for in PATH), waits for its end and reads its report. It
// reads run.input, and what it writes is thrown away unless `show_output`. TAKT_WORKERS,
// TAKT_STATS and TAKT_TRACE of our own environment are not passed on. Throws run_failure.
sim_report run_simulated(const std::vector<std::string>& words, const simulated_run& run,
                         const scratch_folder& scratch, bool show_output);

}  // namespace takt::tools
