#include "platform/threads/stacks.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

namespace takt::platform {

bool map_stack(std::size_t call_bytes, std::size_t latent_bytes, stack_memory& out) noexcept {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const auto round_up = [page](std::size_t n) { return (n + page - 1) / page * page; };
  call_bytes = round_up(call_bytes);
  latent_bytes = round_up(latent_bytes);
  const std::size_t total = call_bytes + latent_bytes + 2 * page;
  void* base = mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) return false;
  auto* low = static_cast<std::byte*>(base) + page;
  if (mprotect(low, call_bytes + latent_bytes, PROT_READ | PROT_WRITE) != 0) {
    munmap(base, total);
    return false;
  }
  // A huge page would make every fiber cost 2 MiB at its first touch.
  madvise(low, call_bytes + latent_bytes, MADV_NOHUGEPAGE);
  out = {base, total, low, low + call_bytes, low + call_bytes + latent_bytes};
  return true;
}

void unmap_stack(stack_memory& memory) noexcept {
  munmap(memory.base, memory.bytes);
  memory = {};
}

std::size_t usual_stack_bytes() noexcept {
  constexpr std::size_t k_least = std::size_t{1} << 20;
  constexpr std::size_t k_unlimited = std::size_t{256} << 20;
  constexpr std::size_t k_most = std::size_t{4} << 30;
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return k_unlimited;
  return std::clamp(static_cast<std::size_t>(limit.rlim_cur), k_least, k_most);
}

}  // namespace takt::platform
