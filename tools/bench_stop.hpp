// Being asked to stop in the middle of measuring: what is measured so far is kept.
#pragma once

namespace takt::tools {

// Thrown by what waits for a runner, once stop_signal() is not 0. No std::exception: nobody takes
// it for a runner that has failed.
struct bench_stopped {};

// While one lives, the first SIGINT, SIGTERM or SIGHUP is kept for stop_signal(); a second one ends
// the process as ever. A signal that the caller ignores stays ignored.
class signals_kept {
 public:
  signals_kept();
  ~signals_kept();
  signals_kept(const signals_kept&) = delete;
  signals_kept& operator=(const signals_kept&) = delete;
};

// The signal that has come; 0: none.
int stop_signal() noexcept;

}  // namespace takt::tools
