// Calls out of short loops into the runtime, made so that the loop keeps its registers.
//
// GCC gives a value that is needed after a call one home for its whole life: a register that calls preserve, of which
// there are five beside the frame pointer, or memory. A loop over the rows of a sparse matrix, which calls the runtime
// for one row in a thousand, then reads half of its arrays' addresses from the stack for every row. So such calls go
// through a function with Windows' calling convention, which preserves two more. Clang moves values to memory around
// the call alone, and needs nothing.
#pragma once

#include <takt/detail/exceptions.hpp>
#include <takt/detail/hot.hpp>

#include <exception>
#include <new>
#include <type_traits>
#include <utility>

#if TAKT_HOT_X86 && defined(__GNUC__) && !defined(__clang__)
#define TAKT_CALLS_ASIDE 1
#else
#define TAKT_CALLS_ASIDE 0
#endif

// A function that is called so, and never inlined. Its name says so: a file of the same program that another compiler
// made has one that is called in the usual way, and the linker keeps one of each name.
#if TAKT_CALLS_ASIDE
#define TAKT_ASIDE [[gnu::noinline, gnu::ms_abi, gnu::abi_tag("aside")]]
#else
#define TAKT_ASIDE TAKT_OUTLINE
#endif

namespace TAKT_NAMESPACE::detail {

/// What a function called aside ended with. Exceptions do not cross such a call, but are thrown again behind it: the
/// unwinder does not restore the vector registers that the convention preserves.
class aside_error {
 public:
  void keep(std::exception_ptr error) noexcept {
    ::new (static_cast<void*>(cell_)) std::exception_ptr(std::move(error));
    kept_ = true;
  }
  TAKT_INLINE void rethrow() {
    if (kept_) [[unlikely]]
      rethrow_kept();
  }

 private:
  [[noreturn]] TAKT_COLD void rethrow_kept() {
    auto& kept = *std::launder(reinterpret_cast<std::exception_ptr*>(cell_));
    const std::exception_ptr error = std::move(kept);
    kept.~exception_ptr();
    std::rethrow_exception(error);
  }

  bool kept_ = false;
  alignas(std::exception_ptr) std::byte cell_[sizeof(std::exception_ptr)];
};

}  // namespace TAKT_NAMESPACE::detail
