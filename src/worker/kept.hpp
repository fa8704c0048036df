// What a thread keeps from one outermost call to the next: the worker object, and whether its loops were in parts.
#pragma once

#include "cost/burst.hpp"
#include "platform/threading.hpp"

#include <cstdint>

namespace takt::core {

/// Names it to the platform, as what each thread has for itself.
void keep_workers_per_thread(platform::threading& threading) noexcept;
/// Whether others have had a part of the last loop of this thread's last call.
bool last_call_parted() noexcept;
void note_call_parted(bool parted) noexcept;
/// Whether a loop that is known to take `ticks` is worth a call of this thread, which is in none.
bool is_worth_a_call(std::uint64_t ticks) noexcept;
/// The same, whatever comes with it.
bool is_much_too_short_for_a_call(std::uint64_t ticks) noexcept;
/// The loops of this thread since its last pause, for a call; and when that is over.
cost::burst burst_outside() noexcept;
void end_burst(std::uint64_t now) noexcept;

/// For a child of a group (abi::k_child_room), on any thread. @returns null without memory.
void* take_child_room() noexcept;
void give_child_room(void* room) noexcept;

}  // namespace takt::core
