// Beats: when the clock is looked at, and what a beat that is due does. See README.md.
#pragma once

#include "promotion/rule.hpp"
#include "promotion/promote.hpp"
#include "worker/runtime.hpp"

namespace takt::core {

// --- poll.cpp
/// Looks at the clock: adapts the refill, spends a beat that is due. `charge` is what was taken from the credit for
/// something that has not run.
void poll(worker& w, std::int64_t charge) noexcept;
/// The same for a frame of `where` that was pushed, or is about to be, by a function with that stack pointer: learns
/// how far up the stack forks are short.
void poll_pushed(worker& w, std::int64_t charge, abi::site& where, std::uintptr_t stack) noexcept;
/// The same between two tasks or iterations that a function with that stack pointer runs, which may be leaves, or have
/// forks: the band of free forks stays where it is below that.
void poll_between(worker& w, std::int64_t charge, std::uintptr_t stack) noexcept;
/// The same at a known time, and without adapting the refill: after a chunk of `leaf`, whose cost is measured. What is
/// left of that is known: spread() gives it away before a beat.
void poll_at(worker& w, std::uint64_t now, const abi::loop_frame* leaf = nullptr) noexcept;
void poll_between_at(worker& w, std::uint64_t now, std::uintptr_t stack) noexcept;
/// Promotes the oldest frame, and more of them where others have done tasks of `w` (README.md, "More than one at
/// a time").
/// @returns whether there was any.
bool promote_at_beat(worker& w, bool in_signal_handler, std::uint32_t environment) noexcept;
/// The same at a poll, and the book-keeping of the beat.
bool spend_beat(worker& w) noexcept;
void count_beat(worker& w) noexcept;
/// A beat has fallen due.
void count_due_beat(worker& w) noexcept;
/// A task begins, or a fiber goes on. `stolen`: who has taken the task may promote part of it at once.
void start_beats(worker& w, std::uint64_t now, bool stolen = false) noexcept;
/// Promotes what is known to be long, oldest first; a beat begins then. @returns whether there was any.
bool spread(worker& w, known_loop leaf) noexcept;
/// The next fork or loop that begins polls.
void poll_at_next(worker& w) noexcept;
/// After a promotion or a join: if the policy divides what runs here, the next fork or loop that begins polls.
void look_at_next(worker& w) noexcept;
/// Tells the platform what has been charged since the last time.
void note_credit(worker& w) noexcept;
/// Forks push frames again, and for a while.
void leave_free_band(worker& w) noexcept;

// --- free_loops.cpp
/// Lets loops of this site run free if they have fewer than `below` iterations, and code that does not poll is reached.
void grant_free_loops(worker& w, abi::site& where, std::uint64_t below) noexcept;
/// Loops that ran free are charged again. A worker does this before it leaves a fiber: afterwards the library that a
/// site is part of may be unloaded.
void end_free_loops(worker& w) noexcept;

// --- interrupt.cpp
void on_interrupt(std::uint32_t environment);

}  // namespace takt::core
