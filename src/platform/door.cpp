#include "platform/door.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <stdlib.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

// Null unless the program has been linked with the simulator.
extern "C" [[gnu::weak]] decltype(takt_simulator) takt_simulator;

// Null in a program that is linked with -static, whose loader is not to be relied on; and the linker would warn of it.
extern "C" {
[[gnu::weak]] decltype(dlopen) dlopen;
[[gnu::weak]] decltype(dlsym) dlsym;
[[gnu::weak]] decltype(dlerror) dlerror;
}

namespace takt::platform {

namespace {

// The program has hardly begun then.
const std::uint64_t loaded_at = threads().now();

// "libtakt_sim.so.4", beside the file that this code is in: the loader knows where that is.
char beside[64];

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

// Loaded for good: its platform is used until the end.
void* load(const char* name) noexcept { return dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE); }

found find_simulator() noexcept {
  if (&takt_simulator != nullptr) return {&takt_simulator, "what is linked in"};
  if (&dlopen == nullptr || &dlsym == nullptr || &dlerror == nullptr)
    refuse("a program that is linked with -static needs the simulator linked in, too (libtakt_sim.a)");
  std::snprintf(beside, sizeof beside, "$ORIGIN/libtakt_sim.so.%d", abi::k_version);
  const char* const name = beside + sizeof "$ORIGIN/" - 1;
  const char* const named = ::secure_getenv("TAKT_SIM_LIBRARY");
  const bool is_named = named != nullptr && named[0] != '\0';
  const char* where = is_named ? named : beside;
  void* library = load(where);
  if (library == nullptr) {
    // Kept, as it may say what a library that is there lacks.
    char wrong[512];
    std::snprintf(wrong, sizeof wrong, "%s", dlerror());
    if (is_named) refuse("cannot load the simulator that TAKT_SIM_LIBRARY names: %s", wrong);
    where = name;
    library = load(where);
    if (library == nullptr)
      refuse("cannot load the simulator (TAKT_SIM_LIBRARY may say where it is): %s; %s", wrong, dlerror());
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
  const char* const request = ::secure_getenv("TAKT_SIM");
  if (request == nullptr || request[0] == '\0') return current();
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
