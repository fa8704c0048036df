#include "settings/known_settings.hpp"

#include "settings/values.hpp"

#include <unistd.h>

#include <algorithm>

namespace takt::settings {

namespace {

using enum known_setting::reader;

// Settings that the library comes to read are added here, or `takt doctor` calls them unknown.
// (Where a laboratory is there, it reads its own: settings/values.hpp.)
constexpr known_setting::reader k_laboratory = k_has_laboratory ? library : laboratory;

constexpr known_setting k_known[] = {
    {"TAKT_BEAT_US", library},
    {"TAKT_DETERMINISTIC", library},
    {"TAKT_MEMORY", library},
    {"TAKT_MEMORY_NEED", library},
    {"TAKT_POLICY", library},
    {"TAKT_SETTINGS", library},
    {"TAKT_SIGNAL", library},
    {"TAKT_SIM", library},
    {"TAKT_STATS", library},
    {"TAKT_TRACE", library},
    {"TAKT_TRIGGER", library},
    {"TAKT_WORKERS", library},
    // Those of lab/settings, where it is there.
    {"TAKT_BEAT_SOURCE", k_laboratory},
    {"TAKT_CHUNKING", k_laboratory},
    {"TAKT_HYBRID", k_laboratory},
    {"TAKT_MEMORY_K", k_laboratory},
    // What there was of it before.
    {"TAKT_BALANCER", laboratory},
    {"TAKT_MEMORY_ALPHA", laboratory},
    {"TAKT_MEMORY_BETA", laboratory},
    {"TAKT_MEMORY_POLICY", laboratory},
    // takt's own tests.
    {"TAKT_BROWSER", other_programs},
    {"TAKT_KEEP_SCREENSHOT", other_programs},
    {"TAKT_SEED", other_programs},
    {"TAKT_SEEDS", other_programs},
};

constexpr std::string_view k_prefix = "TAKT_";

// Letters to change, add, leave out or swap with the next one: the mistakes of fingers.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string_view nearest_to(std::string_view name) {
  std::string_view nearest;
  std::size_t least = 0;
  for (const known_setting& k : k_known) {
    if (k.by != library) continue;
    const std::size_t d = distance(name.substr(k_prefix.size()), k.name.substr(k_prefix.size()));
    // Half of the letters wrong is another word.
    if (2 * d > k.name.size() - k_prefix.size() || (!nearest.empty() && d >= least)) continue;
    nearest = k.name;
    least = d;
  }
  return nearest;
}

}  // namespace

std::span<const known_setting> known_settings() noexcept { return k_known; }

std::vector<unknown_setting> unknown_settings(const char* const* environment) {
  std::vector<unknown_setting> found;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view line = *environment;
    const std::string_view name = line.substr(0, line.find('='));
    if (!name.starts_with(k_prefix)) continue;
    if (std::ranges::any_of(k_known, [name](const known_setting& k) { return k.name == name; })) continue;
    found.push_back({std::string(name), nearest_to(name)});
  }
  return found;
}

std::vector<unknown_setting> unknown_settings() { return unknown_settings(environ); }

}  // namespace takt::settings
