// The door to the simulator, a library that is loaded where the environment asks for it and then gives the runtime its
// platform. What the two know of each other stands here, in platform.hpp and in the ABI. See sim/README.md.
#pragma once

#include <takt/abi.hpp>

#include "platform/platform.hpp"

#include <cstddef>
#include <cstdint>

// A number made of the text of these headers, so that the two sides never have different ones: the target takt_door.
#if !defined(TAKT_DOOR)
#error "link takt_door"
#endif

namespace takt::platform {

/// What the scheduler shows of itself.
struct scheduler_view {
  /// Whether the calling thread is in the program's code. `function` gets the innermost fork or loop there, by the
  /// function of its task; null: none is around.
  bool (*running)(const void** function) noexcept;
  /// Whether the calling thread is a worker that looks for work, with nothing in hand.
  bool (*searches)() noexcept;
  /// takt_statistics().
  bool (*statistics)(void (*take)(void* context, const char* text, std::size_t length), void* context);
  /// The most workers that may be asked for.
  unsigned most_workers;
};

/// All that a simulator is given of the process. `door` comes first, whatever follows.
struct simulated_process {
  std::uint64_t door = TAKT_DOOR;
  platform* real;
  abi::hot_state* hot;                      ///< takt_hot of the calling thread
  void* exceptions;                         ///< what __cxa_get_globals() of the program's C++ library returns here
  std::uint64_t loaded_at;                  ///< when takt was loaded, by the real clock
  std::uint32_t (*environment)() noexcept;  ///< floating_point_environment()
  scheduler_view scheduler;
};

/// As the calling thread sees it.
simulated_process this_process(const scheduler_view& scheduler) noexcept;

}  // namespace takt::platform

extern "C" {
/// What a simulator exports, and nothing else. `request`: the value of TAKT_SIM; one that it cannot serve ends the
/// process with a line on stderr and exit code 2. @returns null when the two sides have different doors.
TAKT_EXPORT takt::platform::platform* takt_simulator(const takt::platform::simulated_process* process,
                                                     const char* request) noexcept __asm__(TAKT_ABI_SYMBOL(simulator));
}
