// Says while compiling that it is without optimisation: forks and loops then cost several times what they do with it.
//
// Once for each file that is compiled, as nobody who compiles knows of the program, and linkers that can tell make an
// error of it where warnings are to be errors. It is a note (GCC), or a warning that -Werror leaves alone (Clang). Not
// with sanitizers, and not where TAKT_NO_WARN_UNOPTIMISED is defined; with TAKT_WARN_UNOPTIMISED, also with sanitizers.
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer) || \
    __has_feature(undefined_behavior_sanitizer)
#define TAKT_IS_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TAKT_IS_SANITIZED 1
#endif

#if defined(__GNUC__) && !defined(__OPTIMIZE__) && !defined(TAKT_ELISION) && !defined(TAKT_NO_WARN_UNOPTIMISED) && \
    (!defined(TAKT_IS_SANITIZED) || defined(TAKT_WARN_UNOPTIMISED))
#if defined(__clang__)
// Clang is silent in what it takes for a system's header, as those of an installed library. Behind a line marker, which
// are as GCC's preprocessor writes them, this is none; until the end of the file.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgnu-line-marker"
# 28 "takt/detail/unoptimised.hpp"
#pragma clang diagnostic pop
#endif
#pragma message( \
    "takt: compiled without optimisation (-O0), forks and short loops cost several times as much. In CMake: -DCMAKE_BUILD_TYPE=Release. To silence this: -DTAKT_NO_WARN_UNOPTIMISED")
#endif
