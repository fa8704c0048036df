// Programs with OpenMP loops, written as the compiler plugin writes them (plugin/loops/README.md, "The rewriting"): the
// plugin itself is Clang's, and what it makes is tested elsewhere.
#pragma once

#include "explore/explorer.hpp"

#include <cstdint>

namespace takt_explore {

/// A loop with a reduction whose order matters, a lastprivate variable, and an array.
std::uint64_t converted_loop(explorer& on);
std::uint64_t serial_converted_loop();

/// The same with iterations that are claimed one by one.
std::uint64_t converted_one_by_one(explorer& on);

/// A loop whose slices claim from one pool, with chunks of two, a reduction and a lastprivate variable.
std::uint64_t converted_pool(explorer& on);
std::uint64_t serial_converted_pool();

/// A loop in a loop, both with reductions.
std::uint64_t converted_nest(explorer& on);
std::uint64_t serial_converted_nest();

/// Converted loops in a fork, in a loop of the library and in a child of a group.
std::uint64_t converted_among_others(explorer& on);
std::uint64_t serial_converted_among_others();

}  // namespace takt_explore
