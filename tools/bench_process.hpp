// A runner: a child process that is asked for one run at a time and stopped in between.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

#include <nlohmann/json.hpp>

namespace takt::tools {

// The runner did not do what it was asked to. what() says how in a few words: "crashed
// (signal 11)", "took longer than 60 s", or what the runner itself reported.
class runner_failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct runner_command {
  std::vector<std::string> arguments;  // the program first
  std::vector<std::pair<std::string, std::string>> environment;  // added to our own
  int niceness = 0;     // added to our own
  std::string group{};  // the control group's file that takes its processes; "": ours
};

class runner_process {
 public:
  // Called about once a second while a runner keeps us waiting, with the seconds waited.
  using waiting = std::function<void(int)>;

  // Throws runner_failure if the program cannot be started.
  explicit runner_process(const runner_command& command);
  runner_process(const runner_process&) = delete;
  runner_process& operator=(const runner_process&) = delete;
  // Ends the process: politely, so that it can write what it writes at exit, then by force.
  ~runner_process();

  void send(const std::string& line);

  // One line of output, parsed. Throws runner_failure when there is none within `limit_s`
  // seconds, when it is not JSON, or when it is {"error": ...}; bench_stopped when somebody wants
  // all of this to end.
  nlohmann::json receive(int limit_s, const waiting& on_wait);

  // A stopped runner uses no CPU: some runtimes spin for a long time after their work, which
  // would otherwise slow down whoever is measured next.
  void stop();
  void resume();

 private:
  bool wait_for_end(int milliseconds);
  void kill_and_reap();
  std::string death();

  pid_t pid_ = -1;
  int to_child_ = -1;
  int from_child_ = -1;
  std::string unread_;
};

}  // namespace takt::tools
