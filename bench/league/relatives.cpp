// relatives ROWS...: what the league does not ask, for one system; compiled once for each (LEAGUE_TAKT, LEAGUE_TBB,
// LEAGUE_OMP, or neither: serial). Without ROWS: all. Each line: row, what, and figures.
//
//   flat    one scope of 10^5 or 10^6 tasks of 0.1, 1 and 10 us: seconds, and seconds over the tasks' own time
//   ticks   a loop of control: every 16 ms, fifty loops of 20 us each: time and CPU time of a tick
//   curve   a loop of 0.1 us to 10 ms of work: time over serial, hot and after a rest of 5 ms
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <thread>
#include <vector>

#if defined(LEAGUE_TAKT)
#include <takt/takt.hpp>
#elif defined(LEAGUE_TBB)
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>
#endif

namespace {

using clock_type = std::chrono::steady_clock;

double seconds_since(clock_type::time_point start) {
  return std::chrono::duration<double>(clock_type::now() - start).count();
}

/// A chain of multiplications. The compiler must not know that there is nothing else in it.
void work(std::uint64_t steps) {
  std::uint64_t x = steps;
  for (; steps > 0; --steps) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    asm volatile("" : "+r"(x));
  }
}

double steps_per_us() {
  double best = 0;
  for (int run = 0; run < 5; ++run) {
    const auto start = clock_type::now();
    work(2000000);
    best = std::max(best, 2.0 / seconds_since(start));
  }
  return best;
}

template <class Task>
void run_scope(long count, const Task& task) {
#if defined(LEAGUE_TAKT)
  takt::task_group group;
  for (long i = 0; i < count; ++i) group.run(task);
  group.wait();
#elif defined(LEAGUE_TBB)
  tbb::task_group group;
  for (long i = 0; i < count; ++i) group.run(task);
  group.wait();
#elif defined(LEAGUE_OMP)
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < count; ++i) {
#pragma omp task
    task();
  }
#else
  for (long i = 0; i < count; ++i) task();
#endif
}

template <class Body>
void run_loop(long count, const Body& body) {
#if defined(LEAGUE_TAKT)
  takt::parallel_for(0L, count, body);
#elif defined(LEAGUE_TBB)
  tbb::parallel_for(tbb::blocked_range<long>(0, count), [&](const tbb::blocked_range<long>& part) {
    for (long i = part.begin(); i != part.end(); ++i) body(i);
  });
#elif defined(LEAGUE_OMP)
#pragma omp parallel for
  for (long i = 0; i < count; ++i) body(i);
#else
  for (long i = 0; i < count; ++i) body(i);
#endif
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> all) {
  std::nth_element(all.begin(), all.begin() + static_cast<long>(all.size() / 2), all.end());
  return all[all.size() / 2];
}

void flat(double per_us, bool quick) {
  for (const long count : {100000L, 1000000L}) {
    for (const double us : {0.1, 1.0, 10.0}) {
      if (quick && static_cast<double>(count) * us > 20000) continue;
      const auto steps = static_cast<std::uint64_t>(us * per_us);
      const auto start = clock_type::now();
      run_scope(count, [=] { work(steps); });
      const double took = seconds_since(start);
      std::printf("flat %ld tasks of %g us: %.4f s, %.3f of their work\n", count, us, took,
                  took / (static_cast<double>(count) * us * 1e-6));
    }
  }
}

void ticks(double per_us, bool quick) {
  constexpr long k_iterations = 40;
  const auto steps = static_cast<std::uint64_t>(20.0 / k_iterations * per_us);
  std::vector<double> times;
  double cpu = 0;
  const int count = quick ? 2 : 60;
  auto next = clock_type::now();
  for (int tick = -1; tick < count; ++tick) {
    const double cpu_before = cpu_seconds();
    const auto start = clock_type::now();
    for (int loop = 0; loop < 50; ++loop) run_loop(k_iterations, [=](long) { work(steps); });
    const double took = seconds_since(start);
    next += std::chrono::milliseconds(16);
    std::this_thread::sleep_until(next);
    // The first one starts the threads.
    if (tick < 0) continue;
    times.push_back(took);
    cpu += cpu_seconds() - cpu_before;
  }
  std::printf("ticks of 1 ms of work: %.3f ms at the median, %.3f at most; %.3f ms of CPU time\n", 1e3 * median(times),
              1e3 * *std::max_element(times.begin(), times.end()), 1e3 * cpu / count);
}

void curve(double per_us, bool quick) {
  for (const double us : {0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0, 10000.0}) {
    if (quick && us > 1) continue;
    // An iteration of 10 ns.
    const long count = static_cast<long>(us * 100 + 0.5);
    const auto steps = std::max(std::uint64_t{1}, static_cast<std::uint64_t>(per_us / 100));
    const auto body = [=](long) { work(steps); };
    const long calls = std::max(1L, static_cast<long>(2000 / us));
    const auto each = [&](const auto& call) {
      const auto start = clock_type::now();
      for (long i = 0; i < calls; ++i) call();
      return 1e6 * seconds_since(start) / static_cast<double>(calls);
    };
    std::vector<double> serial, hot, rested;
    for (int run = 0; run < (quick ? 1 : 9); ++run) {
      serial.push_back(each([&] {
        for (long i = 0; i < count; ++i) body(i);
      }));
      run_loop(count, body);
      hot.push_back(each([&] { run_loop(count, body); }));
    }
    for (int run = 0; run < (quick ? 1 : 25); ++run) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      const auto start = clock_type::now();
      run_loop(count, body);
      rested.push_back(1e6 * seconds_since(start));
    }
    std::printf("curve %g us: %.2f of serial hot, %.2f after a rest\n", us, median(hot) / median(serial),
                median(rested) / median(serial));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  const int first = quick ? 2 : 1;
  const auto wanted = [&](const char* row) {
    return argc == first || std::any_of(argv + first, argv + argc, [&](char* one) { return std::strcmp(one, row) == 0; });
  };
  for (int i = first; i < argc; ++i) {
    if (std::strcmp(argv[i], "flat") != 0 && std::strcmp(argv[i], "ticks") != 0 && std::strcmp(argv[i], "curve") != 0) {
      std::fprintf(stderr, "relatives: '%s' is none of flat, ticks, curve\n", argv[i]);
      return 2;
    }
  }
  const double per_us = steps_per_us();
  if (wanted("flat")) flat(per_us, quick);
  if (wanted("ticks")) ticks(per_us, quick);
  if (wanted("curve")) curve(per_us, quick);
  return 0;
}
