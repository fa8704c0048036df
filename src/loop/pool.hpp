// The iterations of a loop that all who take part in it claim from, where to take part is dear. See README.md.
#pragma once

#include "worker/runtime.hpp"

namespace takt::core {

struct iteration_pool {
  sync::atomic<std::uint64_t> next{0};
  std::uint64_t end = 0;
  std::uint64_t together = 0;     ///< so many stay on one thread, counted from the first; 0, 1: any
  std::uint64_t begun = 0;        ///< when the first one did
  std::uint64_t entry_ticks = 0;  ///< what it took that one to be ready to take part
  std::uint32_t most = 0;         ///< so many may take part
  bool is_numbered = false;       ///< iterations look at their thread's number
  sync::atomic<std::uint32_t> taken{1};  ///< so many do, the first one included; nobody leaves before it is empty
  // Of all chunks that are over, and did not nest: those that are claimed last may be cheaper than the others, or
  // dearer. One is added after the other: who looks in between sees a little of a chunk.
  alignas(abi::k_cache_line) sync::atomic<std::uint64_t> ran{0};  ///< iterations
  sync::atomic<std::uint64_t> ticks{0};                           ///< what they took
};

/// Whether another one may take part, and there is so much left that it should.
bool is_worth_entering(const iteration_pool& pool, const abi::site& where) noexcept;
/// Another one takes part, if it may: `number` says the how manyth it is, from 0.
bool take_place(iteration_pool& pool, std::uint32_t& number) noexcept;

/// Whether each iteration has a number of its own, as with a thread for each: a program may count on that.
inline bool is_dealt_by_number(const iteration_pool& pool) noexcept { return pool.is_numbered && pool.end <= pool.most; }

/// The calling worker takes part from here on: pushes a frame whose iterations are invitations, which `run_invited` is
/// called for.
void enter_pool(abi::loop_cursor& c, abi::run_function run_invited, const iteration_pool& pool) noexcept;

/// The next chunk, after the look that is due. All that is left, if the frame has not been pushed.
abi::loop_chunk claim_from(iteration_pool& pool, abi::loop_cursor& c) noexcept;

}  // namespace takt::core
