// The environment variables that takt reads: the one list of them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace takt::settings {

/// A variable TAKT_*, and what reads it.
struct known_setting {
  std::string_view name;  ///< ends with a zero
  enum class reader { library, laboratory, other_programs } by;
};

/// All there are, those of the library first.
std::span<const known_setting> known_settings() noexcept;

/// The environment has a variable of that name, and nothing reads it.
struct unknown_setting {
  std::string name;
  std::string_view nearest;  ///< the library's setting that was probably meant; "" if none is near
};

/// Of `environment` (as environ), in its order.
std::vector<unknown_setting> unknown_settings(const char* const* environment);

/// The same of this process's. Like getenv(), not while another thread changes the environment.
std::vector<unknown_setting> unknown_settings();

}  // namespace takt::settings
