// A callable that the library runs, on this stack, and what it returns.
#pragma once

#include <takt/detail/fork.hpp>
#include <takt/detail/large.hpp>

#include <memory>
#include <type_traits>
#include <utility>

namespace TAKT_NAMESPACE::detail {

/// Calls `f` once, by run(), and keeps what it returns until take().
template <class F>
class kept_call {
 public:
  using result_type = std::invoke_result_t<F>;

  explicit kept_call(F&& f) : f_(static_cast<F&&>(f)) {}
  kept_call(const kept_call&) = delete;
  kept_call& operator=(const kept_call&) = delete;

  static void start(void* given) { static_cast<kept_call*>(given)->run(); }
  void run() {
    if constexpr (k_void) {
      static_cast<F&&>(f_)();
    } else if constexpr (k_reference) {
      auto&& result = static_cast<F&&>(f_)();
      kept_ = std::addressof(result);
    } else {
      kept_.emplace(static_cast<F&&>(f_)());
    }
  }
  result_type take() {
    if constexpr (k_reference) {
      return static_cast<result_type>(**kept_);
    } else if constexpr (!k_void) {
      return std::move(*kept_);
    }
  }

 private:
  static constexpr bool k_void = std::is_void_v<result_type>;
  static constexpr bool k_reference = std::is_reference_v<result_type>;
  using kept_type = std::conditional_t<
      k_void, nothing,
      std::conditional_t<k_reference, std::remove_reference_t<result_type>*, std::remove_const_t<result_type>>>;

  F&& f_;
  optional_value<kept_type> kept_;
};

/// `inside()` is to run, in a parallel call; it says that it is in none by false, and has done nothing then.
template <class Inside>
struct entered_call {
  Inside& inside;
  void operator()() { (void)inside(); }
};

/// Runs `inside()` in a parallel call, this thread's outermost one if need be. @returns false if that cannot be had, and
/// nothing has run.
template <class Inside>
bool run_inside(Inside inside) {
  if (inside()) return true;
  entered_call<Inside> call{inside};
  return detail::run_outside(call);
}

}  // namespace TAKT_NAMESPACE::detail
