// The settings file: what `takt tune` writes and the environment overrides.
#pragma once

#include <takt/config.hpp>

#include <string>

namespace takt::settings {

// KEY=VALUE lines, empty lines, and comments that begin with '#'. TAKT_BEAT_US is the only key so far, with the
// values of the environment variable of that name.
//
// The file that TAKT_SETTINGS names, also when that is "" (none); else takt/settings in $XDG_CONFIG_HOME if that is
// an absolute path, or in ~/.config. "" if there is no such place either.
std::string settings_path();

// What TAKT_POLICY says; automatic, if it is not set. A name that is none is named on stderr.
policy policy_of_environment();

// What TAKT_DETERMINISTIC says; 1 or 0, -1 until somebody looks. Who looks at one time finds the same.
inline int deterministic = -1;
bool find_deterministic() noexcept;
inline bool is_deterministic() noexcept {
  const int known = __atomic_load_n(&deterministic, __ATOMIC_RELAXED);
  return known >= 0 ? known != 0 : find_deterministic();
}

// config::from_environment().
config settings_of_environment();

}  // namespace takt::settings
