// The second branches of this node that may be sent away.
#pragma once

#include <takt/detail/travel.hpp>

#include <array>
#include <cstdint>
#include <mutex>

#include "sync/spin_lock.hpp"

namespace takt::cluster {

/// A list for each of some threads, so that they seldom meet. A frame is in the list of the thread that opened it, the
/// oldest first, until it is settled or sent: whoever takes it out has it.
class open_frames {
 public:
  void add(abi::open_frame& frame);
  /// @returns false if it has been taken.
  bool remove(abi::open_frame& frame);
  bool any();
  /// Takes the oldest of those that were opened before the beat `before`: take(frame) comes before its settle().
  template <class Take>
  bool take_oldest(std::uint64_t before, Take&& take);

 private:
  struct alignas(64) list {
    core::spin_lock held;
    abi::open_frame* oldest = nullptr;
    abi::open_frame* newest = nullptr;

    void lock();
    void unlock() { held.unlock(); }
    void unlink(abi::open_frame& frame) {
      (frame.older != nullptr ? frame.older->newer : oldest) = frame.newer;
      (frame.newer != nullptr ? frame.newer->older : newest) = frame.older;
    }
  };
  static constexpr std::uint32_t k_lists = 16;
  std::array<list, k_lists> lists_;
};

template <class Take>
bool open_frames::take_oldest(std::uint64_t before, Take&& take) {
  for (;;) {
    list* from = nullptr;
    std::uint64_t oldest = before;
    for (list& l : lists_) {
      const std::lock_guard guard(l);
      if (l.oldest == nullptr || l.oldest->since >= oldest) continue;
      oldest = l.oldest->since;
      from = &l;
    }
    if (from == nullptr) return false;
    const std::lock_guard guard(*from);
    // It may have been settled meanwhile.
    abi::open_frame* const frame = from->oldest;
    if (frame == nullptr || frame->since >= before) continue;
    from->unlink(*frame);
    take(*frame);
    return true;
  }
}

}  // namespace takt::cluster
