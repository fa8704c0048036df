// Which program this is: the parallel one, or its serial elision, which TAKT_ELISION asks for. All of a translation
// unit is one or the other.
#pragma once

#include <takt/detail/variant.hpp>

#ifdef TAKT_ELISION
#define TAKT_IS_ELIDED true
#else
#define TAKT_IS_ELIDED false
#endif

// The fast paths' functions are small, and a part of the code that forks or loops: called, they would cost what they save.
#define TAKT_INLINE [[gnu::always_inline]] inline
// Behind the parameters of a lambda.
#define TAKT_INLINE_LAMBDA __attribute__((always_inline))

namespace TAKT_NAMESPACE::detail {

/// Every fork is a plain call, every loop a plain loop, and nothing of the library is needed.
inline constexpr bool k_elided = TAKT_IS_ELIDED;

}  // namespace TAKT_NAMESPACE::detail
