// What a computation keeps for hybrid and asyncdf, in place of src/fiber/pause_state.hpp.
#pragma once

#include <cstdint>

namespace takt::core {

struct pausing_task;

struct pause_state {
  void begin() noexcept { ready = false; }

  /// asyncdf: bytes that it may still take before it is put back. Written by its own code, or by who takes it.
  std::int64_t quota = 0;
  // Under the lock of the serial order.
  bool ready = false;                ///< asyncdf: whoever comes to it resumes it
  pausing_task* put_back = nullptr;  ///< then: it has been put back before it took memory; null: its join is over
};

}  // namespace takt::core
