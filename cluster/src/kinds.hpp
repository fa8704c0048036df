// The types of branches that may travel, by number.
#pragma once

#include <takt/detail/travel.hpp>

#include <cstdint>

namespace takt::cluster {

const abi::travelling* kind_of(std::uint64_t number) noexcept;
/// The same number on two nodes only if they have the same types with the same numbers.
std::uint64_t all_kinds() noexcept;

}  // namespace takt::cluster
