// Claims of leaf loops in converted programs, sized by counting polls (TAKT_CHUNKING=hbc). See README.md; the sizes are
// in src/cost/polled_chunks.hpp. Nothing else in this folder knows of it but for loop_phase::polled.
#pragma once

#include "worker/runtime.hpp"

namespace takt::core {

/// Whether the runtime in force, if there is one, sizes them so.
inline bool chunks_by_polls() noexcept { return __atomic_load_n(&process::chunks_by_polls, __ATOMIC_RELAXED); }
/// A site's loops are leaf loops: it learns nothing else.
void set_polled_cost(abi::site& s) noexcept;
/// The slot of such a loop has been pushed: sets the first claim.
void enter_polled(worker& w, abi::loop_cursor& c) noexcept;
/// After a claim: polls if it ends the worker's chunk, sets the next one. @returns whether it nested.
bool end_polled(worker& w, abi::loop_cursor& c) noexcept;

}  // namespace takt::core
