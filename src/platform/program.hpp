// Code in the process that is not takt's.
#pragma once

namespace takt::platform {

class program {
 public:
  /// Whether frames of other runtimes (OpenMP's, oneTBB's) may be on the calling thread's stack from `low` to `high`.
  virtual bool foreign_frames(const void* low, const void* high) noexcept {
    (void)low, (void)high;
    return false;
  }
  /// What holds that address: another value after the library with it has been unloaded, even if a new one lies there.
  /// Null when that cannot be told. Async-signal-safe.
  virtual const void* loaded_as(const void* address) noexcept {
    (void)address;
    return this;
  }

 protected:
  ~program() = default;
};

}  // namespace takt::platform
