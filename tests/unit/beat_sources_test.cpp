// Beats that come by interrupt: code that does not poll is reached by each source, wherever its thread has been before;
// and nothing is interrupted that is not in a call (lab/README.md, "Sources of beats").
#include <takt/takt.hpp>

#include "promotion/beat.hpp"
#include "support/settings.hpp"
#include "worker/runtime.hpp"

#include <gtest/gtest.h>

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace {

using takt::core::this_worker;
using takt::lab::beat_source;

constexpr std::chrono::seconds k_patience{60};

/// @returns false if that takes far too long.
template <class Condition>
bool wait_until(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + k_patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    sched_yield();
  }
  return true;
}

void use(beat_source source, unsigned workers, std::chrono::microseconds beat,
         takt::trigger trigger = takt::lab::beat) {
  takt::lab::config c{takt_test::settings(workers, trigger, beat)};
  c.lab.beats = source;
  takt::lab::configure(c);
}

/// Of the calling worker.
std::uint64_t beats_here() { return this_worker()->stats.beats_delivered.get(); }
std::uint64_t promotions_here() { return this_worker()->stats.promotions_forks.get(); }

/// On this thread.
std::ptrdiff_t latent_here() {
  return __atomic_load_n(&takt_hot.head, __ATOMIC_RELAXED) - __atomic_load_n(&takt_hot.split, __ATOMIC_RELAXED);
}

/// A call with forks inside each other whose innermost left branch does not poll until all are tasks. @returns the most
/// beats that came to it and made none; -1: it waits for ever.
int beats_in_vain() {
  int most = -1;
  const auto silent = [&most] {
    std::ptrdiff_t latent = latent_here();
    std::uint64_t since = beats_here();
    std::uint64_t in_vain = 0;
    const bool promoted = wait_until([&] {
      // In this order: the beat that promotes is not in vain.
      const std::uint64_t beats = beats_here();
      const std::ptrdiff_t left = latent_here();
      if (left == 0) return true;
      if (left < latent) {
        latent = left;
        since = beats;
      }
      in_vain = std::max(in_vain, beats - std::min(beats, since));
      return false;
    });
    if (promoted) most = static_cast<int>(in_vain);
  };
  // The token that a call begins with is for the outermost one.
  takt::fork_join([&] { takt::fork_join([&] { takt::fork_join(silent, [] {}); }, [] {}); }, [] {});
  return most;
}

bool is_promoted_in_time() {
  const int in_vain = beats_in_vain();
  EXPECT_NE(in_vain, -1);
  EXPECT_LE(in_vain, 1);
  return in_vain == 0 || in_vain == 1;
}

/// The process's POSIX timers, by what is left until each comes next: 0 where it is not armed.
std::vector<long> armed_timers() {
  std::vector<long> all;
  std::ifstream list("/proc/self/timers");
  if (!list) return all;
  for (std::string line; std::getline(list, line);) {
    if (!line.starts_with("ID: ")) continue;
    itimerspec left{};
    // Not timer_gettime(): these are the kernel's numbers.
    if (syscall(SYS_timer_gettime, std::stoi(line.substr(4)), &left) != 0) continue;
    if (left.it_value.tv_sec != 0 || left.it_value.tv_nsec != 0) all.push_back(left.it_value.tv_nsec);
  }
  return all;
}

/// How often the other threads of the process have gone to sleep.
std::uint64_t sleeps_of_others() {
  std::uint64_t all = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    if (task.path().filename() == std::to_string(gettid())) continue;
    std::ifstream status(task.path() / "status");
    const std::string name = "voluntary_ctxt_switches:";
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with(name)) all += std::stoull(line.substr(name.size()));
    }
  }
  return all;
}

class beat_sources : public testing::TestWithParam<beat_source> {};

TEST_P(beat_sources, a_library_without_polls_is_promoted_within_two_beats) {
  for (const int us : {20, 100, 1000}) {
    SCOPED_TRACE(us);
    use(GetParam(), 1, std::chrono::microseconds(us));
    // With one worker there is nobody who would ask.
    for (int call = 0; call < 20; ++call) ASSERT_TRUE(is_promoted_in_time());
  }
}

TEST_P(beat_sources, a_sleeper_is_woken_for_it) {
  use(GetParam(), 2, std::chrono::microseconds(100), takt::trigger::lazy);
  for (int call = 0; call < 20; ++call) {
    std::atomic<int> here{0};
    const auto meet = [&here] {
      here.fetch_add(1);
      return wait_until([&here] { return here.load() == 2; });
    };
    const auto both = takt::fork_join([&] { return takt::fork_join(meet, meet); }, [] { return 0; }).first;
    ASSERT_TRUE(both.first && both.second);
  }
}

TEST_P(beat_sources, what_comes_inside_the_runtime_waits_for_a_poll) {
  use(GetParam(), 1, std::chrono::microseconds(100));
  takt::fork_join([] {
    takt::fork_join([] {
      takt::core::worker& w = *this_worker();
      const takt::core::runtime_scope inside;
      const std::ptrdiff_t latent = latent_here();
      ASSERT_TRUE(wait_until([&w] { return w.beat.rule.line.unseen.load(takt::sync::relaxed) != 0; }));
      EXPECT_EQ(latent_here(), latent);
      takt::core::poll(w, 0);
      EXPECT_EQ(latent_here(), std::max<std::ptrdiff_t>(latent - 1, 0));
    }, [] {});
  }, [] {});
}

TEST_P(beat_sources, no_beat_is_the_last) {
  use(GetParam(), 1, std::chrono::microseconds(20));
  // In one call; and for threads that take over what others have left.
  bool in_time = true;
  takt::fork_join([&] {
    for (int fork = 0; fork < 200; ++fork) in_time = in_time && is_promoted_in_time();
  }, [] {});
  EXPECT_TRUE(in_time);
  for (int thread = 0; thread < 20; ++thread) {
    std::thread([&in_time] { in_time = is_promoted_in_time() && is_promoted_in_time(); }).join();
    ASSERT_TRUE(in_time);
  }
}

TEST_P(beat_sources, who_has_left_its_call_is_not_interrupted) {
  use(GetParam(), 2, std::chrono::microseconds(20));
  for (int call = 0; call < 300; ++call) {
    takt::fork_join([] { takt::fork_join([] { beats_in_vain(); }, [] {}); }, [] {});
    // No handler lets this go on, with SA_RESTART or without.
    const timespec a_few_beats{0, 100'000};
    ASSERT_EQ(nanosleep(&a_few_beats, nullptr), 0) << "call " << call;
  }
}

TEST_P(beat_sources, none_is_armed_where_nothing_runs) {
  use(GetParam(), 2, std::chrono::microseconds(100), takt::trigger::lazy);
  std::atomic<int> here{0};
  const auto meet = [&here] {
    here.fetch_add(1);
    return wait_until([&here] { return here.load() == 2; });
  };
  ASSERT_TRUE(takt::fork_join([&] { return takt::fork_join(meet, meet).first; }, [] {}).first);
  // The other worker goes to sleep.
  const auto any = [] {
    for (const auto& w : takt::core::process::current()->workers) {
      if (w->beat.rule.line.armed.load(takt::sync::relaxed) != 0) return true;
    }
    return !armed_timers().empty();
  };
  EXPECT_TRUE(wait_until([&] { return !any(); }));
  // Nor does anybody wake for beats that are for nobody.
  EXPECT_TRUE(wait_until([] {
    const std::uint64_t before = sleeps_of_others();
    const timespec many_beats{0, 5'000'000};
    nanosleep(&many_beats, nullptr);
    return sleeps_of_others() == before;
  }));
}

TEST_P(beat_sources, what_it_interrupts_goes_on) {
  use(GetParam(), 1, std::chrono::microseconds(100));
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::atomic<takt::core::worker*> reader{nullptr};
  std::thread writer([&] {
    wait_until([&] { return reader.load() != nullptr; });
    const std::uint64_t before = reader.load()->stats.beats_delivered.get();
    const bool interrupted = wait_until([&] { return reader.load()->stats.beats_delivered.get() > before + 3; });
    EXPECT_TRUE(interrupted);
    EXPECT_EQ(write(ends[1], "x", 1), 1);
  });
  ssize_t got = 0;
  takt::fork_join([&] {
    takt::fork_join([&] {
      reader.store(this_worker());
      char x;
      got = read(ends[0], &x, 1);
    }, [] {});
  }, [] {});
  writer.join();
  EXPECT_EQ(got, 1) << std::strerror(errno);
  close(ends[0]);
  close(ends[1]);
}

// Whoever blocks the signal is left to its polls; and nothing stays pending.
TEST_P(beat_sources, a_thread_that_blocks_the_signal_polls) {
  use(GetParam(), 1, std::chrono::microseconds(100));
  sigset_t all;
  sigfillset(&all);
  sigset_t before;
  bool promoted = false;
  takt::fork_join([&] {
    takt::fork_join([&] {
      // The beats are armed.
      wait_until([] { return this_worker()->beat.rule.line.armed.load(takt::sync::relaxed) != 0; });
      ASSERT_EQ(pthread_sigmask(SIG_BLOCK, &all, &before), 0);
      const std::uint64_t so_far = promotions_here();
      promoted = wait_until([&] {
        takt::fork_join([] {}, [] {});
        return promotions_here() != so_far;
      });
    }, [] {});
  }, [] {});
  EXPECT_TRUE(promoted);
  sigset_t pending;
  ASSERT_EQ(sigpending(&pending), 0);
  EXPECT_EQ(sigismember(&pending, takt::current_config().signal), 0);
  ASSERT_EQ(pthread_sigmask(SIG_SETMASK, &before, nullptr), 0);
  EXPECT_TRUE(is_promoted_in_time());
}

bool ends_well(pid_t child) {
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_P(beat_sources, a_child_of_fork_has_its_own) {
  if (TAKT_TEST_THREAD_SANITIZER) GTEST_SKIP() << "it takes a child of a fork on a fiber for another thread";
  use(GetParam(), 1, std::chrono::microseconds(100));
  ASSERT_TRUE(is_promoted_in_time());
  // A timer of the program's may have the number that the parent's had.
  const auto child_works = [] {
    if (!armed_timers().empty()) return 2;
    timer_t own;
    sigevent none{};
    none.sigev_notify = SIGEV_NONE;
    if (timer_create(CLOCK_MONOTONIC, &none, &own) != 0) return 3;
    for (int call = 0; call < 5; ++call) {
      if (!is_promoted_in_time()) return 4;
    }
    itimerspec left{};
    return timer_gettime(own, &left) == 0 ? 0 : 5;
  };
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(child_works());
  EXPECT_TRUE(ends_well(child));
  // In a call.
  bool well = false;
  takt::fork_join([&] {
    takt::fork_join([&] {
      const std::uint64_t so_far = beats_here();
      wait_until([&] { return beats_here() != so_far; });
      const pid_t inner = fork();
      if (inner == 0) _exit(armed_timers().empty() ? 0 : 1);
      well = ends_well(inner);
    }, [] {});
  }, [] {});
  EXPECT_TRUE(well);
}

INSTANTIATE_TEST_SUITE_P(, beat_sources, testing::Values(beat_source::timer, beat_source::ping),
                         [](const auto& of) { return of.param == beat_source::timer ? "timer" : "ping"; });

TEST(beat_source, what_comes_late_or_never_is_counted) {
  use(beat_source::timer, 1, std::chrono::microseconds(100));
  std::uint64_t missed = 0;
  takt::fork_join([&] {
    takt::fork_join([&] {
      const std::uint64_t so_far = beats_here();
      wait_until([&] { return beats_here() != so_far; });
      sigset_t one;
      sigset_t before;
      sigemptyset(&one);
      sigaddset(&one, takt::current_config().signal);
      ASSERT_EQ(pthread_sigmask(SIG_BLOCK, &one, &before), 0);
      // Some fall due.
      const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
      wait_until([end] { return std::chrono::steady_clock::now() > end; });
      ASSERT_EQ(pthread_sigmask(SIG_SETMASK, &before, nullptr), 0);
      wait_until([&] { return (missed = this_worker()->stats.beats_missed.get()) != 0; });
    }, [] {});
  }, [] {});
  EXPECT_GE(missed, 8u);
}

// A worker's first timer has no interval before it is made, and whoever looks for work may send a signal meanwhile.
TEST(beat_source, signals_of_others_meet_a_timer_that_begins) {
  use(beat_source::timer, 1, std::chrono::microseconds(100));
  takt::platform::signals* signals = nullptr;
  std::uint64_t name = 0;
  const auto call = [&] {
    takt::fork_join([&] {
      signals = &this_worker()->owner.signals;
      name = this_worker()->reach.name_of_thread();
    }, [] {});
  };
  call();
  ASSERT_NE(signals, nullptr);
  std::atomic<bool> over{false};
  std::thread other([&over, signals, name] {
    while (!over) signals->interrupt(name);
  });
  for (int round = 0; round < 1000; ++round) {
    use(beat_source::timer, 1, std::chrono::microseconds(100));
    call();
  }
  over = true;
  other.join();
}

}  // namespace
