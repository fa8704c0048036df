// Claims of leaf loops in converted programs, sized by counting polls (TAKT_CHUNKING), in place of
// src/loop/other_chunks.hpp. The sizes are in lab/loop/polled_chunks.hpp.
#pragma once

#include <takt/abi.hpp>
#include <takt/omp.hpp>

#include "worker/worker.hpp"

namespace takt::core {

/// A leaf loop whose claims are sized so.
inline constexpr abi::loop_phase k_polled_phase{16};

/// Whether the runtime in force, if there is one, sizes them so.
inline bool chunks_by_polls() noexcept { return promotion_rule::published(); }
inline abi::loop_phase first_phase() noexcept {
  return chunks_by_polls() ? k_polled_phase : abi::loop_phase::unknown;
}

// --- lab/loop/polled.cpp
bool asks_otherwise(abi::site& where, std::int64_t units, abi::omp_way& answer) noexcept;
bool enters_otherwise(worker& w, abi::loop_cursor& c) noexcept;
bool ends_otherwise(worker& w, abi::loop_cursor& c, bool& nested) noexcept;

}  // namespace takt::core
