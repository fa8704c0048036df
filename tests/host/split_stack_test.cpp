// A program whose stacks grow by pieces (-fsplit-stack). In a call its functions stay on the stack of their task, which
// may go on on another thread.
#include "host.hpp"

#include <cstdint>
#include <cstring>

namespace {

// Where a function of such a program has its frame.
[[gnu::noinline]] std::uintptr_t frame_of_another() {
  __asm__ volatile("" ::: "memory");
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

// Itself compiled as other programs are, so it is where the task is.
[[gnu::noinline, gnu::no_split_stack]] void measure(void* distance);
void measure(void* distance) {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  *static_cast<std::uintptr_t*>(distance) = here - frame_of_another();
}

long sums(int n) {
  char on_stack[64];
  std::memset(on_stack, n, sizeof on_stack);
  __asm__ volatile("" ::"r"(on_stack) : "memory");
  if (n < 2) return n;
  const auto [x, y] = takt::fork_join([n] { return sums(n - 1); }, [n] { return sums(n - 2); });
  return on_stack[n] == n ? x + y : -1'000'000;
}

}  // namespace

int main() {
  std::uintptr_t distance = 0;
  HOST_CHECK(takt_enter(&measure, &distance));
  HOST_CHECK(distance < 4096, "%zu bytes", static_cast<std::size_t>(distance));
  for (int i = 0; i < 20; ++i) HOST_CHECK(sums(20) == 6765);
  HOST_CHECK(host::two_run_side_by_side());
}
