// When a stack, a thread or memory cannot be had, that part runs serially, with the right answers.
#include <takt/memory.hpp>
#include <takt/takt.hpp>

#include "fiber/fiber.hpp"
#include "support/counted.hpp"
#include "support/faulty_platform.hpp"
#include "support/program.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

using takt_test::fib;
using takt_test::planned_error;

// A bit of everything. Returns the first thing that went wrong; no memory of the heap is needed to say so.
const char* wrong_answer() {
  if (fib(13) != 233) return "forks";
  if (takt_test::triangle(40) != takt_test::serial_triangle(40)) return "loops";
  std::atomic<int> calls{0};
  {
    takt::task_group group;
    for (int i = 0; i < 30; ++i) {
      group.run([&] {
        calls.fetch_add(1);
        group.run([&calls] { calls.fetch_add(fib(4) == 3 ? 1 : 0); });
      });
    }
    group.wait();
    if (calls.load() != 60) return "groups";
  }
  calls = 0;
  takt::fork_join(
      [&calls] {
        takt::task_group group;
        takt::parallel_for(0, 40, [&](int i) { group.run([&calls, i] { calls.fetch_add(fib(i % 6) >= 0 ? 1 : 0); }); });
        group.wait();
      },
      [&calls] {
        takt::task_group group;
        for (int i = 0; i < 30; ++i) group.run([&calls] { calls.fetch_add(1); });
        group.wait();
      });
  if (calls.load() != 70) return "groups inside a call";
  calls = 0;
  try {
    takt::parallel_for(0, 100, [&calls](int i) {
      calls.fetch_add(1);
      takt::fork_join([] { (void)fib(5); },
                      [i] {
                        if (i >= 60) throw planned_error(i);
                      });
    });
    return "an error is lost";
  } catch (const planned_error& error) {
    if (error.id != 60) return "another error arrives";
  }
  if (calls.load() != 100) return "iterations after an error";
  if (planned_error::live() != 0) return "an error is leaked";
  return "";
}

class shortage : public testing::Test {
 protected:
  void SetUp() override { takt::platform::replace(&platform_); }
  void TearDown() override {
    // The next runtime must not refer to a platform that is gone.
    takt::platform::replace(nullptr);
    takt::configure(takt_test::by_default(1));
  }
  takt_test::faulty_platform platform_;
};

TEST_F(shortage, of_stacks) {
  for (const int stacks : {0, 1, 2, 3, 5}) {
    for (const auto& c : {takt_test::eager(1), takt_test::eager(2), takt_test::eager(3), takt_test::beat_zero(3),
                          takt_test::by_default(2)}) {
      SCOPED_TRACE(std::to_string(stacks) + " stacks, " + takt_test::describe(c));
      platform_.stacks = -1;  // those of the runtime before come back meanwhile
      takt::configure(c);
      platform_.stacks = stacks;
      for (int round = 0; round < 5; ++round) ASSERT_STREQ(wrong_answer(), "");
      const auto total = nlohmann::json::parse(takt::stats_json())["total"];
      EXPECT_LE(total["stacks_peak"], stacks);
    }
  }
}

TEST_F(shortage, of_threads) {
  for (const int threads : {0, 1}) {
    for (const auto& c : {takt_test::eager(3), takt_test::beat_zero(4), takt_test::by_default(3)}) {
      SCOPED_TRACE(std::to_string(threads) + " threads, " + takt_test::describe(c));
      platform_.threads = threads;
      takt::configure(c);
      for (int round = 0; round < 5; ++round) ASSERT_STREQ(wrong_answer(), "");
    }
  }
}

TEST_F(shortage, of_threads_is_counted_and_ends) {
  const auto statistic = [](const char* name) {
    return nlohmann::json::parse(takt::stats_json())["total"][name].get<int>();
  };
  platform_.threads = 0;
  takt::configure(takt_test::eager(3));
  while (statistic("threads_refused") < 3) ASSERT_STREQ(wrong_answer(), "");
  EXPECT_EQ(statistic("threads_started"), 0);
  platform_.threads = -1;
  while (statistic("threads_started") < 2) ASSERT_STREQ(wrong_answer(), "");
}

TEST_F(shortage, of_cpus_that_come_and_go) {
  for (auto c : {takt_test::eager(0), takt_test::beat_zero(0), takt_test::by_default(0)}) {
    platform_.cpus = 1;
    takt::configure(c);
    for (const unsigned cpus : {1u, 4u, 2u, 8u, 3u, 1u, 5u}) {
      platform_.cpus = cpus;
      while (takt::current_config().workers != cpus) ASSERT_STREQ(wrong_answer(), "");
      ASSERT_STREQ(wrong_answer(), "");
    }
  }
  // Whoever looks has to wait for a CPU meanwhile, for an hour: others look no later for that. (None looks again until
  // the count is right; a look an hour later would not come in this test's time.)
  platform_.ticks_per_look_at_cpus = static_cast<std::uint64_t>(3600 * platform_.ticks_per_second());
  platform_.cpus = 1;
  takt::configure(takt_test::eager(0));
  for (const unsigned cpus : {2u, 1u, 3u}) {
    platform_.cpus = cpus;
    while (takt::current_config().workers != cpus) ASSERT_STREQ(wrong_answer(), "");
  }
  platform_.ticks_per_look_at_cpus = 0;
  // A number that is set is kept.
  takt::configure(takt_test::eager(3));
  const auto looks = platform_.now() + static_cast<std::uint64_t>(0.3 * platform_.ticks_per_second());
  while (platform_.now() < looks) ASSERT_STREQ(wrong_answer(), "");
  EXPECT_EQ(takt::current_config().workers, 3u);
}

// One worker: nobody sleeps behind its calls, who would look.
TEST_F(shortage, of_cpus_that_come_between_rare_calls) {
  platform_.cpus = 1;
  takt::configure(takt_test::by_default(0));
  ASSERT_STREQ(wrong_answer(), "");
  bool looked_last = false;
  for (int call = 0; call < 6; ++call) {
    platform_.pass(1);
    const int before = platform_.looks_at_cpus.load();
    takt::fork_join([] {}, [] {});
    const int looks = platform_.looks_at_cpus.load() - before;
    EXPECT_LE(looks, 1);
    // Every second call at least, and none right after another one that did.
    if (call > 0) {
      EXPECT_NE(looks == 1, looked_last) << call;
    }
    looked_last = looks == 1;
  }
  platform_.cpus = 4;
  for (int call = 0; call < 2; ++call) {
    platform_.pass(1);
    takt::fork_join([] {}, [] {});
  }
  EXPECT_EQ(takt::current_config().workers, 4u);
}

TEST_F(shortage, of_threads_and_stacks) {
  platform_.threads = 0;
  takt::configure(takt_test::eager(3));
  platform_.stacks = 1;
  ASSERT_STREQ(wrong_answer(), "");
}

// Little is left of the address space when the runtime begins: what the budget says is kept for the program, else half;
// and half in any case, where two stacks and a thread would not fit beside the budget. Where they are more than half,
// nothing is reserved.
TEST_F(shortage, of_what_the_limits_leave) {
  constexpr std::uint64_t mega = 1 << 20;
  const auto statistic = [](const char* name) {
    return nlohmann::json::parse(takt::stats_json())["total"][name].get<std::uint64_t>();
  };
  takt::config c = takt_test::eager(8);
  c.stack_bytes = mega;
  const std::uint64_t stack = takt::core::fiber_pool::reserve(platform_, mega, true);
  const std::uint64_t thread = platform_.thread_reserve(true);
  EXPECT_GE(stack, mega);
  EXPECT_GE(thread, 64U << 10);
  const std::uint64_t least = 2 * stack + thread;
  struct room {
    std::uint64_t left, budget, ours;
  };
  for (const room r :
       {room{0, 0, 0}, room{2 * least - 2, 0, 0}, room{2 * least, 0, least}, room{128 * mega, 0, 64 * mega},
        room{64 * mega, 40 * mega, 18 * mega}, room{64 * mega, 80 * mega, least}, room{2 * least - 2, 80 * mega, 0}}) {
    SCOPED_TRACE(std::to_string(r.left) + " bytes, a budget of " + std::to_string(r.budget));
    platform_.left = r.left;
    c.memory = r.budget;
    takt::configure(c);
    if (r.ours == 0) {
      for (int round = 0; round < 5; ++round) ASSERT_STREQ(wrong_answer(), "");
      EXPECT_EQ(statistic("threads_started"), 0u);
      EXPECT_EQ(statistic("stacks_peak"), 0u);
      continue;
    }
    const std::uint64_t fit = r.ours > 4 * stack ? (r.ours - 4 * stack) / (4 * stack + thread) : 0;
    const std::uint64_t threads = std::min<std::uint64_t>(std::max<std::uint64_t>(fit, 1), 7);
    // What is left to it takes one, and a thread with a stack of its own as soon as there is something to steal.
    while (statistic("threads_started") < threads || statistic("stacks_peak") < 2) ASSERT_STREQ(wrong_answer(), "");
    for (int round = 0; round < 5; ++round) ASSERT_STREQ(wrong_answer(), "");
    EXPECT_EQ(statistic("threads_started"), threads);
    EXPECT_LE(statistic("stacks_peak") * stack + threads * thread, r.ours);
  }
  platform_.left = takt::platform::platform::k_no_limit;
  takt::configure(c);
  while (statistic("threads_started") < 7 || statistic("stacks_peak") < 3) ASSERT_STREQ(wrong_answer(), "");
}

// A limit makes stacks and threads small only where those of the usual size would not all fit.
TEST_F(shortage, of_what_the_limits_leave_where_it_is_much) {
  constexpr std::uint64_t mega = 1 << 20;
  takt::config c = takt_test::eager(4);
  c.stack_bytes = mega;
  const std::uint64_t all = 4 * 4 * takt::core::fiber_pool::reserve(platform_, mega, false) +
                            3 * std::uint64_t{platform_.thread_reserve(false)};
  struct room {
    std::uint64_t left, budget;
    bool is_short;
  };
  for (const room r : {room{2 * all, 0, false}, room{std::uint64_t{1} << 40, 0, false}, room{2 * all - 2, 0, true},
                       room{2 * all, 2 * all, true}}) {
    SCOPED_TRACE(std::to_string(r.left) + " bytes, a budget of " + std::to_string(r.budget));
    platform_.left = r.left;
    c.memory = r.budget;
    takt::configure(c);
    const int before = platform_.started();
    while (platform_.started() == before) ASSERT_STREQ(wrong_answer(), "");
    EXPECT_EQ(platform_.latent_bytes, r.is_short ? mega / 4 + mega / 16 : mega);
    EXPECT_EQ(platform_.small_thread, r.is_short);
    // Those of the threads that fit, or as many as there are workers.
    const auto total = nlohmann::json::parse(takt::stats_json())["total"];
    EXPECT_GE(total["threads_allowed"], 1);
    EXPECT_LE(total["threads_allowed"], 3);
    if (!r.is_short) {
      EXPECT_EQ(total["threads_allowed"], 3);
    }
  }
  platform_.left = takt::platform::platform::k_no_limit;
}

// A report that fits is counted, and needs no stack for its worker.
TEST_F(shortage, of_stacks_is_none_where_a_report_fits) {
  platform_.threads = 0;
  takt::lab::config c = takt_test::eager(2);
  c.memory = std::uint64_t{4} << 30;
  for (const bool is_hybrid : {true, false}) {
    c.lab.hybrid = is_hybrid;
    c.lab.memory_alpha = std::uint64_t{1} << 30;  // what is less sleeps no round
    takt::lab::configure(c);
    takt::fork_join([] { const takt::memory_scope larger_than_a_stack(std::uint64_t{512} << 20); }, [] {});
    EXPECT_EQ(nlohmann::json::parse(takt::stats_json())["total"]["stacks_peak"], 1u);
  }
}

// Pools by themselves, whose stacks may reserve as much as so many do.
class shortage_of_address_space : public testing::Test {
 protected:
  static constexpr std::size_t k_call_bytes = 1 << 20;
  static constexpr int k_share = 4;

  shortage_of_address_space() : stack_(takt::core::fiber_pool::reserve(platform_, k_call_bytes, true)) {}
  int stacks() const { return k_any - platform_.stacks.load(); }
  std::vector<takt::core::fiber*> take(takt::core::fiber_pool& pool, int count) {
    std::vector<takt::core::fiber*> taken;
    for (int i = 0; i < count; ++i) {
      // Each in the place of a block that is as large, so also beyond the share.
      taken.push_back(pool.take(stack_));
      EXPECT_NE(taken.back(), nullptr);
    }
    return taken;
  }
  static void give(takt::core::fiber_pool& pool, const std::vector<takt::core::fiber*>& taken) {
    for (takt::core::fiber* const f : taken) pool.give(f);
  }

  static constexpr int k_any = 1000;
  takt_test::faulty_platform platform_;
  std::uint64_t stack_;
};

TEST_F(shortage_of_address_space, what_is_beyond_the_share_goes_back) {
  platform_.stacks = k_any;
  for (const int share : {0, 1, k_share}) {
    takt::core::fiber_pool pool(platform_, platform_, k_call_bytes, 100, 1, static_cast<std::uint64_t>(share) * stack_,
                                true);
    const auto taken = take(pool, 10);
    EXPECT_EQ(stacks(), 10);
    EXPECT_EQ(pool.take(), nullptr);
    give(pool, taken);
    EXPECT_EQ(stacks(), share);
    give(pool, take(pool, 2));
    EXPECT_EQ(stacks(), share) << "those are kept";
  }
  EXPECT_EQ(stacks(), 0);
}

#if TAKT_TEST_THREAD_SANITIZER

// ThreadSanitizer crashes now and then at the end of a fiber of which it knows and on which nothing has run.
TEST_F(shortage_of_address_space, stacks_without_a_task_are_not_told_of) {
  platform_.stacks = k_any;
  takt::core::fiber_pool pool(platform_, platform_, k_call_bytes, 100, 1, k_share * stack_, true);
  const auto taken = take(pool, k_share);
  for (const takt::core::fiber* const f : taken) EXPECT_EQ(f->saved.tsan, nullptr);
  give(pool, taken);
}

#endif

TEST_F(shortage_of_address_space, idle_stacks_make_room_for_larger_ones) {
  platform_.stacks = k_any;
  takt::core::fiber_pool pool(platform_, platform_, k_call_bytes, 100, 1, k_share * stack_, true);
  const auto taken = take(pool, k_share);
  // Those in use do not.
  EXPECT_FALSE(pool.grow(2 * k_call_bytes));
  EXPECT_EQ(pool.call_bytes(), k_call_bytes);
  give(pool, taken);
  EXPECT_TRUE(pool.grow(2 * k_call_bytes));
  takt::core::fiber* const larger = pool.take();
  ASSERT_NE(larger, nullptr);
  EXPECT_GE(larger->stack.call_bytes(), 2 * k_call_bytes);
  pool.give(larger);
}

TEST_F(shortage_of_address_space, larger_stacks_are_small_where_two_would_not_fit) {
  constexpr std::size_t larger = 4 * k_call_bytes;
  for (const bool small : {false, true}) {
    const std::uint64_t share = 2 * takt::core::fiber_pool::reserve(platform_, larger, small);
    takt::core::fiber_pool pool(platform_, platform_, k_call_bytes, 100, 1, share, false);
    pool.give(pool.take());
    EXPECT_EQ(platform_.latent_bytes, k_call_bytes);
    EXPECT_TRUE(pool.grow(larger));
    EXPECT_EQ(platform_.latent_bytes, small ? larger / 4 + larger / 16 : larger);
    takt::core::fiber_pool too_little(platform_, platform_, k_call_bytes, 100, 1, share - 2, small);
    EXPECT_EQ(too_little.grow(larger), !small);
  }
}

TEST_F(shortage_of_address_space, small_stacks_have_room_for_forks) {
  constexpr std::size_t kilo = 1 << 10;
  struct stack {
    std::size_t call, latent;
  };
  for (const stack s : {stack{64 * kilo, 64 * kilo}, stack{256 * kilo, 128 * kilo}, stack{1024 * kilo, 320 * kilo},
                        stack{8192 * kilo, 2560 * kilo}}) {
    takt::core::fiber_pool pool(platform_, platform_, s.call, 100, 1, std::uint64_t{1} << 30, true);
    pool.give(pool.take());
    EXPECT_EQ(platform_.latent_bytes, s.latent) << s.call;
  }
}

TEST_F(shortage_of_address_space, idle_stacks_make_room_where_the_system_refuses) {
  takt::core::fiber_pool pool(platform_, platform_, k_call_bytes, 100, 1, takt::platform::platform::k_no_limit, false);
  platform_.stacks = 3;
  give(pool, take(pool, 3));
  EXPECT_EQ(platform_.stacks, 0);
  EXPECT_TRUE(pool.grow(2 * k_call_bytes));
  EXPECT_EQ(platform_.stacks, 0) << "no more of them than had to";
}

TEST_F(shortage_of_address_space, stacks_that_no_machine_has) {
  for (const auto& settings : {takt_test::eager(3), takt_test::by_default(2), takt_test::beat_zero(1)}) {
    takt::config c = settings;
    c.stack_bytes = std::size_t{1} << 46;
    takt::configure(c);
    EXPECT_STREQ(wrong_answer(), "");
    const auto total = nlohmann::json::parse(takt::stats_json())["total"];
    EXPECT_EQ(total["stacks_peak"], 0u);
  }
  takt::configure(takt_test::eager(3));
  EXPECT_STREQ(wrong_answer(), "");
  EXPECT_GT(nlohmann::json::parse(takt::stats_json())["total"]["stacks_peak"], 0u);
}

#if !TAKT_TEST_SANITIZER  // a sanitizer's shadow memory needs the address space that is taken away here

void compute_with_little_address_space(rlim_t spare) {
  // What is mapped now, and a little more.
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  unsigned long pages = 0;
  if (file == nullptr || std::fscanf(file, "%lu", &pages) != 1) std::exit(2);
  std::fclose(file);
  const rlim_t mapped = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
  const rlimit limit{mapped + spare, mapped + spare};
  if (setrlimit(RLIMIT_AS, &limit) != 0) std::exit(3);
  takt::configure(takt_test::eager(3));
  const char* wrong = wrong_answer();
  std::fputs(wrong, stderr);
  std::_Exit(*wrong == 0 ? 0 : 1);
}

TEST_F(shortage_of_address_space, under_a_limit_of_the_process) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  constexpr rlim_t mega = rlim_t{1} << 20;
  for (const rlim_t spare : {1 * mega, 16 * mega, 60 * mega, 120 * mega}) {
    SCOPED_TRACE(std::to_string(spare / mega) + " MiB");
    EXPECT_EXIT(compute_with_little_address_space(spare), testing::ExitedWithCode(0), "^$");
  }
}

#endif

}  // namespace
