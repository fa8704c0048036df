// The live computations of a runtime, from left to right: as the serial program would come to them. See README.md.
#pragma once

#include "fiber/fiber.hpp"
#include "worker/join_word.hpp"

#include <cstdint>
#include <functional>

namespace takt::core {

/// Not thread-safe: its keeper locks it. Walks take time linear in the number of live fibers.
class serial_order {
 public:
  fiber* first() const noexcept { return first_; }

  /// A task of `parent`'s fork or loop, which lies there: among its siblings, where the serial program comes to it.
  void insert(fiber& f, fiber* parent, const task_place& place) noexcept {
    f.memory_use.parent = parent;
    f.memory_use.place = place;
    if (parent == nullptr) return insert_behind(f, nullptr);
    link(f, last_left_of(*parent, place), parent);
  }
  /// Right behind that one, below it; at the end, if that is null.
  void insert_behind(fiber& f, fiber* above) noexcept { link(f, above, above); }
  void remove(fiber& f) noexcept {
    memory_use& m = f.memory_use;
    (m.left != nullptr ? m.left->memory_use.right : first_) = m.right;
    (m.right != nullptr ? m.right->memory_use.left : last_) = m.left;
    m.listed = false;
    // A task that is done may still be listed below its parent, and so may a child of a group that outlives its home.
    for (fiber* g = m.right; g != nullptr; g = g->memory_use.right) {
      if (g->memory_use.above == &f) g->memory_use.above = m.above;
    }
  }
  /// The one on whose stacks `address` lies, as the record of a fork or of a loop's half does; or null.
  fiber* owner_of(const void* address) const noexcept {
    const auto* at = static_cast<const std::byte*>(address);
    fiber* f = first_;
    while (f != nullptr && (at < f->stack.memory.call_low || at >= f->stack.memory.latent_high)) {
      f = f->memory_use.right;
    }
    return f;
  }
  /// Where a task stands that has not begun: right behind `left`, as one of `parent`; at the end, if that is null.
  struct spot {
    fiber* parent = nullptr;
    fiber* left = nullptr;
    task_place place;
    bool is_child = false;  ///< of a group whose home that is
  };
  spot spot_of(fiber* parent, const task_place& place) const noexcept {
    return {parent, parent != nullptr ? last_left_of(*parent, place) : nullptr, place, false};
  }
  static spot spot_of_child(fiber* above) noexcept { return {above, above, {}, true}; }
  /// Of two that have not begun. Of a group's children neither is.
  bool is_left_of(const spot& a, const spot& b) const noexcept {
    if (a.left != b.left) {
      return a.left != nullptr && (b.left == nullptr || is_in_front(*a.left, *b.left));
    }
    // Whose parent is farther in, or begins before what is farther out goes on.
    if (a.parent != b.parent) return is_in_front(*b.parent, *a.parent);
    if (a.is_child || b.is_child || a.parent == nullptr) return a.is_child && !b.is_child;
    return is_left_of(a.place, b.place);
  }
  bool has(const fiber* f) const noexcept {
    const fiber* at = first_;
    while (at != nullptr && at != f) at = at->memory_use.right;
    return at != nullptr;
  }

  /// The first of its call that does not wait at a join; null: all wait. One that waits for tasks of which none has
  /// begun stands for these.
  fiber* leftmost(std::uint32_t scope) const noexcept {
    fiber* f = first_;
    while (f != nullptr && (f->run.scope() != scope || waits_for_others(*f))) f = f->memory_use.right;
    return f;
  }
  /// What the leftmost of the call holds, and those in front of it, which wait for it. Bytes.
  std::int64_t held_on_path(std::uint32_t scope) const noexcept {
    std::int64_t sum = 0;
    for (const fiber* f = first_; f != nullptr; f = f->memory_use.right) {
      if (f->run.scope() != scope) continue;
      sum += held_by(*f);
      if (!waits_for_others(*f)) break;
    }
    return sum;
  }
  /// By all, also what is not theirs yet. Bytes.
  std::int64_t held_by_all() const noexcept {
    std::int64_t sum = 0;
    for (const fiber* f = first_; f != nullptr; f = f->memory_use.right) sum += held_by(*f) + f->memory_use.ahead.all();
    return sum;
  }
  /// `count` of all that are not on the path to the leftmost of that call, and in front of `end`, unless that is null.
  template <class Count>
  std::int64_t sum_beside_path(std::uint32_t scope, const fiber* end, Count count) const noexcept {
    std::int64_t sum = 0;
    bool on_path = true;
    for (const fiber* f = first_; f != end; f = f->memory_use.right) {
      if (!on_path || f->run.scope() != scope) {
        sum += count(*f);
      } else {
        on_path = waits_for_others(*f);
      }
    }
    return sum;
  }
  /// What it holds, and its tasks that have ended. Bytes.
  static std::int64_t held_by(const fiber& f) noexcept {
    const std::int64_t held = f.memory_use.held.load(sync::relaxed) + f.memory_use.left_behind;
    return held > 0 ? held : 0;
  }
  bool has_any_of(std::uint32_t scope) const noexcept {
    const fiber* at = first_;
    while (at != nullptr && at->run.scope() != scope) at = at->memory_use.right;
    return at != nullptr;
  }
  void forget() noexcept { first_ = last_ = nullptr; }

 private:
  void link(fiber& f, fiber* left, fiber* above) noexcept {
    memory_use& m = f.memory_use;
    m.above = above;
    m.done = false;
    m.left = left != nullptr ? left : last_;
    m.right = m.left != nullptr ? m.left->memory_use.right : nullptr;
    (m.left != nullptr ? m.left->memory_use.right : first_) = &f;
    (m.right != nullptr ? m.right->memory_use.left : last_) = &f;
    m.listed = true;
  }

  // They begin in any order. Those to the left stand in front, with all that they have begun. Of those that are done
  // the join may be gone.
  fiber* last_left_of(fiber& parent, const task_place& place) const noexcept {
    fiber* left = &parent;
    for (fiber* g = parent.memory_use.right; g != nullptr && is_below(*g, parent); g = g->memory_use.right) {
      if (g->memory_use.parent == &parent && !g->memory_use.done && is_left_of(place, g->memory_use.place)) break;
      left = g;
    }
    return left;
  }
  static bool is_in_front(const fiber& f, const fiber& g) noexcept {
    const fiber* at = f.memory_use.right;
    while (at != nullptr && at != &g) at = at->memory_use.right;
    return at != nullptr;
  }

  // Of the same parent, and none is done. What is inside has been forked later, in the left branch of what is around
  // it, or in the first half, which the parent has taken back. But where it has taken back the second half before the
  // first is done, what is inside is in the second.
  static bool is_left_of(const task_place& a, const task_place& b) noexcept {
    if (a.loop != nullptr && a.loop == b.loop) return b.is_second;
    const bool inner = is_inside(a, b);
    const task_place& outer = inner ? b : a;
    const bool behind = outer.loop != nullptr && !outer.is_second && outer.loop->is_second_first();
    return inner != behind;
  }
  // Halves that the parent has taken back run on its stack, with the loop's slot popped: what they push lies there, and
  // their loops' frames at lower addresses. A fork has no such half.
  static bool is_inside(const task_place& a, const task_place& b) noexcept {
    if (a.slot != b.slot) return a.slot > b.slot;
    return a.loop == nullptr || (b.loop != nullptr && std::less<>()(a.record, b.record));
  }
  // Whether it is a task of that one, or of such a task, or was listed so.
  static bool is_below(const fiber& f, const fiber& above) noexcept {
    const fiber* at = f.memory_use.above;
    while (at != nullptr && at != &above) at = at->memory_use.above;
    return at != nullptr;
  }
  // And these are in the list. A child of a group may run on top of another task, so that is not looked for.
  static bool waits_for_others(const fiber& f) noexcept {
    if (!f.memory_use.waits || f.memory_use.waits_for == nullptr) return f.memory_use.waits;
    // Usually the next one.
    const fiber* child = f.memory_use.right;
    while (child != nullptr && (child->memory_use.counts_in != f.memory_use.waits_for || child->memory_use.done)) {
      child = child->memory_use.right;
    }
    return child != nullptr;
  }

  fiber* first_ = nullptr;
  fiber* last_ = nullptr;
};

}  // namespace takt::core
