// Processes that a program of the host suite starts by fork(2), and what becomes of them.
#pragma once

#include "host.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <string>
#include <thread>

/// ThreadSanitizer would end a child that starts a thread. (Not inline, so that it is not taken for the one to be
/// replaced.)
extern "C" const char* __tsan_default_options() { return "die_after_fork=0"; }

namespace host {

/// ThreadSanitizer has a thread of its own, takes a child of a fork on a fiber for another thread, and cannot be called
/// by what is interposed before it starts.
inline void skip_under_thread_sanitizer() {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  skip("ThreadSanitizer");
#endif
#endif
}

struct outcome {
  int status = 0;
  std::string said;  ///< on its stderr

  bool good() const { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }
  bool killed_by(int signal) const { return WIFSIGNALED(status) && WTERMSIG(status) == signal; }
};

/// Waits for the child. One that hangs is ended after patience(), and its status says so.
inline int wait_for(pid_t child) {
  int status = 0;
  if (!wait_until([&] {
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended < 0 && errno == ECHILD) skip("SIGCHLD is ignored: nobody learns how a child ended");
        return ended == child;
      })) {
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
  }
  return status;
}

/// Runs `body` in a child; it ends well if that returns true.
template <class Body>
int status_of_child(Body body) {
  const pid_t child = fork();
  HOST_CHECK(child >= 0);
  if (child == 0) _exit(body() ? 0 : 1);
  return wait_for(child);
}

/// The same, with what it says.
template <class Body>
outcome run_in_child(Body body) {
  int pipe_ends[2];
  HOST_CHECK(pipe(pipe_ends) == 0);
  const pid_t child = fork();
  HOST_CHECK(child >= 0);
  if (child == 0) {
    dup2(pipe_ends[1], STDERR_FILENO);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    _exit(body() ? 0 : 1);
  }
  close(pipe_ends[1]);
  outcome result;
  // What it says is a line or two, which a pipe holds: the end comes first.
  result.status = wait_for(child);
  char text[512];
  for (ssize_t n; (n = read(pipe_ends[0], text, sizeof text)) > 0;)
    result.said.append(text, static_cast<std::size_t>(n));
  close(pipe_ends[0]);
  // An emulator has its own line about a program that ends so.
  if (const std::size_t at = result.said.rfind("qemu: uncaught target signal"); at != std::string::npos)
    result.said.erase(at);
  return result;
}

/// Whether a child of a process with several threads can start threads of its own. Under qemu-user (7.2) it cannot: the
/// emulator's own assertion (qemu_plugin_vcpu_init_hook) ends it. Before this process has other threads.
inline bool children_start_threads() {
  return run_in_child([] {
           std::atomic<bool> end{false};
           std::thread other([&end] { end.wait(false); });
           const int status = status_of_child([] {
             std::thread([] {}).join();
             return true;
           });
           end.store(true);
           end.notify_all();
           other.join();
           return status == 0;
         }).good();
}
inline constexpr const char* k_no_threads_in_children =
    "a child of a process with threads that starts one is ended by its emulator here";

#define HOST_CHECK_GOOD(...)                                                                   \
  do {                                                                                         \
    const int host_status = (__VA_ARGS__);                                                     \
    /* It has said why. */                                                                     \
    if (WIFEXITED(host_status) && WEXITSTATUS(host_status) == host::k_skip) std::_Exit(host::k_skip); \
    HOST_CHECK(host_status == 0, "wait status 0x%x", static_cast<unsigned>(host_status));      \
  } while (false)

}  // namespace host
