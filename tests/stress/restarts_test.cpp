// The pool ends and starts again, with calls from everywhere: nothing is lost between two runtimes, and configure()
// refuses whenever a call is under way.
#include <takt/takt.hpp>

#include "support/program.hpp"
#include "support/seed.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

using takt_test::fib;
using takt_test::serial_fib;

// Debug builds and sanitizers do less in the same time.
#if TAKT_TEST_SANITIZER
constexpr int k_rounds = 60;
#else
constexpr int k_rounds = 400;
#endif

// For takt::configure, too, TAKT_BEAT_SOURCE holds once it has been read.
[[maybe_unused]] const takt::config of_environment = takt::config::from_environment();

takt::config random_trigger(std::mt19937& random) {
  const unsigned workers = 1 + static_cast<unsigned>(random() % 6);
  switch (random() % 6) {
    case 0:
      return takt_test::eager(workers);
    case 1:
      return takt_test::beat_zero(workers);
    case 2:
      return takt_test::settings(workers, takt::trigger::never);
    case 4:
      return takt_test::on_request(workers, std::chrono::microseconds(random() % 50));
    case 3:
      return takt_test::settings(workers, takt::lab::beat, std::chrono::microseconds(random() % 50));
    default:
      return takt_test::by_default(workers);
  }
}

takt::config random_settings(std::mt19937& random) {
  constexpr takt::policy k_all[] = {takt::policy::random, takt::lab::random_private, takt::lab::random_mixed};
  const takt::policy b = k_all[random() % 3];
  return takt_test::with(b, random_trigger(random));
}

bool call_is_right(std::uint64_t choice) {
  const long n = static_cast<long>(choice % 14);
  switch (choice / 16 % 3) {
    case 0:
      return fib(n) == serial_fib(n);
    case 1:
      return takt_test::triangle(3 * n) == takt_test::serial_triangle(3 * n);
    default: {
      std::atomic<long> sum{0};
      takt::task_group group;
      for (long i = 0; i < n; ++i) group.run([&sum, i] { sum.fetch_add(fib(i)); });
      group.wait();
      long expected = 0;
      for (long i = 0; i < n; ++i) expected += serial_fib(i);
      return sum.load() == expected;
    }
  }
}

TEST(restarts, after_every_few_calls) {
  std::mt19937 random(takt_test::chosen_seed());
  for (int round = 0; round < k_rounds; ++round) {
    const takt::config c = random_settings(random);
    takt::configure(c);
    // Sometimes none at all: a pool that ends before it has begun.
    for (auto calls = random() % 4; calls > 0; --calls)
      ASSERT_TRUE(call_is_right(random())) << takt_test::seed_message() << ", " << takt_test::describe(c);
  }
}

TEST(restarts, while_other_threads_make_calls) {
  constexpr unsigned k_callers = 4;
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::atomic<int> refused{0};
  std::vector<std::thread> callers;
  for (unsigned t = 0; t < k_callers; ++t) {
    callers.emplace_back([&, t] {
      std::mt19937 random(takt_test::chosen_seed() + t);
      while (!stop.load()) {
        if (!call_is_right(random())) wrong.fetch_add(1);
        // So that configure() has a chance.
        std::this_thread::yield();
      }
    });
  }
  std::mt19937 random(takt_test::chosen_seed() + k_callers);
  for (int round = 0, done = 0; round < 200 * k_rounds && done < k_rounds; ++round) {
    try {
      takt::configure(random_settings(random));
      ++done;
    } catch (const std::logic_error&) {
      refused.fetch_add(1);
      std::this_thread::yield();
    }
  }
  stop.store(true);
  for (auto& t : callers) t.join();
  EXPECT_EQ(wrong.load(), 0) << takt_test::seed_message();
}

TEST(restarts, threads_that_call_and_end_between_them) {
  std::mt19937 random(takt_test::chosen_seed());
  for (int round = 0; round < k_rounds / 4; ++round) {
    takt::configure(random_settings(random));
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    // Some of them outlive the runtime that they have called, and call the next.
    std::atomic<int> phase{0};
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&, choice = random(), stays = t == 0] {
        if (!call_is_right(choice)) wrong.fetch_add(1);
        phase.fetch_add(1);
        phase.notify_all();
        if (!stays) return;
        for (int p = phase.load(); p < 4; p = phase.load()) phase.wait(p);
        if (!call_is_right(choice + 1)) wrong.fetch_add(1);
      });
    }
    threads[1].join();
    threads[2].join();
    for (int p = phase.load(); p < 3; p = phase.load()) phase.wait(p);
    takt::configure(random_settings(random));
    phase.store(4);
    phase.notify_all();
    threads[0].join();
    ASSERT_EQ(wrong.load(), 0) << takt_test::seed_message();
  }
}

}  // namespace
