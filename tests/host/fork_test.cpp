// fork(2) in all its uses: with no call under way, beside other threads' calls, in a chain, to become a daemon, with
// handlers of other libraries. A child has a takt of its own, its parent keeps what it had.
#include "child.hpp"

#include <pthread.h>
#include <spawn.h>

#include <thread>
#include <vector>

extern char** environ;

namespace {

long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = takt::fork_join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

bool right_and_parallel() { return fib(15) == 610 && host::two_run_side_by_side(); }

void while_the_parent_has_not_used_it() { HOST_CHECK_GOOD(host::status_of_child(&right_and_parallel)); }

// Children that need no thread, of a parent that has some.
void with_one_worker_in_the_child() {
  HOST_CHECK(right_and_parallel());
  for (int i = 0; i < 20; ++i) {
    HOST_CHECK_GOOD(host::status_of_child([] {
      takt::config c = takt::current_config();
      c.workers = 1;
      takt::configure(c);
      return fib(15) == 610;
    }));
  }
  HOST_CHECK(right_and_parallel());
}

void with_no_call_under_way() {
  HOST_CHECK(right_and_parallel());
  for (int i = 0; i < 20; ++i) {
    HOST_CHECK_GOOD(host::status_of_child(&right_and_parallel));
    HOST_CHECK(fib(12) == 144);
  }
  // From a thread that has never made a call.
  std::thread([] { HOST_CHECK_GOOD(host::status_of_child(&right_and_parallel)); }).join();
}

void from_child_to_child() {
  HOST_CHECK_GOOD(host::status_of_child([] {
    return right_and_parallel() && host::status_of_child([] {
             return right_and_parallel() && host::status_of_child(&right_and_parallel) == 0;
           }) == 0;
  }));
}

void settings_and_statistics() {
  HOST_CHECK_GOOD(host::status_of_child([] {
    takt::config c = takt::current_config();
    c.workers = 3;
    takt::configure(c);
    if (!right_and_parallel()) return false;
    return takt::stats_json().find("\"workers\":3") != std::string::npos;
  }));
  // A child that ends as programs do: by exit, with what that runs.
  const pid_t child = fork();
  if (child == 0) {
    const bool good = right_and_parallel();
    std::exit(good ? 0 : 1);
  }
  HOST_CHECK_GOOD(host::wait_for(child));
}

// What this thread has kept for its next call is of a runtime that is gone. A sanitizer sees it used.
void after_new_settings() {
  HOST_CHECK(right_and_parallel());
  takt::configure(takt::current_config());
  HOST_CHECK_GOOD(host::status_of_child(&right_and_parallel));
}

void beside_calls_of_other_threads() {
  std::atomic<bool> end{false};
  std::vector<std::thread> callers;
  for (int i = 0; i < 2; ++i) {
    callers.emplace_back([&end] {
      while (!end.load()) HOST_CHECK(fib(12) == 144);
    });
  }
  // Short-lived callers make and give back what callers have.
  callers.emplace_back([&end] {
    while (!end.load()) std::thread([] { HOST_CHECK(fib(8) == 21); }).join();
  });
  for (int i = 0; i < 200; ++i) {
    HOST_CHECK_GOOD(host::status_of_child([] { return fib(12) == 144; }));
    if (i % 20 == 0) HOST_CHECK_GOOD(host::status_of_child(&right_and_parallel));
  }
  end.store(true);
  for (auto& t : callers) t.join();
}

// The very first calls of a process, while another thread forks.
void beside_the_first_call() {
  for (int i = 0; i < 50; ++i) {
    HOST_CHECK_GOOD(host::status_of_child([] {
      std::atomic<bool> go{false};
      std::thread first([&go] {
        go.wait(false);
        HOST_CHECK(fib(10) == 55);
      });
      go.store(true);
      go.notify_all();
      const int status = host::status_of_child([] { return fib(12) == 144; });
      first.join();
      return status == 0 && fib(12) == 144;
    }));
  }
}

void daemon() {
  int answer[2];
  HOST_CHECK(pipe(answer) == 0);
  HOST_CHECK(right_and_parallel());
  const pid_t child = fork();
  if (child == 0) {
    if (setsid() < 0) _exit(1);
    const pid_t grandchild = fork();
    if (grandchild == 0) {
      const char good = right_and_parallel() ? 'y' : 'n';
      _exit(write(answer[1], &good, 1) == 1 ? 0 : 1);
    }
    _exit(grandchild > 0 ? 0 : 1);
  }
  HOST_CHECK_GOOD(host::wait_for(child));
  close(answer[1]);
  char good = 0;
  HOST_CHECK(read(answer[0], &good, 1) == 1 && good == 'y');
  close(answer[0]);
}

// Another library's handlers make calls. They count in the child: what they found there.
std::atomic<int> right_before{0}, right_in_parent{0}, right_in_child{0};

void handlers_of_others() {
  HOST_CHECK(pthread_atfork([] { right_before += right_and_parallel(); },
                            [] { right_in_parent += right_and_parallel(); },
                            [] { right_in_child += right_and_parallel(); }) == 0);
  HOST_CHECK_GOOD(host::status_of_child([] { return right_in_child.load() == 1 && right_and_parallel(); }));
  HOST_CHECK(right_before.load() == 1 && right_in_parent.load() == 1);
}

void other_ways_to_start_a_process() {
  char name[] = "/bin/true";
  char* const arguments[] = {name, nullptr};
  pid_t child = 0;
  HOST_CHECK(posix_spawn(&child, name, nullptr, nullptr, arguments, environ) == 0);
  HOST_CHECK_GOOD(host::wait_for(child));
  child = vfork();
  if (child == 0) {
    execv(name, arguments);
    _exit(1);
  }
  HOST_CHECK_GOOD(host::wait_for(child));
  child = fork();
  if (child == 0) {
    execv(name, arguments);
    _exit(1);
  }
  HOST_CHECK_GOOD(host::wait_for(child));
  HOST_CHECK(right_and_parallel());
}

}  // namespace

// In a child that ends by exit the memory that other threads of its parent had for themselves is nobody's.
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }

int main() {
  host::promote_at_once();
  const bool with_threads = host::children_start_threads();
  while_the_parent_has_not_used_it();
  if (with_threads) beside_the_first_call();
  with_one_worker_in_the_child();
  other_ways_to_start_a_process();
  if (!with_threads) host::skip(host::k_no_threads_in_children);
  with_no_call_under_way();
  from_child_to_child();
  settings_and_statistics();
  after_new_settings();
  beside_calls_of_other_threads();
  daemon();
  handlers_of_others();
  HOST_CHECK(right_and_parallel());
}
