// Exceptions, where there are any: with -fno-exceptions nothing is caught, and what would be thrown ends the program.
#pragma once

#include <takt/detail/elision.hpp>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>

#if TAKT_NO_EXCEPTIONS
#define TAKT_TRY if constexpr (true)
#define TAKT_CATCH_STOPPED else if constexpr (false)
#define TAKT_CATCH_ALL else
#define TAKT_RETHROW() ::std::abort()
#else
#define TAKT_TRY try
#define TAKT_CATCH_STOPPED catch (const ::takt::stopped&)
#define TAKT_CATCH_ALL catch (...)
#define TAKT_RETHROW() throw
#endif

namespace TAKT_NAMESPACE::detail {

/// Throws Error(arguments...).
template <class Error, class... Arguments>
[[noreturn, gnu::noinline, gnu::cold]] void raise(const Arguments&... arguments) {
#if TAKT_NO_EXCEPTIONS
  std::fprintf(stderr, "takt: %s\n", Error(arguments...).what());
  std::abort();
#else
  throw Error(arguments...);
#endif
}

}  // namespace TAKT_NAMESPACE::detail
