// Types that know how many of their objects are alive, so that a test can tell a leak.
#pragma once

#include <atomic>

namespace takt_test {

/// Counts the live objects of all types that derive from counted<Tag>.
template <class Tag>
class counted {
 public:
  counted() noexcept { live_.fetch_add(1, std::memory_order_relaxed); }
  counted(const counted&) noexcept : counted() {}
  counted& operator=(const counted&) noexcept = default;
  ~counted() { live_.fetch_sub(1, std::memory_order_relaxed); }

  static int live() noexcept { return live_.load(std::memory_order_relaxed); }

 private:
  static inline std::atomic<int> live_{0};
};

/// What the tests throw: says who threw it.
struct planned_error : counted<planned_error> {
  explicit planned_error(long number) noexcept : id(number) {}
  long id;
};

/// @returns which planned_error f() throws; -1: none.
template <class F>
long error_of(F&& f) {
  try {
    f();
  } catch (const planned_error& e) {
    return e.id;
  }
  return -1;
}

}  // namespace takt_test
