// Memory for stacks.
#pragma once

#include <cstddef>
#include <cstdint>

namespace takt::platform {

/// [call stack | latent stack], each with a guard page at its far end; the call stack grows down from `middle`,
/// the latent stack up.
struct stack_memory {
  void* base = nullptr;
  std::size_t bytes = 0;
  std::byte* call_low = nullptr;
  std::byte* middle = nullptr;
  std::byte* latent_high = nullptr;
};

class stacks {
 public:
  /// Reserves a fiber's memory. @returns false when it cannot be had; `out` is untouched then.
  virtual bool allocate_stack(std::size_t call_bytes, std::size_t latent_bytes, stack_memory& out) noexcept = 0;
  virtual void release_stack(stack_memory& memory) noexcept = 0;
  /// What allocate_stack() reserves for such a stack.
  virtual std::size_t stack_reserve(std::size_t call_bytes, std::size_t latent_bytes) noexcept {
    return call_bytes + latent_bytes;
  }
  /// What the limits of the process leave for new mappings: k_no_limit where there is none.
  static constexpr std::uint64_t k_no_limit = ~std::uint64_t{0};
  virtual std::uint64_t address_space_left() noexcept { return k_no_limit; }
  /// Of the memory of a stack on which nothing runs: what is resident, without what is used at each start (its hot
  /// part). 0 where stacks have no pages.
  virtual std::size_t resident_bytes(const stack_memory& memory) noexcept {
    (void)memory;
    return 0;
  }
  /// Gives that back. @returns false when the system refuses.
  virtual bool trim_stack(stack_memory& memory) noexcept {
    (void)memory;
    return true;
  }
  virtual std::size_t default_stack_bytes() noexcept = 0;
  /// How large the calling thread's own stack may get; 0: memory is too short to find out.
  virtual std::size_t this_stack_bytes() noexcept { return default_stack_bytes(); }

 protected:
  ~stacks() = default;
};

}  // namespace takt::platform
