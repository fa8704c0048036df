// Loops that are offered in parts (src/policy/README.md, "A start like a broadcast").
#pragma once

#include "explore/explorer.hpp"

#include <cstdint>

namespace takt_explore {

/// Loops that come again, and so are known. Parts have loops of their own, which find the seat's record in use; some wait
/// in the middle for others, some fail.
std::uint64_t offers(explorer& on);
std::uint64_t serial_offers();

}  // namespace takt_explore
