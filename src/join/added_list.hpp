// Children that one fiber adds, and that anybody takes under a lock which it does not have. See README.md beside this
// file.
#pragma once

#include "sync/atomic.hpp"

#include <cstddef>
#include <cstdint>

namespace takt::core {

/// `Links` says where a child keeps its older neighbour and its number in this list.
template <class Child, class Links>
class added_list {
 public:
  /// By the one that adds.
  void push(Child& c) noexcept {
    const std::uint64_t before = added_.load(sync::relaxed);
    Links::set(&c, newest_.load(sync::relaxed), before);
    // EDGE group.newest: the child is whole before it is seen.
    newest_.store(&c, sync::release);
    // EDGE group.added: who sees the number sees this child, or a newer one.
    added_.store(before + 1, sync::release);
  }

  /// What has been added last, with all that is older and still here.
  struct taken {
    Child* newest;  ///< linked to the older ones; the oldest one's link means nothing
    std::size_t many;
  };
  /// Under the lock.
  taken take_all() noexcept {
    const std::uint64_t before = taken_.load(sync::relaxed);
    // EDGE group.added: what has been taken is not touched, as it may be gone.
    if (added_.load(sync::acquire) <= before) return {nullptr, 0};
    // EDGE group.newest
    Child* const newest = newest_.load(sync::acquire);
    const std::uint64_t all = Links::number(newest) + 1;
    taken_.store(all, sync::relaxed);
    return {newest, static_cast<std::size_t>(all - before)};
  }

  /// So many are here, or were a moment ago: who sees none has added none.
  std::size_t size() const noexcept {
    const std::uint64_t before = taken_.load(sync::relaxed);
    const std::uint64_t all = added_.load(sync::relaxed);
    return all > before ? static_cast<std::size_t>(all - before) : 0;
  }

 private:
  sync::atomic<Child*> newest_{nullptr};
  sync::atomic<std::uint64_t> added_{0};
  // By who takes.
  sync::atomic<std::uint64_t> taken_{0};
};

}  // namespace takt::core
