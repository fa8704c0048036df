#include "open_frames.hpp"

#include <sched.h>

#include <atomic>

namespace takt::cluster {

namespace {

std::atomic<std::uint32_t> threads{0};
// Of this thread; 0: it has none.
constinit thread_local std::uint32_t own_list = 0;

}  // namespace

void open_frames::list::lock() {
  held.lock([](unsigned round) {
    if (round % 64 == 63) sched_yield();
  });
}

void open_frames::add(abi::open_frame& frame) {
  if (own_list == 0) own_list = 1 + threads.fetch_add(1, std::memory_order_relaxed) % k_lists;
  frame.list = own_list - 1;
  frame.slot = abi::k_no_slot;
  frame.newer = nullptr;
  list& l = lists_[frame.list];
  const std::lock_guard guard(l);
  frame.older = l.newest;
  (l.newest != nullptr ? l.newest->newer : l.oldest) = &frame;
  l.newest = &frame;
}

bool open_frames::any() {
  for (list& l : lists_) {
    const std::lock_guard guard(l);
    if (l.oldest != nullptr) return true;
  }
  return false;
}

bool open_frames::remove(abi::open_frame& frame) {
  list& l = lists_[frame.list];
  const std::lock_guard guard(l);
  if (frame.slot != abi::k_no_slot) return false;
  l.unlink(frame);
  return true;
}

}  // namespace takt::cluster
