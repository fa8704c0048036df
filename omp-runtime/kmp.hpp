// What LLVM's compilers put into programs, beside takt/kmp.hpp.
#pragma once

#include <takt/kmp.hpp>

#include <cstdint>

#include "state.hpp"

#define TAKT_OMP extern "C" __attribute__((visibility("default")))

namespace takt::openmp {

/// A place in the program, and what the compiler has made of it.
struct ident {
  std::int32_t reserved;
  std::int32_t flags;
};
constexpr std::int32_t k_has_atomics = 0x10;  ///< of a reduction: each variable can be added to by an atomic operation
using gtid = std::int32_t;

/// Of a kind in compiled code, without its modifiers.
schedule schedule_of_kmp(std::int32_t kind, std::uint64_t chunk, const member& m, bool& is_ordered) noexcept;

}  // namespace takt::openmp
