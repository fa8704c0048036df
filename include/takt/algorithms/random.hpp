// Random numbers that depend on a seed and an index, and on nothing else.
#pragma once

#include <cstdint>

namespace takt {

/// stream(i) is the i-th of 2^64 numbers. Any iteration may ask for any of them, in any order and from any worker, so
/// that the outcome of a parallel program depends on the seed alone. Not for cryptography.
/// (SplitMix64: Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.)
class random_stream {
 public:
  explicit constexpr random_stream(std::uint64_t seed = 0) : start_(mix(seed + k_gamma)) {}

  /// Uniform in [0, 2^64).
  constexpr std::uint64_t operator()(std::uint64_t index) const { return mix(start_ + (index + 1) * k_gamma); }
  /// Uniform in [0, 1).
  constexpr double unit(std::uint64_t index) const { return static_cast<double>((*this)(index) >> 11) * 0x1.0p-53; }
  /// Uniform in [0, limit) for limit > 0; the bias is below limit / 2^64.
  constexpr std::uint64_t below(std::uint64_t index, std::uint64_t limit) const {
    return static_cast<std::uint64_t>((static_cast<wide>((*this)(index)) * limit) >> 64);
  }
  /// A stream of its own for part `index`.
  constexpr random_stream fork(std::uint64_t index) const { return random_stream((*this)(~index)); }

 private:
  __extension__ using wide = unsigned __int128;
  static constexpr std::uint64_t k_gamma = 0x9E3779B97F4A7C15;

  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

  std::uint64_t start_;
};

}  // namespace takt
