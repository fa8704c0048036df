#include "trial.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>

#include "progress.hpp"

namespace pagerank {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds k_short{200};

struct report {
  double seconds;
  double difference;
};

report one_iteration(const graph& g, unsigned workers, solver run) {
  state s;
  std::chrono::duration<double> elapsed{};
  // Once more if it was short: the first includes the start of the runtime's threads.
  for (int attempt = 0; attempt < 2 && elapsed < k_short; ++attempt) {
    s.reset(g);
    const auto start = clock::now();
    run(g, 1, workers, s);
    elapsed = clock::now() - start;
  }
  // Last, because the time limit is for what comes before.
  state expected;
  expected.reset(g);
  run_serial(g, 1, 1, expected);
  return {elapsed.count(), largest_difference(s.rank, expected.rank)};
}

// All there is of the child: nothing it throws may reach what its parent has left to do.
[[noreturn]] void tell_and_exit(const graph& g, unsigned workers, solver run, int pipe_end) {
  try {
    const report r = one_iteration(g, workers, run);
    const bool told = write(pipe_end, &r, sizeof r) == static_cast<ssize_t>(sizeof r);
    _exit(told ? 0 : 1);
  } catch (...) {
    _exit(1);
  }
}

// False when the time limit has passed.
bool wait_for_report(int pipe_end, double limit) {
  pollfd waiting{.fd = pipe_end, .events = POLLIN, .revents = 0};
  return poll(&waiting, 1, static_cast<int>(limit * 1000.0)) > 0;
}

}  // namespace

void try_one_iteration(const graph& g, unsigned workers, double limit, outcome& out) {
  // Until there is a report, there is none.
  out.result = outcome::how::died;
  int ends[2];
  if (pipe(ends) != 0) {
    return;
  }
  // What is still buffered would otherwise be written by both processes.
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    tell_and_exit(g, workers, out.which->run, ends[1]);
  }
  // Or else the end of the child would not be the end of the pipe.
  close(ends[1]);
  if (child > 0) {
    // Not before the fork: it starts a thread.
    const progress step("one iteration of " + std::string(out.which->name));
    report r{};
    if (!wait_for_report(ends[0], limit)) {
      out.result = outcome::how::gave_up;
      out.seconds = limit;
    } else if (read(ends[0], &r, sizeof r) == static_cast<ssize_t>(sizeof r)) {
      out.result = outcome::how::extrapolated;
      out.seconds = r.seconds;
      out.difference = r.difference;
    }
    // Harmless if it has ended; it is not waited for before this, so the id is still its own.
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  close(ends[0]);
}

}  // namespace pagerank
