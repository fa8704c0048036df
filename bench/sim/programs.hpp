// Loop programs whose iterations differ, for schedules in virtual time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace takt::bench {

struct loop_program {
  std::string name;
  std::uint64_t count = 0;  // of the outermost loop
  // These iterations of the outermost loop, serially.
  std::function<void(std::uint64_t, std::uint64_t)> range;
  // The whole, every level parallel.
  std::function<void()> nested;
  // Forgets the answer, and whether the answer is the serial one, bit for bit or nearly.
  std::function<void()> clear;
  std::function<bool()> right;
};

// `rows`: of the matrices; the images have as many points.
std::vector<loop_program> make_programs(std::int64_t rows);

}  // namespace takt::bench
