// Work that ends before it is complete: with_stop, without_stop, stop_requested.
#pragma once

#include <takt/detail/fork.hpp>
#include <takt/detail/misfit.hpp>

#include <atomic>
#include <concepts>
#include <optional>
#include <type_traits>

// Not in each standard library.
#if __has_include(<stop_token>)
#include <stop_token>
#endif

namespace takt {
#if defined(__cpp_lib_jthread)
using std::stop_source;
using std::stop_token;
#endif
}  // namespace takt

namespace TAKT_NAMESPACE {
namespace detail {

#ifdef TAKT_ELISION

/// Of the serial program: what is around the code that runs here.
struct elided_scope {
  explicit elided_scope(bool is_shield) : outer(innermost), shields(is_shield) { innermost = this; }
  ~elided_scope() { innermost = outer; }
  elided_scope(const elided_scope&) = delete;
  elided_scope& operator=(const elided_scope&) = delete;
  void stop() noexcept { is_stopped.store(true, std::memory_order_relaxed); }

  elided_scope* const outer;
  const bool shields;
  std::atomic<bool> is_stopped{false};
  static inline thread_local elided_scope* innermost = nullptr;
};

#endif

/// What `F` returns, as with_stop does: whether it returned, or what.
template <class F>
using unless_stopped = std::conditional_t<std::is_void_v<std::invoke_result_t<F>>, bool,
                                          std::optional<std::remove_cvref_t<std::invoke_result_t<F>>>>;

/// A call that can be stopped.
template <class F>
class stop_call {
 public:
  using result_type = std::invoke_result_t<F>;
  static_assert(!std::is_reference_v<result_type>, "with_stop: the callable returns nothing or a value");

  stop_call(F&& f, on_exception how) : f_(static_cast<F&&>(f)) { scope_.on_exception = how == on_exception::stop; }
  stop_call(const stop_call&) = delete;
  stop_call& operator=(const stop_call&) = delete;

#ifdef TAKT_ELISION
  unless_stopped<F> run() {
    run_here();
    return std::move(kept_);
  }
  void stop() noexcept { elided_.stop(); }
#else
  unless_stopped<F> run() {
    // Outside of a parallel call it becomes one; where that cannot be had, the code cannot be stopped.
    if (takt_stop_begin(&scope_)) {
      end_here();
    } else if (!detail::run_outside(*this)) {
      run_here();
    }
    return std::move(kept_);
  }
  void stop() noexcept {
    __atomic_store_n(&scope_.position, 1, __ATOMIC_RELAXED);
    takt_stop_told();
  }
  // As the outermost call of its thread.
  void operator()() {
    static_cast<void>(takt_stop_begin(&scope_));
    end_here();
  }
#endif

 private:
  void run_here() {
    if constexpr (std::is_void_v<result_type>) {
      static_cast<F&&>(f_)();
      kept_ = true;
    } else {
      kept_.emplace(static_cast<F&&>(f_)());
    }
  }
#ifdef TAKT_ELISION
  elided_scope elided_{false};
#else
  void end_here() {
    struct until_over {
      stop_call& call;
      ~until_over() {
        takt_stop_end(&call.scope_);
        if (call.scope_.error.object != nullptr) call.scope_.error.end(call.scope_.error.object, false);
      }
    } const over{*this};
    TAKT_TRY {
      run_here();
    } TAKT_CATCH_STOPPED {
      rethrow_first();
      // It may have been something around this call.
      if (__atomic_load_n(&scope_.position, __ATOMIC_RELAXED) == 0) TAKT_RETHROW();
    } TAKT_CATCH_ALL {
      rethrow_first();
      TAKT_RETHROW();
    }
  }
  /// What has stopped it, if that was an exception: another one may have come first in serial order since.
  void rethrow_first() {
    if (scope_.error.object == nullptr) return;
    const abi::group_error error = std::exchange(scope_.error, {});
    error.end(error.object, true);
  }
#endif

  F&& f_;
  abi::failing_scope scope_;
  unless_stopped<F> kept_{};
};

}  // namespace detail

/// Runs `f()`, which ends early when `token` is asked to stop, or, with on_exception::stop, when a fork, loop, group or
/// algorithm in it meets an exception.
///
///     std::stop_source source;
///     const bool complete = takt::with_stop(source.get_token(), [&] { takt::parallel_for(0, n, body); });
///
/// From the request on, iterations, branches and children inside that have not begun are dropped (children from wait()
/// on), at any depth and on any thread; loops end at the end of a chunk, forks when they next look at the clock, a few
/// microseconds later, groups at run(). They throw takt::stopped, which ends `f`. Code that does none of it is asked:
/// takt::stop_requested().
/// @returns whether `f` returned; its value, or std::nullopt, if it returns one.
/// @throws what `f` throws. After on_exception::stop: the exception that was met first.
/// So whatever is between here and a fork or loop inside must let an exception pass: no destructor, and nothing that is
/// noexcept. See without_stop. Where exceptions are off, all of the work is done.
/// Cost: some tens of nanoseconds; nothing inside costs more than without.
#if defined(__cpp_lib_jthread)
template <std::invocable F>
auto with_stop(const std::stop_token& token, on_exception how, F&& f) -> detail::unless_stopped<F> {
  detail::stop_call<F> call(static_cast<F&&>(f), how);
  const std::stop_callback asked(token, [&call]() noexcept { call.stop(); });
  return call.run();
}
template <std::invocable F>
auto with_stop(const std::stop_token& token, F&& f) -> detail::unless_stopped<F> {
  return takt::with_stop(token, on_exception::go_on, static_cast<F&&>(f));
}
#endif
template <std::invocable F>
auto with_stop(on_exception how, F&& f) -> detail::unless_stopped<F> {
  return detail::stop_call<F>(static_cast<F&&>(f), how).run();
}

template <class... Arguments>
auto with_stop(const Arguments&...) {
  static_assert(detail::never<Arguments...>,
                "takt::with_stop: takes a std::stop_token, takt::on_exception or both, and a callable that is called "
                "without arguments");
  return detail::anything{};
}

/// Runs `f()`, which nothing around it stops: what must be done to its end, as in a destructor.
/// @returns what `f()` returns; throws what it throws.
template <std::invocable F>
decltype(auto) without_stop(F&& f) {
#ifdef TAKT_ELISION
  const detail::elided_scope shield(true);
#else
  const detail::scope_here shield = detail::shield();
#endif
  return static_cast<F&&>(f)();
}

template <class... Arguments>
auto without_stop(const Arguments&...) {
  static_assert(detail::never<Arguments...>, "takt::without_stop: takes a callable that is called without arguments");
  return detail::anything{};
}

/// Whether the code here, or what is around it, is to stop: a with_stop, a group that was cancelled, or a search whose
/// answer is known. Costs a few nanoseconds.
inline bool stop_requested() noexcept {
#ifdef TAKT_ELISION
  for (const auto* s = detail::elided_scope::innermost; s != nullptr && !s->shields; s = s->outer) {
    if (s->is_stopped.load(std::memory_order_relaxed)) return true;
  }
  return false;
#else
  return takt_stop_asked(false) != abi::stop_reach::nothing;
#endif
}

}  // namespace TAKT_NAMESPACE
