// takt COMMAND [arguments]: hands over to the command's own function.
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <string_view>

#include "tools/doctor.hpp"
#include "tools/run.hpp"
#include "tools/scale.hpp"
#include "tools/trace.hpp"
#include "tools/tune.hpp"
#ifdef TAKT_TOOL_HAS_BENCH
#include "tools/bench.hpp"
#endif

namespace {

constexpr int k_bad_arguments = 2;

constexpr std::string_view k_usage =
    "Usage: takt COMMAND [ARGUMENTS]\n"
    "\n"
    "  bench      run benchmark problems with several systems and compare them\n"
    "  doctor     print what takt sees of this machine, and the beat interval it suggests\n"
    "  run        run a program and see how much memory its tasks allocate\n"
    "  scale      run a program on simulated machines and predict how it scales\n"
    "  trace      run a program and write a timeline of its workers\n"
    "  tune       measure the cost of a promotion and choose the beat interval of this machine\n"
    "  --version  print the version\n"
    "  --help     print this text; takt COMMAND --help has more\n";

// In one place for both builds, so that the list of commands does not depend on the build: a
// script that meets a takt without benchmarks is told why.
int run_bench([[maybe_unused]] int argc, [[maybe_unused]] char** argv) {
#ifdef TAKT_TOOL_HAS_BENCH
  return takt::tools::bench_command(argc, argv);
#else
  fmt::print(stderr, "takt: built without 'bench' (configure with TAKT_BUILD_BENCH=ON)\n");
  return k_bad_arguments;
#endif
}

int run(int argc, char** argv) {
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (command == "--help" || command == "-h") {
    fmt::print("{}", k_usage);
    return 0;
  }
  if (command == "--version") {
    fmt::print("takt {}\n", TAKT_VERSION);
    return 0;
  }
  // A command sees its own name as argv[0].
  if (command == "bench") {
    return run_bench(argc - 1, argv + 1);
  }
  if (command == "doctor") {
    return takt::tools::doctor_command(argc - 1, argv + 1);
  }
  if (command == "run") {
    return takt::tools::run_command(argc - 1, argv + 1);
  }
  if (command == "scale") {
    return takt::tools::scale_command(argc - 1, argv + 1);
  }
  if (command == "trace") {
    return takt::tools::trace_command(argc - 1, argv + 1);
  }
  if (command == "tune") {
    return takt::tools::tune_command(argc - 1, argv + 1);
  }
  if (command.empty()) {
    fmt::print(stderr, "takt: no command given (see takt --help)\n");
  } else {
    fmt::print(stderr, "takt: unknown command '{}' (see takt --help)\n", command);
  }
  return k_bad_arguments;
}

// A file that is opened must not become the standard output, or one of the others, because that was closed. Opened the
// wrong way round, it is still no output; and closed again for a program that is run.
void keep_standard_files_free() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(file, F_GETFD) >= 0 || errno != EBADF) continue;
    (void)::open("/dev/null", (file == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
  }
}

// What was to be printed, and went nowhere, has not been done.
int end_output(int code) {
  errno = 0;
  const bool is_written = std::cout.flush().good() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (is_written) return code;
  fmt::print(stderr, "takt: cannot write to the standard output{}{}\n", errno != 0 ? ": " : "",
             errno != 0 ? std::strerror(errno) : "");
  return code != 0 ? code : 1;
}

}  // namespace

int main(int argc, char** argv) {
  keep_standard_files_free();
  // A command reports what its user did wrong itself; what arrives here is a fault of takt or
  // of the machine, for which exit code 2 would be a lie.
  try {
    return end_output(run(argc, argv));
  } catch (const std::exception& error) {
    fmt::print(stderr, "takt: {}\n", error.what());
    return 1;
  }
}
