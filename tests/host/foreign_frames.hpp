// What the programs with another runtime in a task share: that one's loop inside takt's, and takt's forks inside that.
#pragma once

#include "host.hpp"

#include <cstring>
#include <string>

namespace host {

inline long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = takt::fork_join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

/// How many joins have waited for a branch that another worker had.
inline long joins_that_waited() {
  const std::string all = takt::stats_json();
  const auto total = [&all](const char* name) { return std::atol(all.c_str() + all.find(name) + std::strlen(name)); };
  return total("\"suspensions\":") + total("\"waits_in_place\":");
}

/// Whether a join whose other branch ends elsewhere, and only once this one waits, goes on on its own thread.
inline bool join_comes_back_here() {
  let_a_beat_pass();
  const pid_t here = gettid();
  const long before = joins_that_waited();
  std::atomic<bool> is_given{false};
  std::atomic<bool> has_waited{false};
  takt::fork_join([&] { wait_until([&] { return is_given.load(); }); },
                  [&] {
                    is_given = true;
                    has_waited = wait_until([&] { return joins_that_waited() > before; });
                  });
  return has_waited && gettid() == here;
}

/// `loop(count, body)` runs body(i) for i in [0, count) in the other runtime; body calls takt. Under each setting, the
/// sum must be right and code must go on where it was. @returns whether all was well.
template <class Loop>
void run_inside_each_other(Loop loop, int rounds) {
  for (const unsigned workers : {1u, 2u, 4u}) {
    for (const auto beat : {std::chrono::microseconds(0), std::chrono::microseconds(30)}) {
      takt::config settings;
      settings.workers = workers;
      settings.beat = beat;
      takt::configure(settings);
      std::atomic<long> sum{0};
      for (int round = 0; round < rounds; ++round) {
        takt::parallel_for(0, 20, [&](int) { loop(10, [&](int) { sum += fib(14); }); });
        // And from the other runtime's own threads, whose calls are outermost ones.
        loop(4, [&](int) { sum += fib(12); });
      }
      const long expected = rounds * (200l * 377 + 4l * 144);
      HOST_CHECK(sum == expected, "%ld, not %ld", sum.load(), expected);
    }
  }
  takt::config settings;
  settings.workers = 2;
  takt::configure(settings);
  HOST_CHECK(two_run_side_by_side());
  // The fork inside the other runtime's frames is given away all the same.
  std::atomic<bool> met{false};
  takt::fork_join([&] { loop(1, [&](int) { met = two_run_side_by_side(); }); }, [] {});
  HOST_CHECK(met);
  std::atomic<bool> stays{false};
  takt::fork_join([&] { loop(1, [&](int) { stays = join_comes_back_here(); }); }, [] {});
  HOST_CHECK(stays);
}

}  // namespace host
