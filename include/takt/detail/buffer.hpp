// Room for n elements that are made in parallel.
#pragma once

#include <takt/detail/sequence.hpp>

#include <memory>
#include <new>

namespace TAKT_NAMESPACE::detail {

/// Uninitialised memory for n elements of type T.
template <class T>
class raw_memory {
 public:
  /// @throws std::bad_alloc, std::bad_array_new_length
  explicit raw_memory(std::uint64_t count) : first_(std::allocator<T>().allocate(count)), count_(count) {}
  ~raw_memory() { std::allocator<T>().deallocate(first_, count_); }
  raw_memory(const raw_memory&) = delete;
  raw_memory& operator=(const raw_memory&) = delete;
  T* data() const { return first_; }
  std::uint64_t size() const { return count_; }

 private:
  T* first_;
  std::uint64_t count_;
};

/// n elements, made by value(k). If making one throws, the others are destroyed.
template <class T>
class buffer {
 public:
  template <class Value>
  buffer(std::uint64_t count, const Value& value) : memory_(count) {
    T* const to = memory_.data();
    if constexpr (std::is_nothrow_constructible_v<T, std::invoke_result_t<const Value&, std::uint64_t>>) {
      // Each of them exists afterwards.
      const scope_here unstopped = detail::shield();
      detail::for_count(count, [to, &value](std::uint64_t k) { ::new (static_cast<void*>(to + k)) T(value(k)); });
    } else {
      // Which elements exist when one throws must be known: serially, that is those before it.
      std::uint64_t k = 0;
      TAKT_TRY {
        for (; k < count; ++k) ::new (static_cast<void*>(to + k)) T(value(k));
      } TAKT_CATCH_ALL {
        std::destroy_n(to, k);
        TAKT_RETHROW();
      }
    }
  }
  ~buffer() {
    if constexpr (!std::is_trivially_destructible_v<T>) {
      const scope_here unstopped = detail::shield();
      detail::for_count(size(), [first = data()](std::uint64_t k) { first[k].~T(); });
    }
  }
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;

  T* data() const { return memory_.data(); }
  std::uint64_t size() const { return memory_.size(); }
  T& operator[](std::uint64_t k) const { return data()[k]; }

  template <class It>
  void move_to(It first) {
    detail::for_count(size(), [from = data(), first](std::uint64_t k) { detail::at(first, k) = std::move(from[k]); });
  }

 private:
  raw_memory<T> memory_;
};

}  // namespace TAKT_NAMESPACE::detail
