#pragma once

#include "takt_door.h"

#include <array>
#include <atomic>
#include <compare>
#include <concepts>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

namespace tbb {
inline namespace on_takt {

enum ets_key_usage_type { ets_key_per_instance, ets_no_key, ets_suspend_aware };

namespace door {

/// A thread's elements that it has looked for lately, by the number of the container.
struct recent_elements {
  struct element {
    std::uint64_t container = 0;
    void* value = nullptr;
  };
  std::array<element, 16> of{};
  // Not inlined, see thread_number.
  [[gnu::noinline]] static element& here(std::uint64_t container) {
    thread_local recent_elements mine;
    return mine.of[container % mine.of.size()];
  }
};

/// No two containers have the same, and none has it again after clear().
inline std::uint64_t new_container_number() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

template <class Cells, class T>
class element_iterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_const_t<T>;
  using difference_type = std::ptrdiff_t;
  using pointer = T*;
  using reference = T&;

  element_iterator() = default;
  element_iterator(Cells& cells, std::size_t at) : cells_(&cells), at_(static_cast<std::ptrdiff_t>(at)) {}
  template <class OtherCells, class U>
    requires std::convertible_to<OtherCells*, Cells*>
  element_iterator(const element_iterator<OtherCells, U>& other) : cells_(other.cells_), at_(other.at_) {}

  T& operator*() const { return (*cells_)[static_cast<std::size_t>(at_)]->value; }
  T* operator->() const { return &**this; }
  T& operator[](std::ptrdiff_t n) const { return *(*this + n); }
  element_iterator& operator+=(std::ptrdiff_t n) { return at_ += n, *this; }
  element_iterator& operator-=(std::ptrdiff_t n) { return *this += -n; }
  element_iterator& operator++() { return *this += 1; }
  element_iterator& operator--() { return *this += -1; }
  element_iterator operator++(int) { return ++*this, *this - 1; }
  element_iterator operator--(int) { return --*this, *this + 1; }
  friend element_iterator operator+(element_iterator i, std::ptrdiff_t n) { return i += n; }
  friend element_iterator operator+(std::ptrdiff_t n, element_iterator i) { return i += n; }
  friend element_iterator operator-(element_iterator i, std::ptrdiff_t n) { return i -= n; }
  friend std::ptrdiff_t operator-(const element_iterator& a, const element_iterator& b) { return a.at_ - b.at_; }
  friend bool operator==(const element_iterator& a, const element_iterator& b) { return a.at_ == b.at_; }
  friend auto operator<=>(const element_iterator& a, const element_iterator& b) { return a.at_ <=> b.at_; }

 private:
  template <class, class>
  friend class element_iterator;
  Cells* cells_ = nullptr;
  std::ptrdiff_t at_ = 0;
};

}  // namespace door

/// An element for each thread that asks. Code may go on on another thread after a fork, a loop or a wait: whoever holds
/// on to local() across one does so in this_task_arena::isolate.
template <class T, class Allocator = std::allocator<T>, ets_key_usage_type = ets_no_key>
class enumerable_thread_specific {
  struct alignas(64) cell {
    template <class Make>
    explicit cell(const Make& make) : value(make()) {}
    T value;
  };
  using cells = std::vector<std::unique_ptr<cell>>;

 public:
  using allocator_type = Allocator;
  using value_type = T;
  using reference = T&;
  using const_reference = const T&;
  using pointer = T*;
  using const_pointer = const T*;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using iterator = door::element_iterator<const cells, T>;
  using const_iterator = door::element_iterator<const cells, const T>;
  using range_type = blocked_range<iterator>;
  using const_range_type = blocked_range<const_iterator>;

  enumerable_thread_specific() : make_([] { return T(); }) {}
  template <class Make>
    requires std::is_invocable_r_v<T, std::decay_t<Make>&>
  explicit enumerable_thread_specific(Make make) : make_(std::move(make)) {}
  explicit enumerable_thread_specific(const T& like) : make_([like] { return T(like); }) {}
  explicit enumerable_thread_specific(T&& like) : make_([like = std::move(like)] { return T(like); }) {}
  template <class A, class... More>
    requires(std::constructible_from<T, A, More...> && !std::is_invocable_r_v<T, A&> && !std::same_as<A, T> &&
             !std::same_as<A, enumerable_thread_specific>)
  enumerable_thread_specific(A a, More... more) : make_([=] { return T(a, more...); }) {}

  enumerable_thread_specific(const enumerable_thread_specific& other) : make_(other.make_) { copy(other); }
  enumerable_thread_specific(enumerable_thread_specific&& other) : make_(other.make_) { swap(other); }
  enumerable_thread_specific& operator=(const enumerable_thread_specific& other) {
    enumerable_thread_specific copied(other);
    swap(copied);
    return *this;
  }
  enumerable_thread_specific& operator=(enumerable_thread_specific&& other) {
    clear();
    swap(other);
    return *this;
  }
  void swap(enumerable_thread_specific& other) {
    std::swap(make_, other.make_);
    std::swap(number_, other.number_);
    std::swap(cells_, other.cells_);
    std::swap(of_, other.of_);
  }

  T& local() {
    bool exists;
    return local(exists);
  }
  T& local(bool& exists) {
    auto& lately = door::recent_elements::here(number_);
    exists = lately.container == number_;
    if (exists) return *static_cast<T*>(lately.value);
    return find(exists);
  }

  size_type size() const { return cells_.size(); }
  bool empty() const { return cells_.empty(); }
  void clear() {
    number_ = door::new_container_number();
    of_.clear();
    cells_.clear();
  }
  iterator begin() { return {cells_, 0}; }
  iterator end() { return {cells_, size()}; }
  const_iterator begin() const { return {cells_, 0}; }
  const_iterator end() const { return {cells_, size()}; }
  range_type range(std::size_t grain = 1) { return {begin(), end(), grain}; }
  const_range_type range(std::size_t grain = 1) const { return {begin(), end(), grain}; }

  template <class Combine>
  T combine(Combine combine) {
    if (empty()) return make_();
    T all = *begin();
    for (std::size_t i = 1; i < size(); ++i) all = combine(std::as_const(all), std::as_const(cells_[i]->value));
    return all;
  }
  template <class F>
  void combine_each(F f) {
    for (T& one : *this) f(one);
  }

 private:
  // Not inlined, see thread_number.
  [[gnu::noinline]] T& find(bool& exists) {
    const std::thread::id thread = std::this_thread::get_id();
    {
      const std::lock_guard one(mutex_);
      const auto found = of_.find(thread);
      exists = found != of_.end();
      if (exists) return remember(*found->second);
    }
    // Without the lock, as it is the program's code.
    auto made = std::make_unique<cell>(make_);
    const std::lock_guard one(mutex_);
    of_[thread] = made.get();
    return *std::addressof(cells_.emplace_back(std::move(made))->value);
  }
  T& remember(cell& found) {
    door::recent_elements::here(number_) = {number_, std::addressof(found.value)};
    return found.value;
  }
  void copy(const enumerable_thread_specific& other) {
    for (const auto& one : other.of_) {
      const auto like = [&one] { return T(one.second->value); };
      of_[one.first] = cells_.emplace_back(std::make_unique<cell>(like)).get();
    }
  }

  std::function<T()> make_;
  std::uint64_t number_ = door::new_container_number();
  std::mutex mutex_;
  cells cells_;
  std::unordered_map<std::thread::id, cell*> of_;
};

template <class Combine, class T, class Allocator, ets_key_usage_type Key>
T combine(enumerable_thread_specific<T, Allocator, Key>& all, Combine how) {
  return all.combine(how);
}

}  // namespace on_takt
}  // namespace tbb
