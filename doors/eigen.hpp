// Eigen's tensors on takt: a pool for Eigen::ThreadPoolDevice.
//
//     #define EIGEN_USE_THREADS
//     #include <unsupported/Eigen/CXX11/Tensor>
//     takt::doors::eigen_pool pool;
//     Eigen::ThreadPoolDevice device(&pool, pool.NumThreads());
#pragma once

#include "thread_number.hpp"

#include <takt/takt.hpp>

#include <unsupported/Eigen/CXX11/ThreadPool>

#include <functional>
#include <utility>

namespace takt::doors {

/// Eigen waits for its closures in its own way, by blocking the thread. So an expression is evaluated outside of parallel
/// calls, as with Eigen's own pool, or by fewer workers than there are. The destructor waits for all closures.
class eigen_pool final : public Eigen::ThreadPoolInterface {
 public:
  void Schedule(std::function<void()> f) override {
    takt::without_stop([&] { closures_.run(std::move(f)); });
  }
  /// Closures that have not begun are dropped.
  void Cancel() override { closures_.cancel(); }
  int NumThreads() const override { return workers_; }
  int CurrentThreadId() const override {
    const int number = thread_number::here();
    return number < workers_ ? number : -1;
  }

 private:
  const int workers_ = static_cast<int>(takt::current_config().workers);
  takt::task_group closures_{takt::group_order::oldest_first};
};

}  // namespace takt::doors
