#include <gtest/gtest.h>
//
#define EIGEN_USE_THREADS
#include "eigen.hpp"

#include <unsupported/Eigen/CXX11/Tensor>

#include <atomic>
#include <thread>

namespace {

TEST(eigen, products_and_sums_are_those_of_one_thread) {
  takt::doors::eigen_pool pool;
  Eigen::ThreadPoolDevice device(&pool, pool.NumThreads());
  Eigen::Tensor<float, 2> a(200, 300), b(300, 150);
  a.setRandom();
  b.setRandom();
  const Eigen::array<Eigen::IndexPair<int>, 1> inner = {Eigen::IndexPair<int>(1, 0)};
  Eigen::Tensor<float, 2> expected = a.contract(b, inner), product(200, 150);
  for (int repeat = 0; repeat < 20; ++repeat) {
    product.device(device) = a.contract(b, inner);
    const Eigen::Tensor<float, 0> off = (product - expected).abs().maximum();
    ASSERT_LT(off(), 1e-3f);
  }
  Eigen::Tensor<float, 0> sum, plain = a.square().sum();
  sum.device(device) = a.square().sum();
  EXPECT_NEAR(sum(), plain(), 1e-1f);
}

TEST(eigen, closures_run_on_other_workers_than_the_thread_that_waits) {
  takt::doors::eigen_pool pool;
  ASSERT_GT(pool.NumThreads(), 1);
  const auto caller = std::this_thread::get_id();
  std::atomic<int> left{100};
  for (int i = 0; i < 100; ++i) {
    pool.Schedule([&] {
      EXPECT_NE(std::this_thread::get_id(), caller);
      EXPECT_GE(pool.CurrentThreadId(), 0);
      --left;
    });
  }
  while (left != 0) std::this_thread::yield();
}

}  // namespace
