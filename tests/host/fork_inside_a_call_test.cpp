// fork(2) in a task. In the child the call goes on with what is there: on the one thread that there is. What other
// threads were running for it is not there; the child that needs it says so and ends.
#include <takt/lab.hpp>

#include "child.hpp"

#include <spawn.h>

#include <csignal>
#include <filesystem>
#include <iterator>
#include <thread>

extern char** environ;

namespace {

long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = takt::fork_join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

// What the call under way has as its trigger; only one that promotes at once makes the witness certain.
takt::trigger in_force = takt::lab::eager;

bool right_and_parallel() {
  return fib(15) == 610 && (in_force != takt::lab::eager || host::two_run_side_by_side());
}

void configure(takt::trigger trigger, takt::policy policy = takt::policy::random) {
  takt::config c;
  c.workers = 2;
  c.trigger = in_force = trigger;
  c.policy = policy;
  takt::configure(c);
}

bool with_threads = true;  // children can start them
sigset_t blocked_at_start;

// The child uses takt, still inside the call, and on a thread of its own; then it goes.
bool inside() {
  // Signals reach it, whichever thread has forked.
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  for (const int number : {SIGTERM, SIGCHLD}) {
    if (sigismember(&blocked, number) != sigismember(&blocked_at_start, number)) return false;
  }
  long sum = 0;
  takt::parallel_for(0, 10, [&sum](int i) { sum += i; });
  if (fib(15) != 610 || sum != 45) return false;
  if (!with_threads) return true;
  bool good = false;
  std::thread([&good] { good = right_and_parallel(); }).join();
  return good;
}

void child_of_a_task() {
  const int status = takt::fork_join([] { return host::status_of_child(&inside); }, [] { return fib(10); }).first;
  HOST_CHECK_GOOD(status);
}

void child_of_every_iteration() {
  std::atomic<int> good{0};
  takt::parallel_for(0, 40, [&good](int) { good += host::status_of_child(&inside) == 0; });
  HOST_CHECK(good.load() == 40);
}

// The other branch is on another thread, and so is this one, or not: the child of a branch need not care.
void child_beside_a_branch_under_way() {
  std::atomic<int> there{0};
  const auto branch = [&there] {
    there.fetch_add(1);
    HOST_CHECK(host::wait_until([&there] { return there.load() == 2; }));
    return host::status_of_child(&inside);
  };
  const auto [left, right] = takt::fork_join(branch, branch);
  HOST_CHECK_GOOD(left);
  HOST_CHECK_GOOD(right);
}

std::ptrdiff_t threads_here() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

// Code that has given its seat away is not in the child, unless it has forked there: nobody stands in for it.
void child_beside_blocked_code(bool forks_in_it) {
  std::atomic<bool> blocked{false};
  std::atomic<bool> forked{false};
  const auto child = [] { return fib(15) == 610 && threads_here() == 1; };
  int status = -1;
  takt::fork_join(
      [&] {
        HOST_CHECK(host::wait_until([&blocked] { return blocked.load(); }));
        const pid_t parent = getpid();
        pid_t made = 0;
        const auto fork_here = [&made] { made = fork(); };
        forks_in_it ? takt::blocking(fork_here) : fork_here();
        if (getpid() != parent) _exit(child() ? 0 : 1);
        status = host::wait_for(made);
        forked.store(true);
      },
      [&] {
        takt::blocking([&] {
          blocked.store(true);
          HOST_CHECK(host::wait_until([&forked] { return forked.load(); }));
        });
      });
  HOST_CHECK_GOOD(status);
}

// A child that returns from the call, because nothing of it was on another thread, and makes others. @returns whether
// that was so: now and then the other branch has been taken.
bool child_returns_from_the_call() {
  const pid_t parent = getpid();
  pid_t child = 0;
  const auto [other, sum] = takt::fork_join([] { return fib(2); },
                                            [&child] {
                                              child = fork();
                                              return fib(10);
                                            });
  HOST_CHECK(sum == 55 && other == 1);
  if (getpid() != parent) {
    bool good = fib(15) == 610 && takt::current_config().workers == 2;
    configure(takt::lab::eager);
    good = good && right_and_parallel() && host::status_of_child(&right_and_parallel) == 0;
    _exit(good ? 0 : 1);
  }
  const int status = host::wait_for(child);
  HOST_CHECK(status == 0 || (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT), "0x%x",
             static_cast<unsigned>(status));
  return status == 0;
}

// The other branch runs on another thread, which the child has not got.
void child_misses_a_branch() {
  const host::outcome result = host::run_in_child([] {
    const pid_t parent = getpid();
    std::atomic<int> there{0};
    std::atomic<pid_t> child{0};
    std::atomic<bool> forked{false};
    takt::fork_join(
        [&] {
          there.fetch_add(1);
          host::wait_until([&there] { return there.load() == 2; });
          child.store(fork());
          if (getpid() == parent) forked.store(true);
        },
        [&] {
          there.fetch_add(1);
          host::wait_until([&forked] { return forked.load(); });
        });
    // Only the parent comes here.
    if (getpid() != parent) _exit(3);
    return WIFSIGNALED(host::wait_for(child.load()));
  });
  HOST_CHECK(result.good(), "0x%x %s", static_cast<unsigned>(result.status), result.said.c_str());
  HOST_CHECK(result.said.find("takt: fork() was called inside a parallel call") == 0, "%s", result.said.c_str());
  HOST_CHECK(result.said.find('\n') == result.said.size() - 1, "%s", result.said.c_str());
}

void exec_and_spawn_in_tasks() {
  std::atomic<int> good{0};
  takt::parallel_for(0, 30, [&good](int i) {
    char name[] = "/bin/true";
    char* const arguments[] = {name, nullptr};
    pid_t child = 0;
    if (i % 3 == 0) {
      if (posix_spawn(&child, name, nullptr, nullptr, arguments, environ) != 0) return;
    } else {
      child = i % 3 == 1 ? vfork() : fork();
      if (child == 0) {
        execv(name, arguments);
        _exit(1);
      }
    }
    good += host::wait_for(child) == 0;
  });
  HOST_CHECK(good.load() == 30);
}

}  // namespace

int main() {
  host::skip_under_thread_sanitizer();
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked_at_start);
  with_threads = host::children_start_threads();
  configure(takt::lab::eager);
  child_misses_a_branch();
  for (const auto trigger : {takt::trigger::lazy, takt::lab::eager}) {
    for (const auto policy : {takt::policy::random, takt::lab::random_private, takt::lab::random_mixed}) {
      configure(trigger, policy);
      child_of_a_task();
      child_of_every_iteration();
      if (trigger == takt::lab::eager) {
        child_beside_a_branch_under_way();
        child_beside_blocked_code(false);
        child_beside_blocked_code(true);
      }
      exec_and_spawn_in_tasks();
      HOST_CHECK(fib(15) == 610);
    }
  }
  if (!with_threads) host::skip(host::k_no_threads_in_children);
  for (const auto trigger : {takt::trigger::never, takt::trigger::lazy, takt::lab::eager}) {
    configure(trigger);
    HOST_CHECK(right_and_parallel());
    HOST_CHECK(host::wait_until(&child_returns_from_the_call));
  }
}
