// What a call leaves as it found it, and calls at odd moments of a process and of a thread.
#include "child.hpp"
#include "filter.hpp"
#include "threads_of_process.hpp"

#include <pthread.h>
#include <sys/prctl.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <thread>

namespace {

long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = takt::fork_join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

bool right_and_parallel() { return fib(15) == 610 && host::two_run_side_by_side(); }

// --- the calling thread ------------------------------------------------------------------------------------

struct what_a_thread_has {
  sigset_t mask{};
  cpu_set_t cpus{};
  char name[16]{};
  int policy = 0;
  int cancel_state = 0;
  int cancel_type = 0;
  int slack = 0;

  static what_a_thread_has now() {
    what_a_thread_has t;
    pthread_sigmask(SIG_SETMASK, nullptr, &t.mask);
    t.cpus = host::cpus_of(0);
    prctl(PR_GET_NAME, t.name);
    t.policy = sched_getscheduler(0);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &t.cancel_state);
    pthread_setcancelstate(t.cancel_state, nullptr);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &t.cancel_type);
    pthread_setcanceltype(t.cancel_type, nullptr);
    t.slack = prctl(PR_GET_TIMERSLACK);
    return t;
  }
  bool operator==(const what_a_thread_has& o) const {
    for (int s = 1; s < NSIG; ++s) {
      if (sigismember(&mask, s) != sigismember(&o.mask, s)) return false;
    }
    return CPU_EQUAL(&cpus, &o.cpus) && std::strcmp(name, o.name) == 0 && policy == o.policy &&
           cancel_state == o.cancel_state && cancel_type == o.cancel_type && slack == o.slack;
  }
};

bool caller_is_left_as_found() {
  const auto check = [] {
    const what_a_thread_has before = what_a_thread_has::now();
    errno = 4711;
    // Threads start, sleep and wake up meanwhile.
    const bool good = right_and_parallel();
    return good && errno == 4711 && before == what_a_thread_has::now();
  };
  if (!check()) return false;
  sigset_t some;
  sigemptyset(&some);
  sigaddset(&some, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &some, nullptr);
  prctl(PR_SET_NAME, "caller");
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
  return check() && check();
}

// What a filter refuses does not become the program's errno.
template <unsigned Call>
bool caller_is_left_as_found_without() {
  return !host::filter_system_call(Call, SECCOMP_RET_ERRNO | EPERM) || caller_is_left_as_found();
}

bool pool_has_its_name() {
  const auto before = host::threads_of_process();
  if (!right_and_parallel()) return false;
  for (const pid_t tid : host::others(host::threads_of_process(), before)) {
    char path[64];
    char name[16] = {};
    std::snprintf(path, sizeof path, "/proc/self/task/%d/comm", tid);
    std::FILE* const file = std::fopen(path, "r");
    if (file == nullptr || std::fgets(name, sizeof name, file) == nullptr) return false;
    std::fclose(file);
    if (std::strcmp(name, "takt\n") != 0) return false;
  }
  return true;
}

// --- threads ------------------------------------------------------------------------------------------------

bool calls_from_the_smallest_stack() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (pthread_attr_setstacksize(&attributes, static_cast<std::size_t>(PTHREAD_STACK_MIN)) != 0) return false;
  bool good = false;
  for (int i = 0; i < 3; ++i) {
    pthread_t t;
    // The first call of the process is the deepest.
    if (pthread_create(&t, &attributes, [](void* p) -> void* {
          *static_cast<bool*>(p) = right_and_parallel();
          return nullptr;
        }, &good) != 0) return false;
    pthread_join(t, nullptr);
    if (!good) return false;
  }
  return true;
}

// The call comes first: half a computation cannot be taken out of it.
bool cancelled_in_a_call() {
  std::atomic<bool> in_call{false};
  std::atomic<bool> cancelled{false};
  std::atomic<bool> over{false};
  std::atomic<bool> after{false};
  pthread_t t;
  auto body = [&] {
    takt::fork_join(
        [&] {
          in_call.store(true);
          host::wait_until([&] { return cancelled.load(); });
          pthread_testcancel();
          return fib(10);
        },
        [&] { over.store(fib(10) == 55); });
    // Only now.
    pthread_testcancel();
    after.store(true);
  };
  if (pthread_create(&t, nullptr, [](void* p) -> void* {
        (*static_cast<decltype(body)*>(p))();
        return nullptr;
      }, &body) != 0) return false;
  if (!host::wait_until([&] { return in_call.load(); })) return false;
  pthread_cancel(t);
  cancelled.store(true);
  void* result = nullptr;
  pthread_join(t, &result);
  return result == PTHREAD_CANCELED && over.load() && !after.load() && right_and_parallel();
}

// --- the end of the process ----------------------------------------------------------------------------------

template <class Body>
int ends_by(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    std::_Exit(9);
  }
  return host::wait_for(child);
}

// Ends well only if the calls after main were right.
bool (*call_at_exit)() = nullptr;

void make_call_at_exit() {
  if (call_at_exit != nullptr && !call_at_exit()) std::_Exit(1);
}

struct at_the_end {
  ~at_the_end() { make_call_at_exit(); }
} static_object;

void make_calls_at_exit(bool (*call)()) {
  call_at_exit = call;
  std::atexit(&make_call_at_exit);
  std::at_quick_exit(&make_call_at_exit);
}

}  // namespace

int main() {
  host::skip_under_thread_sanitizer();
  host::promote_at_once();
  HOST_CHECK_GOOD(host::status_of_child(&caller_is_left_as_found));
  HOST_CHECK_GOOD(host::status_of_child(&caller_is_left_as_found_without<SYS_madvise>));
  HOST_CHECK_GOOD(host::status_of_child(&caller_is_left_as_found_without<SYS_sched_yield>));
  HOST_CHECK_GOOD(host::status_of_child(&caller_is_left_as_found_without<SYS_prlimit64>));
  HOST_CHECK_GOOD(host::status_of_child(&pool_has_its_name));
  HOST_CHECK_GOOD(host::status_of_child(&calls_from_the_smallest_stack));
  HOST_CHECK_GOOD(host::status_of_child(&cancelled_in_a_call));
  for (const bool used_before : {false, true}) {
    HOST_CHECK_GOOD(ends_by([used_before] {
      make_calls_at_exit(&right_and_parallel);
      if (used_before) HOST_CHECK(right_and_parallel());
      std::exit(0);
    }));
    HOST_CHECK_GOOD(ends_by([used_before] {
      make_calls_at_exit(&right_and_parallel);
      if (used_before) HOST_CHECK(right_and_parallel());
      std::quick_exit(0);
    }));
    // While other threads are in calls, and have the workers.
    HOST_CHECK_GOOD(ends_by([used_before] {
      make_calls_at_exit([] { return fib(15) == 610; });
      if (used_before) HOST_CHECK(right_and_parallel());
      std::atomic<bool> begun{false};
      std::thread([&begun] {
        for (;;) {
          (void)fib(12);
          begun.store(true);
        }
      }).detach();
      host::wait_until([&] { return begun.load(); });
      std::exit(0);
    }));
  }
  // The main thread ends before the others do.
  HOST_CHECK_GOOD(ends_by([] {
    HOST_CHECK(right_and_parallel());
    static const pid_t self = getpid();
    std::thread([] {
      // Until the main thread is no more than a name.
      host::wait_until([] {
        char path[64], text[512] = {};
        std::snprintf(path, sizeof path, "/proc/%d/task/%d/stat", self, self);
        std::FILE* const file = std::fopen(path, "r");
        if (file == nullptr) return false;
        const bool read = std::fgets(text, sizeof text, file) != nullptr;
        std::fclose(file);
        const char* const state = read ? std::strrchr(text, ')') : nullptr;
        return state != nullptr && state[2] == 'Z';
      });
      std::_Exit(right_and_parallel() ? 0 : 1);
    }).detach();
    pthread_exit(nullptr);
  }));
}
