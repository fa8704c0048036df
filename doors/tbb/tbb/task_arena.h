#pragma once

#include "../../thread_number.hpp"
#include "info.h"
#include "takt_door.h"
#include "task_group.h"

#include <mutex>
#include <optional>

namespace tbb {
inline namespace on_takt {

struct attach;

namespace door {

/// Tasks that nobody waits for but the one who drops them.
class enqueued {
 public:
  template <class F>
  void run(F&& f) {
    door::add(tasks_, std::forward<F>(f));
  }

 private:
  takt::task_group tasks_{takt::group_order::oldest_first};
};

}  // namespace door

/// All arenas are the process's workers, and their concurrency is what it is told.
class task_arena {
 public:
  static constexpr int automatic = -1;
  static constexpr int not_initialized = -2;
  enum class priority { low = 1, normal = 2, high = 3 };
  struct constraints {
    constraints(numa_node_id numa = automatic, int most = automatic) : numa_id(numa), max_concurrency(most) {}
    constraints& set_numa_id(numa_node_id id) { return numa_id = id, *this; }
    constraints& set_max_concurrency(int most) { return max_concurrency = most, *this; }
    constraints& set_core_type(core_type_id id) { return core_type = id, *this; }
    constraints& set_max_threads_per_core(int most) { return max_threads_per_core = most, *this; }
    numa_node_id numa_id;
    int max_concurrency;
    core_type_id core_type = automatic;
    int max_threads_per_core = automatic;
  };

  explicit task_arena(int most = automatic, unsigned = 1, priority = priority::normal) : most_(most) {}
  explicit task_arena(const constraints& said, unsigned = 1, priority = priority::normal)
      : most_(said.max_concurrency) {}
  using attach = tbb::attach;
  explicit task_arena(attach) {}
  task_arena(const task_arena& other) : most_(other.most_) {}

  void initialize() { static_cast<void>(tasks()); }
  void initialize(int most, unsigned = 1, priority = priority::normal) {
    most_ = most;
    initialize();
  }
  void initialize(const constraints& said, unsigned = 1, priority = priority::normal) {
    initialize(said.max_concurrency);
  }
  void initialize(attach) { initialize(); }
  /// Waits for what was enqueued.
  void terminate() {
    const std::lock_guard one(mutex_);
    tasks_.reset();
  }
  bool is_active() const {
    const std::lock_guard one(mutex_);
    return tasks_.has_value();
  }
  int max_concurrency() const { return most_ > 0 ? most_ : info::default_concurrency(); }

  template <class F>
  auto execute(F&& f) -> decltype(f()) {
    initialize();
    return f();
  }
  template <class F>
  void enqueue(F&& f) {
    tasks().run(std::forward<F>(f));
  }
  void enqueue(task_handle&& task) { tasks().run(task.release()); }
  template <class F>
  void enqueue(F&& f, task_group& group) {
    group.run(std::forward<F>(f));
  }
  task_group_status wait_for(task_group& group) { return group.wait(); }

 private:
  door::enqueued& tasks() {
    const std::lock_guard one(mutex_);
    if (!tasks_) tasks_.emplace();
    return *tasks_;
  }
  int most_ = automatic;
  mutable std::mutex mutex_;
  std::optional<door::enqueued> tasks_;
};

namespace this_task_arena {

/// Of the threads that have asked: from 0 on, and in a program with one thread of its own below max_concurrency().
inline int current_thread_index() { return takt::doors::thread_number::here(); }
inline int max_concurrency() { return info::default_concurrency(); }
/// While takt waits, it runs nothing on this stack that `f` has not made. That `f` remains on its thread, too, is for
/// what belongs to the thread: locks, and elements of enumerable_thread_specific.
template <class F>
auto isolate(F&& f) -> decltype(f()) {
  const takt::stay here;
  return f();
}
template <class F>
void enqueue(F&& f) {
  // Never destroyed, as a task may be under way at the end of the process.
  static door::enqueued& of_process = *new door::enqueued;
  of_process.run(std::forward<F>(f));
}

}  // namespace this_task_arena
}  // namespace on_takt
}  // namespace tbb
