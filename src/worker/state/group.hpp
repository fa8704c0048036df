// What a worker's groups are made of (src/join).
#pragma once

#include <takt/abi.hpp>
#include <takt/group.hpp>

#include "worker/block_cache.hpp"

#include <cstddef>

namespace takt::core {

struct worker_group {
  worker_group() = default;
  worker_group(const worker_group&) = delete;
  worker_group& operator=(const worker_group&) = delete;
  ~worker_group() {
    child_blocks.clear();
    blocks.clear();
  }

  /// Room for a child.
  void* take_child() noexcept { return child_blocks.take(); }
  void give_child(void* room) noexcept { child_blocks.give(room); }

  block_cache<abi::k_child_room> child_blocks;
  static constexpr std::size_t k_bytes = 6 * abi::k_cache_line;
  block_cache<k_bytes> blocks;
};

}  // namespace takt::core
