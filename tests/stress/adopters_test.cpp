// Several threads that are not workers, each in parallel calls of its own, for every number of workers, with the pool
// restarted in between. The seed is printed on failure; TAKT_SEED repeats it.
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <takt/takt.hpp>

#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int k_threads = 8;
constexpr int k_calls = TAKT_TEST_SANITIZER ? 20 : 60;

long fib(long n) {
  if (n < 2) return n;
  auto [a, b] = takt::fork_join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

long serial_fib(long n) { return n < 2 ? n : serial_fib(n - 1) + serial_fib(n - 2); }

long triangle_sums(long n) {
  return takt::parallel_reduce(
      0L, n, 0L, [](long i) { return takt::parallel_reduce(0L, i, 0L, [](long k) { return k; }, std::plus<>{}); },
      std::plus<>{});
}

long group_sum(long n) {
  std::vector<long> parts(static_cast<std::size_t>(n));
  takt::task_group group;
  for (long i = 0; i < n; ++i) {
    group.run([&parts, i] { parts[static_cast<std::size_t>(i)] = fib(i % 12); });
  }
  group.wait();
  long sum = 0;
  for (const long p : parts) sum += p;
  return sum;
}

long expected_group_sum(long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i) sum += serial_fib(i % 12);
  return sum;
}

// One thread's calls; the number of wrong answers.
int calls(unsigned seed) {
  std::mt19937 random(seed);
  int wrong = 0;
  for (int c = 0; c < k_calls; ++c) {
    const long n = static_cast<long>(random() % 18);
    switch (random() % 3) {
      case 0:
        wrong += fib(n) != serial_fib(n);
        break;
      case 1:
        // The sum over i < n of i (i - 1) / 2.
        wrong += triangle_sums(n * 20) != n * 20 * (n * 20 - 1) * (n * 20 - 2) / 6;
        break;
      default:
        wrong += group_sum(n) != expected_group_sum(n);
        break;
    }
  }
  return wrong;
}

void run_all(const takt::config& settings) {
  const char* given = std::getenv("TAKT_SEED");
  const unsigned seed = given != nullptr ? static_cast<unsigned>(std::stoul(given)) : std::random_device{}();
  takt::configure(settings);
  std::vector<int> wrong(k_threads);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < k_threads; ++t) {
    threads.emplace_back([&wrong, t, seed] { wrong[t] = calls(seed + t); });
  }
  for (std::thread& t : threads) t.join();
  for (unsigned t = 0; t < k_threads; ++t) {
    EXPECT_EQ(wrong[t], 0) << "TAKT_SEED=" << seed << ", thread " << t << ", workers " << settings.workers;
  }
}

class adopters : public testing::TestWithParam<unsigned> {};

TEST_P(adopters, beat) {
  takt::config settings;
  settings.workers = GetParam();
  run_all(settings);
}

TEST_P(adopters, every_poll) {
  takt::config settings;
  settings.workers = GetParam();
  settings.beat = std::chrono::microseconds(0);
  run_all(settings);
}

TEST_P(adopters, eager) {
  takt::config settings;
  settings.workers = GetParam();
  settings.trigger = takt::lab::eager;
  run_all(settings);
}

TEST_P(adopters, short_beats_and_signals) {
  takt::config settings;
  settings.workers = GetParam();
  settings.beat = std::chrono::microseconds(2);
  for (int restart = 0; restart < 5; ++restart) run_all(settings);
}

// With more workers than CPUs, thieves of private deques mostly wait for victims that do not run.
class balanced : public adopters {};

TEST_P(balanced, private_deques) {
  for (takt::config settings : {takt_test::eager(GetParam()), takt_test::beat_zero(GetParam()), takt::config{}}) {
    settings.workers = GetParam();
    run_all(takt_test::with(takt::lab::random_private, settings));
  }
}

TEST_P(balanced, mixed_deques) {
  for (takt::config settings : {takt_test::eager(GetParam()), takt_test::beat_zero(GetParam()), takt::config{}}) {
    settings.workers = GetParam();
    run_all(takt_test::with(takt::lab::random_mixed, settings));
  }
}

INSTANTIATE_TEST_SUITE_P(workers, balanced, testing::Values(1u, 2u, 3u),
                         [](const auto& p) { return "p" + std::to_string(p.param); });
// Under a sanitizer 64 threads on a few CPUs mostly wait for each other.
INSTANTIATE_TEST_SUITE_P(workers, adopters, testing::Values(1u, 2u, 3u, 8u, TAKT_TEST_SANITIZER ? 16u : 64u),
                         [](const auto& p) { return "p" + std::to_string(p.param); });

}  // namespace
