// Whether the code of a region may have thread-local variables: whether its module has any.
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>

#include "state.hpp"

namespace takt::openmp {

namespace {

// Where the file that has the code is mapped. Null for what was made while the program ran.
const char* mapped_at(const void* code) noexcept {
#ifdef DLFO_EH_SEGMENT_TYPE
  // Without the loader's lock.
  dl_find_object module;
  return _dl_find_object(const_cast<void*>(code), &module) == 0 ? static_cast<const char*>(module.dlfo_map_start) : nullptr;
#else
  // glibc before 2.35.
  Dl_info module;
  return dladdr(code, &module) != 0 ? static_cast<const char*>(module.dli_fbase) : nullptr;
#endif
}

}  // namespace

bool has_thread_locals(const void* code) noexcept {
  const char* const begin = mapped_at(code);
  if (begin == nullptr) return false;
  // The header of a file is in front of its first segment. Without one nothing is known.
  const auto* const file = reinterpret_cast<const ElfW(Ehdr)*>(begin);
  if (std::memcmp(file->e_ident, ELFMAG, SELFMAG) != 0) return true;
  const auto* const parts = reinterpret_cast<const ElfW(Phdr)*>(begin + file->e_phoff);
  return std::any_of(parts, parts + file->e_phnum, [](const ElfW(Phdr)& part) { return part.p_type == PT_TLS; });
}

}  // namespace takt::openmp
