// Whether the code of a region may have thread-local variables: whether its module has any.
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>

#include "state.hpp"

namespace takt::openmp {

bool has_thread_locals(const void* code) noexcept {
  dl_find_object module;
  // In none is what was made while the program ran.
  if (_dl_find_object(const_cast<void*>(code), &module) != 0) return false;
  // The header of a file is in front of its first segment. Without one nothing is known.
  const auto* const begin = static_cast<const char*>(module.dlfo_map_start);
  const auto* const file = reinterpret_cast<const ElfW(Ehdr)*>(begin);
  if (std::memcmp(file->e_ident, ELFMAG, SELFMAG) != 0) return true;
  const auto* const parts = reinterpret_cast<const ElfW(Phdr)*>(begin + file->e_phoff);
  return std::any_of(parts, parts + file->e_phnum, [](const ElfW(Phdr)& part) { return part.p_type == PT_TLS; });
}

}  // namespace takt::openmp
