// OpenMP runtimes (libgomp, libomp, libiomp5, whatever they are called by who ships them) and oneTBB are told from
// other loaded libraries by name. A frame of theirs has an address of their code in it, or in the frame that it has
// called.
//
// To ask them (omp_get_level() and the like) would make each thread that asks known to them, for good.
#include "platform/threads/foreign.hpp"

#include "platform/threads/memcheck.hpp"
#include "platform/threads/modules.hpp"

#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

namespace takt::platform {

namespace {

bool is_runtime(const char* path) noexcept {
  if (path == nullptr) return false;
  const char* const slash = std::strrchr(path, '/');
  const char* const name = slash != nullptr ? slash + 1 : path;
  return std::strncmp(name, "libgomp", 7) == 0 || std::strncmp(name, "libomp", 6) == 0 ||
         std::strncmp(name, "libiomp", 7) == 0 || std::strncmp(name, "libtbb", 6) == 0;
}

// All words of a stack, also those between frames: what is left there of an earlier call costs a wait in place.
struct words {
  const std::uintptr_t* low;
  const std::uintptr_t* high;
};

// Volatile, so that no call of memcpy, which sanitizers look at, becomes of it.
__attribute__((no_sanitize("address", "thread"), noinline)) void copy(const volatile std::uintptr_t* from,
                                                                      std::uintptr_t* to, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) to[i] = from[i];
}

// Takes no lock: somebody who holds the loader's may be waiting for this join, or forking. Nothing is kept for the next
// question: libraries come and go, and only the locked loader says that they have.
bool any_points_into_a_runtime(words stack) noexcept {
  // Pages with no code of a runtime's, page 0 among them: the words of a stack point to few.
  constexpr std::uintptr_t k_page = 4096, k_known = 128;
  std::uintptr_t known[k_known] = {};
  std::uintptr_t some[64];
  for (auto left = static_cast<std::size_t>(stack.high - stack.low); left > 0;) {
    const std::size_t count = std::min(left, std::size(some));
    copy(stack.low, some, count);
    take_as_defined(some, sizeof some);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uintptr_t page = some[i] / k_page;
      if (known[page % k_known] == page) continue;
      loaded_object object;
      if (find_object(some[i], object) && is_runtime(object.map->l_name)) return true;
      known[page % k_known] = page;
    }
    stack.low += count;
    left -= count;
  }
  return false;
}

__attribute__((no_sanitize("address", "thread"), noinline)) bool any_points_into(words stack, std::uintptr_t low,
                                                                                 std::uintptr_t bytes) noexcept {
  for (const std::uintptr_t* at = stack.low; at < stack.high; ++at) {
    if (*at - low < bytes) return true;
  }
  return false;
}

int ask_one(dl_phdr_info* info, std::size_t, void* argument) {
  if (!is_runtime(info->dlpi_name)) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    if (part.p_type == PT_LOAD &&
        any_points_into(*static_cast<words*>(argument), info->dlpi_addr + part.p_vaddr, part.p_memsz))
      return 1;
  }
  return 0;
}

}  // namespace

bool frames_of_other_runtimes(const void* low, const void* high) noexcept {
  words stack{static_cast<const std::uintptr_t*>(low), static_cast<const std::uintptr_t*>(high)};
  if (finds_objects()) return any_points_into_a_runtime(stack);
  // Older C libraries, see README.md.
  return dl_iterate_phdr(&ask_one, &stack) != 0;
}

}  // namespace takt::platform
