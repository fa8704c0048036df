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
  void save(abi::slot* at, abi::slot* first_latent) noexcept {
    head = at;
    split = first_latent;
  }
  bool has_room(const abi::slot* at) const noexcept { return at < limit; }
  std::ptrdiff_t room(const abi::slot* at) const noexcept { return limit - at; }
  /// How many are below `at`.
  std::ptrdiff_t index(const abi::slot* at) const noexcept { return at - base; }
  abi::slot* bottom() const noexcept { return base; }
  abi::slot* saved_head() const noexcept { return head; }
  abi::slot* saved_split() const noexcept { return split; }
  /// A computation is to begin, with none.
  void clear() noexcept {
    head = base;
    split = base;
  }
};

}  // namespace takt::core
