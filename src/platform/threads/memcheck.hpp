// What valgrind's memcheck is told, in its own way (valgrind.h, "client requests"): instructions that do nothing to who
// runs them elsewhere. Its header is no dependency.
#pragma once

#include <cstddef>
#include <cstdint>

namespace takt::platform {

/// The memory is read whatever is in it: to memcheck it has been written. A nanosecond.
inline void take_as_defined(const void* memory, std::size_t bytes) noexcept {
  constexpr std::uint64_t k_make_defined = 0x4d430002;  // VG_USERREQ__MAKE_MEM_DEFINED
  const std::uint64_t request[6] = {k_make_defined, reinterpret_cast<std::uintptr_t>(memory), bytes, 0, 0, 0};
#if defined(__x86_64__)
  std::uint64_t result = 0;
  __asm__ volatile(
      "rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi\n\t"
      "xchgq %%rbx, %%rbx"
      : "+d"(result)
      : "a"(&request[0])
      : "cc", "memory");
#elif defined(__aarch64__)
  register std::uint64_t result __asm__("x3") = 0;
  register const std::uint64_t* arguments __asm__("x4") = &request[0];
  __asm__ volatile(
      "ror x12, x12, #3; ror x12, x12, #13; ror x12, x12, #51; ror x12, x12, #61\n\t"
      "orr x10, x10, x10"
      : "+r"(result)
      : "r"(arguments)
      : "cc", "memory");
#else
  static_cast<void>(request);
#endif
}

}  // namespace takt::platform
