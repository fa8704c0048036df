// What compiled code calls for takt/workers.hpp. See src/scheduler/README.md.
#pragma once

#include <takt/abi.hpp>

namespace takt::abi {

enum class part_way : std::int32_t {
  outside,   ///< nothing has run: the calling code is in no call
  done,
  no_memory  ///< nothing has run: memory is short, or there are thousands of parts
};

}  // namespace takt::abi

extern "C" {
/// Runs `run(argument)`, and what is forked in it, on at most `count` workers at a time, at least 1; what it throws passes.
TAKT_EXPORT takt::abi::part_way takt_with_workers(std::uint32_t count, void (*run)(void*), void* argument);
/// Runs `run(argument)` while somebody else has the seat; what it throws passes. @returns false, and nothing has run,
/// outside of calls.
TAKT_EXPORT bool takt_blocking(void (*run)(void*), void* argument);
/// The seat of the code that runs here; outside of calls takt_worker_count() - 1.
TAKT_EXPORT std::uint32_t takt_worker_index(void) noexcept;
/// The seats there may ever be, and one. 0: no memory.
TAKT_EXPORT std::uint32_t takt_worker_count(void) noexcept;
}
