// task_group: a number of children that is not known in advance.
#pragma once

#include <takt/abi.hpp>
#include <takt/detail/fork.hpp>
#include <takt/detail/misfit.hpp>
#include <takt/hints.hpp>

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>

#ifndef TAKT_ELISION
#include <takt/group.hpp>
#endif

namespace takt {

/// Which of the waiting children of a group a thread runs next. Thieves get the oldest ones in either order.
enum class group_order : std::uint32_t {
  /// The one that was added last. Children that a child adds run right after it. So a search goes deep first, as a
  /// recursive function does, and few children wait.
  newest_first,
  /// The one that was added first: in the order of the run() calls, as in a queue.
  oldest_first,
};

/// So many children of a group wait at most: a run() that finds them calls its function itself.
struct at_most {
  std::size_t children;
};

}  // namespace takt

namespace TAKT_NAMESPACE::detail {

/// What a group keeps of a callable: as std::thread does, so that a function becomes a pointer to it.
template <class F>
using child_of = std::decay_t<F>;

/// What can be a child of a group: it is moved or copied into the group, and called once.
template <class F>
concept child = std::constructible_from<child_of<F>, F> && std::invocable<child_of<F>&>;

/// What the constructor of a group takes, in any order.
template <class T>
concept group_part = std::same_as<T, group_order> || std::same_as<T, work> || std::same_as<T, bytes> ||
                     std::same_as<T, on_exception> || std::same_as<T, at_most>;

struct group_parts {
  group_order order = group_order::newest_first;
  double all_work = -1;
  std::uint64_t all_bytes = 0;
  on_exception how = on_exception::go_on;
  std::uint64_t most = ~std::uint64_t{0};

  template <group_part... Parts>
  TAKT_INLINE explicit group_parts(Parts... parts) {
    (take(parts), ...);
  }
  TAKT_INLINE void take(group_order said) { order = said; }
  TAKT_INLINE void take(takt::work said) { all_work = said.total; }
  TAKT_INLINE void take(takt::bytes said) { all_bytes = said.count; }
  TAKT_INLINE void take(on_exception said) { how = said; }
  TAKT_INLINE void take(at_most said) { most = said.children; }
};

}  // namespace TAKT_NAMESPACE::detail

#ifdef TAKT_ELISION

namespace TAKT_NAMESPACE {

/// The task group of the serial elision: run() is a plain call, whatever the order. What a child throws arrives at
/// wait(), as ever.
class task_group {
 public:
  task_group() = default;
  explicit task_group(group_order) {}
  template <detail::group_part... Parts>
    requires(sizeof...(Parts) != 0)
  explicit task_group(Parts... parts) : how_(detail::group_parts(parts...).how) {}
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;

  template <detail::child F>
  void run(F&& f) {
    if (cancelled_) return;
    detail::child_of<F> own(std::forward<F>(f));
    TAKT_TRY {
      (void)std::invoke(own);
    } TAKT_CATCH_ALL {
      keep();
    }
  }
  template <detail::child F>
  void run(work, F&& f) {
    run(std::forward<F>(f));
  }
  template <class... Arguments>
  auto run(const Arguments&...) {
    static_assert(detail::never<Arguments...>, "takt::task_group::run: takes a callable (behind a hint, if there is one) "
                                               "that is called without arguments, and that can be moved or copied here");
    return detail::anything{};
  }
  void cancel() { cancelled_ = true; }
  void wait() {
    cancelled_ = false;
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  void keep() {
    const std::lock_guard one_at_a_time(mutex_);
    if (!error_) error_ = std::current_exception();
    if (how_ == on_exception::stop) cancelled_ = true;
  }

  on_exception how_ = on_exception::go_on;
  std::atomic<bool> cancelled_{false};
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace TAKT_NAMESPACE

#else

namespace TAKT_NAMESPACE::detail {

/// A child is not complete: wait() says so, unless another one threw. No child has a higher number.
inline void child_was_stopped(void* group) noexcept {
  takt_group_failed(group, ~std::uint64_t{0}, abi::group_error{group, nullptr});
}
/// Whether a child that was stopped before it began is not to run.
TAKT_COLD inline bool is_dropped(void* group) noexcept {
  if constexpr (!k_stops) return takt_group_is_cancelled(group);
  detail::child_was_stopped(group);
  return true;
}

template <class F>
struct group_child_of : abi::group_child {
  template <class G>
  explicit group_child_of(G&& g) : function(std::forward<G>(g)) {}

  static void run_task(abi::slot* task) {
    // The record comes first in the child, so the task's address is the child's.
    auto* self = static_cast<group_child_of*>(reinterpret_cast<abi::group_child*>(task));
    const std::unique_ptr<group_child_of> owner(self);
    // It was stopped before it began.
    if (task->run == nullptr) [[unlikely]] {
      if (detail::is_dropped(self->group)) return;
    }
    TAKT_TRY {
      (void)std::invoke(self->function);
    } TAKT_CATCH_STOPPED {
      detail::child_was_stopped(self->group);
    } TAKT_CATCH_ALL {
      detail::met_exception();
      takt_group_failed(self->group, self->sequence, detail::carried_exception());
    }
  }

  // The library has room for small ones. A cache line is more than operator new promises, and to allocate by alignment
  // takes several times as long: so a large one is aligned here, with the address of its block in front of it.
  static void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t& nothrow) noexcept {
    if (fits(bytes, alignment)) return takt_group_room();
    const auto line = static_cast<std::uintptr_t>(alignment);
    void* const block = ::operator new(bytes + line, nothrow);
    if (block == nullptr) return nullptr;
    const auto begin = reinterpret_cast<std::uintptr_t>(block) + sizeof block;
    std::byte* const child = static_cast<std::byte*>(block) + sizeof block + (line - begin % line) % line;
    __builtin_memcpy(child - sizeof block, &block, sizeof block);
    return child;
  }
  static void operator delete(void* child, std::size_t bytes, std::align_val_t alignment) noexcept {
    if (fits(bytes, alignment)) return takt_group_give_room(child);
    void* block = nullptr;
    __builtin_memcpy(&block, static_cast<std::byte*>(child) - sizeof block, sizeof block);
    ::operator delete(block);
  }
  static void operator delete(void* child, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    operator delete(child, sizeof(group_child_of), alignment);
  }

  F function;

 private:
  static constexpr bool fits(std::size_t bytes, std::align_val_t alignment) noexcept {
    return bytes <= abi::k_child_room && static_cast<std::size_t>(alignment) <= abi::k_cache_line;
  }
};

/// Runs a child that the group did not take.
template <class F>
void run_child_now(void* group, F& f, std::uint64_t sequence) {
  if (takt_group_is_cancelled(group)) return;
  TAKT_TRY {
    (void)std::invoke(f);
  } TAKT_CATCH_STOPPED {
    detail::child_was_stopped(group);
  } TAKT_CATCH_ALL {
    detail::met_exception();
    takt_group_failed(group, sequence, detail::carried_exception());
  }
}

inline abi::child_added add_to_group(void* group, abi::group_child* child) { return takt_group_add(group, child); }
inline abi::child_added add_to_group(void* group, abi::group_child* child, work said) {
  return takt_group_add_hinted(group, child, said.total);
}

/// `said`: nothing, or the child's work.
template <class F, class... Said>
void run_in_group(void* group, F&& f, Said... said) {
  using child_type = group_child_of<child_of<F>>;
  auto made = std::unique_ptr<child_type>(new (std::nothrow) child_type(std::forward<F>(f)));
  if (made == nullptr) {
    child_of<F> own(std::forward<F>(f));
    detail::run_child_now(group, own, ~std::uint64_t{0});
    return;
  }
  made->task.run = &child_type::run_task;
  const abi::child_added how = detail::add_to_group(group, made.get(), said...);
  if (how == abi::child_added::taken) [[likely]] {
    (void)made.release();
  } else if (k_stops && how == abi::child_added::stopped) {
    detail::throw_stopped();
  } else {
    detail::run_child_now(group, made->function, made->sequence);
  }
}

inline void* new_group(group_order order) {
  void* group = takt_group_new(static_cast<std::uint32_t>(order));
  if (group == nullptr) detail::raise<std::bad_alloc>();
  return group;
}

inline void say_of_group(void* group, const group_parts& said) {
  takt_group_hints(group, said.all_work, said.all_bytes);
  if (said.how == on_exception::stop) takt_group_stop_on_exception(group);
  takt_group_bound(group, said.most);
}

inline void wait_for_group(void* group) {
  const abi::group_error error = takt_group_wait(group);
  if (error.object == nullptr) return;
  if (error.end == nullptr) detail::throw_stopped();
  error.end(error.object, true);
}

}  // namespace TAKT_NAMESPACE::detail

namespace takt {

/// Runs children that may run in parallel with each other and with the code between run() and wait().
///
/// An idle worker takes the older half of the children that wait, also while the code after run() goes on; if that code
/// neither forks nor loops, a signal reaches it for this. Children that nobody has taken run in wait(), the newest one
/// first unless the constructor says otherwise. So with one worker the children of a loop of run() calls begin in
/// reverse order, while the serial elision, which runs a child in run(), begins them in order (see group_order).
/// Children may call run() on the group that they belong to. Any number of threads may call run(); one at a time
/// may call wait(), which may be called again after more run()s. The destructor waits, and drops exceptions.
/// Cost: a child of up to 96 bytes needs no allocation of its own, as the library reuses its memory; a larger one is
/// allocated. Without memory a child runs at once, in run(). In a call it does so, too, if about 1,024 wait; in serial
/// code any number may wait, unless takt::at_most says less.
class task_group {
  // All is inlined: files compiled with different flags hand such objects to each other, and each has code of its own.
 public:
  /// @throws std::bad_alloc
  TAKT_INLINE task_group() : task_group(group_order::newest_first) {}
  /// @throws std::bad_alloc
  TAKT_INLINE explicit task_group(group_order order) : group_(detail::new_group(order)) {}
  /// With hints: takt::work and takt::bytes of all children together, the order, takt::at_most, and
  /// on_exception::stop, after which a child that throws cancels the group: each at most once and in any order.
  /// @throws std::bad_alloc
  template <detail::group_part... Parts>
    requires(sizeof...(Parts) != 0)
  TAKT_INLINE explicit task_group(Parts... parts) : task_group(detail::group_parts(parts...)) {}
  TAKT_INLINE ~task_group() { takt_group_delete(group_); }
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;

  /// Spawns `f()`; its result is dropped. `f` is moved or copied into the group. Exceptions of `f` arrive at wait().
  /// @throws takt::stopped in code that is stopped; what moving or copying `f` throws
  template <detail::child F>
  TAKT_INLINE void run(F&& f) {
    detail::run_in_group(group_, std::forward<F>(f));
  }

  /// The same with a hint: the child's work, in the unit of its siblings' and the group's.
  template <detail::child F>
  TAKT_INLINE void run(work said, F&& f) {
    if (detail::wants_hints()) [[unlikely]] {
      detail::run_in_group(group_, std::forward<F>(f), said);
    } else {
      detail::run_in_group(group_, std::forward<F>(f));
    }
  }
  template <class... Arguments>
  auto run(const Arguments&...) {
    static_assert(detail::never<Arguments...>, "takt::task_group::run: takes a callable (behind a hint, if there is one) "
                                               "that is called without arguments, and that can be moved or copied here");
    return detail::anything{};
  }

  /// Children that have not begun are dropped, and those that run are asked to stop (takt/stop.hpp), until wait() is
  /// over. From any thread, a child's included, while the group lives.
  TAKT_INLINE void cancel() { takt_group_cancel(group_); }

  /// Returns when all children are done.
  /// @throws the exception of the first child, in the order of the run() calls, that threw; with on_exception::stop of
  /// one of those that threw; takt::stopped if children were stopped by what is around this call.
  TAKT_INLINE void wait() { detail::wait_for_group(group_); }

 private:
  TAKT_INLINE explicit task_group(const detail::group_parts& said) : task_group(said.order) {
    detail::say_of_group(group_, said);
  }

  void* group_;
};

}  // namespace takt

#endif
