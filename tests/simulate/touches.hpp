// A program that says what memory it uses.
#pragma once

#include <cstddef>

namespace takt_test {

/// Adds up `count` numbers of 8 bytes each, twice; touches each once a time. @returns whether the sum is right.
bool touch_all(std::size_t count);
/// Adds one to each of `count` numbers of 8 bytes, `rounds` times, by a loop over lines of 64 bytes. @returns whether
/// they are right then.
bool touch_often(std::size_t count, int rounds);
/// A recursion over so many cache lines that says how much memory it uses: at each step three loops over its part, and
/// then both halves of it. @returns true.
bool touch_by_halves(std::size_t lines);
/// The same by a recursion down to a line.
bool touch_often_in_a_tree(std::size_t count, int rounds);

}  // namespace takt_test
