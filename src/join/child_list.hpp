// A list of children that wait, linked both ways.
#pragma once

#include <takt/group.hpp>

#include "sync/atomic.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace takt::core {

using abi::group_child;

/// In a child's slot, whose captures are elsewhere.
struct child_payload {
  double work;                  ///< what is said of it; negative: nothing
  group_child* newest_of_many;  ///< of those that begin as one task with it
  std::size_t many;             ///< how many these are, with it
  std::uint64_t added_as;       ///< its number in an added_list
};
static_assert(sizeof(child_payload) <= sizeof(abi::slot::payload));
inline child_payload& payload_of(group_child& c) noexcept { return *reinterpret_cast<child_payload*>(c.task.payload); }

/// For an added_list.
struct child_links {
  static void set(group_child* c, group_child* older, std::uint64_t number) noexcept {
    c->older = older;
    payload_of(*c).added_as = number;
  }
  static std::uint64_t number(group_child* c) noexcept { return payload_of(*c).added_as; }
};

/// Whoever changes it keeps others away. Its length alone may be read beside that.
class child_list {
 public:
  bool empty() const noexcept { return size() == 0; }
  std::size_t size() const noexcept { return size_.load(sync::relaxed); }
  group_child* oldest() const noexcept { return oldest_; }

  void push(group_child& c) noexcept { append(&c, &c, 1); }
  /// `from` to `to` are linked, and `many`.
  void append(group_child* from, group_child* to, std::size_t many) noexcept {
    to->newer = nullptr;
    from->older = newest_;
    (newest_ != nullptr ? newest_->newer : oldest_) = from;
    newest_ = to;
    size_.store(size() + many, sync::relaxed);
  }
  /// The oldest `many`, which there are. @returns the first, to which the others are linked.
  group_child* pop_oldest(std::size_t many) noexcept {
    group_child* const first = oldest_;
    group_child* last = first;
    for (std::size_t i = 1; i < many; ++i) last = last->newer;
    payload_of(*first).newest_of_many = last;
    payload_of(*first).many = many;
    // In this order: in a child of fork(2) the list is whole from its oldest on.
    oldest_ = last->newer;
    last->newer = nullptr;
    (oldest_ != nullptr ? oldest_->older : newest_) = nullptr;
    size_.store(size() - many, sync::relaxed);
    return first;
  }
  group_child* pop_newest() noexcept {
    group_child* const c = newest_;
    newest_ = c->older;
    (newest_ != nullptr ? newest_->newer : oldest_) = nullptr;
    size_.store(size() - 1, sync::relaxed);
    return c;
  }
  /// All of `from`, which are newer.
  void take_all(child_list& from) noexcept {
    if (from.oldest_ == nullptr) return;
    append(from.oldest_, from.newest_, from.size());
    from.oldest_ = from.newest_ = nullptr;
    from.size_.store(0, sync::relaxed);
  }

  /// In a child of fork(2), where somebody who is not there may have been at it.
  void go_on_alone() noexcept {
    group_child* before = nullptr;
    std::size_t many = 0;
    for (group_child* c = oldest_; c != nullptr; c = c->newer, ++many) c->older = std::exchange(before, c);
    size_.store(many, sync::relaxed);
    newest_ = before;
  }

 private:
  group_child* oldest_ = nullptr;
  group_child* newest_ = nullptr;
  sync::tally<std::size_t> size_{0};
};

}  // namespace takt::core
