// async: a call that runs beside the code that goes on, and a handle for its result.
#pragma once

#include <takt/detail/exceptions.hpp>
#include <takt/detail/misfit.hpp>
#include <takt/task_group.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace TAKT_NAMESPACE {

template <class T>
class future;

}  // namespace TAKT_NAMESPACE

namespace TAKT_NAMESPACE::detail {

/// Nothing, as a value.
template <class T>
using some = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

template <class F, class T>
inline constexpr bool follows = std::is_invocable_v<F, T>;
template <class F>
inline constexpr bool follows<F, void> = std::is_invocable_v<F>;

/// The group is last: it waits before the result is destroyed.
template <class T>
struct async_state {
  std::optional<some<T>> result;
  /// What a wait() met: the group says it once.
  std::exception_ptr error;
  task_group group;

  void wait() {
    if (error) std::rethrow_exception(error);
    TAKT_TRY {
      group.wait();
    } TAKT_CATCH_ALL {
      error = std::current_exception();
      TAKT_RETHROW();
    }
  }
};

template <class F>
some<std::invoke_result_t<F&>> call_for_some(F& f) {
  if constexpr (std::is_void_v<std::invoke_result_t<F&>>) {
    std::invoke(f);
    return {};
  } else {
    return std::invoke(f);
  }
}

template <class T>
future<T> begin_async(auto f);

}  // namespace TAKT_NAMESPACE::detail

namespace TAKT_NAMESPACE {

/// The result of a call that takt::async has begun, or will. It is waited for as for a fork: what nobody has begun runs
/// where it is waited for, and a task that waits for what others run leaves its worker to other work. So a future cannot
/// deadlock, and any task or thread may wait for it; one at a time. The destructor waits, and drops an exception.
template <class T>
class [[nodiscard]] future {
  static_assert(!std::is_reference_v<T>, "takt::async: the callable returns nothing or a value");

 public:
  future(future&&) noexcept = default;
  future& operator=(future&&) noexcept = default;

  /// Whether get() and then() may be called: once one of them, and for what has not been moved from.
  bool valid() const noexcept { return state_ != nullptr; }
  /// Returns when the call is over.
  /// @throws what the call threw, each time; so does get() after it.
  void wait() { state_->wait(); }
  /// Waits for the result.
  /// @throws what the call threw
  T get() {
    const auto state = std::move(state_);
    state->wait();
    if constexpr (!std::is_void_v<T>) return std::move(*state->result);
  }
  /// Calls f(get()), or f() if there is no result, when this is over.
  /// @throws std::bad_alloc. If the call throws, so does get() of the new one.
  template <class F>
    requires detail::follows<std::decay_t<F>&, T>
  auto then(F&& f) {
    auto next = [before = std::move(*this), call = std::decay_t<F>(std::forward<F>(f))]() mutable {
      if constexpr (std::is_void_v<T>) {
        before.get();
        return std::invoke(call);
      } else {
        return std::invoke(call, before.get());
      }
    };
    return detail::begin_async<std::invoke_result_t<decltype(next)&>>(std::move(next));
  }
  template <class... Arguments>
  auto then(const Arguments&...) {
    static_assert(detail::never<Arguments...>, "takt::future::then: takes a callable that is called with the result, or "
                                               "without arguments if there is none");
    return detail::anything{};
  }

 private:
  template <class U>
  friend future<U> detail::begin_async(auto f);
  explicit future(std::unique_ptr<detail::async_state<T>> state) noexcept : state_(std::move(state)) {}

  std::unique_ptr<detail::async_state<T>> state_;
};

/// Calls f() beside the code that goes on: an idle worker may begin it at once; else it runs where it is waited for.
/// `f` is moved or copied.
/// @throws std::bad_alloc; takt::stopped in code that is stopped
/// Cost: a group with one child, and an allocation.
template <detail::child F>
auto async(F&& f) {
  return detail::begin_async<std::invoke_result_t<std::decay_t<F>&>>(std::decay_t<F>(std::forward<F>(f)));
}

template <class... Arguments>
auto async(const Arguments&...) {
  static_assert(detail::never<Arguments...>,
                "takt::async: takes a callable that is called without arguments, and that can be moved or copied");
  return detail::anything{};
}

/// All results, as a tuple; std::monostate for a call without one.
/// @throws std::bad_alloc. get() throws the exception of the first one that threw.
template <class... T>
auto when_all(future<T>... all) {
  return takt::async([... each = std::move(all)]() mutable {
    [[maybe_unused]] const auto get = [](auto& one) {
      auto call = [&one] { return one.get(); };
      return detail::call_for_some(call);
    };
    // Braces: from left to right.
    return std::tuple<detail::some<T>...>{get(each)...};
  });
}
/// All results, in their order; nothing for calls without one.
template <class T>
auto when_all(std::vector<future<T>> all) {
  return takt::async([all = std::move(all)]() mutable {
    if constexpr (std::is_void_v<T>) {
      for (future<T>& one : all) one.get();
    } else {
      std::vector<T> results;
      results.reserve(all.size());
      for (future<T>& one : all) results.push_back(one.get());
      return results;
    }
  });
}

}  // namespace TAKT_NAMESPACE

namespace TAKT_NAMESPACE::detail {

template <class T>
future<T> begin_async(auto f) {
  auto state = std::make_unique<async_state<T>>();
  // The state's address does not change, and it waits for the child.
  state->group.run([to = state.get(), f = std::move(f)]() mutable { to->result.emplace(detail::call_for_some(f)); });
  return future<T>(std::move(state));
}

}  // namespace TAKT_NAMESPACE::detail
