// The fast paths' access to per-thread state.
//
// A computation can resume on another thread after any call, so the address of a thread-local variable must not
// survive one. Compilers may keep such an address in a register across calls; on x86-64 every access is
// therefore one instruction of inline assembly against %fs, which carries no address and which, being volatile
// with a memory clobber, is also the compiler barrier that the signal handler relies on (a push fills the slot
// before it moves head; a pop moves head before it looks at split).
#pragma once

#include <takt/abi.hpp>
#include <takt/detail/compilers.hpp>
#include <takt/detail/elision.hpp>

// Where a simulated machine may change threads, or a signal arrive (tests/explore); nothing in any other build. That a
// signal finds nothing else between two instructions is shown by tests/steps.
#if defined(TAKT_EXPLORE)
extern "C" void takt_explore_point() noexcept;
#define TAKT_POINT() takt_explore_point()
#else
#define TAKT_POINT() static_cast<void>(0)
#endif

namespace TAKT_NAMESPACE::detail {

using abi::slot;

#if TAKT_HOT_X86

// Code for an executable that links the static library addresses takt_hot at a fixed distance from %fs
// (local-exec); code that may end up in a shared library, or uses one, loads the distance (initial-exec).
#if defined(TAKT_STATIC) && (!defined(__PIC__) || defined(__PIE__))
#define TAKT_HOT_AT(offset) "%%fs:" TAKT_ABI_SYMBOL(hot) "@tpoff+" #offset
#define TAKT_HOT_BASE
#define TAKT_HOT_BASE_INPUT
#define TAKT_HOT_BASE_ALONE
#else
#define TAKT_HOT_AT(offset) "%%fs:" #offset "(%[base])"
#define TAKT_HOT_BASE     \
  std::intptr_t hot_base; \
  __asm__("movq " TAKT_ABI_SYMBOL(hot) "@gottpoff(%%rip), %0" : "=r"(hot_base));
#define TAKT_HOT_BASE_INPUT , [base] "r"(hot_base)
#define TAKT_HOT_BASE_ALONE [base] "r"(hot_base)
#endif

/// Charges `units`; true when the credit is used up and the cold path must be taken. No memory clobber: nothing but
/// the credit is ordered by it, and what a loop body reads may stay in registers across it.
template <std::int64_t Units>
TAKT_INLINE bool spend_constant() {
  TAKT_POINT();
  TAKT_HOT_BASE
  bool negative;
  __asm__ volatile("subq %[units], " TAKT_HOT_AT(16) : "=@ccs"(negative) : [units] "i"(Units)TAKT_HOT_BASE_INPUT);
  return negative;
}

TAKT_INLINE bool spend(std::int64_t units) {
  TAKT_POINT();
  TAKT_HOT_BASE
  bool negative;
  __asm__ volatile("subq %[units], " TAKT_HOT_AT(16) : "=@ccs"(negative) : [units] "r"(units)TAKT_HOT_BASE_INPUT);
  return negative;
}

/// Whether the credit is used up, or somebody has cut it: what runs is to look around.
TAKT_INLINE bool is_overdrawn() {
  TAKT_POINT();
  TAKT_HOT_BASE
  bool negative;
  __asm__ volatile("cmpq $0, " TAKT_HOT_AT(16) : "=@ccs"(negative) : TAKT_HOT_BASE_ALONE);
  return negative;
}

TAKT_INLINE slot* head() {
  TAKT_POINT();
  TAKT_HOT_BASE
  slot* s;
  __asm__ volatile("movq " TAKT_HOT_AT(0) ", %[s]" : [s] "=r"(s) : TAKT_HOT_BASE_ALONE);
  return s;
}

/// How often this thread has looked at the clock.
TAKT_INLINE std::uint64_t polls() {
  TAKT_POINT();
  TAKT_HOT_BASE
  std::uint64_t n;
  __asm__ volatile("movq " TAKT_HOT_AT(40) ", %[n]" : [n] "=r"(n) : TAKT_HOT_BASE_ALONE);
  return n;
}

/// Whether anybody may want to know what is said of the next fork or loop.
TAKT_INLINE bool wants_hints() {
  TAKT_POINT();
  TAKT_HOT_BASE
  bool some;
  __asm__ volatile("cmpq $0, " TAKT_HOT_AT(56) : "=@ccne"(some) : TAKT_HOT_BASE_ALONE);
  return some;
}

/// Moves head. The memory clobber keeps the slot's contents on the right side of it.
TAKT_INLINE void set_head(slot* s) {
  TAKT_POINT();
  TAKT_HOT_BASE
  __asm__ volatile("movq %[s], " TAKT_HOT_AT(0) : : [s] "r"(s)TAKT_HOT_BASE_INPUT : "memory");
}

/// Whether the slot just popped was promoted.
TAKT_INLINE bool is_promoted(slot* s) {
  TAKT_POINT();
  TAKT_HOT_BASE
  bool below;
  __asm__ volatile("cmpq " TAKT_HOT_AT(8) ", %[s]" : "=@ccb"(below) : [s] "r"(s)TAKT_HOT_BASE_INPUT : "memory");
  return below;
}

/// Whether a fork or loop of this site that stands here is to run free: the stack pointer is in the band.
TAKT_INLINE bool in_free_band(const abi::site& where) {
  TAKT_POINT();
  TAKT_HOT_BASE
  std::uintptr_t below;
  bool inside;
  __asm__ volatile("movq " TAKT_HOT_AT(48) ", %[below]\n\tsubq %%rsp, %[below]\n\tcmpq %[band], %[below]"
                   : "=@ccb"(inside), [below] "=&r"(below)
                   : [band] "m"(where.free_band)TAKT_HOT_BASE_INPUT);
  return inside;
}

#else  // portable form: correct everywhere, re-reads the thread's state through a call the compiler cannot merge

[[gnu::noinline]] inline abi::hot_state& hot() {
  __asm__ volatile("" ::: "memory");
  TAKT_POINT();
  return takt_hot;
}

TAKT_INLINE bool spend(std::int64_t units) {
  abi::hot_state& h = hot();
  h.credit -= units;
  return h.credit < 0;
}
template <std::int64_t Units>
TAKT_INLINE bool spend_constant() {
  return spend(Units);
}
TAKT_INLINE bool is_overdrawn() { return hot().credit < 0; }
TAKT_INLINE slot* head() { return hot().head; }
TAKT_INLINE std::uint64_t polls() { return hot().polls; }
TAKT_INLINE bool wants_hints() { return hot().wants_hints != 0; }
TAKT_INLINE void set_head(slot* s) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  hot().head = s;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
TAKT_INLINE bool is_promoted(slot* s) { return hot().split > s; }
TAKT_INLINE bool in_free_band(const abi::site&) { return false; }
#endif

/// Relaxed accesses to fields that several threads touch, without making them atomic types in the interface.
template <class T>
TAKT_INLINE T relaxed(const T& field) {
  return __atomic_load_n(&field, __ATOMIC_RELAXED);
}

/// One site per distinct `Tag` type: a lambda's type is distinct for every place in the source.
#if defined(TAKT_EXPLORE)
/// Found again by whoever must forget what sites have learned, so that a schedule can be replayed.
struct listed_site : abi::site {
  listed_site() noexcept : next(first) { first = this; }
  listed_site* next;
  static inline constinit listed_site* first = nullptr;
};
template <class Tag>
inline listed_site site_of{};
#else
template <class Tag>
inline constinit abi::site site_of{};
#endif

}  // namespace TAKT_NAMESPACE::detail
