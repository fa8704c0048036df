// A growable work-stealing deque of 64-bit entries (Chase and Lev, SPAA 2005, with the orders of Le et al.,
// PPoPP 2013, carried by the accesses themselves instead of by fences). See README.md beside this file.
#pragma once

#include "sync/atomic.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

namespace takt::core {

enum class steal_result { empty, lost, refused, taken };

class chase_lev {
 public:
  using entry = std::uint64_t;
  static constexpr entry k_none = 0;

  explicit chase_lev(std::size_t capacity = 256) { array_.store(make(capacity, nullptr), sync::relaxed); }
  ~chase_lev() {
    for (ring* r = array_.load(sync::relaxed); r != nullptr;) {
      ring* older = r->older;
      destroy(r);
      r = older;
    }
  }
  chase_lev(const chase_lev&) = delete;
  chase_lev& operator=(const chase_lev&) = delete;

  /// Whether `count` more entries can be pushed. Owner only. With `may_grow` false nothing is allocated, which is
  /// what a signal handler needs.
  bool reserve(std::size_t count, bool may_grow) {
    ring* r = array_.load(sync::relaxed);
    if (r == nullptr) return false;
    const std::int64_t b = bottom_.load(sync::relaxed);
    // EDGE deque.taken: a thief has read its entry before the cell is written again.
    const std::int64_t t = top_.load(sync::acquire);
    if (b - t + static_cast<std::int64_t>(count) <= static_cast<std::int64_t>(r->mask + 1)) return true;
    if (!may_grow) return false;
    ring* larger = make((r->mask + 1) * 2, r);
    if (larger == nullptr) return false;
    for (std::int64_t i = t; i < b; ++i) larger->at(i).store(r->at(i).load(sync::relaxed), sync::relaxed);
    // EDGE deque.grow: the copied entries are written before a thief sees this array.
    array_.store(larger, sync::release);
    return true;
  }

  /// Owner only; reserve() has said that there is room.
  void push(entry e) {
    const std::int64_t b = bottom_.load(sync::relaxed);
    array_.load(sync::relaxed)->at(b).store(e, sync::relaxed);
    // EDGE deque.publish: the entry, and the task it names, are written before any steal() sees this bottom.
    // EDGE wake.task: seq_cst, because the pusher looks for sleepers next (src/worker/README.md).
    bottom_.store(b + 1, sync::seq_cst);
  }

  /// Owner only. Takes the newest entry, or k_none.
  entry pop() {
    const std::int64_t b = bottom_.load(sync::relaxed) - 1;
    // Nobody moves top back: what was empty is, and needs no fence.
    if (top_.load(sync::acquire) > b) return k_none;
    ring* r = array_.load(sync::relaxed);
    // The store of bottom and the load of top are both seq_cst: either this pop sees a thief's top, or the
    // thief sees this bottom.
    bottom_.store(b, sync::seq_cst);
    std::int64_t t = top_.load(sync::seq_cst);
    if (t > b) {
      // EDGE deque.publish: a relaxed store here would end (since C++20) what the pushes before it published.
      bottom_.store(b + 1, sync::release);
      return k_none;
    }
    const entry e = r->at(b).load(sync::relaxed);
    if (t == b) {
      // The last entry: whoever moves top has it.
      const bool won = top_.compare_exchange_strong(t, t + 1, sync::seq_cst, sync::relaxed);
      // EDGE deque.publish
      bottom_.store(b + 1, sync::release);
      return won ? e : k_none;
    }
    return e;
  }

  /// Any thread. `accept(entry)` may refuse the oldest entry before it is taken. It may also be shown an entry that is
  /// gone, or k_none; such a one is never taken.
  template <class Accept>
  steal_result steal(entry& out, Accept accept) {
    std::int64_t t = top_.load(sync::seq_cst);
    // EDGE deque.publish
    const std::int64_t b = bottom_.load(sync::seq_cst);
    if (t >= b) return steal_result::empty;
    // EDGE deque.grow
    const entry e = array_.load(sync::acquire)->at(t).load(sync::relaxed);
    if (!accept(e)) return steal_result::refused;
    // EDGE deque.taken
    if (!top_.compare_exchange_strong(t, t + 1, sync::seq_cst, sync::relaxed)) return steal_result::lost;
    out = e;
    return steal_result::taken;
  }

  /// Owner only. How many there are; thieves may be taking them.
  std::size_t size() const {
    const std::int64_t count = bottom_.load(sync::relaxed) - top_.load(sync::relaxed);
    return static_cast<std::size_t>(std::max<std::int64_t>(count, 0));
  }

  /// Whether a thief would find something now; seq_cst so that a worker about to sleep can rely on it.
  bool looks_empty() const {
    // EDGE wake.task
    return top_.load(sync::seq_cst) >= bottom_.load(sync::seq_cst);
  }

 private:
  struct ring {
    std::size_t mask;
    ring* older;  // thieves may still read it: kept until the deque dies (sizes double, so at most once as much)
    sync::atomic<entry>* cells;
    sync::atomic<entry>& at(std::int64_t i) { return cells[static_cast<std::size_t>(i) & mask]; }
  };

  static ring* make(std::size_t capacity, ring* older) {
    ring* r = new (std::nothrow) ring{capacity - 1, older, nullptr};
    if (r == nullptr) return nullptr;
    r->cells = new (std::nothrow) sync::atomic<entry>[capacity];
    if (r->cells == nullptr) {
      delete r;
      return nullptr;
    }
    return r;
  }
  static void destroy(ring* r) {
    delete[] r->cells;
    delete r;
  }

  // Thieves write top, the owner writes bottom: on lines of their own.
  alignas(64) sync::atomic<std::int64_t> top_{0};
  alignas(64) sync::atomic<std::int64_t> bottom_{0};
  sync::atomic<ring*> array_{nullptr};
};

}  // namespace takt::core
