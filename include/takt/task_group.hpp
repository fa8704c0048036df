// task_group: a number of children that is not known in advance.
#pragma once

#include <takt/detail/fork.hpp>

#include <memory>
#include <mutex>

#ifdef TAKT_ELISION

namespace TAKT_NAMESPACE {

/// The task group of the serial elision: run() is a plain call. What a child throws arrives at wait(), as ever.
class task_group {
 public:
  task_group() = default;
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;

  template <class F>
    requires std::invocable<std::remove_cvref_t<F>&>
  void run(F&& f) {
    std::remove_cvref_t<F> own(std::forward<F>(f));
    try {
      (void)std::invoke(own);
    } catch (...) {
      keep();
    }
  }
  void wait() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  void keep() {
    const std::lock_guard one_at_a_time(mutex_);
    if (!error_) error_ = std::current_exception();
  }

  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace TAKT_NAMESPACE

#else

namespace takt {

namespace abi {
/// A child of a group: the task record first, then whatever the template put behind it.
struct group_child {
  slot task;
  group_child* next = nullptr;
  void* group = nullptr;
  std::uint64_t sequence = 0;
  void (*destroy)(group_child*) = nullptr;
};
}  // namespace abi
}  // namespace takt

extern "C" {
/// @returns null when there is no memory.
TAKT_EXPORT void* takt_group_new() noexcept;
TAKT_EXPORT void takt_group_delete(void* group) noexcept;
/// Takes over `child`. @returns false when the caller is to run it at once.
TAKT_EXPORT bool takt_group_add(void* group, takt::abi::group_child* child);
TAKT_EXPORT void takt_group_failed(void* group, std::uint64_t sequence, void* exception_pointer) noexcept;
/// Waits for all children. `rethrow`: then throws the exception of the first child that threw.
TAKT_EXPORT void takt_group_wait(void* group, bool rethrow);
}

namespace TAKT_NAMESPACE {

/// Runs children that may run in parallel with each other and with the code between run() and wait().
///
/// A child that nobody else has taken runs at wait(), in the order of the run() calls; a beat hands over the oldest
/// one. Children may call run() on the group that they belong to. Any number of threads may call run(); one at a time
/// may call wait(), which may be called again after more run()s. The destructor waits, and drops exceptions.
/// Cost: one allocation per child (without memory the child runs at once, in run()).
class task_group {
 public:
  /// @throws std::bad_alloc
  task_group() : group_(takt_group_new()) {
    if (group_ == nullptr) throw std::bad_alloc();
  }
  ~task_group() { takt_group_delete(group_); }
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;

  /// Spawns `f()`; its result is dropped. `f` is moved or copied into the group. Exceptions of `f` arrive at wait();
  /// what moving or copying `f` throws arrives here.
  template <class F>
    requires std::invocable<std::remove_cvref_t<F>&>
  void run(F&& f) {
    using child_type = child<std::remove_cvref_t<F>>;
    auto made = std::unique_ptr<child_type>(new (std::nothrow) child_type(std::forward<F>(f)));
    if (made == nullptr) {
      run_now(f);
      return;
    }
    made->task.run = &child_type::run_task;
    made->destroy = [](abi::group_child* c) { delete static_cast<child_type*>(c); };
    if (takt_group_add(group_, made.get())) {
      (void)made.release();
    } else {
      run_now(made->function, made->sequence);
    }
  }

  /// Returns when all children are done.
  /// @throws the exception of the first child, in the order of the run() calls, that threw.
  void wait() { takt_group_wait(group_, true); }

 private:
  template <class F>
  struct child : abi::group_child {
    template <class G>
    explicit child(G&& g) : function(std::forward<G>(g)) {}

    static void run_task(abi::slot* task) {
      // The record comes first in the child, so the task's address is the child's.
      auto* self = static_cast<child*>(reinterpret_cast<abi::group_child*>(task));
      const std::unique_ptr<child> owner(self);
      try {
        (void)std::invoke(self->function);
      } catch (...) {
        std::exception_ptr error = std::current_exception();
        takt_group_failed(self->group, self->sequence, &error);
      }
    }

    F function;
  };

  template <class F>
  void run_now(F& f, std::uint64_t sequence = ~std::uint64_t{0}) {
    try {
      (void)std::invoke(f);
    } catch (...) {
      std::exception_ptr error = std::current_exception();
      takt_group_failed(group_, sequence, &error);
    }
  }

  void* group_;
};

}  // namespace TAKT_NAMESPACE

#endif
