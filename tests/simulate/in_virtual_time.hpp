// A runtime on a simulated machine, in this process: nothing is measured, code takes what it says that it spends.
#pragma once

#include <takt/takt.hpp>

#include "sim/stand_in.hpp"
#include "support/settings.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>

namespace takt_test {

class in_virtual_time {
 public:
  /// @param look  ns that a look at the clock takes; 0: as by default
  in_virtual_time(unsigned workers, const config& c, std::uint64_t look = 0)
      : on(settings(workers, look), takt::sim::this_process()), runtime_(on, with(workers, c)) {}

  /// Of all workers, by its name in the statistics.
  static std::uint64_t total(const char* name) {
    return nlohmann::json::parse(takt::stats_json()).at("total").at(name).get<std::uint64_t>();
  }

 private:
  static takt::sim::virtual_settings settings(unsigned workers, std::uint64_t look) {
    takt::sim::virtual_settings result;
    result.workers = workers;
    result.measured = false;
    result.began = 1'000'000'000;
    if (look != 0) result.cost.look = look;
    return result;
  }
  static config with(unsigned workers, config c) {
    choose(c);
    c.workers = workers;
    return c;
  }

 public:
  takt::sim::virtual_time on;

 private:
  takt::sim::stand_in runtime_;
};

}  // namespace takt_test
