// Chunks of leaf loops that are not sized by time: none. (A build with TAKT_LAB has lab/seams/loop/other_chunks.hpp in this
// header's place.)
#pragma once

#include <takt/abi.hpp>
#include <takt/omp.hpp>

#include "worker/worker.hpp"

namespace takt::core {

/// What the cursor of a converted loop begins with; the site may know better.
constexpr abi::loop_phase first_phase() noexcept { return abi::loop_phase::unknown; }
/// Whether a converted loop is asked about in another way; then that is `answer`.
constexpr bool asks_otherwise(abi::site&, std::int64_t, abi::omp_way&) noexcept { return false; }
/// The slot of a loop has been pushed. @returns whether its first claim has been set.
constexpr bool enters_otherwise(worker&, abi::loop_cursor&) noexcept { return false; }
/// After a claim. @returns whether the next one has been set; `nested`: the one that has ended did.
constexpr bool ends_otherwise(worker&, abi::loop_cursor&, bool&) noexcept { return false; }

}  // namespace takt::core
