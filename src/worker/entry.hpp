// What queues hold: a task and its scope in one word, so that thieves can refuse a task without touching it.
#pragma once

#include <takt/abi.hpp>

#include "worker/scopes.hpp"

#include <cstdint>

namespace takt::core::entry {

inline constexpr std::uint64_t k_none = 0;

inline std::uint64_t make(abi::slot* task, std::uint32_t scope) {
  return (reinterpret_cast<std::uint64_t>(task) >> 6 << scope_table::k_bits) | scope;
}
inline abi::slot* task(std::uint64_t e) { return reinterpret_cast<abi::slot*>(e >> scope_table::k_bits << 6); }
inline std::uint32_t scope(std::uint64_t e) { return static_cast<std::uint32_t>(e) & scope_table::k_most; }
/// Whether an entry can name `task`: slots are 64-byte aligned, and addresses of 57 bits fit. What is not so (an
/// address with a tag in it) stays latent.
inline bool can_name(abi::slot* task) { return entry::task(entry::make(task, 0)) == task; }
/// Whether who may run tasks of the call `only` alone (0: of any) may run this one.
inline bool is_for(std::uint64_t e, std::uint32_t only) { return only == 0 || scope_table::is_of(scope(e), only); }

}  // namespace takt::core::entry
