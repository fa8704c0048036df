// What GCC's files have in common here.
#pragma once

#include <cstdint>
#include <vector>

#include "state.hpp"

#define TAKT_OMP extern "C" __attribute__((visibility("default")))

namespace takt::openmp {

/// As GCC lays out a depend clause.
std::vector<dependence> read_gomp_dependences(void** given);

/// Memory for reductions over tasks, which the innermost group has from here on.
void register_reductions(member& m, std::uintptr_t* data) noexcept;
/// The same, for a construct that all members come to: they have one memory.
void share_reductions(member& m, workshare& s, std::uintptr_t* data) noexcept;

/// Of a target region: where its variables are, which are copies if they are firstprivate.
class firstprivate_copies {
 public:
  firstprivate_copies(std::size_t count, void** addresses, const std::size_t* sizes, const unsigned short* kinds);
  firstprivate_copies(const firstprivate_copies&) = delete;
  firstprivate_copies& operator=(const firstprivate_copies&) = delete;
  ~firstprivate_copies();
  void** addresses() noexcept { return addresses_.data(); }

 private:
  std::vector<void*> addresses_;
  std::vector<void*> copies_;
};

}  // namespace takt::openmp
