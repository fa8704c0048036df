#pragma once

#include "takt_door.h"

#include <algorithm>
#include <mutex>
#include <vector>

namespace tbb {
inline namespace on_takt {

/// Values are kept and told. They do not limit takt, whose settings are takt::configure's.
class global_control {
 public:
  enum parameter { max_allowed_parallelism, thread_stack_size, terminate_on_exception, parameter_max };

  global_control(parameter what, std::size_t value) : what_(what), value_(value) {
    const std::lock_guard one(all().mutex);
    all().of[what_].push_back(value_);
  }
  ~global_control() {
    const std::lock_guard one(all().mutex);
    auto& values = all().of[what_];
    values.erase(std::find(values.begin(), values.end(), value_));
  }
  global_control(const global_control&) = delete;
  global_control& operator=(const global_control&) = delete;

  static std::size_t active_value(parameter what) {
    const std::lock_guard one(all().mutex);
    const auto& values = all().of[what];
    switch (what) {
      case max_allowed_parallelism:
        return values.empty() ? takt::current_config().workers : *std::min_element(values.begin(), values.end());
      case thread_stack_size:
        return values.empty() ? takt::current_config().stack_bytes : *std::max_element(values.begin(), values.end());
      default:
        return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
    }
  }

 private:
  struct controls {
    std::mutex mutex;
    std::vector<std::size_t> of[parameter_max];
  };
  static controls& all() {
    static controls one;
    return one;
  }
  const parameter what_;
  const std::size_t value_;
};

}  // namespace on_takt
}  // namespace tbb
