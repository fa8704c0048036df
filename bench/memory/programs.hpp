// Four programs with temporary memory, as they are written without a thought of it: `new` and std::vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace bench {

/// An input file that cannot be used; says why in one line.
struct bad_input : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One program on an input of its size: made once, run once.
class program {
 public:
  virtual ~program() = default;
  virtual void compute() = 0;
  /// Of the result: the same for every system and schedule.
  virtual std::uint64_t checksum() const = 0;
};

program* make_strassen(std::size_t n);       ///< matrices of n x n doubles that hold whole numbers
program* make_mergesort(std::size_t n);      ///< 64-bit keys, with a buffer at each level of the recursion
program* make_decision_tree(std::size_t n);  ///< samples of ten numbers and seven classes, as covtype has them
program* make_pipeline(std::size_t n);       ///< 16 blocks of n bytes: decoded, filtered, encoded and written
/// The first n samples of a table such as covtype, or all: a line of names, then lines of whole numbers with commas, of
/// which the first ten are looked at and the last is the class. Throws bad_input.
program* make_decision_tree_of(std::size_t n, const char* table);

/// Numbers that look random.
inline std::uint64_t scrambled(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

inline std::uint64_t mixed(std::uint64_t sum, std::uint64_t x) noexcept { return scrambled(sum ^ x) + sum; }

}  // namespace bench
