#include "preload/watch.hpp"

#include "memory/watched.hpp"
#include "preload/real.hpp"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
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

// Whether the program's malloc is ours.
bool comes_first() noexcept {
  Dl_info first{};
  Dl_info ours{};
  const ElfW(Sym)* symbol = nullptr;
  // Its address here is that of whoever defines it first.
  if (::dladdr1(::dlsym(RTLD_DEFAULT, "malloc"), &first, reinterpret_cast<void**>(const_cast<ElfW(Sym)**>(&symbol)),
                RTLD_DL_SYMENT) == 0 ||
      ::dladdr(&told, &ours) == 0)
    return false;
  if (first.dli_fbase == ours.dli_fbase) return true;
  // But if an executable at a fixed address takes the address of malloc, it is that of its own entry for calls, which
  // defines nothing: who is called there is not to be seen but by a call.
  return symbol != nullptr && symbol->st_shndx == SHN_UNDEF && is_called_as_malloc();
}

// Before any other code of the process, but for what the loader and an executable's own first functions call.
[[gnu::constructor(101)]] void start() noexcept {
  if (!comes_first()) refuse("another malloc comes first, as a sanitizer's does: allocations cannot be seen");
  ::dl_iterate_phdr(&note_object, nullptr);
  (void)real();
}

}  // namespace

[[gnu::noinline]] thread_state& here() noexcept {
  __asm__ volatile("" ::: "memory");
  return state;
}

namespace {

counted_memory report_at(std::size_t bytes, const void* caller, const void* code, std::uint16_t place) noexcept {
  if (bytes < k_least_block) return {};
  // EDGE preload.told
  const memory_reports* const runtime = told.load(sync::acquire);
  if (runtime == nullptr) return {};
  const thread_state& mine = here();
  if (mine.inside != 0) return {};
  return runtime->take(bytes, mine.locks == 0 && !is_of_system(caller), code, place);
}

}  // namespace

counted_memory report(std::size_t bytes, const void* caller) noexcept { return report_at(bytes, caller, caller, 0); }

counted_memory report_more(counted_memory before, std::size_t bytes, const void* caller) noexcept {
  return report_at(bytes, caller, before.bytes == 0 ? caller : nullptr, before.place);
}

void give_back(counted_memory what) noexcept {
  // EDGE preload.told
  if (what.bytes != 0) told.load(sync::acquire)->give(what);
}

void* remember(void* block, counted_memory reported) noexcept {
  if (reported.bytes != 0 && (block == nullptr || !known.put(block, reported))) give_back(reported);
  return block;
}

counted_memory forget(const void* block) noexcept {
  // EDGE preload.told
  return block != nullptr && told.load(sync::acquire) != nullptr ? known.take(block) : counted_memory{};
}

void* remember_resized(void* block, counted_memory before, counted_memory more, std::size_t bytes) noexcept {
  const std::uint64_t all = before.bytes + more.bytes;
  const std::uint64_t now = std::min<std::uint64_t>(all, bytes);
  const std::uint16_t place = before.bytes != 0 ? before.place : more.place;
  give_back({all - now, place});
  return remember(block, {now, place});
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
