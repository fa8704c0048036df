// The iterations of one loop, or of several one after the other, that all who take part in it claim from, where to take
// part is dear. See README.md.
#pragma once

#include "worker/runtime.hpp"

namespace takt::core {

struct iteration_pool {
  sync::atomic<std::uint64_t> next{0};
  sync::atomic<std::uint64_t> end{0};          ///< of the last loop that somebody has come to
  sync::atomic<std::uint32_t> is_extended{0};  ///< by a further loop: what an iteration takes is that of all of them
  std::uint64_t begun = 0;                     ///< when the first one did
  std::uint64_t entry_ticks = 0;               ///< what it took that one to be ready to take part
  // Of all chunks that are over, and did not nest: those that are claimed last may be cheaper than the others, or
  // dearer. One is added after the other: who looks in between sees a little of a chunk.
  alignas(abi::k_cache_line) sync::atomic<std::uint64_t> ran{0};  ///< iterations
  sync::atomic<std::uint64_t> ticks{0};                           ///< what they took
};

/// Whether there is so much left in it that another one should take part.
bool is_worth_entering(const iteration_pool& pool, const abi::site& where) noexcept;

/// The calling worker takes part from here on: pushes a frame whose iterations are invitations, which `run_invited` is
/// called for.
void enter_pool(abi::loop_cursor& c, abi::run_function run_invited, const iteration_pool& pool) noexcept;

/// Somebody comes to a loop that ends there.
void extend_pool(iteration_pool& pool, std::uint64_t end) noexcept;

/// The next chunk of the loop whose iterations are [begin, end) in the pool, after the look that is due. All that is
/// left of it, if the frame has not been pushed.
abi::loop_chunk claim_from(iteration_pool& pool, abi::loop_cursor& c, abi::loop_chunk loop) noexcept;

}  // namespace takt::core
