// Calls out of short loops into the runtime, made so that the loop keeps its registers.
//
// GCC gives a value that is needed after a call one home for its whole life: a register that calls preserve, of which
// there are five beside the frame pointer, or memory. A loop over the rows of a sparse matrix, which calls the runtime
// for one row in a thousand, then reads half of its arrays' addresses from the stack for every row. So such calls go
// through a function with Windows' calling convention, which preserves two more
// (docs/decisions/2026-11-22-rows-and-the-clock.md). Clang moves values to memory around the call alone, and needs
// nothing.
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

namespace TAKT_NAMESPACE::detail {

#if TAKT_CALLS_ASIDE

/// What a call aside does and leaves: `Work` returns nothing, or what is trivially copyable. Exceptions do not cross
/// the call, but are thrown again behind it: the unwinder does not restore the vector registers that this convention
/// preserves.
template <class Work>
class aside_call {
 public:
  using result_type = std::invoke_result_t<Work&>;

  TAKT_INLINE explicit aside_call(const Work& work) : work_(work) {}

  TAKT_INLINE result_type operator()() {
    run(this);
    if (threw_) [[unlikely]]
      rethrow(*this);
    if constexpr (!std::is_void_v<result_type>) return *std::launder(reinterpret_cast<result_type*>(cell_));
  }

 private:
  [[gnu::noinline, gnu::ms_abi]] static void run(aside_call* made) noexcept {
    TAKT_TRY {
      if constexpr (std::is_void_v<result_type>) {
        made->work_();
      } else {
        ::new (static_cast<void*>(made->cell_)) result_type(made->work_());
      }
    } TAKT_CATCH_ALL {
      ::new (static_cast<void*>(made->cell_)) std::exception_ptr(std::current_exception());
      made->threw_ = true;
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
