#include "harness/problem.hpp"

namespace takt::bench {

catalogue& the_catalogue() {
  // In a function: enrolling happens while other files' statics are still being built.
  static catalogue entries;
  return entries;
}

std::int64_t size_of(const request& wanted, const problem_info& info) {
  if (wanted.size == 0) {
    return info.size_default;
  }
  if (wanted.size < info.size_min || wanted.size > info.size_max) {
    throw input_error(std::string(info.name) + ": size " + std::to_string(wanted.size) +
                      " is outside " + std::to_string(info.size_min) + ".." +
                      std::to_string(info.size_max));
  }
  return wanted.size;
}

}  // namespace takt::bench
