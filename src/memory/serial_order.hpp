// The live computations of a runtime, from left to right: as the serial program would come to them. See README.md.
#pragma once

#include "fiber/fiber.hpp"

#include <cstdint>

namespace takt::core {

/// Not thread-safe: its keeper locks it. Walks take time linear in the number of live fibers.
class serial_order {
 public:
  fiber* first() const noexcept { return first_; }

  /// Right behind `parent`; at the end, if that is null.
  void insert(fiber& f, fiber* parent) noexcept {
    memory_use& m = f.memory_use;
    m.left = parent != nullptr ? parent : last_;
    m.right = m.left != nullptr ? m.left->memory_use.right : nullptr;
    (m.left != nullptr ? m.left->memory_use.right : first_) = &f;
    (m.right != nullptr ? m.right->memory_use.left : last_) = &f;
    m.listed = true;
  }
  void remove(fiber& f) noexcept {
    memory_use& m = f.memory_use;
    (m.left != nullptr ? m.left->memory_use.right : first_) = m.right;
    (m.right != nullptr ? m.right->memory_use.left : last_) = m.left;
    m.listed = false;
  }
  /// The one on whose stacks `address` lies, as the record of a fork or of a loop's half does; or null.
  fiber* owner_of(const void* address) const noexcept {
    const auto* at = static_cast<const std::byte*>(address);
    fiber* f = first_;
    while (f != nullptr && (at < f->memory.call_low || at >= f->memory.latent_high)) f = f->memory_use.right;
    return f;
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
    while (f != nullptr && (f->scope != scope || waits_for_others(*f))) f = f->memory_use.right;
    return f;
  }
  /// What the leftmost of the call holds, and those in front of it, which wait for it. Bytes.
  std::int64_t held_on_path(std::uint32_t scope) const noexcept {
    std::int64_t sum = 0;
    for (const fiber* f = first_; f != nullptr; f = f->memory_use.right) {
      if (f->scope != scope) continue;
      const std::int64_t held = f->memory_use.held.load(sync::relaxed);
      if (held > 0) sum += held;
      if (!waits_for_others(*f)) break;
    }
    return sum;
  }
  void forget() noexcept { first_ = last_ = nullptr; }

 private:
  // And these are in the list. A child of a group may run on top of another task, so that is not looked for.
  static bool waits_for_others(const fiber& f) noexcept {
    if (!f.memory_use.waits || f.memory_use.waits_for == nullptr) return f.memory_use.waits;
    // Usually the next one.
    const fiber* child = f.memory_use.right;
    while (child != nullptr && child->memory_use.counts_in != f.memory_use.waits_for) child = child->memory_use.right;
    return child != nullptr;
  }

  fiber* first_ = nullptr;
  fiber* last_ = nullptr;
};

}  // namespace takt::core
