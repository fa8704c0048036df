// OpenMP runtimes (libgomp, libomp, libiomp5, whatever they are called by who ships them) and oneTBB are asked through
// the interface that they have for everybody: how deep in parallel regions the thread is, which task it runs.
//
// They are found among the loaded libraries by name, as a program that opens them later, or with their symbols hidden
// from others (as Python does), has nothing to link with. What has been found stays loaded.
#include "platform/threads/foreign.hpp"

#include "sync/atomic.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstring>
#include <mutex>

extern "C" {
// A program that has an OpenMP runtime linked into it, as a static library.
__attribute__((weak)) int omp_get_level(void);
}

namespace takt::platform {

namespace {

using omp_level = int (*)();
// tbb::detail::r1::execution_slot(const d1::execution_data*): 65535 on a thread that has not used oneTBB yet, which the
// next one would make known to it. And current_context(): null outside any task.
using tbb_slot = unsigned short (*)(const void*);
using tbb_context = const void* (*)();
constexpr unsigned short k_no_slot = 0xffff;

struct probe {
  sync::atomic<omp_level> level{nullptr};
  sync::atomic<tbb_slot> slot{nullptr};
  sync::atomic<tbb_context> context{nullptr};
};

// More than anybody has in one process. What is beyond is not seen.
constexpr int k_most = 8;
probe found[k_most];
sync::atomic<int> found_count{0};

sync::mutex looking;
unsigned long long looked_at = 0;  // libraries that had been loaded at the last look

// Libraries that may be one, by their names.
struct candidates {
  char names[k_most][512];
  int count = 0;
};

int collect(dl_phdr_info* info, std::size_t, void* argument) {
  auto& all = *static_cast<candidates*>(argument);
  const char* const path = info->dlpi_name;
  if (path == nullptr || path[0] == '\0' || all.count == k_most) return 0;
  const char* const slash = std::strrchr(path, '/');
  const char* const name = slash != nullptr ? slash + 1 : path;
  const bool known = std::strncmp(name, "libgomp", 7) == 0 || std::strncmp(name, "libomp", 6) == 0 ||
                     std::strncmp(name, "libiomp", 7) == 0 || std::strncmp(name, "libtbb", 6) == 0;
  if (known && std::strlen(path) < sizeof all.names[0]) std::strcpy(all.names[all.count++], path);
  return 0;
}

void add(omp_level level, tbb_slot slot, tbb_context context) noexcept {
  const int n = found_count.load(sync::relaxed);
  for (int i = 0; i < n; ++i) {
    if (found[i].level.load(sync::relaxed) == level &&
        found[i].context.load(sync::relaxed) == context)
      return;
  }
  if (n == k_most) return;
  found[n].level.store(level, sync::relaxed);
  found[n].slot.store(slot, sync::relaxed);
  found[n].context.store(context, sync::relaxed);
  // EDGE foreign.found: the probe is complete.
  found_count.store(n + 1, sync::release);
}

template <class Function>
Function symbol(void* library, const char* name) noexcept {
  return reinterpret_cast<Function>(dlsym(library, name));
}

void look_for_runtimes() noexcept {
  if (&omp_get_level != nullptr) add(&omp_get_level, nullptr, nullptr);
  candidates all;
  dl_iterate_phdr(&collect, &all);
  for (int i = 0; i < all.count; ++i) {
    void* const library = dlopen(all.names[i], RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) continue;
    if (const auto level = symbol<omp_level>(library, "omp_get_level"); level != nullptr) {
      add(level, nullptr, nullptr);
      continue;
    }
    const auto slot = symbol<tbb_slot>(library, "_ZN3tbb6detail2r114execution_slotEPKNS0_2d114execution_dataE");
    const auto context = symbol<tbb_context>(library, "_ZN3tbb6detail2r115current_contextEv");
    if (slot != nullptr && context != nullptr) {
      add(nullptr, slot, context);
    } else {
      dlclose(library);
    }
  }
}

unsigned long long libraries_loaded() noexcept {
  unsigned long long adds = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        *static_cast<unsigned long long*>(result) = info->dlpi_adds;
        return 1;
      },
      &adds);
  return adds;
}

}  // namespace

std::uint64_t state_of_other_runtimes(bool look) noexcept {
  if (look) {
    const unsigned long long loaded = libraries_loaded();
    // Somebody else is looking, or was when this process was forked: then the answer is that it may be anything.
    const std::unique_lock lock(looking, std::try_to_lock);
    if (!lock.owns_lock()) return ~std::uint64_t{0};
    if (loaded != looked_at) {
      look_for_runtimes();
      looked_at = loaded;
    }
  }
  std::uint64_t state = 0;
  // EDGE foreign.found
  const int n = found_count.load(sync::acquire);
  for (int i = 0; i < n; ++i) {
    if (const auto level = found[i].level.load(sync::relaxed); level != nullptr) {
      state += static_cast<std::uint64_t>(level());
    } else if (found[i].slot.load(sync::relaxed)(nullptr) != k_no_slot) {
      state += reinterpret_cast<std::uintptr_t>(found[i].context.load(sync::relaxed)());
    }
  }
  return state;
}

}  // namespace takt::platform
