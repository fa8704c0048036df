// Checks a JSON value against the part of JSON Schema that our schemas use: type, enum,
// required, properties, additionalProperties: false, items, minimum and minLength.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace takt::bench {

namespace schema_detail {

using nlohmann::json;

inline bool has_type(const json& value, const std::string& type) {
  return (type == "object" && value.is_object()) || (type == "array" && value.is_array()) ||
         (type == "string" && value.is_string()) || (type == "boolean" && value.is_boolean()) ||
         (type == "integer" && value.is_number_integer()) ||
         (type == "number" && value.is_number()) || (type == "null" && value.is_null());
}

inline bool has_one_type(const json& value, const json& types) {
  if (types.is_string()) {
    return has_type(value, types.get<std::string>());
  }
  for (const json& type : types) {
    if (has_type(value, type.get<std::string>())) {
      return true;
    }
  }
  return false;
}

inline bool is_one_of(const json& value, const json& allowed) {
  for (const json& one : allowed) {
    if (one == value) {
      return true;
    }
  }
  return false;
}

inline void check(const json& value, const json& schema, const std::string& where,
                  std::vector<std::string>& errors) {
  if (schema.contains("type") && !has_one_type(value, schema["type"])) {
    errors.push_back(where + ": is not " + schema["type"].dump());
    return;
  }
  if (schema.contains("enum") && !is_one_of(value, schema["enum"])) {
    errors.push_back(where + ": " + value.dump() + " is not allowed");
  }
  if (schema.contains("minimum") && value.is_number() &&
      value.get<double>() < schema["minimum"].get<double>()) {
    errors.push_back(where + ": is too small");
  }
  if (schema.contains("minLength") && value.is_string() &&
      value.get<std::string>().size() < schema["minLength"].get<std::size_t>()) {
    errors.push_back(where + ": is too short");
  }
  if (value.is_object()) {
    for (const json& name : schema.value("required", json::array())) {
      if (!value.contains(name.get<std::string>())) {
        errors.push_back(where + ": lacks " + name.dump());
      }
    }
    const json properties = schema.value("properties", json::object());
    for (const auto& [name, member] : value.items()) {
      if (properties.contains(name)) {
        check(member, properties[name], where + "/" + name, errors);
      } else if (!schema.value("additionalProperties", true)) {
        errors.push_back(where + ": has an unknown '" + name + "'");
      }
    }
  }
  if (value.is_array() && schema.contains("items")) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      check(value[i], schema["items"], where + "/" + std::to_string(i), errors);
    }
  }
}

}  // namespace schema_detail

// All that is wrong; empty if the value is as the schema says.
inline std::vector<std::string> violations(const nlohmann::json& value,
                                           const nlohmann::json& schema) {
  std::vector<std::string> errors;
  schema_detail::check(value, schema, "", errors);
  return errors;
}

}  // namespace takt::bench
