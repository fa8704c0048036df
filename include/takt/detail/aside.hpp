// Calls out of short loops into the runtime, made so that the loop keeps its registers.
//
// GCC gives a value that is needed after a call one home for its whole life: a register that calls preserve, of which
// there are five, or memory. A loop over the rows of a sparse matrix, which calls the runtime for one row in a
// thousand, then reads half of its arrays' addresses from the stack for every row. Where that happens the call is made
// in assembly, through a few instructions that preserve the general registers
// (docs/decisions/2026-11-22-rows-and-the-clock.md). Clang moves values to memory around the call alone, and needs
// nothing.
#pragma once

#include <takt/detail/hot.hpp>

#include <exception>
#include <new>
#include <type_traits>
#include <utility>

// Not with sanitizers, which see calls only, nor with registers that are not in the lists below.
#if TAKT_HOT_X86 && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__) && !defined(__APX_F__) && !defined(__AVX10_1__)
#define TAKT_CALLS_ASIDE 1
#else
#define TAKT_CALLS_ASIDE 0
#endif

namespace TAKT_NAMESPACE::detail {

#if TAKT_CALLS_ASIDE

#if defined(__AVX512F__)
#define TAKT_ASIDE_AVX512                                                                                       \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", \
      "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define TAKT_ASIDE_AVX512
#endif

// A library's procedure linkage could be bound at the first call, and is no place to preserve registers.
#if defined(TAKT_STATIC) && (!defined(__PIC__) || defined(__PIE__))
#define TAKT_ASIDE_CALL "call takt_aside"
#else
#define TAKT_ASIDE_CALL "call *takt_aside@GOTPCREL(%%rip)"
#endif

/// What a call aside does and leaves: `Work` returns nothing, or what is trivially copyable.
template <class Work>
class aside_call {
 public:
  using result_type = std::invoke_result_t<Work&>;

  TAKT_INLINE explicit aside_call(const Work& work) : work_(work) {}

  TAKT_INLINE result_type operator()() {
    void (*function)(void*) = &aside_call::run;
    void* self = this;
    // The compiler does not know of the call: its function must have another one, or it would keep values below the
    // stack pointer. That is rethrow().
    __asm__ volatile(TAKT_ASIDE_CALL
                     : "+a"(function), "+D"(self)
                     :
                     : "memory", "cc", "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)", "xmm0",
                       "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
                       "xmm12", "xmm13", "xmm14", "xmm15" TAKT_ASIDE_AVX512);
    if (threw_) [[unlikely]]
      rethrow(*this);
    if constexpr (!std::is_void_v<result_type>) return *std::launder(reinterpret_cast<result_type*>(cell_));
  }

 private:
  static void run(void* self) noexcept {
    auto& made = *static_cast<aside_call*>(self);
    try {
      if constexpr (std::is_void_v<result_type>) {
        made.work_();
      } else {
        ::new (static_cast<void*>(made.cell_)) result_type(made.work_());
      }
    } catch (...) {
      ::new (static_cast<void*>(made.cell_)) std::exception_ptr(std::current_exception());
      made.threw_ = true;
    }
  }
  [[noreturn]] TAKT_COLD static void rethrow(aside_call& made) {
    auto& kept = *std::launder(reinterpret_cast<std::exception_ptr*>(made.cell_));
    const std::exception_ptr error = std::move(kept);
    kept.~exception_ptr();
    std::rethrow_exception(error);
  }

  static constexpr std::size_t size_of_result() {
    if constexpr (std::is_void_v<result_type>) {
      return 0;
    } else {
      static_assert(std::is_trivially_copyable_v<result_type> && alignof(result_type) <= 8);
      return sizeof(result_type);
    }
  }
  static constexpr std::size_t k_cell = size_of_result() > sizeof(std::exception_ptr) ? size_of_result()
                                                                                      : sizeof(std::exception_ptr);
  Work work_;
  bool threw_ = false;
  alignas(8) std::byte cell_[k_cell];
};

template <class Work>
TAKT_INLINE auto call_aside(const Work& work) {
  return aside_call<Work>(work)();
}

#else

template <class Work>
TAKT_OUTLINE auto call_aside(Work work) {
  return work();
}

#endif

}  // namespace TAKT_NAMESPACE::detail
