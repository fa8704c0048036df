// What a thread keeps from one outermost call to the next: the worker object, and whether its loops were in parts.
#pragma once

#include "platform/platform.hpp"

#include <cstdint>

namespace takt::core {

/// Names it to the platform, as what each thread has for itself.
void keep_workers_per_thread(platform::platform& os) noexcept;
/// Whether others have had a part of the last loop of this thread's last call.
bool last_call_parted() noexcept;
void note_call_parted(bool parted) noexcept;
/// What a loop must take to be worth a call of this thread, which is in none.
std::uint64_t least_ticks_outside() noexcept;

/// For a child of a group (abi::k_child_room), on any thread. @returns null without memory.
void* take_child_room() noexcept;
void give_child_room(void* room) noexcept;

}  // namespace takt::core
