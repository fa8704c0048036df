// The memory of fibers, and what is known of other stacks.
#pragma once

#include "platform/stacks.hpp"

#include <cstddef>

namespace takt::platform {

/// As platform::allocate_stack, release_stack, resident_bytes, trim_stack, default_stack_bytes and this_stack_bytes.
bool map_stack(std::size_t call_bytes, std::size_t latent_bytes, stack_memory& out) noexcept;
void unmap_stack(stack_memory& memory) noexcept;
std::size_t mapped_for_stack(std::size_t call_bytes, std::size_t latent_bytes) noexcept;
std::size_t bytes_beyond_hot(const stack_memory& memory) noexcept;
bool give_back_beyond_hot(stack_memory& memory) noexcept;
std::size_t usual_stack_bytes() noexcept;
std::size_t own_stack_bytes() noexcept;
/// For a thread that runs nothing but takt: its own stack, with the thread-locals that the C library puts there. As
/// large as any thread's by default, or small: if it is to be, and under mlockall(MCL_FUTURE), which makes it resident.
std::size_t own_thread_bytes(bool is_small) noexcept;

}  // namespace takt::platform
