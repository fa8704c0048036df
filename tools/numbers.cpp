#include "tools/numbers.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace takt::tools {

std::string shown_time(double seconds) {
  if (seconds < 1e-6) {
    return fmt::format("{:.2f} ns", seconds * 1e9);
  }
  if (seconds < 1e-3) {
    return fmt::format("{:.2f} us", seconds * 1e6);
  }
  if (seconds < 1.0) {
    return fmt::format("{:.2f} ms", seconds * 1e3);
  }
  return seconds < 1e5 ? fmt::format("{:.3f} s", seconds) : fmt::format("{:.4g} s", seconds);
}

std::string readable_bytes(std::size_t bytes) {
  constexpr std::size_t k_kib = 1024;
  constexpr std::size_t k_mib = k_kib * k_kib;
  if (bytes >= k_mib && bytes % k_mib == 0) {
    return fmt::format("{} MiB", bytes / k_mib);
  }
  return fmt::format("{} KiB", bytes / k_kib);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2.0;
}

std::string shown_spread(const std::vector<double>& values, int digits) {
  return shown_spread(median(values), values, digits);
}

std::string shown_spread(double middle, const std::vector<double>& values, int digits) {
  const auto [least, most] = std::ranges::minmax(values);
  return fmt::format("{:.{}f} ({:.{}f}-{:.{}f})", middle, digits, least, digits, most, digits);
}

}  // namespace takt::tools
