#pragma once

#include "takt_door.h"

#include <atomic>
#include <memory>

namespace tbb {
inline namespace on_takt {

enum task_group_status { not_complete, complete, canceled };

/// A task that has not been run yet: of task_group::defer().
class task_handle {
 public:
  task_handle() = default;
  explicit operator bool() const noexcept { return function_ != nullptr; }
  friend bool operator==(const task_handle& a, std::nullptr_t) noexcept { return !a; }

 private:
  friend class task_group;
  friend class task_arena;
  struct function {
    virtual ~function() = default;
    virtual void call() = 0;
  };
  template <class F>
  struct function_of final : function {
    template <class G>
    explicit function_of(G&& g) : f(std::forward<G>(g)) {}
    void call() override { static_cast<void>(f()); }
    F f;
  };
  template <class F>
  static task_handle of(F&& f) {
    task_handle made;
    made.function_ = std::make_unique<function_of<std::decay_t<F>>>(std::forward<F>(f));
    return made;
  }
  auto release() {
    return [f = std::move(function_)] { f->call(); };
  }
  std::unique_ptr<function> function_;
};

class task_group {
 public:
  task_group() = default;
  /// Who cancels the context cancels the group, and the other way round.
  explicit task_group(task_group_context& context) : context_(&context) { listen(); }

  template <class F>
  void run(F&& f) {
    door::add(children_, std::forward<F>(f));
  }
  void run(task_handle&& task) { door::add(children_, task.release()); }
  template <class F>
  task_handle defer(F&& f) {
    return task_handle::of(std::forward<F>(f));
  }

  task_group_status wait() {
    const struct ready_again {
      task_group& group;
      ~ready_again() { group.cancelled_ = false; }
    } later{*this};
    try {
      children_.wait();
    } catch (const takt::stopped&) {
      return canceled;
    }
    return cancelled_ ? canceled : complete;
  }
  template <class F>
  task_group_status run_and_wait(const F& f) {
    run(f);
    return wait();
  }
  task_group_status run_and_wait(task_handle&& task) {
    run(std::move(task));
    return wait();
  }

  void cancel() {
    cancelled_ = true;
    children_.cancel();
    if (context_ != nullptr) context_->cancel_group_execution();
  }

 private:
  struct canceller {
    task_group* group;
    void operator()() const noexcept {
      group->cancelled_ = true;
      group->children_.cancel();
    }
  };
  void listen() { listener_ = std::make_unique<std::stop_callback<canceller>>(context_->token(), canceller{this}); }

  task_group_context* context_ = nullptr;
  std::atomic<bool> cancelled_{false};
  takt::task_group children_{takt::on_exception::stop};
  std::unique_ptr<std::stop_callback<canceller>> listener_;  ///< last: it cancels the children
};

}  // namespace on_takt
}  // namespace tbb
