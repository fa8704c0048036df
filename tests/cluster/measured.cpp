// measured PROBLEM SIZE [BEAT_US]: a problem on all nodes, its answer, and what each node used. For measurements.
#include "programs.hpp"

#include <sys/resource.h>

#include <chrono>
#include <string>
#include <thread>

namespace {

double cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

long answer(const std::string& problem, int size) {
  if (problem == "fib") return cluster_test::fib(size);
  if (problem == "uts") return cluster_test::count_nodes(uts::tree{4, size}, uts::root(size > 10 ? 29 : 19));
  if (problem == "idle") return 0;
  return -1;
}

}  // namespace

int main(int argc, char** argv) {
  using clock = std::chrono::steady_clock;
  const std::string problem = argc > 1 ? argv[1] : "";
  const int size = argc > 2 ? std::atoi(argv[2]) : 0;
  unsigned rank = 0;
  double begun = 0, used = 0;
  {
    takt::cluster::session nodes(argc > 3 ? std::chrono::microseconds(std::atol(argv[3]))
                                          : takt::cluster::k_remote_beat);
    rank = nodes.rank();
    begun = cpu_seconds();
    if (rank == 0) {
      const auto start = clock::now();
      const long result = answer(problem, size);
      if (result == -1) {
        std::fprintf(stderr, "measured: the problem is fib, uts or idle, not '%s'\n", problem.c_str());
        std::_Exit(2);
      }
      if (problem == "idle") std::this_thread::sleep_for(std::chrono::seconds(size));
      std::printf("%s %d: %ld in %.3f s on %u nodes\n", problem.c_str(), size, result,
                  std::chrono::duration<double>(clock::now() - start).count(), nodes.size());
    }
  }
  used = cpu_seconds() - begun;
  const auto sent = takt_cluster_counts();
  std::printf("node %u: %.3f s of CPU time, %lu branches, %lu messages, %lu bytes\n", rank, used,
              static_cast<unsigned long>(sent.promotions), static_cast<unsigned long>(sent.messages),
              static_cast<unsigned long>(sent.bytes));
}
