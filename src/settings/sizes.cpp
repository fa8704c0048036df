#include "settings/sizes.hpp"

#include <charconv>
#include <cstring>
#include <string_view>

namespace takt::settings {

namespace {

constexpr std::uint64_t k_most = std::uint64_t{1} << 62;

// What follows the digits that `text` begins with. @returns false if it begins with none, or with too many.
bool parse_digits(std::string_view& text, std::uint64_t& number) noexcept {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return true;
}

}  // namespace

bool parse_size(const char* text, std::uint64_t& bytes) noexcept {
  std::string_view rest = text;
  std::uint64_t n = 0;
  if (!parse_digits(rest, n) || rest.size() > 1) return false;
  std::uint64_t unit = 1;
  if (!rest.empty()) {
    constexpr std::string_view k_units = "KMGT";
    const std::size_t power = k_units.find(rest.front());
    if (power == std::string_view::npos) return false;
    unit = std::uint64_t{1} << (10 * (power + 1));
  }
  if (n >= k_most / unit) return false;
  bytes = n * unit;
  return true;
}

bool parse_percent(const char* text, unsigned& percent) noexcept {
  std::string_view rest = text;
  std::uint64_t n = 0;
  if (!parse_digits(rest, n) || rest != "%" || n < 1 || n > 100) return false;
  percent = static_cast<unsigned>(n);
  return true;
}

}  // namespace takt::settings
