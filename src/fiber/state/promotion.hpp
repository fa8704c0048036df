// What promotion keeps for the computation on a fiber (src/promotion).
#pragma once

#include <takt/hinted.hpp>

namespace takt::core {

class latent_children;

struct fiber_promotion {
  // Lists of children that it has added and does not wait for yet.
  latent_children* oldest_offered = nullptr;
  latent_children* newest_offered = nullptr;

  // What is said of its frames: the innermost; and the oldest that promotion has not passed yet, or null.
  abi::hints* said = nullptr;
  abi::hints* oldest_said = nullptr;
};

}  // namespace takt::core
