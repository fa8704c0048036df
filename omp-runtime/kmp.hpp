// What LLVM's compilers put into programs, beside takt/kmp.hpp.
#pragma once

#include <takt/kmp.hpp>

#include <cstdint>

#include "state.hpp"

#define TAKT_OMP extern "C" __attribute__((visibility("default")))

namespace takt::openmp {

using ident = void;  ///< of a place in the program; not looked at
using gtid = std::int32_t;

/// Of a kind in compiled code, without its modifiers.
schedule schedule_of_kmp(std::int32_t kind, std::uint64_t chunk, const member& m, bool& is_ordered) noexcept;

}  // namespace takt::openmp
