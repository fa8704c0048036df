#include "platform/door.hpp"

#include "platform/floating_point.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// Null unless the program has been linked with the simulator.
extern "C" [[gnu::weak]] decltype(takt_simulator) takt_simulator;

namespace takt::platform {

namespace {

// The program has hardly begun then.
const std::uint64_t loaded_at = threads().now();

// "libtakt_sim.so.6", beside the file that this code is in: the loader knows where that is.
char beside[64];
// "library=FILE", the first key of the request, in whose place somebody says where it is.
constexpr char k_library[] = "library=";
char name_given[4096];

[[noreturn]] __attribute__((format(printf, 1, 2))) void refuse(const char* format, ...) noexcept {
  std::fputs("takt: TAKT_SIM: ", stderr);
  va_list parts;
  va_start(parts, format);
  std::vfprintf(stderr, format, parts);
  va_end(parts);
  std::fputc('\n', stderr);
  std::exit(2);
}

struct found {
  decltype(&takt_simulator) simulator;
  const char* where;
};

// Not to be had in a program that is linked with -static, as its loader is not to be relied on. It is not named
// outright: the linker would warn of it in such a program, simulated or not.
using load_function = void* (*)(const char* name, int mode);
load_function loader() noexcept { return reinterpret_cast<load_function>(dlsym(RTLD_DEFAULT, "dlopen")); }
// Loaded for good: its platform is used until the end.
constexpr int k_load = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;

// @returns the rest of the request, which is the simulator's.
const char* read_library(const char* request) noexcept {
  constexpr std::size_t k_length = sizeof k_library - 1;
  if (std::strncmp(request, k_library, k_length) != 0) return request;
  request += k_length;
  const std::size_t length = std::strcspn(request, ",");
  if (length >= sizeof name_given) refuse("library= has a name that is too long");
  std::memcpy(name_given, request, length);
  return request[length] == ',' ? request + length + 1 : request + length;
}

found find_simulator() noexcept {
  if (&takt_simulator != nullptr) return {&takt_simulator, "what is linked in"};
  const load_function load = loader();
  if (load == nullptr)
    refuse("a program that is linked with -static needs the simulator linked in, too (libtakt_sim.a)");
  std::snprintf(beside, sizeof beside, "$ORIGIN/libtakt_sim.so.%d", abi::k_version);
  const char* const name = beside + sizeof "$ORIGIN/" - 1;
  const bool is_named = name_given[0] != '\0';
  // The loader would wait for somebody to write.
  if (struct stat there {}; is_named && ::stat(name_given, &there) == 0 && S_ISFIFO(there.st_mode))
    refuse("library= names a FIFO: %s", name_given);
  const char* where = is_named ? name_given : beside;
  void* library = load(where, k_load);
  if (library == nullptr) {
    const char* const wrong = dlerror();
    if (is_named) refuse("cannot load the simulator that library= names: %s", wrong);
    // It is there, and lacks something.
    if (std::strncmp(wrong, beside, std::strlen(beside)) != 0) refuse("cannot load the simulator: %s", wrong);
    where = name;
    library = load(where, k_load);
    if (library == nullptr)
      refuse("cannot load the simulator (TAKT_SIM=library=FILE,... may say where it is): %s", dlerror());
  }
  return {reinterpret_cast<decltype(&takt_simulator)>(dlsym(library, TAKT_ABI_SYMBOL(simulator))), where};
}

}  // namespace

simulated_process this_process(const scheduler_view& scheduler) noexcept {
  simulated_process p{};
  p.real = &threads();
  p.hot = &takt_hot;
  p.exceptions = __cxxabiv1::__cxa_get_globals();
  p.loaded_at = loaded_at;
  p.environment = &floating_point_environment;
  p.scheduler = scheduler;
  return p;
}

platform& for_runtime(const scheduler_view& scheduler) noexcept {
  static bool looked = false;
  if (looked) return current();
  looked = true;
  // A privileged program is not to load what its user names.
  const char* request = ::secure_getenv("TAKT_SIM");
  if (request == nullptr || request[0] == '\0') return current();
  request = read_library(request);
  const found it = find_simulator();
  const simulated_process process = this_process(scheduler);
  platform* const simulated = it.simulator != nullptr ? it.simulator(&process, request) : nullptr;
  if (simulated == nullptr) refuse("the simulator belongs to another version of takt: %s", it.where);
  (void)replace(simulated);
  return *simulated;
}

}  // namespace takt::platform

extern "C" TAKT_EXPORT void takt_touch(const void* first, std::size_t bytes) noexcept;

void takt_touch(const void* first, std::size_t bytes) noexcept { takt::platform::current().touched(first, bytes); }
