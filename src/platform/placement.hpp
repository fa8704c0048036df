// Which CPUs workers are meant for, as the user of the process wishes. A hint.
#pragma once

#include "platform/cpu_set.hpp"

#include <cstdint>
#include <vector>

namespace takt::platform {

/// What the CPUs are divided into.
struct places {
  enum class kind : std::uint8_t {
    threads,  ///< one CPU each
    cores,
    caches,
    listed,
  };
  kind what = kind::cores;
  /// Only so many; 0: all. Of threads and cores.
  unsigned count = 0;
  /// If they are listed.
  std::vector<cpu_set> list{};
};

/// Where those are that do not fill all places: side by side, or even over all. `none`: anywhere, nobody is bound.
enum class binding : std::uint8_t { close, spread, none };

struct placement {
  places where{};
  binding how = binding::close;
};

}  // namespace takt::platform
