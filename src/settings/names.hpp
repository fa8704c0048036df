// What the values of settings are called, in the environment and in reports. What is meant by default comes first.
#pragma once

#include <takt/config.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace takt::settings {

template <class Value>
struct named {
  const char* name;
  Value value;
};

inline constexpr named<trigger> k_triggers[] = {{"lazy", trigger::lazy},
                                                {"beat", trigger::beat},
                                                {"eager", trigger::eager},
                                                {"never", trigger::never},
                                                {"request", trigger::request}};
inline constexpr named<balancer> k_balancers[] = {
    {"concurrent", balancer::concurrent}, {"private", balancer::private_}, {"mixed", balancer::mixed}};
inline constexpr named<policy> k_policies[] = {{"random", policy::random},
                                               {"adws", policy::adws},
                                               {"ml-random", policy::ml_random},
                                               {"ml-adws", policy::ml_adws},
                                               {"sb", policy::sb}};
inline constexpr named<memory_policy> k_memory_policies[] = {
    {"none", memory_policy::none}, {"hybrid", memory_policy::hybrid}, {"asyncdf", memory_policy::asyncdf}};

/// What the settings may be left at is called as what that means.
template <class Value, std::size_t N>
const char* name_of(const named<Value> (&all)[N], Value value) {
  for (const named<Value>& each : all) {
    if (each.value == value) return each.name;
  }
  return all[0].name;
}

/// Null: none is called that.
template <class Value, std::size_t N>
const named<Value>* find(const named<Value> (&all)[N], std::string_view name) {
  for (const named<Value>& each : all) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

/// "a, b or c".
template <class Value, std::size_t N>
std::string list_of(const named<Value> (&all)[N]) {
  std::string text = all[0].name;
  for (std::size_t i = 1; i < N; ++i) text += std::string(i + 1 < N ? ", " : " or ") + all[i].name;
  return text;
}

}  // namespace takt::settings
