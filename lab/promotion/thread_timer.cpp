#include "lab/promotion/thread_timer.hpp"

#include "platform/threads/signals.hpp"
#include "sync/atomic.hpp"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>

// Older headers of glibc have the field under its name in the kernel only.
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace takt::core {

namespace {

sync::atomic<std::uint64_t> forks{0};
[[maybe_unused]] const int counts_forks =
    pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, sync::relaxed); });

// Numbers that threads use for themselves: the kernel gives those of ended ones to others, and a timer stays with the
// one it was made for.
sync::atomic<std::uint64_t> threads{0};
[[gnu::tls_model("initial-exec")]] constinit thread_local std::uint64_t number_here = 0;

std::uint64_t this_thread() noexcept {
  if (number_here == 0) number_here = threads.fetch_add(1, sync::relaxed) + 1;
  return number_here;
}

constexpr std::uint64_t k_ns = 1'000'000'000;

std::uint64_t monotonic_ns() noexcept {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * k_ns + static_cast<std::uint64_t>(t.tv_nsec);
}

timespec to_timespec(std::uint64_t ns) noexcept {
  return {static_cast<time_t>(ns / k_ns), static_cast<long>(ns % k_ns)};
}

}  // namespace

std::uint64_t forks_before() noexcept { return forks.load(sync::relaxed); }

bool thread_timer::start(int signal, std::uint64_t interval_ns) noexcept {
  const int saved = errno;
  if (of_thread_ != this_thread() || forks_ != forks_before()) {
    discard();
    sigevent wanted{};
    wanted.sigev_notify = SIGEV_THREAD_ID;
    wanted.sigev_signo = signal;
    wanted.sigev_value.sival_ptr = platform::value_of_interrupts();
    wanted.sigev_notify_thread_id = gettid();
    if (timer_create(CLOCK_MONOTONIC, &wanted, &timer_) != 0) {
      errno = saved;
      return false;
    }
    of_thread_ = this_thread();
    forks_ = forks_before();
  }
  interval_ns_ = interval_ns;
  begun_ns_ = monotonic_ns();
  const itimerspec each{to_timespec(interval_ns), to_timespec(begun_ns_ + interval_ns)};
  const bool runs = timer_settime(timer_, TIMER_ABSTIME, &each, nullptr) == 0;
  errno = saved;
  return runs;
}

void thread_timer::stop() noexcept {
  if (of_thread_ == 0 || forks_ != forks_before()) return;
  const int saved = errno;
  const itimerspec never{};
  timer_settime(timer_, 0, &never, nullptr);
  errno = saved;
}

thread_timer::beat thread_timer::now() const noexcept {
  const std::uint64_t since = monotonic_ns() - begun_ns_;
  return {since / interval_ns_, since % interval_ns_};
}

void thread_timer::discard() noexcept {
  // In a child of fork(2) the number may be that of a timer of the program's.
  if (of_thread_ != 0 && forks_ == forks_before()) timer_delete(timer_);
  of_thread_ = 0;
}

}  // namespace takt::core
