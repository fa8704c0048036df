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

}  // namespace takt::openmp
