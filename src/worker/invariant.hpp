// Internal assertions. TAKT_ASSERT_LEVEL 0: none; 1: cheap ones; 2: also those that walk a structure.
#pragma once

namespace takt::core {

/// Reports the broken invariant with the worker, its fiber and its latent stack on stderr, and aborts: the state is
/// not to be trusted any more, and going on would turn a bug into wrong answers.
[[noreturn]] void broken_invariant(const char* condition, const char* file, int line) noexcept;

}  // namespace takt::core

#if !defined(TAKT_ASSERT_LEVEL)
#define TAKT_ASSERT_LEVEL 0
#endif

#if TAKT_ASSERT_LEVEL >= 1
#define TAKT_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::takt::core::broken_invariant(#condition, __FILE__, __LINE__))
#else
#define TAKT_ASSERT(condition) static_cast<void>(0)
#endif

#if TAKT_ASSERT_LEVEL >= 2
#define TAKT_ASSERT_EXPENSIVE(condition) TAKT_ASSERT(condition)
#else
#define TAKT_ASSERT_EXPENSIVE(condition) static_cast<void>(0)
#endif
