// What is said of the frames of a fiber: see README.md, "Hints".
#pragma once

#include "worker/runtime.hpp"

namespace takt::core {

/// The calling thread is to run `f`: whether hints are wanted is its policy's to say.
void begin_hints(const fiber& f) noexcept;
/// What the thread had said before it called, if anything, is of the first frame of `f`, where the call begins.
void bring_hints(fiber& f) noexcept;
/// The calling thread takes part no more; or it runs without a call what was to be one.
void end_hints() noexcept;

/// The slot below head has just been pushed: the policy hears what is said of it, and may promote it.
void tell_hints(worker& w) noexcept;
/// A loop's slot has been popped, and its halves may still be under way.
void retire_hints(fiber& f, const abi::slot* popped) noexcept;
/// What is said of `s`, which is about to be promoted: no older frame of `f` is asked for afterwards. Null: nothing.
/// Async-signal-safe.
const abi::hints* hints_of(fiber& f, const abi::slot* s) noexcept;

/// As hints have it: negative if it makes no sense.
double sound_work(double said) noexcept;

}  // namespace takt::core
