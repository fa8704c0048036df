// "1,2,4,...,256": numbers of workers to simulate. See README.md beside this file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace takt::sim {

/// Numbers from 1 to `most`, separated by commas, in `out` ascending and each once. `...` between two numbers goes on
/// as those before it do: by the same step if there are three with one (2,4,6,...), else by the same factor if that is
/// a whole number (1,2,4,... and 2,4,...), else by the same step. The number behind it is the last one even if the
/// sequence misses it. @returns what is wrong, or nothing.
std::string parse_workers(std::string_view text, unsigned most, std::vector<unsigned>& out);

}  // namespace takt::sim
