// The floating-point environment, of the code that runs here and of code that a signal interrupted.
#include "platform/floating_point.hpp"
#include "platform/threads/signals.hpp"

#include <ucontext.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <signal.h>

#include <cstring>
#elif defined(__aarch64__)
#include <asm/sigcontext.h>

#include <cstddef>
#include <cstring>
#endif

namespace takt::platform {

namespace {

#if defined(__x86_64__)
// Without the exception flags, which are the low six bits of the SSE word, and the three bits of the x87 word that mean
// nothing.
std::uint32_t control_words(std::uint32_t sse, std::uint16_t x87) noexcept {
  return (sse & 0xffc0u) >> 6 | (x87 & 0x1fffu) << 10;
}

// Whether the context still stands in the frame that the kernel has put on the stack, with what it has saved just
// above. A copy refers to a stack that may be gone by now: a fiber's, given back since.
bool is_in_one_frame(const void* context, const _libc_fpstate* state) noexcept {
  constexpr std::uintptr_t k_frame_bytes = 2 * sizeof(ucontext_t);
  const std::uintptr_t distance = reinterpret_cast<std::uintptr_t>(state) - reinterpret_cast<std::uintptr_t>(context);
  return distance < k_frame_bytes;
}

// Whether the system has saved anything there. The kernel marks what it saves with XSAVE, and CPUs without that are
// few; an emulator (valgrind) has room for it and leaves it as it was.
bool is_saved(const _libc_fpstate& state) noexcept {
  constexpr std::size_t k_mark_at = 464;
  static_assert(sizeof state == 512);
  std::uint32_t mark;
  std::memcpy(&mark, reinterpret_cast<const unsigned char*>(&state) + k_mark_at, sizeof mark);
  if (mark == FP_XSTATE_MAGIC1) return true;
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_OSXSAVE) == 0;
}
#elif defined(__aarch64__)
constexpr std::uint64_t k_control_bits = (1u << k_environment_bits) - 1;
#endif

}  // namespace

std::uint32_t floating_point_environment() noexcept {
#if defined(__x86_64__)
  std::uint32_t sse;
  std::uint16_t x87;
  __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(sse), "=m"(x87));
  return control_words(sse, x87);
#elif defined(__aarch64__)
  std::uint64_t fpcr;
  __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
  return static_cast<std::uint32_t>(fpcr & k_control_bits);
#else
  return 0;
#endif
}

void set_floating_point_environment(std::uint32_t environment) noexcept {
#if defined(__x86_64__)
  const std::uint32_t sse = environment << 6 & 0xffc0u;
  const auto x87 = static_cast<std::uint16_t>(environment >> 10);
  __asm__ volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(sse), "m"(x87));
#elif defined(__aarch64__)
  const std::uint64_t fpcr = environment;
  __asm__ volatile("msr fpcr, %0" : : "r"(fpcr));
#else
  (void)environment;
#endif
}

// A handler itself runs with the default environment. Where nothing was saved, nothing was changed for the handler
// either. The same holds where somebody calls the handler later than the signal came, with a copy of the context, as
// ThreadSanitizer does: then the handler is an ordinary call of the code that it is to ask.
std::uint32_t interrupted_environment(const void* context) noexcept {
#if defined(__x86_64__)
  const auto* state = static_cast<const ucontext_t*>(context)->uc_mcontext.fpregs;
  return is_in_one_frame(context, state) && is_saved(*state) ? control_words(state->mxcsr, state->cwd)
                                                             : floating_point_environment();
#elif defined(__aarch64__)
  // A list of records, each with a number and its size; {0, 0} ends it. What does not fit into the reserved space is
  // behind it, but this record always comes first.
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
  const auto* bytes = reinterpret_cast<const unsigned char*>(machine.__reserved);
  for (std::size_t at = 0; at + sizeof(fpsimd_context) <= sizeof machine.__reserved;) {
    fpsimd_context record;
    std::memcpy(&record, bytes + at, sizeof record);
    if (record.head.magic == FPSIMD_MAGIC) return record.fpcr;
    if (record.head.size == 0) break;
    at += record.head.size;
  }
  return floating_point_environment();
#else
  (void)context;
  return floating_point_environment();
#endif
}

}  // namespace takt::platform
