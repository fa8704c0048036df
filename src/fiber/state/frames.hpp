// Where a computation keeps its frames. It travels with its fiber.
#pragma once

#include <takt/abi.hpp>

#include <cstddef>

namespace takt::core {

struct fiber_frames {
  abi::slot* base = nullptr;
  abi::slot* limit = nullptr;  ///< forks push no frames from here on

  // Saved while the fiber does not run: takt_hot has them meanwhile.
  abi::slot* head = nullptr;
  abi::slot* split = nullptr;
  /// A computation is to begin, with none.
  void clear() noexcept {
    head = base;
    split = base;
  }
};

}  // namespace takt::core
