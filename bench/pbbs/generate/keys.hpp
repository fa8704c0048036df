// Keys of the distributions in the Heartbeat paper's appendix A, the same in every run.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "harness/random.hpp"

namespace takt::bench::pbbs {

inline std::vector<std::uint32_t> uniform_integers(std::size_t n, std::uint32_t limit) {
  random_source random(101);
  std::vector<std::uint32_t> keys(n);
  for (std::uint32_t& key : keys) {
    key = random.below(limit);
  }
  return keys;
}

// In [0, 1), density proportional to e^(-8 x).
inline double exponential(random_source& random) {
  constexpr double k_rate = 8.0;
  return -std::log1p(random.unit() * std::expm1(-k_rate)) / k_rate;
}

inline std::vector<std::uint32_t> exponential_integers(std::size_t n, std::uint32_t limit) {
  random_source random(102);
  std::vector<std::uint32_t> keys(n);
  for (std::uint32_t& key : keys) {
    key = static_cast<std::uint32_t>(exponential(random) * limit);
  }
  return keys;
}

inline std::vector<double> uniform_doubles(std::size_t n) {
  random_source random(103);
  std::vector<double> keys(n);
  for (double& key : keys) {
    key = random.unit();
  }
  return keys;
}

inline std::vector<double> exponential_doubles(std::size_t n) {
  random_source random(104);
  std::vector<double> keys(n);
  for (double& key : keys) {
    key = exponential(random);
  }
  return keys;
}

// 0, 1, ..., n - 1 after sqrt(n) random swaps.
inline std::vector<double> almost_sorted_doubles(std::size_t n) {
  random_source random(105);
  std::vector<double> keys(n);
  for (std::size_t i = 0; i < n; ++i) {
    keys[i] = static_cast<double>(i);
  }
  const auto swaps = static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
  for (std::size_t s = 0; s < swaps; ++s) {
    const std::size_t a = random.next() % n;
    std::swap(keys[a], keys[random.next() % n]);
  }
  return keys;
}

}  // namespace takt::bench::pbbs
