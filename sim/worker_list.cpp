#include "sim/worker_list.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace takt::sim {

namespace {

constexpr std::string_view k_and_so_on = "...";

std::optional<unsigned> number_of(std::string_view text, unsigned most) {
  unsigned n = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || stop != text.data() + text.size() || n < 1 || n > most) return std::nullopt;
  return n;
}

// What comes after the numbers so far, of which there are at least two, ascending.
std::uint64_t next_of(const std::vector<unsigned>& seen) {
  const std::uint64_t c = seen.back();
  const std::uint64_t b = seen[seen.size() - 2];
  const bool same_step = seen.size() > 2 && c - b == b - seen[seen.size() - 3];
  return same_step || c % b != 0 ? c + (c - b) : c * (c / b);
}

}  // namespace

std::string parse_workers(std::string_view text, unsigned most, std::vector<unsigned>& out) {
  out.clear();
  bool and_so_on = false;
  for (bool more = true; more;) {
    const std::size_t comma = text.find(',');
    const std::string_view one = text.substr(0, comma);
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
    if (one == k_and_so_on) {
      const bool goes_up = out.size() > 1 && out.back() > out[out.size() - 2];
      if (and_so_on || !goes_up) return "'...' needs two numbers before it, the second one the larger";
      and_so_on = true;
      continue;
    }
    const std::optional<unsigned> n = number_of(one, most);
    if (!n) return "'" + std::string(one) + "' is not a number from 1 to " + std::to_string(most);
    if (and_so_on) {
      if (*n <= out.back()) return "'...' needs a larger number after it";
      for (std::uint64_t next = next_of(out); next < *n; next = next_of(out))
        out.push_back(static_cast<unsigned>(next));
      and_so_on = false;
    }
    out.push_back(*n);
  }
  if (and_so_on) return "'...' needs a number after it";
  std::ranges::sort(out);
  out.erase(std::ranges::unique(out).begin(), out.end());
  return {};
}

}  // namespace takt::sim
