// Random programs of every construct give the serial answer, and end, in virtual time and in real time.
//
//   generated_test virtual|real [--first N] [--count N]   programs by seed, each in a process of its own
//   generated_test virtual|real --seed N                  one, printed first, and made smaller if it fails
//   --rounds N      runs each so often (virtual: 1, real: 3)
//   --patience S    nothing has happened for so many seconds: it hangs (60)
//   --keep-going    goes on behind the first one that fails
#include "generated/evaluate.hpp"
#include "generated/settings.hpp"
#include "generated/worlds.hpp"
#include "memory/ledger.hpp"

#include <execinfo.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <optional>
#include <string>

namespace {

using takt_generated::node;
using takt_generated::outcome;

constexpr int k_right = 0;
constexpr int k_wrong = 1;

struct options {
  bool in_virtual_time = true;
  std::uint64_t first = 1;
  std::uint64_t count = 100;
  std::optional<std::uint64_t> one;
  unsigned rounds = 0;
  unsigned patience = 60;
  bool keep_going = false;
};

[[noreturn]] void refuse(const std::string& what) {
  std::fprintf(stderr, "generated_test: %s\n", what.c_str());
  std::exit(2);
}

// What the process that runs a program shares with the one that watches it.
struct shared {
  takt_generated::trace serial, parallel;
};

std::string text(const outcome& o) {
  return "value " + std::to_string(o.value) + ", error " + std::to_string(o.error) + ", nodes executed " +
         std::to_string(o.executed) + ", checksum " + std::to_string(o.checksum);
}

bool is_as(const outcome& expected, const outcome& seen, const takt_generated::trace& t) {
  const char* const wrong = t.wrong.load();
  const int leaked = takt_generated::program_error::live();
  if (seen == expected && wrong == nullptr && leaked == 0) return true;
  std::fprintf(stderr, "  serial: %s\n  takt:   %s\n  %s, errors leaked: %d\n", text(expected).c_str(),
               text(seen).c_str(), wrong == nullptr ? "" : wrong, leaked);
  return false;
}

// Exact once the runtime has ended: a worker that goes to sleep tells what it has gathered.
bool holds_nothing() {
  const auto held = static_cast<long long>(takt::core::memory_ledger::now());
  if (held != 0) std::fprintf(stderr, "  bytes still counted: %lld\n", held);
  return held == 0;
}

bool is_right(const options& o, std::uint64_t seed, const node& program, shared& s) {
  takt_generated::serial_engine serial;
  const outcome expected = takt_generated::run_with(serial, program, s.serial);
  const auto run_in = [&](takt_generated::world& w) {
    for (unsigned r = 0; r < o.rounds; ++r) {
      new (&s.parallel) takt_generated::trace;
      const auto all = [&] {
        takt_generated::takt_engine engine(w);
        return takt_generated::run_with(engine, program, s.parallel);
      };
      // From serial code, and inside a call.
      outcome seen;
      if (takt_generated::mix(seed, r) % 2 == 0) {
        seen = all();
      } else {
        takt::fork_join([&] { seen = all(); }, [] {});
      }
      if (!is_as(expected, seen, s.parallel)) return false;
    }
    return true;
  };
  if (!o.in_virtual_time) {
    takt::lab::configure(takt_generated::settings_of(seed));
    takt_generated::real_world w;
    const bool right = run_in(w);
    takt::configure(takt_test::eager(1));
    return right && holds_nothing();
  }
  takt_generated::watched_time on(takt_generated::machine_of(seed), takt::sim::this_process());
  const auto in_virtual_time = [&] {
    takt_test::choose(takt_generated::settings_of(seed));
    const takt::sim::stand_in runtime(on, takt_generated::settings_of(seed));
    takt_generated::virtual_world w(on);
    return run_in(w);
  };
  return in_virtual_time() && holds_nothing();
}

// --- where threads are ---------------------------------------------------------------------------------------------

void say_where(int) {
  void* frames[64];
  const int count = backtrace(frames, 64);
  backtrace_symbols_fd(frames, count, STDERR_FILENO);
  (void)!write(STDERR_FILENO, "\n", 1);
}

void ask_where(pid_t process) {
  for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task")) {
    const pid_t thread = std::stoi(task.path().filename());
    std::fprintf(stderr, "  thread %d:\n", thread);
    syscall(SYS_tgkill, process, thread, SIGUSR1);
    usleep(200'000);
  }
}

// --- one program ----------------------------------------------------------------------------------------------------

// @returns what went wrong, or nothing.
std::string failure(const options& o, std::uint64_t seed, const node& program, shared& s, bool quiet) {
  new (&s) shared;
  const pid_t child = fork();
  if (child < 0) refuse("no process can be started");
  if (child == 0) {
    if (quiet) (void)!freopen("/dev/null", "w", stderr);
    void* once[1];
    (void)backtrace(once, 1);
    std::signal(SIGUSR1, &say_where);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    const bool right = is_right(o, seed, program, s);
    std::fflush(nullptr);
    // Threads of the pool end with the process.
    std::_Exit(right ? k_right : k_wrong);
  }
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  int status = 0;
  std::uint64_t before = ~std::uint64_t{0};
  unsigned idle = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    const timespec second{1, 0};
    if (sigtimedwait(&ended, nullptr, &second) >= 0) continue;
    const std::uint64_t now = s.serial.executed.load() + s.parallel.executed.load();
    idle = now == before ? idle + 1 : 0;
    before = now;
    if (idle < o.patience) continue;
    if (!quiet) ask_where(child);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return "does not end (" + std::to_string(s.parallel.executed.load()) + " of " +
           std::to_string(s.serial.executed.load()) + " nodes executed)";
  }
  if (WIFSIGNALED(status)) return "is ended by signal " + std::to_string(WTERMSIG(status));
  if (WEXITSTATUS(status) == 2) return "does not end: a deadlock";
  return WEXITSTATUS(status) == k_right ? "" : "is wrong";
}

std::string told(const options& o, std::uint64_t seed) {
  return std::string(o.in_virtual_time ? "virtual" : "real") + " --seed " + std::to_string(seed) + " (" +
         takt_generated::describe(seed) + ")";
}

int run_one(options o, shared& s) {
  const std::uint64_t seed = *o.one;
  const node program = takt_generated::make_program(seed);
  std::printf("%s\n%s", told(o, seed).c_str(), describe(program).c_str());
  std::fflush(stdout);
  const std::string what = failure(o, seed, program, s, false);
  if (what.empty()) return 0;
  std::printf("generated_test: the program %s\n", what.c_str());
  std::fflush(stdout);
  o.patience = std::min(o.patience, 5u);
  const node small =
      shrink(program, [&](const node& p) { return failure(o, seed, p, s, true) .substr(0, 12) == what.substr(0, 12); });
  std::printf("made smaller:\n%s", describe(small).c_str());
  return 1;
}

int run_all(const options& o, shared& s) {
  int failures = 0;
  for (std::uint64_t seed = o.first; seed < o.first + o.count; ++seed) {
    const std::string what = failure(o, seed, takt_generated::make_program(seed), s, false);
    if (what.empty()) continue;
    ++failures;
    std::printf("the program %s: generated_test %s\n", what.c_str(), told(o, seed).c_str());
    std::fflush(stdout);
    if (!o.keep_going) break;
  }
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}

std::uint64_t number(const char* name, const char* given) {
  std::uint64_t n = 0;
  const char* const end = given + std::strlen(given);
  const auto [stop, error] = std::from_chars(given, end, n);
  if (error != std::errc{} || stop != end) refuse(std::string(name) + " wants a number, not '" + given + "'");
  return n;
}

options read(int argc, char** argv) {
  options o;
  const std::string time = argc > 1 ? argv[1] : "";
  if (time != "virtual" && time != "real") refuse("first comes virtual or real");
  o.in_virtual_time = time == "virtual";
  o.rounds = o.in_virtual_time ? 1 : 3;
  for (int i = 2; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--keep-going") {
      o.keep_going = true;
      continue;
    }
    if (i + 1 == argc) refuse(option + " wants a number");
    const std::uint64_t n = number(argv[i], argv[i + 1]);
    ++i;
    if (option == "--first") {
      o.first = n;
    } else if (option == "--count") {
      o.count = n;
    } else if (option == "--seed") {
      o.one = n;
    } else if (option == "--rounds") {
      o.rounds = static_cast<unsigned>(n);
    } else if (option == "--patience") {
      o.patience = static_cast<unsigned>(n);
    } else {
      refuse("unknown option '" + option + "'");
    }
  }
  return o;
}

}  // namespace

int main(int argc, char** argv) {
  const options o = read(argc, argv);
  void* const memory = mmap(nullptr, sizeof(shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) refuse("no memory");
  shared& s = *new (memory) shared;
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ended, nullptr);
  return o.one ? run_one(o, s) : run_all(o, s);
}
