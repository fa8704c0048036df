// Which large blocks have been reported, how large they are, and at which place. Protocol: README.md.
#pragma once

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include "memory/watched.hpp"
#include "sync/atomic.hpp"

namespace takt::preload {

using core::counted_memory;

/// Lock-free; signal handlers may use it.
class blocks {
 public:
  static constexpr std::size_t k_buckets = std::size_t{1} << 16;
  static constexpr std::size_t k_in_bucket = 8;

  /// Without constructors: others may ask before those have run. @returns false: there is no memory for it.
  bool begin() noexcept {
    // Pages that are never written to take no memory. Not by mmap, which is ours.
    const long at = ::syscall(SYS_mmap, nullptr, k_buckets * sizeof(bucket), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == -1) return false;
    buckets_ = reinterpret_cast<bucket*>(at);
    return true;
  }

  /// The block is the caller's, and nobody else knows it yet. @returns false: there is no room.
  bool put(const void* block, counted_memory what) noexcept {
    // No address space has such blocks.
    if (what.bytes >> k_bits_of_bytes != 0) return false;
    bucket& b = buckets_[bucket_of(block)];
    for (std::size_t i = 0; i < k_in_bucket; ++i) {
      std::uintptr_t expected = 0;
      if (b.address[i].load(sync::relaxed) != 0 ||
          // EDGE blocks.emptied
          !b.address[i].compare_exchange_strong(expected, k_claimed, sync::acquire, sync::relaxed)) {
        continue;
      }
      b.what[i].store(what.bytes | std::uint64_t{what.place} << k_bits_of_bytes, sync::relaxed);
      // EDGE blocks.put: the size and the place are there.
      b.address[i].store(reinterpret_cast<std::uintptr_t>(block), sync::release);
      return true;
    }
    return false;
  }

  /// About to be freed. @returns nothing: it is not in the table.
  counted_memory take(const void* block) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(block);
    bucket& b = buckets_[bucket_of(block)];
    for (std::size_t i = 0; i < k_in_bucket; ++i) {
      std::uintptr_t expected = address;
      // EDGE blocks.put
      if (b.address[i].load(sync::acquire) != address) continue;
      const std::uint64_t what = b.what[i].load(sync::relaxed);
      // EDGE blocks.emptied: they have been read.
      if (b.address[i].compare_exchange_strong(expected, 0, sync::release, sync::relaxed)) {
        return {what & ((std::uint64_t{1} << k_bits_of_bytes) - 1),
                static_cast<std::uint16_t>(what >> k_bits_of_bytes)};
      }
    }
    return {};
  }

  static std::size_t bucket_of(const void* block) noexcept {
    // Large blocks differ in the upper bits: by their pages, mostly.
    const std::uint64_t mixed = (reinterpret_cast<std::uintptr_t>(block) >> 4) * 0x9e3779b97f4a7c15u;
    return static_cast<std::size_t>(mixed >> 48);
  }

 private:
  static constexpr std::uintptr_t k_claimed = 1;
  static constexpr int k_bits_of_bytes = 48;
  static_assert(k_buckets == std::size_t{1} << (64 - 48));

  struct alignas(64) bucket {
    sync::atomic<std::uintptr_t> address[k_in_bucket];
    sync::atomic<std::uint64_t> what[k_in_bucket];  ///< bytes; above them the place
  };

  bucket* buckets_ = nullptr;
};

}  // namespace takt::preload
