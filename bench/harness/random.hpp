// A small random generator whose sequence is the same with every compiler and library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace takt::bench {

// SplitMix64. Standard distributions differ between libraries, so the two conversions that
// the inputs need are here too.
class random_source {
 public:
  explicit random_source(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }

  // Uniform in [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  // Uniform in [0, limit), limit > 0; the bias is below limit / 2^32.
  std::uint32_t below(std::uint32_t limit) {
    return static_cast<std::uint32_t>(((next() >> 32) * limit) >> 32);
  }

 private:
  std::uint64_t state_;
};

// So many numbers, uniform in [from, from + 1).
inline std::vector<double> random_doubles(std::int64_t count, std::uint64_t seed, double from = 0) {
  std::vector<double> all(static_cast<std::size_t>(count));
  random_source random(seed);
  for (double& x : all) x = from + random.unit();
  return all;
}

}  // namespace takt::bench
