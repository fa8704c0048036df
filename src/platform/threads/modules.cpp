#include "platform/threads/modules.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstddef>

#if defined(DLFO_STRUCT_HAS_EH_DBASE)
extern "C" __attribute__((weak)) int _dl_find_object(void*, dl_find_object*) noexcept(true);
#endif

namespace takt::platform {

namespace {

// The program itself is never unloaded. It is the first in the list, which must not be asked for in a signal handler.
struct program_range {
  ElfW(Addr) low = 0;
  ElfW(Addr) high = 0;

  program_range() noexcept {
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* argument) {
          auto& range = *static_cast<program_range*>(argument);
          range.low = ~ElfW(Addr){0};
          for (int i = 0; i < info->dlpi_phnum; ++i) {
            const ElfW(Phdr)& part = info->dlpi_phdr[i];
            if (part.p_type != PT_LOAD) continue;
            const ElfW(Addr) begin = info->dlpi_addr + part.p_vaddr;
            range.low = begin < range.low ? begin : range.low;
            range.high = begin + part.p_memsz > range.high ? begin + part.p_memsz : range.high;
          }
          return 1;
        },
        this);
  }
};
const program_range program;

}  // namespace

const void* library_of(const void* address) noexcept {
  const auto at = reinterpret_cast<ElfW(Addr)>(address);
  if (at >= program.low && at < program.high) return &program;
#if defined(DLFO_STRUCT_HAS_EH_DBASE)
  // In glibc since 2.35, lock-free, for unwinders.
  dl_find_object found;
  if (&_dl_find_object != nullptr && _dl_find_object(const_cast<void*>(address), &found) == 0)
    return found.dlfo_link_map;
#endif
  return nullptr;
}

}  // namespace takt::platform
