// Values that are too large for the frames of forks and loops: they are kept on the heap. A frame has a stack of fixed
// size, and beside what the program has there some frames of ours for each level of a recursion.
#pragma once

#include <takt/abi.hpp>
#include <takt/detail/elision.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
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

/// The results of a loop's halves, each of which makes its own. None is there at first, which costs one store.
template <class T>
class half_results {
 public:
  /// For how many there is room: for two if they take much of the stack.
  static constexpr std::uint32_t k_most = sizeof(frame_value<T>) <= 32 ? abi::k_most_parts : 2;

  half_results() = default;
  half_results(const half_results&) = delete;
  half_results& operator=(const half_results&) = delete;
  ~half_results() {
    if (there_ != 0) [[unlikely]]
      drop();
  }

  void emplace(std::uint64_t i, T&& result) {
    ::new (static_cast<void*>(cells_[i])) frame_value<T>(std::in_place, std::move(result));
    __atomic_fetch_or(&there_, std::uint32_t{1} << i, __ATOMIC_RELAXED);
  }
  /// All halves are done.
  bool has(std::uint64_t i) const { return (there_ >> i & 1) != 0; }
  T& operator[](std::uint64_t i) { return **cell(i); }

 private:
  frame_value<T>* cell(std::uint64_t i) { return std::launder(reinterpret_cast<frame_value<T>*>(cells_[i])); }
  void drop() noexcept {
    for (std::uint32_t i = 0; i < k_most; ++i) {
      if (has(i)) std::destroy_at(cell(i));
    }
  }

  std::uint32_t there_ = 0;
  alignas(frame_value<T>) std::byte cells_[k_most][sizeof(frame_value<T>)];
};

}  // namespace TAKT_NAMESPACE::detail
