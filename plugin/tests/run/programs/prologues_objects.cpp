// Containers and objects that have memory before the loop begins.
#include "cases.h"
#include "listed.h"

#include <atomic>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

CASE(reserved) {
  std::vector<int> all;
#pragma omp parallel
  {
    std::vector<int> mine;
    mine.reserve(100);
#pragma omp for nowait
    for (int i = 0; i < n; ++i)
      if (i % 7 != 0) mine.push_back(i);
#pragma omp critical
    all.insert(all.end(), mine.begin(), mine.end());
  }
  return listed(all);
}
CASE(resized) {
  std::vector<long> all(10);
#pragma omp parallel
  {
    std::vector<long> mine;
    mine.resize(all.size(), 0);
#pragma omp for nowait
    for (int i = 0; i < n; ++i) mine[static_cast<std::size_t>(i * i % 10)] += i;
#pragma omp critical
    for (std::size_t k = 0; k < mine.size(); ++k) all[k] += mine[k];
  }
  for (std::size_t k = 0; k < all.size(); ++k) v[k] = all[k];
  return taken();
}
CASE(bins) {
  std::vector<std::vector<int>> all(10);
#pragma omp parallel
  {
    std::vector<std::vector<int>> mine(10);
    for (auto& each : mine) each.reserve(4);
#pragma omp for nowait schedule(dynamic, 5)
    for (int i = 0; i < n; ++i) mine[static_cast<std::size_t>(i % 10)].push_back(i);
#pragma omp critical
    for (std::size_t k = 0; k < mine.size(); ++k) all[k].insert(all[k].end(), mine[k].begin(), mine[k].end());
  }
  for (std::size_t k = 0; k < all.size(); ++k) v[k] = listed(all[k]);
  return taken();
}
CASE(owned) {
#pragma omp parallel
  {
    auto mine = std::make_unique<long[]>(16);
#pragma omp for nowait
    for (int i = 0; i < n; ++i) mine[static_cast<std::size_t>(i * 7 % 16)] += i;
#pragma omp critical
    for (std::size_t k = 0; k < 16; ++k) v[k] += mine[k];
  }
  return taken();
}
struct queue {
  int* all;
  std::size_t used;
};
// A full one is emptied in an iteration.
class buffer {
 public:
  explicit buffer(queue& to, std::size_t room) : to_(to), mine_(new int[room]), room_(room) {}
  ~buffer() { delete[] mine_; }
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;
  void add(int value) {
    if (used_ == room_) flush();
    mine_[used_++] = value;
  }
  void flush() {
    std::size_t at = __sync_fetch_and_add(&to_.used, used_);
    std::copy(mine_, mine_ + used_, to_.all + at);
    used_ = 0;
  }

 private:
  queue& to_;
  int* mine_;
  std::size_t used_ = 0;
  std::size_t room_;
};
CASE(flushed) {
  std::vector<int> room(static_cast<std::size_t>(n));
  queue all{room.data(), 0};
#pragma omp parallel
  {
    buffer mine(all, 16);
#pragma omp for nowait
    for (int i = 0; i < n; ++i)
      if (i % 3 != 1) mine.add(i);
    mine.flush();
  }
  room.resize(all.used);
  return listed(room);
}
CASE(flushed_by_hand) {
  std::vector<int> room(static_cast<std::size_t>(n));
  queue all{room.data(), 0};
#pragma omp parallel
  {
    auto* mine = new int[16];
    std::size_t used = 0;
#pragma omp for nowait schedule(dynamic)
    for (int i = 0; i < n; ++i) {
      mine[used++] = i;
      if (used == 16) {
        std::copy(mine, mine + used, all.all + __sync_fetch_and_add(&all.used, used));
        used = 0;
      }
    }
    std::copy(mine, mine + used, all.all + __sync_fetch_and_add(&all.used, used));
    delete[] mine;
  }
  room.resize(all.used);
  return listed(room);
}
// What is too much for one thread is for each.
CASE(refused_by_all) {
  std::vector<int> all;
#pragma omp parallel
  {
    std::vector<int> mine;
    bool small = false;
    try {
      mine.reserve(mine.max_size() + 1);
    } catch (const std::length_error&) {
      small = true;
    }
#pragma omp for nowait
    for (int i = 0; i < n; ++i)
      if (small) mine.push_back(i);
#pragma omp critical
    all.insert(all.end(), mine.begin(), mine.end());
  }
  return listed(all);
}
CASE(moved) {
  std::vector<std::vector<int>> parts;
#pragma omp parallel
  {
    std::vector<int> mine;
    mine.reserve(10);
#pragma omp for nowait schedule(guided)
    for (int i = 0; i < n; ++i) mine.push_back(i);
#pragma omp critical(all)
    parts.push_back(std::move(mine));
  }
  std::vector<int> all;
  for (auto& each : parts) all.insert(all.end(), each.begin(), each.end());
  return listed(all);
}
// Whose class is not known where it is made.
class summer {
 public:
  virtual ~summer() = default;
  virtual void set(long to) = 0;
  virtual long squared() const = 0;
};
class narrow_summer final : public summer {
 public:
  explicit narrow_summer(bool refuses) {
    if (refuses) throw std::runtime_error("none");
  }
  void set(long to) override { *value_ = to; }
  long squared() const override { return *value_ * *value_; }

 private:
  std::unique_ptr<long> value_ = std::make_unique<long>(0);
};
class maker {
 public:
  virtual ~maker() = default;
  virtual summer* make(bool refuses) const = 0;
};
class narrow_maker final : public maker {
 public:
  summer* make(bool refuses) const override { return new narrow_summer(refuses); }
};
const narrow_maker narrow;
const maker* factory = &narrow;
CASE(made_by_a_factory) {
#pragma omp parallel
  {
    std::unique_ptr<summer> mine(factory->make(false));
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < n; ++i) {
      mine->set(i);
      v[i] = mine->squared();
    }
  }
  return taken();
}
// What a factory throws is kept for the caller; whoever has no object does nothing.
static long kept(bool refuses) {
  std::exception_ptr thrown;
  std::atomic<bool> stop{false};
#pragma omp parallel
  {
    std::unique_ptr<summer> mine;
    try {
      mine.reset(factory->make(refuses));
    } catch (...) {
#pragma omp critical
      if (!thrown) thrown = std::current_exception();
      stop = true;
    }
#pragma omp for
    for (int i = 0; i < n; ++i) {
      if (stop) continue;
      mine->set(i);
      v[i] = mine->squared();
    }
  }
  const long sum = taken();
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const std::runtime_error&) {
    return -1 - sum;
  }
  return sum;
}
CASE(kept_none) { return kept(false); }
CASE(kept_one) { return kept(true); }

int main() {
  RUN(reserved);
  RUN(resized);
  RUN(bins);
  RUN(owned);
  RUN(flushed);
  RUN(flushed_by_hand);
  RUN(refused_by_all);
  RUN(moved);
  RUN(made_by_a_factory);
  RUN(kept_none);
  RUN(kept_one);
  return 0;
}
// converted: 10 loops, 0 regions, 0 left
