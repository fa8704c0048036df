// takt's signal on the platform of real threads: who would take one, what is passed on, what is taken back.
#include "platform/floating_point.hpp"
#include "platform/platform.hpp"
#include "platform/threads/signals.hpp"

#include <gtest/gtest.h>

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>

namespace {

using takt::platform::threads;

volatile sig_atomic_t ours = 0;
void count_ours(std::uint32_t) { ours = ours + 1; }

sigset_t only(int number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  return set;
}

void queue_here(int number, int value) {
  ASSERT_EQ(pthread_sigqueue(pthread_self(), number, {.sival_int = value}), 0);
}

// @returns the value of the next pending signal; -1 when none is.
int next_pending(int number) {
  const sigset_t set = only(number);
  const timespec at_once{};
  siginfo_t info;
  return sigtimedwait(&set, &info, &at_once) == number ? info.si_value.sival_int : -1;
}

#if defined(__x86_64__)
// valgrind leaves the record as its stack was, and the registers as they were.
TEST(signals, where_nothing_was_saved_the_environment_is_that_of_the_handler) {
  ucontext_t context{};
  _libc_fpstate& saved = context.__fpregs_mem;
  const std::uint32_t here = takt::platform::floating_point_environment();
  context.uc_mcontext.fpregs = nullptr;
  EXPECT_EQ(takt::platform::interrupted_environment(&context), here);
  context.uc_mcontext.fpregs = &saved;
  saved.cwd = 0x84d9;
  EXPECT_EQ(takt::platform::interrupted_environment(&context), here);
  // As the kernel marks what it has saved.
  const std::uint32_t mark = FP_XSTATE_MAGIC1;
  std::memcpy(reinterpret_cast<unsigned char*>(&saved) + 464, &mark, sizeof mark);
  EXPECT_NE(takt::platform::interrupted_environment(&context), here);
}

// ThreadSanitizer calls handlers later than the signals come, with a copy of the context, and all signals blocked. What
// the copy refers to was on a fiber's stack, which may have been given back since: reading it ended the process.
TEST(signals, a_copy_of_the_context_is_not_asked_for_what_was_on_the_stack) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const gone = mmap(nullptr, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(gone, MAP_FAILED);
  ucontext_t context{};
  context.uc_mcontext.fpregs = static_cast<_libc_fpstate*>(gone);
  EXPECT_EQ(takt::platform::interrupted_environment(&context), takt::platform::floating_point_environment());
  munmap(gone, page);
}
#endif

TEST(signals, a_thread_that_blocks_it_is_seen_from_inside_and_outside) {
  const int number = threads().enable_interrupts(&count_ours, 0);
  ASSERT_NE(number, 0);
  const std::uint64_t name = threads().this_thread();
  const sigset_t set = only(number);
  for (const bool blocked : {false, true, false}) {
    ASSERT_EQ(pthread_sigmask(blocked ? SIG_BLOCK : SIG_UNBLOCK, &set, nullptr), 0);
    EXPECT_EQ(threads().takes_interrupts(name), !blocked);
    bool from_outside = blocked;
    // While it starts a thread, a thread has all signals blocked.
    std::atomic<bool> started{false};
    std::thread other([&] {
      started.wait(false);
      from_outside = threads().takes_interrupts(name);
    });
    started.store(true);
    started.notify_one();
    other.join();
    EXPECT_EQ(from_outside, !blocked);
  }
  struct sigaction theirs {};
  theirs.sa_handler = SIG_IGN;
  ASSERT_EQ(sigaction(number, &theirs, nullptr), 0);
  EXPECT_FALSE(threads().takes_interrupts(name)) << "the handler was replaced";
}

volatile sig_atomic_t to_the_program = 0;

// Between the look and the sending the sender may wait for a CPU as long as it takes.
TEST(signals, none_is_sent_to_a_handler_that_has_replaced_ours_since_the_look) {
  const int number = threads().enable_interrupts(&count_ours, 0);
  ASSERT_NE(number, 0);
  const std::uint64_t name = threads().this_thread();
  ASSERT_TRUE(threads().takes_interrupts(name));
  struct sigaction theirs {};
  theirs.sa_handler = [](int) { to_the_program = to_the_program + 1; };
  struct sigaction before {};
  ASSERT_EQ(sigaction(number, &theirs, &before), 0);
  ours = 0;
  EXPECT_FALSE(threads().interrupt(name));
  EXPECT_EQ(to_the_program, 0);
  ASSERT_EQ(sigaction(number, &before, nullptr), 0);
  EXPECT_TRUE(threads().interrupt(name));
  // ThreadSanitizer lets handlers run when the thread enters the system.
  while (ours == 0) poll(nullptr, 0, 0);
  EXPECT_EQ(ours, 1);
}

// The calling thread has it blocked. Under qemu-user, /proc shows the signals of the machine that emulates, where
// real-time ones have other numbers: there takt does not see what is pending.
bool proc_shows_it_blocked(int number) {
  std::ifstream status("/proc/thread-self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("SigBlk:")) return (std::stoull(line.substr(7), nullptr, 16) >> (number - 1) & 1) != 0;
  }
  return false;
}

TEST(signals, what_was_blocked_on_its_way_is_taken_back_and_nothing_else) {
  for (const int number : {SIGURG, SIGRTMIN + 6}) {
    ASSERT_EQ(threads().enable_interrupts(&count_ours, number), number);
    const bool queues = number >= SIGRTMIN;
    const sigset_t set = only(number);
    ASSERT_EQ(pthread_sigmask(SIG_BLOCK, &set, nullptr), 0);
    if (!proc_shows_it_blocked(number)) {
      ASSERT_EQ(pthread_sigmask(SIG_UNBLOCK, &set, nullptr), 0);
      GTEST_SKIP() << "/proc numbers real-time signals in another way than this process";
    }
    ours = 0;
    if (queues) queue_here(number, 7);
    EXPECT_TRUE(threads().interrupt(threads().this_thread()));
    if (queues) queue_here(number, 8);
    // For any thread: those that wait for it must find it.
    ASSERT_EQ(sigqueue(getpid(), number, {.sival_int = 9}), 0);
    threads().recall_interrupt();
    if (queues) {
      EXPECT_EQ(next_pending(number), 7);
      EXPECT_EQ(next_pending(number), 8);
    }
    EXPECT_EQ(next_pending(number), 9);
    EXPECT_EQ(next_pending(number), -1);
    threads().recall_interrupt();
    ASSERT_EQ(pthread_sigmask(SIG_UNBLOCK, &set, nullptr), 0);
    EXPECT_EQ(ours, 0);
    EXPECT_TRUE(threads().interrupt(threads().this_thread()));
    // ThreadSanitizer calls handlers in its versions of the C library's functions.
    ASSERT_EQ(pthread_sigmask(SIG_UNBLOCK, &set, nullptr), 0);
    EXPECT_EQ(ours, 1);
  }
}

// What nobody handled ends the process, as it would without takt.
TEST(signals, a_default_action_stays_what_it_is) {
  for (const int number : {SIGUSR1, SIGRTMIN + 6}) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      threads().enable_interrupts(&count_ours, number);
      threads().interrupt(threads().this_thread());
      raise(number);
      _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == number) << status;
  }
}

}  // namespace
