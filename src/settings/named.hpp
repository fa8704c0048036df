// Values of settings and what they are called.
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

template <class Value, std::size_t N>
bool has(const named<Value> (&all)[N], Value value) {
  for (const named<Value>& each : all) {
    if (each.value == value) return true;
  }
  return false;
}

/// "a, b or c".
template <class Value, std::size_t N>
std::string list_of(const named<Value> (&all)[N]) {
  std::string text = all[0].name;
  for (std::size_t i = 1; i < N; ++i) text += std::string(i + 1 < N ? ", " : " or ") + all[i].name;
  return text;
}

}  // namespace takt::settings
