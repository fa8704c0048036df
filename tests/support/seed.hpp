// The seed of a randomised test: from TAKT_SEED, or a new one each time; to be printed with every failure.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

namespace takt_test {

inline std::uint32_t chosen_seed() {
  static const std::uint32_t seed = [] {
    const char* given = std::getenv("TAKT_SEED");
    return given != nullptr ? static_cast<std::uint32_t>(std::stoul(given)) : std::random_device{}();
  }();
  return seed;
}

inline std::string seed_message() { return "TAKT_SEED=" + std::to_string(chosen_seed()); }

}  // namespace takt_test
