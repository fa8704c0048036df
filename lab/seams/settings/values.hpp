// What the values of settings are called, with those of the laboratory, in place of src/settings/values.hpp.
#pragma once

#include <takt/lab.hpp>

#include "settings/named.hpp"

#include <array>
#include <string_view>

namespace takt::settings {

inline constexpr named<trigger> k_triggers[] = {{"lazy", trigger::lazy},
                                                {"never", trigger::never},
                                                {"beat", lab::beat},
                                                {"eager", lab::eager},
                                                {"request", lab::request}};
inline constexpr named<policy> k_policies[] = {{"random", policy::random},
                                               {"adws", policy::adws},
                                               {"ml-adws", policy::ml_adws},
                                               {"ml-random", lab::ml_random},
                                               {"sb", lab::sb},
                                               {"random-private", lab::random_private},
                                               {"random-mixed", lab::random_mixed},
                                               {"asyncdf", lab::asyncdf}};

inline constexpr std::array<std::string_view, 0> k_values_of_laboratory{};

inline constexpr bool k_has_laboratory = true;
/// TAKT_BEAT_SOURCE, TAKT_CHUNKING, TAKT_HYBRID and TAKT_MEMORY_K (lab/README.md). One that cannot be used ends the
/// process.
void read_others();

}  // namespace takt::settings
