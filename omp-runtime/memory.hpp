// Allocators of OpenMP (5.1, section 2.13).
#pragma once

#include "state.hpp"

namespace takt::openmp {

/// OMP_ALLOCATOR: a predefined allocator, or a memory space with traits. @returns false for anything else.
bool read_allocator(const char* text, std::uintptr_t& out);

}  // namespace takt::openmp
