// Whether the code of a region may have thread-local variables: whether its module has any.
#include <link.h>

#include "state.hpp"

namespace takt::openmp {

namespace {

struct module {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  bool has_thread_locals = false;
  // Modules that had come and gone when it was found: another one may be in its place since.
  unsigned long long come = 0;
  unsigned long long gone = 0;
  bool has(std::uintptr_t at) const noexcept { return at - begin < end - begin; }
};

struct question {
  std::uintptr_t at;
  module answer;
};

int look(dl_phdr_info* info, std::size_t, void* argument) noexcept {
  question& asked = *static_cast<question*>(argument);
  module m{~std::uintptr_t{0}, 0, false, info->dlpi_adds, info->dlpi_subs};
  // Regions that follow each other are mostly of one module.
  if (asked.answer.has(asked.at) && asked.answer.come == m.come && asked.answer.gone == m.gone) return 1;
  for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
    const auto& part = info->dlpi_phdr[i];
    if (part.p_type == PT_TLS) m.has_thread_locals = true;
    if (part.p_type != PT_LOAD) continue;
    const std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    m.begin = begin < m.begin ? begin : m.begin;
    m.end = begin + part.p_memsz > m.end ? begin + part.p_memsz : m.end;
  }
  if (m.begin > m.end || !m.has(asked.at)) return 0;
  asked.answer = m;
  return 1;
}

}  // namespace

bool has_thread_locals(const void* code) noexcept {
  static thread_local module last;
  question asked{reinterpret_cast<std::uintptr_t>(code), last};
  // In none is what was made while the program ran.
  if (dl_iterate_phdr(&look, &asked) == 0) return false;
  last = asked.answer;
  return last.has_thread_locals;
}

}  // namespace takt::openmp
