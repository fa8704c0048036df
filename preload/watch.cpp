#include "preload/watch.hpp"

#include "memory/watched.hpp"
#include "preload/real.hpp"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include "sync/atomic.hpp"

namespace takt::preload {

namespace {

using core::memory_reports;

sync::atomic<const memory_reports*> told{nullptr};
blocks known;

[[gnu::tls_model("initial-exec")]] constinit thread_local thread_state state;

// Code of libraries that hold locks which are not seen.
struct range {
  std::uintptr_t low;
  std::uintptr_t high;
};
constexpr unsigned k_most_ranges = 16;
range system_code[k_most_ranges];
unsigned system_ranges = 0;

int note_object(dl_phdr_info* object, std::size_t, void*) {
  const char* const slash = std::strrchr(object->dlpi_name, '/');
  const char* const name = slash != nullptr ? slash + 1 : object->dlpi_name;
  for (const char* const of_system :
       {"libc.so", "ld-linux", "libstdc++", "libgcc_s", "libpthread", "libjemalloc", "libtcmalloc", "libmimalloc"}) {
    if (std::strncmp(name, of_system, std::strlen(of_system)) != 0) continue;
    for (int i = 0; i < object->dlpi_phnum && system_ranges < k_most_ranges; ++i) {
      const auto& part = object->dlpi_phdr[i];
      if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
      const std::uintptr_t low = object->dlpi_addr + part.p_vaddr;
      system_code[system_ranges++] = {low, low + part.p_memsz};
    }
  }
  return 0;
}

bool is_of_system(const void* caller) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(caller);
  for (unsigned i = 0; i < system_ranges; ++i) {
    if (at >= system_code[i].low && at < system_code[i].high) return true;
  }
  return false;
}

// By system calls: a sanitizer's versions of write() and _exit() may not be ready yet.
[[noreturn]] void refuse(const char* why) noexcept {
  for (const char* part : {"takt: libtakt-memory.so: ", why, "\n"}) {
    std::size_t length = 0;
    while (part[length] != '\0') ++length;
    if (::syscall(SYS_write, STDERR_FILENO, part, length) < 0) break;
  }
  for (;;) ::syscall(SYS_exit_group, 2);
}

// Before any other code of the process, but for what the loader and an executable's own first functions call.
[[gnu::constructor(101)]] void start() noexcept {
  // Its address here is that of whoever comes first.
  Dl_info first{};
  Dl_info ours{};
  if (::dladdr(::dlsym(RTLD_DEFAULT, "malloc"), &first) == 0 || ::dladdr(&told, &ours) == 0 ||
      first.dli_fbase != ours.dli_fbase)
    refuse("another malloc comes first, as a sanitizer's does: allocations cannot be seen");
  ::dl_iterate_phdr(&note_object, nullptr);
  (void)real();
}

}  // namespace

[[gnu::noinline]] thread_state& here() noexcept {
  __asm__ volatile("" ::: "memory");
  return state;
}

bool report(std::size_t bytes, const void* caller) noexcept {
  if (bytes < k_least_block) return false;
  // EDGE preload.told
  const memory_reports* const runtime = told.load(sync::acquire);
  if (runtime == nullptr) return false;
  const thread_state& mine = here();
  if (mine.inside != 0) return false;
  return runtime->take(bytes, mine.locks == 0 && !is_of_system(caller));
}

void give_back(std::size_t bytes) noexcept {
  // EDGE preload.told
  if (bytes != 0) told.load(sync::acquire)->give(bytes);
}

void* remember(void* block, std::size_t bytes, bool reported) noexcept {
  if (reported && (block == nullptr || !known.put(block, bytes))) give_back(bytes);
  return block;
}

std::size_t forget(const void* block) noexcept {
  // EDGE preload.told
  return block != nullptr && told.load(sync::acquire) != nullptr ? known.take(block) : 0;
}

}  // namespace takt::preload

// Called by the first runtime of a takt, before anybody else sees that.
extern "C" TAKT_SEEN void takt_memory_watcher(const takt::core::memory_reports* reports) noexcept {
  using namespace takt::preload;
  using namespace takt;
  static sync::atomic<bool> begun{false};
  if (begun.exchange(true, sync::relaxed) || !known.begin()) return;
  // EDGE preload.told: the table is there.
  told.store(reports, sync::release);
}
