// Memory that takt knows of: what a task is about to hold, so that it can be made to wait where memory is short.
//
// Nothing of it is needed, and without TAKT_MEMORY_POLICY and TAKT_MEMORY a report is two additions to numbers of the
// thread's; with statistics (TAKT_STATS) also a lock that all threads share, and a walk of up to 257 places. See
// docs/guide/memory.md.
#pragma once

#include <takt/detail/elision.hpp>
#include <takt/detail/exceptions.hpp>
#include <takt/stay.hpp>

#ifndef TAKT_ELISION
#include <takt/abi.hpp>
#endif

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <memory_resource>
#include <new>
#include <type_traits>
#include <utility>

namespace TAKT_NAMESPACE {

/// Where in the program memory is taken, for statistics (docs/tools/stats.md, "memory_places"): where the code stands
/// that takes it, unless it gives a name.
class memory_place {
 public:
  /// Memory of one name counts together, wherever it is taken. The text stays: a string literal.
  memory_place(const char* name) noexcept : text_(name) {}
  memory_place(std::nullptr_t) = delete;
  memory_place(const char* file, std::uint32_t line) noexcept : text_(file), line_(line) {}

  const char* text() const noexcept { return text_; }
  /// 0: a name.
  std::uint32_t line() const noexcept { return line_; }

 private:
  const char* text_;
  std::uint32_t line_ = 0;
};

namespace detail {

inline void take_memory([[maybe_unused]] std::size_t bytes, [[maybe_unused]] const memory_place& place) noexcept {
#ifndef TAKT_ELISION
  takt_memory_take(bytes, place.text(), place.line());
#endif
}
inline void give_memory([[maybe_unused]] std::size_t bytes, [[maybe_unused]] const memory_place& place) noexcept {
#ifndef TAKT_ELISION
  takt_memory_give(bytes, place.text(), place.line());
#endif
}

}  // namespace detail

/// While it lives, the task that made it holds so many bytes more.
///
///     takt::memory_scope scratch(n * sizeof(double));  // may return later, and on another thread
///     auto* mine = library_alloc(n);
///     ...
///     library_free(mine);
///
/// Made before the memory is allocated and destroyed after it is freed. The constructor is where the task may be made
/// to wait: as long as others can run with less (`config::memory_policy`), or until there is room (`config::memory`).
/// It may come back on another thread, as a join may. Code that holds a lock, or keeps something of its thread, makes a
/// takt::stay first: it never waits, and neither does code outside of parallel calls.
/// `place`: for statistics.
/// Cost: a call; from 64 KiB on, or when smaller ones have come to that, an atomic addition.
/// Source: Hickey and Quentmeyer, A Space-Efficient Global Scheduler for Cilk, section 2.2.
class memory_scope {
 public:
  explicit memory_scope(std::size_t bytes, memory_place place = {__builtin_FILE(), __builtin_LINE()}) noexcept
      : bytes_(bytes), place_(place) {
    detail::take_memory(bytes, place);
  }
  ~memory_scope() { detail::give_memory(bytes_, place_); }
  memory_scope(const memory_scope&) = delete;
  memory_scope& operator=(const memory_scope&) = delete;

  /// What it says.
  std::size_t bytes() const noexcept { return bytes_; }

 private:
  std::size_t bytes_;
  memory_place place_;
};

/// Memory for `n` elements of T and the report of it: what allocate() makes. It may be handed to, and freed by, another
/// task or thread; it counts for the task that has allocated it.
template <class T>
class allocation {
 public:
  allocation() noexcept = default;
  allocation(allocation&& from) noexcept
      : first_(std::exchange(from.first_, nullptr)), size_(std::exchange(from.size_, 0)), place_(from.place_) {}
  allocation& operator=(allocation&& from) noexcept {
    allocation old(std::move(*this));
    first_ = std::exchange(from.first_, nullptr);
    size_ = std::exchange(from.size_, 0);
    place_ = from.place_;
    return *this;
  }
  ~allocation() { free(); }

  T* data() const noexcept { return first_; }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  T& operator[](std::size_t i) const noexcept { return first_[i]; }
  T* begin() const noexcept { return first_; }
  T* end() const noexcept { return first_ + size_; }

 private:
  template <class U>
  friend allocation<U> allocate(std::size_t n, memory_place place);

  allocation(std::size_t n, memory_place place) : place_(place) {
    if (n == 0) return;
    if (n > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T)) detail::raise<std::bad_array_new_length>();
    detail::take_memory(n * sizeof(T), place);
    size_ = n;
    // If it throws, what was reported is given back.
    struct unless_made {
      allocation& of;
      ~unless_made() {
        if (of.first_ == nullptr) detail::give_memory(std::exchange(of.size_, 0) * sizeof(T), of.place_);
      }
    } guard{*this};
    T* const made = std::allocator<T>().allocate(n);
    TAKT_TRY {
      std::uninitialized_default_construct_n(made, n);
    } TAKT_CATCH_ALL {
      std::allocator<T>().deallocate(made, n);
      TAKT_RETHROW();
    }
    first_ = made;
  }
  void free() noexcept {
    if (first_ == nullptr) return;
    std::destroy_n(first_, size_);
    std::allocator<T>().deallocate(first_, size_);
    detail::give_memory(size_ * sizeof(T), place_);
  }

  T* first_ = nullptr;
  std::size_t size_ = 0;
  memory_place place_ = "";
};

/// `n` elements of T, reported as memory_scope does. They are default-initialised: numbers have no value yet.
/// @throws std::bad_alloc, std::bad_array_new_length, and what T's constructor throws; nothing is held then.
template <class T>
allocation<T> allocate(std::size_t n, memory_place place = {__builtin_FILE(), __builtin_LINE()}) {
  static_assert(std::is_object_v<T> && !std::is_const_v<T>, "takt::allocate: T is no type of elements");
  return allocation<T>(n, place);
}

/// A standard allocator that reports: std::vector<double, takt::memory_allocator<double>>. For statistics all are one
/// place. A container may be made to wait wherever it allocates, as a memory_scope there would: one that allocates under
/// a lock needs takt::stay, or memory_resource.
/// @throws as std::allocator.
template <class T>
class memory_allocator {
 public:
  using value_type = T;
  using is_always_equal = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;

  memory_allocator() noexcept = default;
  template <class U>
  memory_allocator(const memory_allocator<U>&) noexcept {}

  [[nodiscard]] T* allocate(std::size_t n) {
    if (n > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T)) detail::raise<std::bad_array_new_length>();
    detail::take_memory(n * sizeof(T), k_place);
    TAKT_TRY {
      return std::allocator<T>().allocate(n);
    } TAKT_CATCH_ALL {
      detail::give_memory(n * sizeof(T), k_place);
      TAKT_RETHROW();
    }
  }
  void deallocate(T* p, std::size_t n) noexcept {
    std::allocator<T>().deallocate(p, n);
    detail::give_memory(n * sizeof(T), k_place);
  }
  template <class U>
  friend bool operator==(const memory_allocator&, const memory_allocator<U>&) noexcept {
    return true;
  }

 private:
  static constexpr const char* k_place = "takt::memory_allocator";
};

/// For std::pmr: reports, and allocates from `upstream`, which outlives it. It never waits: pools call it under locks of
/// their own (std::pmr::synchronized_pool_resource). What it reports counts at once, also beyond the budget, and others
/// are made to wait for it. @throws as `upstream`.
class memory_resource final : public std::pmr::memory_resource {
 public:
  explicit memory_resource(std::pmr::memory_resource* upstream = std::pmr::new_delete_resource(),
                           memory_place place = {__builtin_FILE(), __builtin_LINE()}) noexcept
      : upstream_(upstream), place_(place) {}

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    take(bytes);
    TAKT_TRY {
      return upstream_->allocate(bytes, alignment);
    } TAKT_CATCH_ALL {
      give(bytes);
      TAKT_RETHROW();
    }
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override {
    upstream_->deallocate(p, bytes, alignment);
    give(bytes);
  }
  void take(std::size_t bytes) const noexcept {
    const stay here;
    detail::take_memory(bytes, place_);
  }
  void give(std::size_t bytes) const noexcept {
    const stay here;
    detail::give_memory(bytes, place_);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    // Without run-time types, only what is the same one.
    return this == &other;
  }

  std::pmr::memory_resource* upstream_;
  memory_place place_;
};

}  // namespace TAKT_NAMESPACE
