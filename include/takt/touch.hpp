// What memory a program uses, for the caches of the simulated machine.
#pragma once

#include <takt/abi.hpp>

#include <cstddef>

#if defined(TAKT_TOUCH) && !defined(TAKT_ELISION)

extern "C" TAKT_EXPORT void takt_touch(const void* first, std::size_t bytes) noexcept;

namespace takt::inline touching {

/// Tells the simulated caches (TAKT_SIM=caches=...) that the code here reads or writes [first, first + bytes).
///
/// It needs TAKT_TOUCH to be defined before the first header of takt; otherwise, and in the serial elision, it is
/// compiled to nothing.
/// Cost: a call; in a simulation some 100 ns of real time per cache line, which do not count as simulated time.
inline void touch(const void* first, std::size_t bytes) noexcept { takt_touch(first, bytes); }

}  // namespace takt::inline touching

#else

namespace takt {

inline void touch(const void*, std::size_t) noexcept {}

}  // namespace takt

#endif
