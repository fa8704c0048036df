#include "tools/bench_process.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/bench_stop.hpp"

namespace takt::tools {
namespace {

using clock = std::chrono::steady_clock;

// Runs in the child. Only async-signal-safe calls, apart from setenv, which is safe because
// the driver has one thread.
[[noreturn]] void become_runner(const runner_command& command, int input, int output) {
  // A driver that is killed must not leave stopped processes behind.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGPIPE, SIG_DFL);
  // Ctrl-C at the terminal is for the driver, which keeps what has been measured.
  setpgid(0, 0);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  // What it is to be measured under. Without that it does not begin.
  const int group = command.group.empty() ? -1 : open(command.group.c_str(), O_WRONLY | O_CLOEXEC);
  errno = 0;
  if ((!command.group.empty() && write(group, "0", 1) != 1) ||
      (command.niceness != 0 && nice(command.niceness) == -1 && errno != 0)) {
    _exit(127);
  }
  for (const auto& [name, value] : command.environment) {
    setenv(name.c_str(), value.c_str(), 1);
  }
  std::vector<char*> arguments;
  for (const std::string& argument : command.arguments) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

runner_process::runner_process(const runner_command& command) {
  // Writing to a runner that has died is reported by the next receive(), not by a signal.
  std::signal(SIGPIPE, SIG_IGN);
  int request[2];
  int reply[2];
  if (pipe2(request, O_CLOEXEC) != 0) {
    throw runner_failure(fmt::format("no pipe: {}", std::strerror(errno)));
  }
  if (pipe2(reply, O_CLOEXEC) != 0) {
    const int error = errno;
    close(request[0]);
    close(request[1]);
    throw runner_failure(fmt::format("no pipe: {}", std::strerror(error)));
  }
  pid_ = fork();
  const int error = errno;
  if (pid_ == 0) {
    become_runner(command, request[0], reply[1]);
  }
  close(request[0]);
  close(reply[1]);
  to_child_ = request[1];
  from_child_ = reply[0];
  if (pid_ < 0) {
    close(to_child_);
    close(from_child_);
    throw runner_failure(fmt::format("cannot be started: {}", std::strerror(error)));
  }
}

runner_process::~runner_process() {
  close(to_child_);
  if (pid_ > 0) {
    resume();
    constexpr int k_patience_ms = 5000;
    if (stop_signal() != 0 || !wait_for_end(k_patience_ms)) {
      kill_and_reap();
    }
  }
  close(from_child_);
}

// The end of the child's output stands for its end; waiting on it needs no signal handler.
bool runner_process::wait_for_end(int milliseconds) {
  const auto deadline = clock::now() + std::chrono::milliseconds(milliseconds);
  char ignored[4096];
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - clock::now());
    if (left.count() <= 0) {
      return false;
    }
    pollfd output{from_child_, POLLIN, 0};
    if (poll(&output, 1, static_cast<int>(left.count())) > 0 &&
        read(from_child_, ignored, sizeof ignored) == 0) {
      waitpid(pid_, nullptr, 0);
      pid_ = -1;
      return true;
    }
  }
}

void runner_process::kill_and_reap() {
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

std::string runner_process::death() {
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  if (WIFSIGNALED(status)) {
    return fmt::format("crashed (signal {}, {})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  }
  if (WEXITSTATUS(status) == 127) {
    return "cannot be started";
  }
  return fmt::format("ended without an answer (exit code {})", WEXITSTATUS(status));
}

void runner_process::send(const std::string& line) {
  const std::string text = line + "\n";
  // A failed write means a dead runner; receive() finds out how it died.
  [[maybe_unused]] const ssize_t written = write(to_child_, text.data(), text.size());
}

nlohmann::json runner_process::receive(int limit_s, const waiting& on_wait) {
  if (pid_ < 0) {
    throw runner_failure("has ended");
  }
  const auto start = clock::now();
  int told = 0;
  std::size_t end = unread_.find('\n');
  while (end == std::string::npos) {
    if (stop_signal() != 0) {
      throw bench_stopped{};
    }
    pollfd output{from_child_, POLLIN, 0};
    constexpr int k_tick_ms = 250;
    if (poll(&output, 1, k_tick_ms) > 0) {
      char block[4096];
      const ssize_t got = read(from_child_, block, sizeof block);
      if (got <= 0) {
        throw runner_failure(death());
      }
      unread_.append(block, static_cast<std::size_t>(got));
      end = unread_.find('\n');
      continue;
    }
    const auto waited = std::chrono::duration_cast<std::chrono::seconds>(clock::now() - start);
    const auto seconds = static_cast<int>(waited.count());
    if (seconds >= limit_s) {
      kill_and_reap();
      throw runner_failure(fmt::format("took longer than {} s", limit_s));
    }
    if (seconds > told) {
      told = seconds;
      on_wait(seconds);
    }
  }
  const std::string line = unread_.substr(0, end);
  unread_.erase(0, end + 1);
  nlohmann::json answer = nlohmann::json::parse(line, nullptr, false);
  if (!answer.is_object()) {
    throw runner_failure("gave an answer that is not understood");
  }
  if (answer.contains("error")) {
    throw runner_failure(answer["error"].get<std::string>());
  }
  return answer;
}

void runner_process::stop() {
  if (pid_ < 0 || kill(pid_, SIGSTOP) != 0) {
    return;
  }
  // Delivered is not yet stopped: a runtime with threads on other CPUs takes a moment. An
  // exit is left for receive() to find, so only stops are waited for.
  siginfo_t info{};
  waitid(P_PID, static_cast<id_t>(pid_), &info, WSTOPPED | WEXITED | WNOWAIT);
}

void runner_process::resume() {
  if (pid_ > 0) {
    kill(pid_, SIGCONT);
  }
}

}  // namespace takt::tools
