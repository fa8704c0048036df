// hunt_witness: says what a host can change about takt, as lines "key value" in the file that HUNT_REPORT names (else
// on stdout). `hunt` compares them with what is expected. Nothing in here is a time; a process that has become serial
// waits HUNT_PATIENCE seconds (10 unless set) for the first witness of parallelism, and less for each further one.
#include <takt/takt.hpp>

#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

std::FILE* report = nullptr;

void say(const std::string& key, const std::string& value) {
  std::fprintf(report, "%s %s\n", key.c_str(), value.c_str());
  // What was found out before a crash is worth something.
  std::fflush(report);
}

std::string yes_or_no(bool yes) { return yes ? "yes" : "no"; }

std::chrono::milliseconds patience{10'000};

// Whether two branches of a fork meet: each waits for the other. A fork of its own for each `Use`: one that is known to
// be short may run free, and branches of such a fork need not meet.
template <int Use>
bool two_meet() {
  std::atomic<int> here{0};
  const auto end = std::chrono::steady_clock::now() + patience;
  const auto meet = [&] {
    here.fetch_add(1);
    while (here.load() != 2) {
      if (std::chrono::steady_clock::now() > end) return false;
      sched_yield();
    }
    return true;
  };
  const auto [left, right] = takt::fork_join(meet, meet);
  if (left && right) return true;
  patience = std::max(patience / 3, std::chrono::milliseconds(1000));
  return false;
}

long fib(long n) {
  if (n < 2) return n;
  const auto [a, b] = takt::fork_join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

// The same right after a promotion, when no beat is due: only a signal, or a look at the clock in the middle of a leaf,
// reaches it.
bool leaves_meet() {
  return takt::fork_join([] { return fib(24) == 46368; }, [] { return two_meet<0>(); }).second;
}

// --- Answers -----------------------------------------------------------------------------

// The first kind of call that was wrong; empty: none.
std::string wrong_answer() {
  if (fib(22) != 17711) return "forks";
  std::atomic<long> sum{0};
  takt::parallel_for(0, 300, [&](int i) { takt::parallel_for(0, i, [&](int k) { sum += k; }); });
  if (sum != 4'455'100) return "loops";
  if (takt::parallel_reduce(0L, 1'000'000L, 0L, [](long i) { return i; }, std::plus<>{}) != 499'999'500'000)
    return "reductions";
  std::atomic<int> children{0};
  std::optional<takt::task_group> group;
  while (!group) {
    try {
      group.emplace();
    } catch (const std::bad_alloc&) {
      // As its page says; the next one may be lucky.
    }
  }
  for (int i = 0; i < 3000; ++i) group->run([&] { children.fetch_add(1); });
  group->wait();
  if (children != 3000) return "groups";
  try {
    takt::parallel_for(0, 1000, [](int i) {
      if (i >= 700) throw std::runtime_error(std::to_string(i));
    });
    return "no exception";
  } catch (const std::runtime_error& error) {
    if (std::strcmp(error.what(), "700") != 0) return "another exception";
  }
  return "";
}

// --- What is left behind -----------------------------------------------------------------

int entries_of(const char* directory) {
  DIR* const open = opendir(directory);
  if (open == nullptr) return -1;
  int count = 0;
  while (readdir(open) != nullptr) ++count;
  closedir(open);
  return count;
}

int lines_of(const char* file) {
  std::FILE* const open = std::fopen(file, "r");
  if (open == nullptr) return -1;
  int count = 0;
  for (int c; (c = std::fgetc(open)) != EOF;) count += c == '\n';
  std::fclose(open);
  return count;
}

struct memory {
  long address_space_kb = -1;
  long resident_kb = -1;
};
memory memory_now() {
  std::FILE* const open = std::fopen("/proc/self/statm", "r");
  if (open == nullptr) return {};
  long mapped = 0;
  long resident = 0;
  if (std::fscanf(open, "%ld %ld", &mapped, &resident) != 2) mapped = resident = -1;
  std::fclose(open);
  const long page_kb = sysconf(_SC_PAGESIZE) / 1024;
  return {mapped * page_kb, resident * page_kb};
}

// A thread that the machine refuses is none of this program's concern.
template <class Function>
bool on_a_thread(Function function) {
  try {
    std::thread(function).join();
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

struct calls_again_at_the_end {
  ~calls_again_at_the_end() { (void)fib(12); }
};
// Made before takt's own in a thread, and so destroyed after it.
thread_local calls_again_at_the_end last_call;

enum class ends { at_once, with_a_call };

void threads_that_come_and_go(int count, ends how) {
  for (int i = 0; i < count; ++i) {
    const bool had_one = on_a_thread([how] {
      if (how == ends::with_a_call) (void)&last_call;
      (void)fib(15);
    });
    if (!had_one) return;
  }
}

struct traces {
  int threads = entries_of("/proc/self/task");
  int mappings = lines_of("/proc/self/maps");
  int descriptors = entries_of("/proc/self/fd");
  long kilobytes = memory_now().address_space_kb;
};

// A few stacks more may be kept than before: a fiber reserves nine times the stack limit.
long a_few_stacks_kb() {
  constexpr rlim_t k_most = 256 << 20;
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0) limit.rlim_cur = k_most;
  return static_cast<long>(std::min(limit.rlim_cur, k_most) / 1024 * 9 * 4) + 200'000;
}

std::string growth(long before, long after, long allowed) {
  if (before < 0 || after < 0) return "unknown";
  return after - before <= allowed ? "none" : "+" + std::to_string(after - before);
}

// --- What is the process's own -----------------------------------------------------------

std::string affinities() {
  std::string all;
  DIR* const open = opendir("/proc/self/task");
  if (open == nullptr) return "unknown";
  while (const dirent* entry = readdir(open)) {
    const int thread = std::atoi(entry->d_name);
    cpu_set_t set;
    if (thread == 0 || sched_getaffinity(thread, sizeof set, &set) != 0) continue;
    all += " " + std::to_string(thread) + ":" + std::to_string(CPU_COUNT(&set));
  }
  closedir(open);
  return all;
}

// Whether takt has started that thread of this process.
bool is_of_pool(const char* thread) {
  const std::string name = std::string("/proc/self/task/") + thread + "/comm";
  std::FILE* const file = std::fopen(name.c_str(), "r");
  if (file == nullptr) return false;
  char text[32] = "";
  const bool is = std::fgets(text, sizeof text, file) != nullptr && std::strcmp(text, "takt\n") == 0;
  std::fclose(file);
  return is;
}

bool pool_has_all_cpus() {
  DIR* const open = opendir("/proc/self/task");
  if (open == nullptr) return true;
  int most = 0;
  int least = CPU_SETSIZE;
  while (const dirent* entry = readdir(open)) {
    const int thread = std::atoi(entry->d_name);
    cpu_set_t set;
    if (thread == 0 || sched_getaffinity(thread, sizeof set, &set) != 0) continue;
    most = std::max(most, CPU_COUNT(&set));
    if (is_of_pool(entry->d_name)) least = std::min(least, CPU_COUNT(&set));
  }
  closedir(open);
  return least >= most;
}

// The scheduling class of those of this process's threads that takt has started.
std::string pool_policy() {
  DIR* const open = opendir("/proc/self/task");
  if (open == nullptr) return "unknown";
  std::string policy = "ordinary";
  while (const dirent* entry = readdir(open)) {
    if (!is_of_pool(entry->d_name)) continue;
    if (const int its = sched_getscheduler(std::atoi(entry->d_name)); its > 0) policy = std::to_string(its);
  }
  closedir(open);
  return policy;
}

std::string pending_signals() {
  sigset_t set;
  sigpending(&set);
  std::string all;
  for (int s = 1; s < NSIG; ++s) {
    // SIGCHLD is of its own children.
    if (s != SIGCHLD && sigismember(&set, s) == 1) all += (all.empty() ? "" : ",") + std::to_string(s);
  }
  return all.empty() ? "none" : all;
}

// What is so for a moment only does not count.
template <class Condition>
bool comes_true(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    sched_yield();
  }
  return true;
}

// A child of fork that calls, as a server's does.
std::string answer_of_a_child() {
  const pid_t child = fork();
  if (child < 0) return "no child";
  if (child == 0) {
    alarm(30);
    _exit(fib(20) == 6765 && wrong_answer().empty() ? 0 : 1);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) return "killed by " + std::to_string(WTERMSIG(status));
  return WEXITSTATUS(status) == 0 ? "right" : "wrong";
}

void run() {
  const int rounding = std::fegetround();
  say("meets-first", yes_or_no(two_meet<1>()));
  const std::string wrong = wrong_answer();
  say("answer", wrong.empty() ? "right" : "wrong: " + wrong);
  say("meets-later", yes_or_no(two_meet<2>()));
  bool met = false;
  say("meets-on-a-thread", on_a_thread([&] { met = two_meet<3>(); }) ? yes_or_no(met) : "no thread");
  say("leaves-meet", yes_or_no(leaves_meet()));

  for (const ends how : {ends::at_once, ends::with_a_call}) {
    threads_that_come_and_go(10, how);
    const traces before;
    threads_that_come_and_go(40, how);
    for (int i = 0; i < 10; ++i) (void)wrong_answer();
    // takt reads a file of /proc now and then: the look that found none open counts, no later one.
    int descriptors = 0;
    (void)comes_true([&] { return (descriptors = entries_of("/proc/self/fd")) <= before.descriptors; });
    const traces after;
    const std::string suffix = how == ends::at_once ? "" : "-by-destructors";
    say("threads-left" + suffix, growth(before.threads, after.threads, 0));
    // malloc makes arenas for threads, and gives some back.
    say("mappings-left" + suffix, growth(before.mappings, after.mappings, 20));
    say("descriptors-left" + suffix, growth(before.descriptors, descriptors, 0));
    say("address-space-left" + suffix, growth(before.kilobytes, after.kilobytes, a_few_stacks_kb()));
  }

  // What stacks have been written to, or, where memory is locked, what they have reserved.
  constexpr long k_much_kb = 256 * 1024;
  const long resident = memory_now().resident_kb;
  say("resident", resident < 0           ? "unknown"
                  : resident < k_much_kb ? "little"
                                         : std::to_string(resident / 1024) + " MiB");

  // A thread of takt's that has just been woken may be kept off a CPU until it runs.
  (void)comes_true(&pool_has_all_cpus);
  const std::string cpus = affinities();
  say("child", answer_of_a_child());
  (void)two_meet<4>();
  say("affinities", cpus == "unknown" || comes_true([&] { return affinities() == cpus; })
                        ? "kept"
                        : "changed:" + cpus + " ->" + affinities());
  say("pool-policy", pool_policy());
  say("pending", pending_signals());
  say("rounding", std::fegetround() == rounding ? "kept" : "changed");
  say("end", "reached");
}

}  // namespace

int main() {
  const char* name = std::getenv("HUNT_REPORT");
  if (const char* seconds = std::getenv("HUNT_PATIENCE"); seconds != nullptr)
    patience = std::chrono::seconds(std::atoi(seconds));
  report = name != nullptr ? std::fopen(name, "w") : stdout;
  if (report == nullptr) return 2;
  run();
}
