// What the parts of this room do for each other.
#pragma once

#include <takt/omp.hpp>

#include <cstdint>

namespace takt::core {

/// takt_omp_begin. `stack`: an address in the frame of the function that runs the slice, if what it nests may run free
/// below that; else 0.
void begin_slice(abi::omp_frame& frame, void* cells, std::uintptr_t stack) noexcept;

/// Whether code outside of parallel calls is in a taskgroup that can be cancelled: no other thread would know of it.
bool is_in_group_outside() noexcept;

/// Code that runs beside the one that `group` is around, and makes tasks that take part in it: they get a group of its
/// own, which reduces into copies that are borrowed once.
class group_of_own {
 public:
  explicit group_of_own(abi::omp_reductions& group) noexcept;
  ~group_of_own();
  group_of_own(const group_of_own&) = delete;
  group_of_own& operator=(const group_of_own&) = delete;
  abi::omp_reductions& group() noexcept { return own_; }

 private:
  abi::omp_reductions own_;
};

}  // namespace takt::core
