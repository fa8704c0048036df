// Blocks of one size that are used again, so that a child of a group costs no allocation.
#pragma once

#include "platform/platform.hpp"
#include "sync/spin_lock.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TAKT_FINDS_USE_AFTER_FREE 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define TAKT_FINDS_USE_AFTER_FREE 1
#endif

namespace takt::core {

/// A thread's own, aligned to cache lines. Who gives back more than it takes leaves bundles for the others, as to free
/// what another thread has allocated takes a lock of the allocator for each.
template <std::size_t Bytes>
class block_cache {
 public:
  /// It has no destructor, so that it may be a thread's.
  void clear() noexcept {
    while (first_ != nullptr) free_block(pop());
  }

  /// @returns null without memory.
  void* take() noexcept {
    if (first_ == nullptr) take_bundle();
    return first_ != nullptr ? pop() : make_block();
  }
  void give(void* block) noexcept {
    if (k_bundle == 0) return free_block(block);
    if (count_ == 2 * k_bundle) give_bundle();
    link_of(block).next = std::exchange(first_, block);
    ++count_;
  }

  // Of a thread that has none.
  static void* make_block() noexcept {
    // To allocate by alignment takes several times as long.
    auto* const room = static_cast<std::byte*>(std::malloc(Bytes + k_line));
    if (room == nullptr) return nullptr;
    const std::size_t past = k_line - reinterpret_cast<std::uintptr_t>(room) % k_line;
    std::byte* const block = room + past;
    std::memcpy(block - sizeof room, &room, sizeof room);
    return block;
  }
  static void free_block(void* block) noexcept {
    void* room;
    std::memcpy(&room, static_cast<std::byte*>(block) - sizeof room, sizeof room);
    std::free(room);
  }

  /// In a child of fork(2): what somebody was at is lost.
  static void go_on_alone() noexcept {
    if (left_lock_.go_on_alone()) return;
    left_ = nullptr;
    bundles_left_.store(0, sync::relaxed);
  }

 private:
  static constexpr std::size_t k_line = 64;
  static_assert(Bytes % k_line == 0);
#if defined(TAKT_FINDS_USE_AFTER_FREE)
  static constexpr std::uint32_t k_bundle = 0;
#else
  static constexpr std::uint32_t k_bundle = 64;
#endif
  static constexpr std::uint32_t k_most_bundles = 64;

  struct link {
    void* next;
    void* next_bundle;
  };
  static link& link_of(void* block) noexcept { return *static_cast<link*>(block); }
  static void relax(unsigned round) noexcept { platform::current().relax(round); }

  void* pop() noexcept {
    --count_;
    return std::exchange(first_, link_of(first_).next);
  }
  void take_bundle() noexcept {
    if (bundles_left_.load(sync::relaxed) == 0) return;
    left_lock_.lock(&relax);
    if (left_ != nullptr) {
      first_ = std::exchange(left_, link_of(left_).next_bundle);
      count_ = k_bundle;
      bundles_left_.store(bundles_left_.load(sync::relaxed) - 1, sync::relaxed);
    }
    left_lock_.unlock();
  }
  void give_bundle() noexcept {
    void* const bundle = first_;
    void* last = bundle;
    for (std::uint32_t i = 1; i < k_bundle; ++i) last = link_of(last).next;
    first_ = std::exchange(link_of(last).next, nullptr);
    count_ -= k_bundle;
    left_lock_.lock(&relax);
    const bool has_room = bundles_left_.load(sync::relaxed) < k_most_bundles;
    if (has_room) {
      link_of(bundle).next_bundle = std::exchange(left_, bundle);
      bundles_left_.store(bundles_left_.load(sync::relaxed) + 1, sync::relaxed);
    }
    left_lock_.unlock();
    for (void* b = has_room ? nullptr : bundle; b != nullptr;) free_block(std::exchange(b, link_of(b).next));
  }

  static inline spin_lock left_lock_;
  static inline void* left_ = nullptr;
  static inline sync::tally<std::uint32_t> bundles_left_{0};

  void* first_ = nullptr;
  std::uint32_t count_ = 0;
};

}  // namespace takt::core
