// Time.
#pragma once

#include <cstdint>

namespace takt::platform {

class clock {
 public:
  /// Ticks of a clock that never goes back on one thread and agrees between threads to well below a beat.
  virtual std::uint64_t now() noexcept = 0;
  virtual double ticks_per_second() noexcept = 0;
  /// What the calling thread has had of a CPU so far, in ticks: it stands while others run.
  virtual std::uint64_t cpu_time() noexcept { return now(); }

 protected:
  ~clock() = default;
};

}  // namespace takt::platform
