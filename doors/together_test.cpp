// Several doors in one process, one inside the other: there is one set of workers.
#include <gtest/gtest.h>
//
#include "pstl.hpp"
//
#include "c/takt_c.h"
#include "eigen.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <execution>
#include <filesystem>
#include <numeric>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <thread>
#include <vector>

namespace {

long threads() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator());
}

TEST(doors, share_their_workers) {
  std::vector<std::vector<long>> rows(64, std::vector<long>(2000));
  std::atomic<int> closures{64};
  takt::doors::eigen_pool pool;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, rows.size()), [&](const tbb::blocked_range<std::size_t>& range) {
    for (std::size_t r = range.begin(); r != range.end(); ++r) {
      std::iota(rows[r].rbegin(), rows[r].rend(), 0L);
      std::sort(std::execution::par, rows[r].begin(), rows[r].end());
      const auto add = [](void* row, std::uint64_t begin, std::uint64_t end) {
        for (auto i = begin; i != end; ++i) static_cast<long*>(row)[i] += 1;
      };
      takt_c_for(0, rows[r].size(), add, rows[r].data());
      pool.Schedule([&] { --closures; });
    }
  });
  while (closures != 0) std::this_thread::yield();
  for (const auto& row : rows) {
    for (long i = 0; i < 2000; ++i) ASSERT_EQ(row[static_cast<std::size_t>(i)], i + 1);
  }
  EXPECT_LE(threads(), static_cast<long>(takt::current_config().workers));
}

}  // namespace
