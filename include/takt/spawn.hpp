// spawn: functions that nobody waits for one by one.
#pragma once

#include <takt/task_group.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <utility>

#ifndef TAKT_ELISION
#include <takt/spawning.hpp>
#endif

namespace takt {

/// What an idle worker begins first. High: before tasks of parallel calls. Normal: after them. Low: after all else.
/// Functions of one priority begin in the order in which they were spawned.
enum class priority : std::uint32_t { high, normal, low };

}  // namespace takt

namespace TAKT_NAMESPACE {

/// Calls f() on an idle worker, some time. Never waits, and belongs to no call: what stops the code around does not
/// stop it. From any thread or task, other spawned functions included. `f` is moved or copied; its result is dropped.
/// An exception that leaves it ends the process by std::terminate, as with std::thread.
///
/// A return from main, or exit(), waits until all is done, those functions included that were spawned meanwhile; what is
/// spawned after that runs at once. exit() in a parallel call or a spawned function, quick_exit() and abort() do not
/// wait. In a child of fork(2) nothing has been spawned.
/// Cost: as a child of a group; without memory f() is called at once. What waits takes memory, however much it is.
template <detail::child F>
void spawn(priority of, F&& f) {
  auto call = [own = detail::child_of<F>(std::forward<F>(f))]() mutable noexcept { (void)std::invoke(own); };
#ifdef TAKT_ELISION
  (void)of;
  call();
#else
  using child_type = detail::group_child_of<decltype(call)>;
  auto made = std::unique_ptr<child_type>(new (std::nothrow) child_type(std::move(call)));
  if (made == nullptr) return call();
  made->task.run = &child_type::run_task;
  if (takt_spawn(made.get(), static_cast<std::uint32_t>(of))) {
    (void)made.release();
  } else {
    made->function();
  }
#endif
}
template <detail::child F>
void spawn(F&& f) {
  takt::spawn(priority::normal, std::forward<F>(f));
}
template <class... Arguments>
auto spawn(const Arguments&...) {
  static_assert(detail::never<Arguments...>, "takt::spawn: takes a callable (behind a priority, if there is one) that is "
                                             "called without arguments, and that can be moved or copied");
  return detail::anything{};
}

/// Returns when no spawned function is left; runs them meanwhile. From any number of threads, and from tasks; not from a
/// spawned function, which would wait for itself.
inline void wait_for_spawned() {
#ifndef TAKT_ELISION
  takt_wait_for_spawned();
#endif
}

}  // namespace TAKT_NAMESPACE
