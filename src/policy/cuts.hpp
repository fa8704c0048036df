// Where loops are cut.
#pragma once

#include "cost/numbers.hpp"

#include <algorithm>
#include <cstdint>

namespace takt::core {

/// A cut after `part` of the iterations from `begin` on. That of a long loop is moved to the start of a cache line.
inline std::uint64_t cut_at(std::uint64_t begin, std::uint64_t part) noexcept {
  return begin + part - (part < cost::k_least_half ? 0 : (begin + part) % cost::k_iterations_of_lines);
}
inline std::uint64_t cut_in_half(std::uint64_t begin, std::uint64_t end) noexcept {
  return cut_at(begin, std::max<std::uint64_t>((end - begin) / 2, 1));
}

}  // namespace takt::core
