// exec(2) of the process itself while a call is under way: in a task, on the calling thread and on one of takt's; on a
// thread beside calls; at any moment. The new program is there, and finds of the old one what that had before its first
// call: which signals are blocked and ignored, descriptors, timers, CPUs, class and niceness.
//
// The program executes itself: with the variable k_handed_on it is the new one.
#include "child.hpp"
#include "threads_of_process.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/time.h>

#include <csignal>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr const char* k_handed_on = "HOST_HANDED_ON";

long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = takt::fork_join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

std::string numbers_of_signals(bool (*belongs)(int)) {
  std::string all;
  for (int number = 1; number <= SIGRTMAX; ++number) {
    if ((number < 32 || number >= SIGRTMIN) && belongs(number)) all += ' ' + std::to_string(number);
  }
  return all;
}

// What a program hands on to the one that takes its place.
std::string handed_on() {
  std::string all = "blocked:" + numbers_of_signals([](int number) {
                      sigset_t blocked;
                      return pthread_sigmask(SIG_SETMASK, nullptr, &blocked) == 0 && sigismember(&blocked, number) == 1;
                    });
  // By default, SIGURG is.
  all += "; ignored:" + numbers_of_signals([](int number) {
           struct sigaction now {};
           return sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN && number != SIGURG;
         });
  all += "; descriptors:";
  for (int number = 0; number < 256; ++number) {
    if (fcntl(number, F_GETFD) >= 0) all += ' ' + std::to_string(number);
  }
  all += "; timers:";
  for (const int which : {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF}) {
    itimerval timer{};
    all +=
        getitimer(which, &timer) == 0 && (timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0) ? " set" : " none";
  }
  all += "; CPUs:";
  cpu_set_t cpus;
  if (sched_getaffinity(0, sizeof cpus, &cpus) == 0) all += ' ' + std::to_string(CPU_COUNT(&cpus));
  all += "; class: " + std::to_string(sched_getscheduler(0)) + ' ' + std::to_string(getpriority(PRIO_PROCESS, 0));
  return all;
}

sigset_t blocked_at_start;
std::string program;             // whoever has opened this one
std::vector<std::string> words;  // of its command line

void read_command_line() {
  std::FILE* const file = std::fopen("/proc/self/cmdline", "re");
  if (file == nullptr) host::skip("no /proc/self/cmdline");
  std::string word;
  for (int c; (c = std::fgetc(file)) != EOF;) {
    if (c != '\0') {
      word += static_cast<char>(c);
    } else {
      words.push_back(word);
      word.clear();
    }
  }
  std::fclose(file);
  // By its name: to an emulator the file itself is the emulator.
  char name[4096];
  const ssize_t length = readlink("/proc/self/exe", name, sizeof name);
  HOST_CHECK(length > 0);
  program.assign(name, static_cast<std::size_t>(length));
}

// Returns only if it cannot be done.
void execute() {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
}

// The thread that is left over is at work, silent or not, until it is no more.
bool (*const no_end[])() = {[] {
                              for (;;) host::let_a_beat_pass();
                              return false;
                            },
                            [] {
                              while (fib(12) == 144) {
                              }
                              return false;
                            }};

// As an idle third worker looks at silent ones every beat, a signal is likely to be on its way.
bool executed_in_a_task(bool on_takts_thread, bool (*rest)()) {
  std::atomic<int> there{0};
  const auto branch = [&] {
    there.fetch_add(1);
    if (!host::wait_until([&there] { return there.load() == 2; })) return false;
    if ((host::current_thread() != getpid()) != on_takts_thread) return rest();
    for (int beats = 0; beats < 5; ++beats) host::let_a_beat_pass();
    // As the guide says: what takt's threads block is not what the program has blocked.
    if (on_takts_thread) pthread_sigmask(SIG_SETMASK, &blocked_at_start, nullptr);
    execute();
    return false;
  };
  host::let_a_beat_pass();
  takt::fork_join(branch, branch);
  return false;
}

bool executed_beside_a_call(bool (*rest)()) {
  std::atomic<bool> begun{false};
  std::thread other([&begun] {
    host::wait_until([&begun] { return begun.load(); });
    execute();
    std::_Exit(1);
  });
  takt::fork_join(
      [&] {
        begun.store(true);
        return rest();
      },
      rest);
  return false;
}

// The thread that executes knows nothing of the calls: some have begun, some threads, or none.
bool executed_at_any_moment(int spins) {
  std::thread other([spins] {
    for (int i = 0; i < spins; ++i) __asm__ volatile("");
    execute();
    std::_Exit(1);
  });
  other.detach();
  while (fib(10) == 55) {
  }
  return false;
}

}  // namespace

int main() {
  host::skip_under_thread_sanitizer();
  if (const char* const expected = std::getenv(k_handed_on); expected != nullptr) {
    const std::string found = handed_on();
    HOST_CHECK(found == expected, "found    %s\nexpected %s", found.c_str(), expected);
    HOST_CHECK(fib(15) == 610 && host::two_run_side_by_side());
    return 0;
  }
  read_command_line();
  // The first that takt would take where SIGURG is handled; but it is somebody's.
  std::signal(SIGRTMAX - 1, SIG_IGN);
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked_at_start);
  setenv(k_handed_on, handed_on().c_str(), 1);
  // An emulator may not start another one.
  if (host::status_of_child([] {
        execute();
        return false;
      }) != 0)
    host::skip("a program cannot execute itself here");

  const struct {
    const char* workers;
    const char* trigger;
    const char* signal;  // null: takt's choice
    bool handles_sigurg;
  } settings[] = {{"2", "eager", nullptr, false},
                  {"3", "lazy", nullptr, false},
                  {"3", "lazy", "SIGRTMIN+3", false},
                  {"3", "lazy", nullptr, true}};
  for (const auto& [workers, trigger, signal, handles_sigurg] : settings) {
    setenv("TAKT_WORKERS", workers, 1);
    setenv("TAKT_TRIGGER", trigger, 1);
    unsetenv("TAKT_SIGNAL");
    if (signal != nullptr) setenv("TAKT_SIGNAL", signal, 1);
    if (handles_sigurg) std::signal(SIGURG, [](int) {});
    for (const auto rest : no_end) {
      for (int round = 0; round < 5; ++round) {
        HOST_CHECK_GOOD(host::status_of_child([rest] { return executed_in_a_task(false, rest); }));
        HOST_CHECK_GOOD(host::status_of_child([rest] { return executed_in_a_task(true, rest); }));
        HOST_CHECK_GOOD(host::status_of_child([rest] { return executed_beside_a_call(rest); }));
      }
    }
  }
  for (int spins = 1; spins < 10'000'000; spins = spins * 3 / 2 + 1)
    HOST_CHECK_GOOD(host::status_of_child([spins] { return executed_at_any_moment(spins); }));
}
