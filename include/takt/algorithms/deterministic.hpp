// The tag that asks for results which depend on the data alone.
#pragma once

namespace takt {

/// First argument of reduce, transform_reduce, inclusive_scan and exclusive_scan: the parentheses are then set by the
/// number of elements alone, so a floating-point result is the same, bit for bit, at any number of workers, with any
/// beat and trigger. (Compile a program with one compiler and one set of flags: they decide about fused operations.)
struct deterministic_t {
  explicit deterministic_t() = default;
};
inline constexpr deterministic_t deterministic{};

}  // namespace takt
