// What GCC's files have in common here.
#pragma once

#include <cstdint>
#include <vector>

#include "state.hpp"

#define TAKT_OMP extern "C" __attribute__((visibility("default")))

namespace takt::openmp {

/// As GCC lays out a depend clause.
std::vector<dependence> read_gomp_dependences(void** given);

/// Runs a target region with copies of what is firstprivate.
void copy_firstprivate(void (*function)(void*), std::size_t count, void** addresses, const std::size_t* sizes,
                       const unsigned short* kinds, void (*run)(void (*)(void*), void*));

/// Reductions over tasks, as GCC lays them out; null: none. In the innermost taskgroup, with a copy for each member.
void register_reductions(member& m, gomp_reductions* what) noexcept;
/// Of a worksharing construct: a taskgroup in each member, with the same copies.
void share_reductions(member& m, workshare& construct, gomp_reductions* what) noexcept;

}  // namespace takt::openmp
