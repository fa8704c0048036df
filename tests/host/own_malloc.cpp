// A program with a malloc of its own, in which nothing can be watched.
#include <cstddef>
#include <cstdlib>

extern "C" void* malloc(std::size_t bytes) noexcept {
  alignas(16) static char memory[1 << 20];
  static std::size_t used = 0;
  bytes = (bytes + 15) & ~std::size_t{15};
  return bytes <= sizeof memory - used ? memory + (used += bytes) - bytes : nullptr;
}

int main() { return std::malloc(10) != nullptr ? 0 : 1; }
