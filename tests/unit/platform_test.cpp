// The platform of real threads: where its threads may run.
#include "platform/platform.hpp"

#include <gtest/gtest.h>

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>

namespace {

using takt::platform::parker;
using takt::platform::threads;

cpu_set_t affinity_of_this_thread() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  EXPECT_EQ(sched_getaffinity(0, sizeof cpus, &cpus), 0);
  return cpus;
}

struct sleeper {
  parker sleep;
  cpu_set_t at_start;
  cpu_set_t awake;
  std::atomic<bool> about_to_sleep{false};

  static void run(void* self) {
    auto* s = static_cast<sleeper*>(self);
    s->at_start = affinity_of_this_thread();
    s->about_to_sleep.store(true);
    s->about_to_sleep.notify_all();
    threads().park(s->sleep, 0);
    s->awake = affinity_of_this_thread();
  }
};

// A new thread and one that is woken from a long sleep are kept off the starting thread's CPU until they run. After
// that they may run wherever the program may.
TEST(platform, threads_keep_the_affinity_of_the_process) {
  sleeper s;
  auto* t = threads().start_thread(&sleeper::run, &s, false);
  ASSERT_NE(t, nullptr);
  s.about_to_sleep.wait(false);
  // The clock must see a long sleep, whether or not the thread is asleep in earnest.
  const auto until = threads().now() + static_cast<std::uint64_t>(5e-3 * threads().ticks_per_second());
  for (unsigned round = 0; threads().now() < until; ++round) threads().relax(round);
  threads().unpark(s.sleep);
  threads().join_thread(t);
  const cpu_set_t here = affinity_of_this_thread();
  EXPECT_TRUE(CPU_EQUAL(&s.at_start, &here));
  EXPECT_TRUE(CPU_EQUAL(&s.awake, &here));
}

std::size_t stack_of_a_thread(bool is_small) {
  std::size_t bytes = 0;
  const auto ask = [](void* out) { *static_cast<std::size_t*>(out) = threads().this_stack_bytes(); };
  auto* t = threads().start_thread(ask, &bytes, is_small);
  EXPECT_NE(t, nullptr);
  if (t != nullptr) threads().join_thread(t);
  return bytes;
}

// As the program has said for all its threads; a small one has less, but no more than that.
TEST(platform, threads_have_stacks_as_all_of_the_process) {
  constexpr std::size_t mega = std::size_t{1} << 20;
  pthread_attr_t before;
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_getattr_default_np(&before), 0);
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  // The larger one last: the C library uses stacks of threads that have ended for smaller ones.
  for (const std::size_t usual : {mega / 2, 32 * mega}) {
    ASSERT_EQ(pthread_attr_setstacksize(&attributes, usual), 0);
    ASSERT_EQ(pthread_setattr_default_np(&attributes), 0);
    EXPECT_EQ(threads().thread_reserve(false), usual);
    // What the C library rounds to is less than a page table's part.
    EXPECT_GE(stack_of_a_thread(false) + mega / 8, usual);
    EXPECT_LE(threads().thread_reserve(true), std::min(usual, 8 * mega));
    EXPECT_LE(stack_of_a_thread(true), threads().thread_reserve(true) + mega / 8);
  }
  EXPECT_EQ(pthread_setattr_default_np(&before), 0);
  pthread_attr_destroy(&attributes);
  pthread_attr_destroy(&before);
}

// With one CPU there is no other one to go to.
TEST(platform, threads_start_and_wake_on_a_single_cpu) {
  const cpu_set_t before = affinity_of_this_thread();
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<unsigned>(sched_getcpu()), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  sleeper s;
  auto* t = threads().start_thread(&sleeper::run, &s, false);
  ASSERT_NE(t, nullptr);
  s.about_to_sleep.wait(false);
  threads().unpark(s.sleep);
  threads().join_thread(t);
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
  EXPECT_TRUE(CPU_EQUAL(&s.at_start, &one));
  EXPECT_TRUE(CPU_EQUAL(&s.awake, &one));
}

}  // namespace
