// Values that are too large for the frames of forks and loops: they are kept on the heap. A frame has a stack of fixed
// size, and beside what the program has there some frames of ours for each level of a recursion.
#pragma once

#include <takt/detail/elision.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace TAKT_NAMESPACE::detail {

/// The largest value in a frame of ours, in bytes: a page.
inline constexpr std::size_t k_most_by_value = 4096;
template <class T>
inline constexpr bool is_large = sizeof(T) > k_most_by_value;

/// A T, on the heap. Making one throws std::bad_alloc.
template <class T>
class heap_value {
 public:
  template <class... Arguments>
  explicit heap_value(std::in_place_t, Arguments&&... arguments)
      : value_(std::make_unique<T>(std::forward<Arguments>(arguments)...)) {}
  /// From what make() returns, which is made in place.
  template <class Make>
  static heap_value of(Make&& make) {
    return heap_value(std::unique_ptr<T>(new T(make())));
  }
  T& operator*() const { return *value_; }

 private:
  explicit heap_value(std::unique_ptr<T> value) : value_(std::move(value)) {}

  std::unique_ptr<T> value_;
};

/// A T, in the frame.
template <class T>
class plain_value {
 public:
  template <class... Arguments>
  TAKT_INLINE explicit plain_value(std::in_place_t, Arguments&&... arguments)
      : value_(std::forward<Arguments>(arguments)...) {}
  TAKT_INLINE T& operator*() { return value_; }

 private:
  T value_;
};
template <class T>
using frame_value = std::conditional_t<is_large<T>, heap_value<T>, plain_value<T>>;

/// As std::optional, as far as it is needed.
template <class T>
class heap_optional {
 public:
  template <class... Arguments>
  T& emplace(Arguments&&... arguments) {
    value_ = std::make_unique<T>(std::forward<Arguments>(arguments)...);
    return *value_;
  }
  explicit operator bool() const { return value_ != nullptr; }
  T& operator*() const { return *value_; }

 private:
  std::unique_ptr<T> value_;
};
template <class T>
using optional_value = std::conditional_t<is_large<T>, heap_optional<T>, std::optional<T>>;

}  // namespace TAKT_NAMESPACE::detail
