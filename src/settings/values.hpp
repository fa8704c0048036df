// What the values of settings are called, in the environment and in reports; what is meant by default comes first. (A build
// with TAKT_LAB has lab/seams/settings/values.hpp in this header's place.)
#pragma once

#include "settings/named.hpp"

#include <string_view>

namespace takt::settings {

inline constexpr named<trigger> k_triggers[] = {{"lazy", trigger::lazy}, {"never", trigger::never}};
inline constexpr named<policy> k_policies[] = {
    {"random", policy::random}, {"adws", policy::adws}, {"ml-adws", policy::ml_adws}};

/// Whoever asks for one of these is told what has it.
inline constexpr std::string_view k_values_of_laboratory[] = {
    "beat", "eager", "request", "ml-random", "sb", "random-private", "random-mixed", "asyncdf"};

inline constexpr bool k_has_laboratory = false;
/// Reads the variables that only the laboratory has: none.
inline void read_others() noexcept {}

}  // namespace takt::settings
