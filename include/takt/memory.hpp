// Programs report the memory that their tasks take, so that takt can let tasks wait where memory is short.
//
// Reports are optional. Without TAKT_MEMORY_POLICY and TAKT_MEMORY a report is two additions to numbers of the thread.
// With statistics (TAKT_STATS) it also takes a lock that all threads share, and searches up to 257 places. See
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

/// Where in the program memory is taken, for statistics (docs/tools/stats.md, "memory_places"): by default the file and
/// line of the code that takes it, else a name.
class memory_place {
 public:
  /// All memory of one name counts together, wherever it is taken. The text must outlive the program's use of takt: a
  /// string literal.
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
/// Make it before the memory is allocated, and destroy it after that is freed. The constructor may let the task wait:
/// as long as other tasks can run with less memory (`config::memory_policy`), or until there is room
/// (`config::memory`). It may return on another thread, as a join may. Code that holds a lock, or uses something of its
/// thread, makes a takt::stay first: then it never waits. Code outside of parallel calls never waits either.
/// `place`: for statistics.
/// Cost: a call; from 64 KiB on, or when smaller reports have added up to that, an atomic addition.
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

/// Memory for `n` elements of T together with its report: what allocate() makes. Another task or thread may get it and
/// free it; it counts for the task that has allocated it.
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

/// A standard allocator that reports: std::vector<double, takt::memory_allocator<double>>. In statistics all of them
/// are one place. A container may wait wherever it allocates, as at a memory_scope: one that allocates under a lock
/// needs takt::stay, or memory_resource.
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

/// For std::pmr: reports, and allocates from `upstream`, which must outlive it. It never waits, as pools call it under
/// locks of their own (std::pmr::synchronized_pool_resource). What it reports counts at once, also beyond the budget,
/// and other tasks wait for it. @throws as `upstream`.
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
