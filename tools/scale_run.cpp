#include "tools/scale_run.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "tools/markup.hpp"
#include "tools/output_file.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

const ordered_json& member(const ordered_json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  if (!object.is_object() || found == object.end()) {
    throw run_failure(fmt::format("wrote a report without \"{}\"", key));
  }
  return *found;
}

double number(const ordered_json& object, const char* key) {
  const ordered_json& value = member(object, key);
  if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() < 0) {
    throw run_failure(fmt::format("wrote a report whose \"{}\" is no number from 0 on", key));
  }
  return value.get<double>();
}

std::string text_of(const ordered_json& object, const char* key) {
  const ordered_json& value = member(object, key);
  if (!value.is_string()) {
    throw run_failure(fmt::format("wrote a report whose \"{}\" is no text", key));
  }
  return value.get<std::string>();
}

void check_workers(const ordered_json& object, unsigned workers, const char* whose) {
  if (number(object, "workers") != workers) {
    throw run_failure(
        fmt::format("{} {:g} workers where {} were asked for; the number must be left to "
                    "the environment",
                    whose, number(object, "workers"), workers));
  }
}

// TAKT_SIM's first key: the simulator that was installed with this command. A program that has the static library in
// it would not find it.
std::string installed_simulator() {
  std::error_code error;
  const fs::path library = fs::read_symlink("/proc/self/exe", error).parent_path() / TAKT_SIMULATOR_FROM_TOOL;
  const bool can_be_named = library.string().find(',') == std::string::npos;
  return can_be_named && fs::exists(library, error) ? "library=" + library.string() + "," : "";
}

// Runs in the child, which has one thread as its parent has.
[[noreturn]] void become_program(const std::vector<std::string>& words, const simulated_run& run,
                                 const std::string& out, const std::string& input,
                                 const std::string& errors, bool show_output, int failed) {
  // Who interrupts takt wants no program left behind.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(run.input.empty() ? nothing : ::open(input.c_str(), O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  if (!show_output) {
    const int errors_file = ::open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ::dup2(nothing, STDOUT_FILENO);
    ::dup2(errors_file, STDERR_FILENO);
  }
  ::unsetenv("TAKT_WORKERS");
  ::unsetenv("TAKT_STATS");
  ::unsetenv("TAKT_TRACE");
  ::setenv("TAKT_SIM", (installed_simulator() + takt_sim_value(run, out)).c_str(), 1);
  for (const auto& [name, value] : run.environment) {
    ::setenv(name.c_str(), value.c_str(), 1);
  }
  std::vector<char*> arguments;
  for (const std::string& word : words) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  const int error = errno;
  [[maybe_unused]] const ssize_t written = ::write(failed, &error, sizeof error);
  ::_exit(127);
}

// Waits for the end of the program. Throws run_failure if it was not started.
int wait_for(pid_t child, int failed) {
  int error = 0;
  ssize_t got = 0;
  // The pipe closes when the program begins.
  do {
    got = ::read(failed, &error, sizeof error);
  } while (got < 0 && errno == EINTR);
  ::close(failed);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (got == sizeof error) {
    throw run_failure(fmt::format("cannot be started: {}", std::strerror(error)));
  }
  return status;
}

std::string read_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// The last line that says something, without what a terminal would not show.
std::string last_words(const std::string& path) {
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  if (!stream) {
    return "";
  }
  constexpr std::streamoff k_enough = 4096;
  const std::streamoff size = stream.tellg();
  stream.seekg(std::max<std::streamoff>(0, size - k_enough));
  std::ostringstream rest;
  rest << stream.rdbuf();
  std::string text = rest.str();
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) {
    return "";
  }
  text.resize(end + 1);
  const std::size_t line = text.rfind('\n');
  text = text.substr(line == std::string::npos ? 0 : line + 1);
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
  constexpr std::size_t k_longest = 200;
  return ": " + shortened(text, k_longest);
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) {
    return fmt::format("crashed (signal {}, {})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  }
  return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

}  // namespace

sim_report to_report(const std::string& text, unsigned workers) {
  sim_report report;
  report.raw = ordered_json::parse(text, nullptr, false);
  if (report.raw.is_discarded() || !report.raw.is_object()) {
    throw run_failure("wrote a report that is not JSON");
  }
  if (number(report.raw, "takt_sim") != 1) {
    throw run_failure("wrote a report of another version of takt");
  }
  check_workers(report.raw, workers, "simulated");
  const ordered_json& stats = member(report.raw, "stats");
  check_workers(stats, workers, "used");
  report.before_s = number(report.raw, "seconds_before");
  report.seconds = number(report.raw, "seconds");
  report.in_calls_s = number(report.raw, "seconds_in_calls");
  report.calls = number(report.raw, "calls");
  const ordered_json& total = member(stats, "total");
  report.promotions = number(total, "promotions_forks") + number(total, "promotions_loops") +
                      number(total, "promotions_groups");
  report.steals = number(total, "steals_done");
  report.working_s = number(total, "working_s");
  const ordered_json& trigger = member(stats, "trigger");
  report.trigger = trigger.is_string() ? trigger.get<std::string>() : "";
  if (report.calls < 1 || report.in_calls_s <= 0) {
    throw run_failure("spent no time in parallel calls");
  }
  if (report.raw.contains("in_calls")) {
    const ordered_json& in_calls = report.raw["in_calls"];
    report.in_program_s = number(in_calls, "program_s");
    report.overhead_s = number(in_calls, "overhead_s");
    report.idle_before_s = number(in_calls, "idle_before_s");
    report.idle_between_s = number(in_calls, "idle_between_s");
    report.idle_after_s = number(in_calls, "idle_after_s");
  }
  if (report.raw.contains("sites")) {
    report.silent_s = number(report.raw, "silent_span_s");
    for (const ordered_json& one : report.raw["sites"]) {
      code_site site;
      site.object = text_of(one, "object");
      site.address = static_cast<std::uint64_t>(number(one, "address"));
      site.name = text_of(one, "name");
      site.span_s = number(one, "span_s");
      site.work_s = number(one, "work_s");
      report.sites.push_back(std::move(site));
    }
  }
  if (report.raw.contains("caches")) {
    for (const ordered_json& level : report.raw["caches"]) {
      report.misses.push_back(number(level, "misses"));
      report.touched = std::max(report.touched, number(level, "hits") + number(level, "misses"));
    }
    for (ordered_json& level : report.raw["caches"]) {
      level.erase("misses_per_worker");
    }
  }
  if (report.raw.contains("memory")) {
    const ordered_json& memory = report.raw["memory"];
    report.memory_s = number(memory, "seconds");
    report.queued_s = number(memory, "queued_s");
    report.local_lines = number(memory, "local_lines");
    report.remote_lines = number(memory, "remote_lines");
  }
  if (report.raw.contains("program_s")) {
    report.program_s = number(report.raw, "program_s");
  }
  report.raw["stats"].erase("per_worker");
  return report;
}

std::string takt_sim_value(const simulated_run& run, const std::string& out) {
  std::string value = fmt::format("workers={}", run.workers);
  for (const cost_name& cost : k_costs) {
    // A promotion that costs no more than its code would cost nothing where code takes no time.
    if (!run.deterministic || cost.value != &sim_costs::promotion || run.costs.promotion != 0) {
      value += fmt::format(",{}_ns={}", cost.name, run.costs.*cost.value);
    }
  }
  for (const machine_cache& cache : run.caches) {
    value += fmt::format("{}{}:{}", &cache == run.caches.data() ? ",caches=" : "+", cache.bytes,
                         cache.shared_by);
    if (run.memory) {
      value += fmt::format(":{:.3f}", cache.latency_ns);
      if (cache.gb_per_s > 0) {
        value += fmt::format(":{:.3f}", cache.gb_per_s);
      }
    }
  }
  for (const machine_speed& one : run.speeds) {
    value += fmt::format("{}{}:{:.3f}", &one == run.speeds.data() ? ",speeds=" : "+", one.cores, one.speed);
  }
  if (run.memory) {
    value += fmt::format(",memory={:.3f}:{:.3f}:{:.3f}:{},in_flight={},pages={}", run.memory->local_ns,
                         run.memory->remote_ns, run.memory->gb_per_s, run.cores_per_node,
                         run.memory->in_flight, run.interleaved ? "interleave" : "first_touch");
  }
  if (run.grain != 0) {
    value += fmt::format(",grain={}", run.grain);
  }
  if (run.deterministic) {
    value += ",deterministic=1";
    if (run.iteration_ns != 0) {
      value += fmt::format(",iteration_ns={}", run.iteration_ns);
    }
    if (run.work_ns > 0) {
      value += fmt::format(",work_ns={:.3f}", run.work_ns);
    }
  }
  if (run.sites != 0) {
    value += fmt::format(",sites={}", run.sites);
  }
  return value + ",out=" + out;
}

scratch_folder::scratch_folder() {
  std::error_code error;
  const fs::path base = fs::temp_directory_path(error);
  std::string name = (error ? fs::path("/tmp") : base) / "takt-scale-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error(fmt::format("{}: {}", name, std::strerror(errno)));
  }
  path_ = name;
}

scratch_folder::~scratch_folder() {
  std::error_code error;
  fs::remove_all(path_, error);
}

sim_report run_simulated(const std::vector<std::string>& words, const simulated_run& run,
                         const scratch_folder& scratch, bool show_output) {
  const std::string out = scratch.path() + "/report.json";
  const std::string errors = scratch.path() + "/stderr";
  const std::string input = scratch.path() + "/stdin";
  std::remove(out.c_str());
  if (!run.input.empty()) {
    write_file(input, run.input);
  }
  int failed[2];
  if (::pipe2(failed, O_CLOEXEC) != 0) {
    throw run_failure(fmt::format("cannot be started: {}", std::strerror(errno)));
  }
  // What was printed so far must not be printed by the child again.
  std::fflush(nullptr);
  const pid_t child = ::fork();
  const int error = errno;
  if (child == 0) {
    become_program(words, run, out, input, errors, show_output, failed[1]);
  }
  ::close(failed[1]);
  if (child < 0) {
    ::close(failed[0]);
    throw run_failure(fmt::format("cannot be started: {}", std::strerror(error)));
  }
  const int status = wait_for(child, failed[0]);
  if (status != 0) {
    throw run_failure(how_it_ended(status) + (show_output ? "" : last_words(errors)));
  }
  if (!fs::exists(out)) {
    throw run_failure("made no parallel call, or has a takt that cannot be simulated");
  }
  return to_report(read_text(out), run.workers);
}

}  // namespace takt::tools
