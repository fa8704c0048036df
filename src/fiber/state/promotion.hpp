// What promotion keeps for the computation on a fiber (src/promotion).
#pragma once

#include <takt/hinted.hpp>

namespace takt::core {

class latent_children;

struct fiber_promotion {
  /// What was said outside of an outermost loop is still there when its task ends.
  void forget_said() noexcept { said = oldest_said = nullptr; }

  // Lists of children that it has added and does not wait for yet.
  latent_children* oldest_offered = nullptr;
  latent_children* newest_offered = nullptr;

  // What is said of its frames: the innermost; and the oldest that promotion has not passed yet, or null.
  abi::hints* said = nullptr;
  abi::hints* oldest_said = nullptr;
};

}  // namespace takt::core
