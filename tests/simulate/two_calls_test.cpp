// Two calls in virtual time: what one call has for others is not left to workers that are busy with the other call, or
// may not take it.
#include <takt/lab.hpp>
#include <takt/memory.hpp>
#include <takt/takt.hpp>

#include "simulate/in_virtual_time.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>

namespace {

constexpr std::uint64_t k_us = 1'000;
constexpr std::uint64_t k_block = 1'000'000;

// A thread of its own that makes a call.
struct other_call {
  takt::sim::virtual_time& on;

  static void main(void* self) { static_cast<other_call*>(self)->run(); }
  void run() {
    const auto spends = [this](std::uint64_t us) { return [this, us] { on.spend(us * k_us); }; };
    takt::fork_join(
        [&] {
          on.spend(300 * k_us);
          // The worker that has no seat before the first call's thread has left its own takes this one,
          takt::fork_join(
              [&] {
                on.spend(50 * k_us);
                // and nobody is free for this one until the task of the first call sleeps.
                takt::fork_join(spends(5'000), spends(5'000));
              },
              spends(10'000));
        },
        [] {});
  }
};

TEST(two_calls, who_sleeps_is_announced_to_its_own_call) {
  takt::lab::config c;
  c.trigger = takt::lab::eager;
  c.lab.hybrid = true;
  c.lab.memory_alpha = k_block / 20;
  c.lab.memory_beta = 0;
  takt_test::in_virtual_time run(3, c);
  takt::sim::virtual_time& on = run.on;

  other_call other{on};
  takt::platform::thread* const thread = on.start_thread(&other_call::main, &other, false);
  const std::uint64_t begun = on.time();
  on.spend(50 * k_us);
  takt::fork_join([&] { on.spend(20 * k_us); },
                  [&] {
                    on.spend(350 * k_us);
                    const takt::memory_scope block(k_block);
                    on.spend(10 * k_us);
                  });
  const std::uint64_t took = on.time() - begun;
  on.join_thread(thread);
  EXPECT_LT(took, 1'000 * k_us);
  EXPECT_GT(on.time() - begun, 5'000 * k_us);
  EXPECT_EQ(run.total("memory_sleeps"), 1u);
}

// A call whose computation goes on at another worker, so that its own thread sleeps. There it is a long branch, beside
// which another one may be latent: only a signal reaches that.
struct call_elsewhere {
  takt::sim::virtual_time& on;
  bool has_two;
  std::uint64_t begins;       ///< us
  std::uint64_t waits_after;  ///< us
  std::uint64_t took = 0;

  static void main(void* self) { static_cast<call_elsewhere*>(self)->run(); }
  void run() {
    // Then a beat is due, and the other branch is promoted at once.
    on.spend(begins * k_us);
    const std::uint64_t began = on.time();
    takt::fork_join([this] { on.spend(waits_after * k_us); }, [this] { has_two ? two() : one(); });
    took = on.time() - began;
  }
  void one() { on.spend(10'000 * k_us); }
  void two() {
    takt::fork_join([this] { one(); }, [this] { one(); });
  }
};

class two_calls_of : public testing::TestWithParam<takt::policy> {
 protected:
  static takt::config settings() {
    takt::config c;
    c.policy = GetParam();
    return c;
  }
  static void run_both(takt_test::in_virtual_time& run, call_elsewhere& here, call_elsewhere& there) {
    takt::platform::thread* const thread = run.on.start_thread(&call_elsewhere::main, &there, false);
    here.run();
    run.on.join_thread(thread);
  }
};

// All pool threads are busy. Who sends the signal is the thread that slept first, which may not take what that
// promotes.
TEST_P(two_calls_of, a_thread_is_woken_by_one_that_may_not_take_its_task) {
  takt_test::in_virtual_time run(3, settings());
  call_elsewhere here{run.on, false, 100, 100};
  call_elsewhere there{run.on, true, 400, 20};
  run_both(run, here, there);
  EXPECT_LT(there.took, 12'000 * k_us) << "the second branch waited for the first one";
}

// A machine that has two threads for the pool, and no more.
class two_threads : public takt::sim::virtual_time {
 public:
  explicit two_threads(std::uint64_t seed) : virtual_time(settings(seed), takt::sim::this_process()) {}
  takt::platform::thread* start_thread(void (*fn)(void*), void* argument, bool is_small) noexcept override {
    return started_++ < 3 ? virtual_time::start_thread(fn, argument, is_small) : nullptr;
  }

 private:
  static takt::sim::virtual_settings settings(std::uint64_t seed) {
    takt::sim::virtual_settings result;
    result.workers = 4;
    result.measured = false;
    result.seed = seed;
    result.began = 1'000'000'000;
    return result;
  }
  int started_ = 0;  // one by the test
};

// One of the two runs the other call's task, and the other one has sent signals to both calls. Nobody sleeps that could
// take more of this call, but the other call's thread does.
TEST_P(two_calls_of, a_thread_is_woken_by_one_that_takes_another_calls_task) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    two_threads on(seed);
    takt::config c = settings();
    c.workers = 4;
    const takt::sim::stand_in run(on, c);
    call_elsewhere there{on, true, 300, 20};
    takt::platform::thread* const thread = on.start_thread(&call_elsewhere::main, &there, false);
    // Both threads of the pool are there, and sleep.
    takt::parallel_for(0, 3, [&on](int) { on.spend(100 * k_us); });
    on.spend(200 * k_us);
    takt::fork_join([&on] { takt::fork_join([&on] { on.spend(10'000 * k_us); }, [&on] { on.spend(10'000 * k_us); }); },
                    [] {});
    on.join_thread(thread);
    EXPECT_LT(there.took, 12'000 * k_us) << "seed " << seed << ": the second branch waited for the first one";
  }
}

// A machine that counts who is woken.
class counted_wakes : public takt::sim::virtual_time {
 public:
  counted_wakes() : virtual_time(settings(), takt::sim::this_process()) {}
  void unpark(takt::platform::parker& p) noexcept override {
    // For ever in one instant: nothing after it would be reached.
    if (++wakes > 1'000) std::abort();
    virtual_time::unpark(p);
  }
  int wakes = 0;

 private:
  static takt::sim::virtual_settings settings() {
    takt::sim::virtual_settings result;
    result.workers = 3;
    result.measured = false;
    result.began = 1'000'000'000;
    return result;
  }
};

// A call that goes on at a thread of the pool and has more there than that can run, or one that holds a seat alone.
struct call_and_more {
  takt::sim::virtual_time& on;
  std::uint64_t begins;  ///< us
  std::uint64_t before;  ///< us, until there is more; 0: there never is

  static void main(void* self) { static_cast<call_and_more*>(self)->run(); }
  void run() {
    on.spend(begins * k_us);
    takt::fork_join([this] { on.spend((before == 0 ? 20'000 : 600) * k_us); },
                    [this] {
                      if (before == 0) return;
                      on.spend(before * k_us);
                      takt::fork_join([this] { on.spend(10'000 * k_us); }, [this] { on.spend(10'000 * k_us); });
                    });
  }
};

// All seats are held, and the threads of two calls sleep, each beside tasks of the other.
TEST_P(two_calls_of, two_threads_without_a_seat_do_not_wake_each_other) {
  counted_wakes on;
  takt::config c = settings();
  c.workers = 3;
  const takt::sim::stand_in run(on, c);
  call_and_more here{on, 100, 5'000};
  call_and_more there{on, 1'000, 4'100};
  call_and_more alone{on, 2'600, 0};
  takt::platform::thread* const first = on.start_thread(&call_and_more::main, &there, false);
  takt::platform::thread* const second = on.start_thread(&call_and_more::main, &alone, false);
  here.run();
  on.join_thread(first);
  on.join_thread(second);
  EXPECT_LT(on.wakes, 100);
}

INSTANTIATE_TEST_SUITE_P(policies, two_calls_of,
                         testing::Values(takt::policy::random, takt::policy::adws, takt::policy::ml_adws,
                                         takt::lab::ml_random, takt::lab::sb));

}  // namespace
