// A program that says what memory it uses.
#pragma once

#include <cstddef>

namespace takt_test {

/// Adds up `count` numbers of 8 bytes each, twice; touches each once a time. @returns whether the sum is right.
bool touch_all(std::size_t count);

}  // namespace takt_test
