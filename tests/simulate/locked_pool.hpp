// A pool of memory that holds a lock while it asks for more.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <utility>

namespace takt_test {

/// As a pool for several threads calls its upstream: under a lock. A second thread that came in would wait for it.
class locked_pool final : public std::pmr::memory_resource {
 public:
  explicit locked_pool(std::pmr::memory_resource& upstream) : upstream_(upstream) {}
  bool was_wanted_twice() const { return was_wanted_twice_; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    lock();
    void* const made = upstream_.allocate(bytes, alignment);
    is_held_ = false;
    return made;
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override {
    lock();
    upstream_.deallocate(p, bytes, alignment);
    is_held_ = false;
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
  void lock() { was_wanted_twice_ |= std::exchange(is_held_, true); }

  std::pmr::memory_resource& upstream_;
  bool is_held_ = false;
  bool was_wanted_twice_ = false;
};

}  // namespace takt_test
