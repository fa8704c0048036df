#include "tools/scale_machine.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/input_file.hpp"
#include "tools/usage_error.hpp"

namespace takt::tools {
namespace {

using nlohmann::json;

// What is wrong with the file; read_machine() adds its name.
class bad_description : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

void check_keys(const json& object, const std::string& where,
                std::initializer_list<std::string_view> known) {
  if (!object.is_object()) {
    throw bad_description(where + " is not an object");
  }
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      throw bad_description(fmt::format("{} has an unknown key {}", where, json(key).dump()));
    }
  }
}

const json& member(const json& object, const std::string& where, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) {
    throw bad_description(fmt::format("{} has no \"{}\"", where, key));
  }
  return *found;
}

std::uint64_t whole(const json& object, const std::string& where, const char* key,
                    std::uint64_t least, std::uint64_t most) {
  const json& value = member(object, where, key);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() < least ||
      value.get<std::uint64_t>() > most) {
    throw bad_description(
        fmt::format("\"{}\" of {} is no whole number from {} to {}", key, where, least, most));
  }
  return value.get<std::uint64_t>();
}

// Nanoseconds and GB/s go to TAKT_SIM with three digits behind the point.
double amount(const json& object, const std::string& where, const char* key) {
  constexpr double k_most = 1'000'000;
  const json& value = member(object, where, key);
  if (!value.is_number() || value.get<double>() < 0 || value.get<double>() > k_most) {
    throw bad_description(
        fmt::format("\"{}\" of {} is no number from 0 to {:.0f}", key, where, k_most));
  }
  return value.get<double>();
}

machine_memory to_memory(const json& value) {
  const std::string where = "\"memory\"";
  check_keys(value, where, {"local_ns", "remote_ns", "gb_per_s", "in_flight"});
  machine_memory memory{.local_ns = amount(value, where, "local_ns"),
                        .remote_ns = amount(value, where, "remote_ns"),
                        .gb_per_s = amount(value, where, "gb_per_s")};
  if (value.contains("in_flight")) {
    memory.in_flight = static_cast<unsigned>(whole(value, where, "in_flight", 1, 1000));
  }
  return memory;
}

std::string text(const json& object, const std::string& where, const char* key) {
  const json& value = member(object, where, key);
  if (!value.is_string() || value.get<std::string>().empty()) {
    throw bad_description(fmt::format("\"{}\" of {} is no text", key, where));
  }
  return value.get<std::string>();
}

std::vector<machine_speed> to_speeds(const json& value) {
  const std::string where = "\"speeds\"";
  if (!value.is_array()) {
    throw bad_description(where + " is no array");
  }
  std::vector<machine_speed> speeds;
  for (const json& one : value) {
    check_keys(one, where, {"cores", "speed"});
    speeds.push_back({static_cast<unsigned>(whole(one, where, "cores", 1, k_most_workers)),
                      amount(one, where, "speed")});
    constexpr double k_least = 0.001;
    if (speeds.back().speed < k_least || speeds.back().speed > 1000) {
      throw bad_description("\"speed\" is not from 0.001 to 1000");
    }
  }
  return speeds;
}

machine_description to_machine(const json& value) {
  const std::string top = "the description";
  check_keys(value, top,
             {"name", "source", "sockets", "cores_per_socket", "cache", "memory", "speeds", "costs_ns"});
  machine_description machine;
  machine.name = text(value, top, "name");
  if (value.contains("source")) {
    machine.source = text(value, top, "source");
  }
  machine.sockets = static_cast<unsigned>(whole(value, top, "sockets", 1, k_most_workers));
  machine.cores_per_socket =
      static_cast<unsigned>(whole(value, top, "cores_per_socket", 1, k_most_workers));
  if (machine.cores() > k_most_workers) {
    throw bad_description(fmt::format("{} cores are more than {}", machine.cores(),
                                      k_most_workers));
  }
  const json& caches = member(value, top, "cache");
  if (!caches.is_array()) {
    throw bad_description("\"cache\" is no array");
  }
  for (const json& cache : caches) {
    const std::string where = "a cache";
    check_keys(cache, where, {"level", "bytes", "shared_by", "latency_ns", "gb_per_s"});
    machine.caches.push_back(
        {static_cast<unsigned>(whole(cache, where, "level", 1, 9)),
         whole(cache, where, "bytes", 64, std::uint64_t{1} << 40U),
         static_cast<unsigned>(whole(cache, where, "shared_by", 1, k_most_workers)),
         cache.contains("latency_ns") ? amount(cache, where, "latency_ns") : 0,
         cache.contains("gb_per_s") ? amount(cache, where, "gb_per_s") : 0});
    if (machine.caches.size() < 2) {
      continue;
    }
    const machine_cache& below = machine.caches[machine.caches.size() - 2];
    const machine_cache& above = machine.caches.back();
    if (above.level <= below.level || above.bytes <= below.bytes ||
        above.shared_by % below.shared_by != 0) {
      throw bad_description(fmt::format(
          "the level {} cache is not above the one before it: larger, and of a multiple of its "
          "cores",
          above.level));
    }
  }
  if (value.contains("memory")) {
    machine.memory = to_memory(value.at("memory"));
  }
  if (value.contains("speeds")) {
    machine.speeds = to_speeds(value.at("speeds"));
  }
  const std::string where = "\"costs_ns\"";
  const json& costs = member(value, top, "costs_ns");
  check_keys(costs, where, {"wake", "waker", "start", "signal", "steal", "promotion", "spin"});
  for (const cost_name& cost : k_costs) {
    if (cost.required || costs.contains(cost.name)) {
      constexpr std::uint64_t k_second = 1'000'000'000;
      machine.costs.*cost.value = whole(costs, where, cost.name, 0, k_second);
    }
  }
  return machine;
}

namespace fs = std::filesystem;

constexpr const char* k_suffix = ".json";

// A word that is no file here is the name of a machine.
std::string file_of(const std::string& machine) {
  std::error_code error;
  if (machine.find('/') != std::string::npos || fs::exists(machine, error)) return machine;
  const fs::path folder = machines_folder();
  const fs::path file = folder / (machine + k_suffix);
  if (!machine.empty() && fs::exists(file, error)) return file.string();
  std::string known;
  for (const std::string& name : machine_names()) known += (known.empty() ? "" : ", ") + name;
  throw usage_error(known.empty() ? fmt::format("--machine {}: no such file, and no machines in {}", machine, folder.string())
                                  : fmt::format("--machine {}: no such file, and no machine like {}", machine, known));
}

}  // namespace

std::string machines_folder() {
  std::error_code error;
  return (fs::read_symlink("/proc/self/exe", error).parent_path() / TAKT_MACHINES_FROM_TOOL).lexically_normal().string();
}

std::vector<std::string> machine_names() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(machines_folder(), error)) {
    if (entry.path().extension() == k_suffix) names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

machine_description read_machine(const std::string& said) {
  const std::string path = file_of(said);
  const json value = json::parse(read_file(path, "--machine " + path), nullptr, false);
  if (value.is_discarded()) {
    throw usage_error(fmt::format("--machine {}: is not JSON", path));
  }
  try {
    return to_machine(value);
  } catch (const bad_description& error) {
    throw usage_error(fmt::format("--machine {}: {}", path, error.what()));
  }
}

machine_description made_up_machine() {
  machine_description machine;
  machine.name = "made up";
  machine.costs = {.wake = 5'000, .start = 50'000, .signal = 3'000, .steal = 300};
  return machine;
}

std::vector<unsigned> default_workers(const machine_description& machine) {
  const unsigned most = machine.cores() == 0 ? 64 : machine.cores();
  std::vector<unsigned> workers;
  for (unsigned n = 1; n < most; n *= 2) {
    workers.push_back(n);
  }
  workers.push_back(most);
  return workers;
}

}  // namespace takt::tools
