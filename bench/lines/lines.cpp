// How far two CPUs are from each other: what a cache line costs that the other one has written, or read.
#include <CLI/CLI.hpp>

#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t k_line = 64;
constexpr std::size_t k_lines = 4096;  // 256 KB: they fit into any second-level cache
constexpr int k_rounds = 50;

std::vector<int> cpus_of_this_process() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

void run_on(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  (void)sched_setaffinity(0, sizeof set, &set);
}

struct alignas(k_line) line {
  volatile long number;
};

/// The least of all rounds, in ns for each line.
struct least {
  double ns = 1e9;

  template <class Touch>
  void time(Touch touch) {
    const auto begun = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < k_lines; ++i) touch(i);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begun;
    ns = std::min(ns, took.count() / k_lines);
  }
};

// Whose turn it is.
void wait_for(const std::atomic<int>& turn, int mine) {
  while (turn.load(std::memory_order_acquire) != mine) {
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"What a cache line costs that another CPU has written, or read: ns for each of 4,096 lines in a row"};
  std::vector<int> cpus;
  app.add_option("cpus", cpus, "two CPUs; default: the first two that the process may use")->expected(2);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);
    std::fprintf(stderr, "takt-bench-lines: %s\n", e.what());
    return 2;
  }
  const std::vector<int> allowed = cpus_of_this_process();
  if (cpus.empty()) cpus.assign(allowed.begin(), allowed.begin() + std::min<std::ptrdiff_t>(2, std::ssize(allowed)));
  const bool may = std::all_of(cpus.begin(), cpus.end(), [&](int cpu) {
    return std::find(allowed.begin(), allowed.end(), cpu) != allowed.end();
  });
  if (cpus.size() != 2 || cpus[0] == cpus[1] || !may) {
    std::fprintf(stderr, "takt-bench-lines: needs two different CPUs that the process may use\n");
    return 2;
  }

  const auto lines = std::make_unique<std::array<line, k_lines>>();
  std::atomic<int> turn{0};
  least own, others, written;
  const auto write = [&](std::size_t i) { (*lines)[i].number = static_cast<long>(i); };
  const auto read = [&](std::size_t i) { (void)(*lines)[i].number; };
  std::thread other([&] {
    run_on(cpus[1]);
    for (int round = 0; round < k_rounds; ++round) {
      wait_for(turn, 2 * round + 1);
      others.time(read);
      turn.store(2 * round + 2, std::memory_order_release);
    }
  });
  run_on(cpus[0]);
  for (int round = 0; round < k_rounds; ++round) {
    wait_for(turn, 2 * round);
    // The first time they are nobody's yet.
    least first;
    (round == 0 ? first : written).time(write);
    own.time(read);
    turn.store(2 * round + 1, std::memory_order_release);
  }
  wait_for(turn, 2 * k_rounds);
  other.join();
  std::printf(
      "ns for each line: own read %.2f, read of what the other has written %.2f, write of what the other has read "
      "%.2f\n",
      own.ns, others.ns, written.ns);
}
