// Containers that each thread fills, and puts into what all share behind its loop.
#include "cases.h"
#include "listed.h"

#include <map>
#include <mutex>
#include <stdexcept>
#include <vector>

CASE(appended) {
  std::vector<int> all;
#pragma omp parallel
  {
    std::vector<int> mine;
#pragma omp for nowait
    for (int i = 0; i < n; ++i)
      if (i % 7 != 0) mine.push_back(i);
#pragma omp critical
    all.insert(all.end(), mine.begin(), mine.end());
  }
  return listed(all);
}
CASE(appended_one_by_one) {
  std::vector<int> all;
#pragma omp parallel
  {
    std::vector<int> mine;
#pragma omp for nowait schedule(dynamic)
    for (int i = 0; i < n; ++i)
      if (i % 5 != 0) mine.push_back(i);
#pragma omp critical(all)
    for (int each : mine) {
      if (each % 2 == 0) all.push_back(each);
    }
  }
  return listed(all);
}
CASE(moved) {
  std::vector<std::vector<int>> parts;
#pragma omp parallel
  {
    std::vector<int> mine;
#pragma omp for nowait schedule(guided)
    for (int i = 0; i < n; ++i) mine.push_back(i);
#pragma omp critical(all)
    parts.push_back(std::move(mine));
  }
  std::vector<int> all;
  for (auto &each : parts) all.insert(all.end(), each.begin(), each.end());
  return listed(all);
}
CASE(most) {
  int best = -1;
#pragma omp parallel
  {
    int mine = -1;
#pragma omp for nowait schedule(static, 9)
    for (int i = 0; i < n; ++i) mine = std::max(mine, i * 7919 % 1009);
#pragma omp critical
    best = std::max(best, mine);
  }
  return best;
}
CASE(counted) {
  std::map<int, int> all;
#pragma omp parallel
  {
    std::vector<int> mine(10);
#pragma omp for nowait
    for (int i = 0; i < n; ++i) mine[static_cast<std::size_t>(i * i % 10)]++;
#pragma omp critical(all)
    for (int k = 0; k < 10; ++k) all[k] += mine[static_cast<std::size_t>(k)];
  }
  long mixed = 0;
  for (auto [key, count] : all) mixed = mixed * 31 + key * count;
  return mixed;
}
static std::mutex guard;
CASE(guarded) {
  std::vector<int> all;
#pragma omp parallel
  {
    std::vector<int> mine;
#pragma omp for nowait
    for (int i = 0; i < n; ++i)
      if (i % 2 == 0) mine.push_back(i);
    std::lock_guard<std::mutex> held(guard);
    all.insert(all.end(), mine.begin(), mine.end());
  }
  return listed(all);
}
CASE(thrown_inside) {
  std::vector<int> all;
  int caught = 0;
#pragma omp parallel
  {
    std::vector<int> mine;
    int failed = 0;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) {
      try {
        if (i % 3 == 0) throw std::runtime_error("a third");
        mine.push_back(i);
      } catch (const std::exception &) {
        ++failed;
      }
    }
#pragma omp critical(all)
    {
      caught += failed;
      all.insert(all.end(), mine.begin(), mine.end());
    }
  }
  return listed(all) + caught;
}
/* No thread may touch it before all iterations are over. */
CASE(behind_a_barrier) {
  std::vector<int> all(1, 5);
#pragma omp parallel
  {
    std::vector<int> mine;
#pragma omp for
    for (int i = 0; i < n; ++i)
      if (static_cast<int>(all.size()) == 1) mine.push_back(i);
#pragma omp critical
    all.insert(all.end(), mine.begin(), mine.end());
  }
  return listed(all);
}

int main() {
  RUN(appended);
  RUN(appended_one_by_one);
  RUN(moved);
  RUN(most);
  RUN(counted);
  RUN(guarded);
  RUN(thrown_inside);
  RUN(behind_a_barrier);
  return 0;
}
// converted: 7 loops, 0 regions, 1 left
