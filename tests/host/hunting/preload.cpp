// A library to preload: what a host does inside the process before main, or instead of some of libc's functions.
// HUNT_PRELOAD names what, in words:
//
//   refuse-threads=N                the program's own first N calls of pthread_create fail; 'odd': every second one
//   refuse-mappings=ODDS:SEED       one of so many mmap() and mprotect() calls of the program fails
//   refuse-new=ODDS:SEED            the same for operator new(nothrow): for whoever has asked to be told
//   lock-memory                     mlockall
//   alternate-stack=BYTES           of the main thread
//   no-tsc                          the time-stamp counter traps (x86-64): not before, as the loader reads it
//   flush-to-zero, round-up         floating-point environment
//   storm=MICROSECONDS              SIGALRM, SIGPROF, SIGURG and a real-time signal, each so often, with handlers
//   main=child | daemon             main runs in a child of a child of this process, or in one that has left its
//   session main=thread[:STACK_BYTES]       main runs on another thread than the process's first main=pinned the same,
//   on a thread that is bound to one CPU main=real-time                  the same, on a thread of real-time class
//   locale                          setlocale(LC_ALL, "")
//
// Exit code 77: this machine or user cannot do that; 2: wrong word.
#include <dlfcn.h>
#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <clocale>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace {

void must(bool done, const char* what) {
  if (done) return;
  std::fprintf(stderr, "hunt_preload: %s: %s\n", what, std::strerror(errno));
  _exit(77);
}

// The value of a word of HUNT_PRELOAD; null: not asked for. A word without a value has the empty one.
const char* asked(std::string_view name) {
  const char* at = std::getenv("HUNT_PRELOAD");
  while (at != nullptr && *at != '\0') {
    at += std::strspn(at, " ");
    const std::string_view word(at, std::strcspn(at, " "));
    if (word.substr(0, name.size()) == name) {
      if (word.size() == name.size()) return at + name.size();
      if (word[name.size()] == '=') return at + name.size() + 1;
    }
    at += word.size();
  }
  return nullptr;
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

// Whether the code at `address` is the program's (or a plug-in's) and not a library's: the C++ library's own calls are
// not interfered with, as std::thread throws and the program of a test is not prepared for that.
bool is_the_programs(const void* address) {
  Dl_info info;
  return dladdr(address, &info) == 0 || info.dli_fname == nullptr || std::strstr(info.dli_fname, ".so.") == nullptr;
}

// One of `odds` calls, in an order that the seed decides.
class dice {
 public:
  bool refuses(const char* setting) {
    if (setting == nullptr) return false;
    const auto odds = static_cast<std::uint32_t>(std::atoi(setting));
    const char* const seed = std::strchr(setting, ':');
    std::uint64_t x = calls_.fetch_add(1) * 0x9e3779b97f4a7c15 +
                      static_cast<std::uint64_t>(seed != nullptr ? std::atoi(seed + 1) : 0) * 0xd1342543de82ef95;
    x ^= x >> 32;
    x *= 0xbf58476d1ce4e5b9;
    x ^= x >> 29;
    return odds != 0 && x % odds == 0;
  }

 private:
  std::atomic<std::uint64_t> calls_{0};
};

dice mappings;
dice allocations;

std::atomic<int> threads_asked{0};

// --- A storm of signals ------------------------------------------------------------------

std::atomic<unsigned long> storm_signals{0};
void count_signal(int, siginfo_t*, void*) {
  const int saved = errno;
  storm_signals.fetch_add(1, std::memory_order_relaxed);
  errno = saved;
}

void begin_storm(long microseconds) {
  struct sigaction action {};
  action.sa_sigaction = &count_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  const int signals[] = {SIGALRM, SIGPROF, SIGURG, SIGRTMIN + 3};
  for (const int s : signals) must(sigaction(s, &action, nullptr) == 0, "sigaction");
  const itimerval interval{{0, microseconds}, {0, microseconds}};
  must(setitimer(ITIMER_REAL, &interval, nullptr) == 0 && setitimer(ITIMER_PROF, &interval, nullptr) == 0, "setitimer");
  for (const int s : {SIGURG, SIGRTMIN + 3}) {
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = s;
    timer_t timer;
    const itimerspec often{{0, microseconds * 1000}, {0, microseconds * 1000}};
    must(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 && timer_settime(timer, 0, &often, nullptr) == 0, "timer");
  }
}

// --- Where main runs ---------------------------------------------------------------------

using main_function = int(int, char**, char**);
main_function* real_main;
struct arguments {
  int argc;
  char** argv;
  char** environment;
};

void* main_on_a_thread(void* p) {
  const auto* a = static_cast<const arguments*>(p);
  // As if main had returned.
  std::exit(real_main(a->argc, a->argv, a->environment));
}

[[noreturn]] void run_on_a_thread(arguments a, const char* how) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  std::size_t stack = 0;
  if (std::strncmp(how, "thread:", 7) == 0) stack = static_cast<std::size_t>(std::atol(how + 7));
  if (stack != 0) must(pthread_attr_setstacksize(&attributes, stack) == 0, "pthread_attr_setstacksize");
  if (std::strncmp(how, "pinned", 6) == 0) {
    const int here = sched_getcpu();
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(here < 0 ? 0 : here, &one);
    must(pthread_attr_setaffinity_np(&attributes, sizeof one, &one) == 0, "pthread_attr_setaffinity_np");
  }
  if (std::strncmp(how, "real-time", 9) == 0) {
    const sched_param parameter{1};
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    must(pthread_attr_setschedpolicy(&attributes, SCHED_RR) == 0 &&
             pthread_attr_setschedparam(&attributes, &parameter) == 0,
         "pthread_attr_setschedpolicy");
  }
  pthread_t thread;
  errno = next<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create")(
      &thread, &attributes, &main_on_a_thread, &a);
  must(errno == 0, "pthread_create");
  for (;;) pause();
}

[[noreturn]] void wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
  }
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

int chosen_main(int argc, char** argv, char** environment) {
  const char* how = asked("main");
  if (how == nullptr) return real_main(argc, argv, environment);
  const std::string_view word(how, std::strcspn(how, " :"));
  if (word == "child" || word == "daemon") {
    const pid_t child = fork();
    must(child >= 0, "fork");
    if (child != 0) wait_for(child);
    if (word == "daemon") must(setsid() >= 0, "setsid");
    const pid_t grandchild = fork();
    must(grandchild >= 0, "fork");
    if (grandchild != 0) wait_for(grandchild);
    return real_main(argc, argv, environment);
  }
  if (word == "thread" || word == "pinned" || word == "real-time") run_on_a_thread({argc, argv, environment}, how);
  std::fprintf(stderr, "hunt_preload: unknown main '%s'\n", how);
  _exit(2);
}

#if defined(__x86_64__)
// Where the C library's clock reads the counter, programs that ask it could not run at all.
bool clock_reads_counter() {
  const pid_t child = fork();
  if (child == 0) {
    timespec t;
    prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
    clock_gettime(CLOCK_MONOTONIC, &t);
    _exit(0);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status);
}
#endif

// Before the program's own constructors, and for the main thread.
[[gnu::constructor]] void set_up() {
  if (asked("locale") != nullptr) must(std::setlocale(LC_ALL, "") != nullptr, "setlocale");
  if (asked("lock-memory") != nullptr) {
    // What is mapped already may be more than the limit allows.
    must(mlockall(MCL_CURRENT | MCL_FUTURE) == 0 || mlockall(MCL_FUTURE) == 0, "mlockall");
  }
  if (const char* bytes = asked("alternate-stack"); bytes != nullptr) {
    stack_t stack{};
    stack.ss_size = static_cast<std::size_t>(std::atol(bytes));
    // At the end of a page whose successor cannot be touched, and with a page before it that cannot either.
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t room = (stack.ss_size + page - 1) / page * page;
    auto* base = static_cast<char*>(mmap(nullptr, room + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    must(base != MAP_FAILED && mprotect(base + page, room, PROT_READ | PROT_WRITE) == 0, "mmap");
    stack.ss_sp = base + page;
    must(sigaltstack(&stack, nullptr) == 0, "sigaltstack");
  }
#if defined(__x86_64__)
  if (asked("no-tsc") != nullptr) {
    const bool possible = !clock_reads_counter();
    errno = ENOTSUP;
    must(possible, "the C library's clock reads the counter that is to trap");
    prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
  }
  if (asked("flush-to-zero") != nullptr) _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
  if (asked("round-up") != nullptr) std::fesetround(FE_UPWARD);
  if (const char* often = asked("storm"); often != nullptr) begin_storm(std::atol(often));
}

}  // namespace

#define HUNT_CALLER __builtin_return_address(0)

extern "C" {

[[gnu::visibility("default")]] int __libc_start_main(main_function* function, int argc, char** argv, void (*a)(),
                                                     void (*b)(), void (*c)(), void* stack_end) {
  real_main = function;
  const auto start =
      next<int(main_function*, int, char**, void (*)(), void (*)(), void (*)(), void*)>("__libc_start_main");
  return start(&chosen_main, argc, argv, a, b, c, stack_end);
}

[[gnu::visibility("default")]] int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                                                  void* (*function)(void*), void* argument) noexcept {
  static const auto real = next<decltype(pthread_create)>("pthread_create");
  if (const char* refuse = asked("refuse-threads"); refuse != nullptr && is_the_programs(HUNT_CALLER)) {
    const int number = threads_asked.fetch_add(1);
    if (std::strncmp(refuse, "odd", 3) == 0 ? number % 2 == 0 : number < std::atoi(refuse)) return EAGAIN;
  }
  return real(thread, attributes, function, argument);
}

[[gnu::visibility("default")]] void* mmap(void* at, std::size_t bytes, int protection, int flags, int fd,
                                          off_t offset) noexcept {
  static const auto real = next<decltype(mmap)>("mmap");
  if (is_the_programs(HUNT_CALLER) && mappings.refuses(asked("refuse-mappings"))) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return real(at, bytes, protection, flags, fd, offset);
}

[[gnu::visibility("default")]] int mprotect(void* at, std::size_t bytes, int protection) noexcept {
  static const auto real = next<decltype(mprotect)>("mprotect");
  if (is_the_programs(HUNT_CALLER) && mappings.refuses(asked("refuse-mappings"))) {
    errno = ENOMEM;
    return -1;
  }
  return real(at, bytes, protection);
}
}

[[gnu::visibility("default")]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  if (allocations.refuses(asked("refuse-new"))) return nullptr;
  return std::malloc(bytes);
}

[[gnu::visibility("default")]] void* operator new(std::size_t bytes, std::align_val_t alignment,
                                                  const std::nothrow_t&) noexcept {
  if (allocations.refuses(asked("refuse-new"))) return nullptr;
  const auto a = static_cast<std::size_t>(alignment);
  return std::aligned_alloc(a, (bytes + a - 1) / a * a);
}
