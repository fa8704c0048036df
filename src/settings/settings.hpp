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

// config::from_environment().
config settings_of_environment();

}  // namespace takt::settings
