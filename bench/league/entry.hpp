// What the entries share: the arguments of the league's programs, and the lines that it reads.
#pragma once

#include <takt/takt.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>

namespace league {

/// The league gives the threads as an argument.
inline void use_threads(int argc, char** argv, int at) {
  takt::config settings = takt::config::from_environment();
  if (argc > at) settings.workers = static_cast<unsigned>(std::atoi(argv[at]));
  takt::configure(settings);
  std::printf("threads: %u\n", takt::current_config().workers);
}

inline long number(int argc, char** argv, int at, long otherwise) { return argc > at ? std::atol(argv[at]) : otherwise; }

[[noreturn]] inline void fail(const char* what) {
  std::fprintf(stderr, "%s: wrong answer\n", what);
  std::exit(1);
}

/// Runs once to warm up and once by the clock; run() returns whether the answer is right.
template <class Run>
int measure(const char* name, const char* key, long value, const Run& run) {
  if (!run()) fail(name);
  const auto start = std::chrono::steady_clock::now();
  const bool right = run();
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
  if (!right) fail(name);
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  std::printf("runs:\n  - %s: %ld\n    duration: %.0f us\n    max_rss: %ld KiB\n", key, value, took.count(),
              used.ru_maxrss);
  return 0;
}

}  // namespace league
