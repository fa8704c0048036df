#include <gtest/gtest.h>
//
#include "openblas.hpp"

#include <takt/takt.hpp>

#ifdef TAKT_OLD_OPENBLAS
#include <openblas_config.h>
#endif
#include <cblas.h>

#include <atomic>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

#ifdef TAKT_OLD_OPENBLAS

TEST(openblas, says_that_it_is_too_old) {
  ASSERT_NE(openblas_get_config(), nullptr);
  try {
    takt::doors::use_in_openblas();
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("openblas_set_threads_callback_function"), std::string::npos);
  }
}

#else

std::atomic<int> many{0};
void counted(int sync, takt::doors::openblas_jobs::job job, int count, std::size_t bytes, void* data, int extra) {
  if (count > 1) ++many;
  takt::doors::openblas_jobs::run(sync, job, count, bytes, data, extra);
}

using matrix = std::vector<double>;
constexpr int k_size = 257;

matrix numbers(int seed) {
  matrix m(std::size_t{k_size} * k_size);
  for (std::size_t i = 0; i < m.size(); ++i) m[i] = static_cast<double>((i * 7 + static_cast<std::size_t>(seed)) % 13) - 6;
  return m;
}

// Whole numbers: in any order the same.
double all_calls(int seed) {
  const matrix a = numbers(seed), b = numbers(seed + 1);
  matrix c(a.size()), d(a.size()), y(k_size);
  scipy_cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, k_size, k_size, k_size, 1, a.data(), k_size, b.data(), k_size, 0,
                    c.data(), k_size);
  scipy_cblas_dsyrk(CblasRowMajor, CblasUpper, CblasNoTrans, k_size, k_size, 1, a.data(), k_size, 0, d.data(), k_size);
  scipy_cblas_dgemv(CblasRowMajor, CblasNoTrans, k_size, k_size, 1, c.data(), k_size, a.data(), 1, 0, y.data(), 1);
  scipy_cblas_daxpy(k_size * k_size, 3, d.data(), 1, c.data(), 1);
  return std::accumulate(y.begin(), y.end(), scipy_cblas_ddot(k_size * k_size, c.data(), 1, a.data(), 1));
}

class openblas : public testing::Test {
 protected:
  openblas() {
    takt::doors::use_in_openblas(&scipy_openblas_set_threads_callback_function);
    scipy_openblas_set_num_threads(1);
    for (int seed = 0; seed < 3; ++seed) expected.push_back(all_calls(seed));
    scipy_openblas_set_threads_callback_function(&counted);
    scipy_openblas_set_num_threads(static_cast<int>(takt::current_config().workers));
    many = 0;
  }
  ~openblas() override { EXPECT_GT(many, 0); }

  std::vector<double> expected;
};

TEST_F(openblas, gives_what_one_thread_gives) {
  for (int seed = 0; seed < 3; ++seed) EXPECT_EQ(all_calls(seed), expected[static_cast<std::size_t>(seed)]);
}

TEST_F(openblas, is_called_by_threads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      for (int seed = 0; seed < 3; ++seed) EXPECT_EQ(all_calls(seed), expected[static_cast<std::size_t>(seed)]);
    });
  }
  for (std::thread& t : threads) t.join();
}

TEST_F(openblas, is_called_by_tasks) {
  takt::parallel_for(0, 6, [&](int i) { EXPECT_EQ(all_calls(i % 3), expected[static_cast<std::size_t>(i % 3)]); });
}

// OpenBLAS's jobs do: in one thread after the other they would never end.
struct meeting {
  int jobs;
  std::atomic<int> here{0};
};
struct guest {
  meeting* of;
  int number;
};
void meet(int number, void* data, int extra) {
  guest& self = *static_cast<guest*>(data);
  EXPECT_EQ(self.number, number);
  EXPECT_EQ(extra, 5);
  ++self.of->here;
  while (self.of->here < self.of->jobs) std::this_thread::yield();
}
void hold_meeting(int jobs) {
  meeting all{jobs};
  std::vector<guest> guests;
  for (int i = 0; i < jobs; ++i) guests.push_back({&all, i});
  takt::doors::openblas_jobs::run(1, &meet, jobs, sizeof(guest), guests.data(), 5);
  EXPECT_EQ(all.here, jobs);
}

TEST(openblas_jobs, run_all_at_a_time) {
  for (const int jobs : {1, 2, 5}) hold_meeting(jobs);
  takt::parallel_for(0, 12, [](int i) { hold_meeting(1 + i % 4); });
}

// Those of two calls have the same numbers, and so the same buffers.
void be_alone(int, void* data, int) {
  std::atomic<int>& here = *static_cast<std::atomic<int>*>(data);
  EXPECT_EQ(here++, 0);
  for (int i = 0; i < 2000 && here == 1; ++i) std::this_thread::yield();
  EXPECT_EQ(here--, 1);
}

TEST(openblas_jobs, are_of_one_call_at_a_time) {
  std::atomic<int> here{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) threads.emplace_back([&] { takt::doors::openblas_jobs::run(1, &be_alone, 1, 0, &here, 0); });
  for (std::thread& t : threads) t.join();
}

#endif

}  // namespace
