// What memory a program uses, for the caches of the simulated machine.
#pragma once

#include <takt/abi.hpp>

#include <cstddef>

#if defined(TAKT_TOUCH) && !defined(TAKT_ELISION)

extern "C" TAKT_EXPORT void takt_touch(const void* first, std::size_t bytes) noexcept;

namespace takt::inline touching {

/// Says that the code here reads or writes [first, first + bytes): the simulated caches (TAKT_SIM=caches=...) take it
/// in.
///
/// Only where TAKT_TOUCH is defined before the first header of takt; elsewhere, and in the serial elision, it is compiled
/// to nothing.
/// Cost: a call, and with a simulation under way some 100 ns per cache line that no time in the simulation passes for.
inline void touch(const void* first, std::size_t bytes) noexcept { takt_touch(first, bytes); }

}  // namespace takt::inline touching

#else

namespace takt {

inline void touch(const void*, std::size_t) noexcept {}

}  // namespace takt

#endif
