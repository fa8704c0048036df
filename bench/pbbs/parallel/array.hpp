// Room for elements that a parallel loop is about to write.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace takt::bench::pbbs {

// n elements without values; a std::vector would write them all first, serially.
template <class T>
class array {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  array() = default;
  explicit array(std::size_t n) : first_(std::make_unique_for_overwrite<T[]>(n)), size_(n) {}

  T* data() { return first_.get(); }
  const T* data() const { return first_.get(); }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return first_[i]; }
  const T& operator[](std::size_t i) const { return first_[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

  // Forgets the elements from n on; n <= size().
  void shrink(std::size_t n) { size_ = n; }

 private:
  std::unique_ptr<T[]> first_;
  std::size_t size_ = 0;
};

}  // namespace takt::bench::pbbs
