// What a fiber knows of stops (src/stop), which travels with its code.
#pragma once

#include <takt/stopping.hpp>

#include <cstdint>

namespace takt::core {

struct fiber_stop {
  static constexpr std::uint64_t k_never = ~std::uint64_t{0};

  abi::stop_scope* innermost = nullptr;  ///< in force for the code that runs here
  abi::stop_scope* inherited = nullptr;  ///< with which its task began: this one and those around it belong to others
  std::uint64_t seen = k_never;          ///< so many stops had been told when nothing of this was stopped

  abi::stop_scope* in_force() const noexcept { return innermost; }
  void begin(abi::stop_scope* from) noexcept { *this = {from, from, k_never}; }
};

}  // namespace takt::core
