#include "platform/threads/modules.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
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
const program_range range_of_program;

// Whether eight bytes from there can be read. The kernel reads the mask before it sees that there is no such operation.
bool is_mapped(const void* address) noexcept {
  const int before = errno;
  const bool mapped = syscall(SYS_rt_sigprocmask, ~0, address, nullptr, std::size_t{8}) == 0 || errno != EFAULT;
  errno = before;
  return mapped;
}

}  // namespace

#if defined(DLFO_STRUCT_HAS_EH_DBASE)

bool finds_objects() noexcept { return &_dl_find_object != nullptr; }

bool find_object(std::uintptr_t address, loaded_object& object) noexcept {
  dl_find_object found;
  if (&_dl_find_object == nullptr || _dl_find_object(reinterpret_cast<void*>(address), &found) != 0) return false;
  object.low = reinterpret_cast<std::uintptr_t>(found.dlfo_map_start);
  object.high = reinterpret_cast<std::uintptr_t>(found.dlfo_map_end);
  object.map = found.dlfo_link_map;
  return true;
}

#else

bool finds_objects() noexcept { return false; }

bool find_object(std::uintptr_t, loaded_object&) noexcept { return false; }

#endif

const void* library_of(const void* address) noexcept {
  const auto at = reinterpret_cast<ElfW(Addr)>(address);
  if (at >= range_of_program.low && at < range_of_program.high) return &range_of_program;
  // While dlclose() unmaps a library it is still found.
  loaded_object object;
  if (find_object(at, object) && is_mapped(address)) return object.map;
  return nullptr;
}

}  // namespace takt::platform
