// What runs on a fiber (src/scheduler).
#pragma once

#include <takt/abi.hpp>

#include <cstdint>
#include <utility>

namespace takt::core {

struct fiber;
class worker;

class fiber_run {
 public:
  /// The id of its call, which travels with it.
  std::uint32_t scope() const noexcept { return scope_; }
  /// That of the part of it (takt::with_workers) in which its code is, and what it pushes: what becomes a task names
  /// that one. Outside of all parts the call's.
  std::uint32_t part() const noexcept { return part_; }
  void begin_in(std::uint32_t call, std::uint32_t part) noexcept {
    scope_ = call;
    part_ = part;
  }
  /// Its code, or who promotes what it has pushed, goes into a part or comes out of it.
  void change_part(std::uint32_t& other) noexcept { std::swap(part_, other); }

  void (*main)(fiber*) = nullptr;
  void* argument = nullptr;
  abi::run_function task = nullptr;  ///< of a task that began here; null: a root call
  std::uint32_t environment = 0;     ///< the floating-point environment that the task started with
  std::uint32_t depth = 0;           ///< nesting depth of the task it runs, for the statistics
  std::uint64_t ran = 0;             ///< ticks for which its task ran before it was last resumed
  std::uint64_t resumed_at = 0;      ///< the clock then
  worker* promoted_by = nullptr;     ///< who is told when its task is done; or null
  int goes_on_at = -1;  ///< while it is ready and waits to be resumed: on that seat; -1: on any
  /// Others have had a part of a loop here, and since then somebody has looked for each leaf loop and pool that began
  /// with a frame.
  bool parted = false;

 private:
  std::uint32_t scope_ = 0;
  std::uint32_t part_ = 0;
};

}  // namespace takt::core
