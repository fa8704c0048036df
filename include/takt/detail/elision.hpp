// Which program this is: the parallel one, or its serial elision, which TAKT_ELISION asks for.
//
// Everything whose meaning depends on it lives in an inline namespace of its own when elided, so that a linker never
// takes a function of one program for that of the other. All of a translation unit is one or the other.
#pragma once

#ifdef TAKT_ELISION
#define TAKT_NAMESPACE takt::inline elision
#define TAKT_IS_ELIDED true
#else
#define TAKT_NAMESPACE takt
#define TAKT_IS_ELIDED false
#endif

namespace TAKT_NAMESPACE::detail {

/// Every fork is a plain call, every loop a plain loop, and nothing of the library is needed.
inline constexpr bool k_elided = TAKT_IS_ELIDED;

}  // namespace TAKT_NAMESPACE::detail
