#include "tools/trace.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tools/about.hpp"
#include "tools/command_line.hpp"
#include "tools/output_file.hpp"
#include "tools/scale_run.hpp"
#include "tools/trace_file.hpp"
#include "tools/trace_page.hpp"
#include "tools/usage_error.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;

struct trace_options {
  std::string json = "takt-trace.json";
  std::string html = "takt-trace.html";
  unsigned long events = 0;       // of each worker; 0: as the library has it
  std::vector<std::string> from;  // files of earlier runs; no program is run then
  std::vector<std::string> program;
};

// Runs in the child, which has one thread as its parent has.
[[noreturn]] void become_program(const trace_options& options, const std::string& folder, int failed) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGQUIT, SIG_DFL);
  std::string traced = folder + "/%p.json";
  if (options.events != 0) traced += ",events=" + std::to_string(options.events);
  ::setenv("TAKT_TRACE", traced.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : options.program) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  const int error = errno;
  [[maybe_unused]] const ssize_t written = ::write(failed, &error, sizeof error);
  ::_exit(127);
}

// Whoever ends this process means the program, which writes its trace then.
volatile std::sig_atomic_t running = 0;
extern "C" void hand_on(int signal) { ::kill(running, signal); }

// Ctrl-C at the terminal is for the program. It may end in its own way, with a trace; without one, we
// are the ones to say so. SIGTERM waits until there is a program that it can be handed on to.
class interrupts_left_to_program {
 public:
  interrupts_left_to_program() : int_(::signal(SIGINT, SIG_IGN)), quit_(::signal(SIGQUIT, SIG_IGN)) {
    sigset_t term;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    ::sigprocmask(SIG_BLOCK, &term, &mask_);
  }
  ~interrupts_left_to_program() {
    take_term();
    ::signal(SIGINT, int_);
    ::signal(SIGQUIT, quit_);
    if (term_ != SIG_ERR) ::signal(SIGTERM, term_);
  }
  // In the program itself, too, before it begins.
  void take_term() const { ::sigprocmask(SIG_SETMASK, &mask_, nullptr); }
  // Not before it is there, as it would begin with our handler.
  void also_its_end(pid_t program) {
    running = program;
    term_ = ::signal(SIGTERM, &hand_on);
    take_term();
  }
  interrupts_left_to_program(const interrupts_left_to_program&) = delete;
  interrupts_left_to_program& operator=(const interrupts_left_to_program&) = delete;

 private:
  using handler = void (*)(int);
  sigset_t mask_{};
  handler int_;
  handler quit_;
  handler term_ = SIG_ERR;
};

// The status of the program's end, as waitpid() has it. Throws usage_error if it was not started.
int run_program(const trace_options& options, const std::string& folder) {
  int failed[2];
  if (::pipe2(failed, O_CLOEXEC) != 0) {
    throw usage_error(fmt::format("{}: cannot be started: {}", options.program.front(), std::strerror(errno)));
  }
  // What was printed so far must not be printed by the child again.
  std::fflush(nullptr);
  interrupts_left_to_program interrupts;
  const pid_t child = ::fork();
  int error = errno;
  if (child == 0) {
    interrupts.take_term();
    become_program(options, folder, failed[1]);
  }
  if (child > 0) interrupts.also_its_end(child);
  ::close(failed[1]);
  ssize_t got = child < 0 ? static_cast<ssize_t>(sizeof error) : -1;
  while (child >= 0 && (got = ::read(failed[0], &error, sizeof error)) < 0 && errno == EINTR) {
  }
  ::close(failed[0]);
  int status = 0;
  while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (got == static_cast<ssize_t>(sizeof error)) {
    throw usage_error(fmt::format("{}: cannot be started: {}", options.program.front(), std::strerror(error)));
  }
  return status;
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) {
    return fmt::format("was ended by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  }
  return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void write_both(const trace_options& options, const std::vector<std::string>& files, const run_about& about) {
  std::string program;
  for (const std::string& word : options.program) {
    program += (program.empty() ? "" : " ") + word;
  }
  nlohmann::ordered_json trace = read_traces(files);
  const trace_timeline timeline = to_timeline(trace, program);
  const std::string page = to_html(timeline, about);
  write_file(options.json, trace.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  write_file(options.html, page);
  fmt::print(stderr, "takt trace: {}\n", verdict(timeline));
  if (timeline.dropped > 0) {
    fmt::print(stderr, "takt trace: {} events are not in it, as the newest {} of each worker are kept; see --events\n",
               timeline.dropped, timeline.ring);
  }
  fmt::print(stderr, "takt trace: {} is for a browser, {} for ui.perfetto.dev or chrome://tracing\n", options.html,
             options.json);
}

int trace(const trace_options& options) {
  const run_about about = about_now();
  if (!options.from.empty()) {
    write_both(options, options.from, about);
    return 0;
  }
  const scratch_folder scratch;
  const int status = run_program(options, scratch.path());
  const std::vector<std::string> files = files_in(scratch.path());
  const std::string& name = options.program.front();
  if (files.empty()) {
    if (WIFSIGNALED(status)) {
      throw usage_error(fmt::format("{}: {}, and a trace is written when a program exits: there is none", name,
                                    how_it_ended(status)));
    }
    throw usage_error(fmt::format(
        "{}: {} without a trace: it made no parallel call, ended by _exit(), or has no takt that writes one", name,
        how_it_ended(status)));
  }
  write_both(options, files, about);
  if (status == 0) {
    return 0;
  }
  fmt::print(stderr, "takt trace: {}: {}\n", name, how_it_ended(status));
  constexpr int k_exit_by_signal = 128;
  return WIFSIGNALED(status) ? k_exit_by_signal + WTERMSIG(status) : WEXITSTATUS(status);
}

void check(const trace_options& options) {
  const bool has_program = !options.program.empty() && !options.program.front().empty();
  if (options.from.empty() && !has_program) {
    throw usage_error("no program given (see takt trace --help)");
  }
  if (!options.from.empty() && !options.program.empty()) {
    throw usage_error("--from reads earlier traces: no program is run");
  }
  check_writable("--json", options.json);
  check_writable("--html", options.html);
  std::error_code error;
  if (options.json == options.html || fs::equivalent(options.json, options.html, error)) {
    throw usage_error("--json and --html name the same file");
  }
}

}  // namespace

int trace_command(int argc, char** argv) {
  CLI::App app("Runs a program that uses takt, and writes a timeline of what its workers did.", "takt trace");
  trace_options options;
  app.prefix_command();
  app.footer("Usage: takt trace [OPTIONS] -- PROGRAM [ARGUMENTS]");
  app.add_option("--json", options.json, "file in Chrome's trace-event format, for Perfetto")->capture_default_str();
  app.add_option("--html", options.html, "page with picture and tables")->capture_default_str();
  app.add_option("--events", options.events, "events to keep of each worker, the newest; default: 32768")
      ->check(CLI::Range(16UL, 1UL << 24));
  app.add_option("--from", options.from, "files that TAKT_TRACE or this command has written; no program is run")
      ->allow_extra_args(false);
  return run_with_arguments(app, argc, argv, true, [&] {
    options.program = program_of(app, argc, argv);
    check(options);
    return trace(options);
  });
}

}  // namespace takt::tools
