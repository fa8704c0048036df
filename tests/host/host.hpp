// What the programs of the host suite share: each is a process of its own that does to itself what hosts do.
//
// A program ends with 0 when all is right, with 1 and a line on stderr when it is not, and with k_skip and a line when
// this machine cannot show it.
#pragma once

#include <takt/takt.hpp>

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace host {

inline constexpr int k_skip = 77;

[[gnu::format(printf, 1, 2)]] inline void say(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  std::vfprintf(stderr, format, arguments);
  va_end(arguments);
  std::fputc('\n', stderr);
}

/// Ends the process unless `good`. A message, if there is one, is a format with its arguments.
#define HOST_CHECK(good, ...)                              \
  do {                                                     \
    if (!(good)) {                                         \
      host::say("%s:%d: %s", __FILE__, __LINE__, #good);   \
      __VA_OPT__(host::say(__VA_ARGS__);)                  \
      std::_Exit(1);                                       \
    }                                                      \
  } while (false)

[[noreturn]] inline void skip(const char* why) {
  say("skipped: %s", why);
  std::_Exit(k_skip);
}

/// Far longer than anything takes that works. The hunt, where many programs wait for what cannot come, sets less.
inline std::chrono::seconds patience() {
  const char* const seconds = std::getenv("HOST_PATIENCE");
  return std::chrono::seconds(seconds != nullptr ? std::atoi(seconds) : 60);
}

/// Waits until `condition()` is true. @returns false if that takes longer than patience().
template <class Condition>
bool wait_until(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + patience();
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    // Which a filter may refuse.
    const int saved = errno;
    sched_yield();
    errno = saved;
  }
  return true;
}

/// The thread that runs this. Not std::this_thread::get_id(): a compiler may take the value from before a join.
[[gnu::noinline]] inline pid_t current_thread() noexcept {
  __asm__ volatile("" ::: "memory");
  return static_cast<pid_t>(::syscall(SYS_gettid));
}

/// Runs for several beats of the default length. Before a call: it begins with a beat then. In a branch: its fork is
/// not taken for a short one the next time. A call that follows another one closely, or whose forks were all short so
/// far, promotes nothing at first, and nobody is awake to see that one of them is long.
inline void let_a_beat_pass() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(200);
  while (std::chrono::steady_clock::now() < end) {
  }
}
/// Every fork is handed over at once, also one that was short lately: two_run_side_by_side() is certain then. For
/// programs that ask it again and again; before the first call.
inline void promote_at_once() { setenv("TAKT_TRIGGER", "eager", 1); }

/// Whether two branches of a fork run at the same time: each waits for the other. A witness of parallelism that needs
/// no clock; only a process that has become serial waits out the patience. Never returns true on one thread.
inline bool two_run_side_by_side() {
  let_a_beat_pass();
  std::atomic<int> here{0};
  const auto meet = [&here] {
    here.fetch_add(1);
    const bool met = wait_until([&here] { return here.load() == 2; });
    let_a_beat_pass();
    return met;
  };
  const auto [left, right] = takt::fork_join(meet, meet);
  return left && right;
}

}  // namespace host
