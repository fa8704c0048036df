// Random programs: what a program is, how one is made from a seed, and what an evaluation of it yields.
#pragma once

#include "support/counted.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace takt_test {

enum class kind : std::uint8_t {
  leaf,
  sequence,        ///< children one after the other; an error ends it, as in any code
  fork,            ///< two to five children by fork_join
  loop,            ///< parallel_for
  reduce_numbers,  ///< parallel_reduce with a combine that is associative but not commutative
  reduce_lists,    ///< the same over a type that allocates
  group,           ///< task_group
  handler          ///< a try block, with a parallel call in its handler or not
};

struct node {
  kind what = kind::leaf;
  std::uint32_t id = 0;
  std::uint32_t count = 0;    ///< leaf: steps of work; loops: iterations
  std::uint32_t variant = 0;  ///< which form of the construct is used
  /// Of a thousand visits of this node, how many throw. Which ones depends on the path that led to it.
  std::uint32_t throws = 0;
  std::vector<node> children;
};

/// The program of a seed. It executes between about ten and two thousand nodes, nested to a depth of ten.
node make_program(std::uint64_t seed);
std::string describe(const node& program);

/// Counted while a program runs: together they tell whether every node ran exactly once.
struct trace {
  std::atomic<std::uint64_t> executed{0};
  std::atomic<std::uint64_t> checksum{0};  ///< sum over (node, path): order does not matter, identity does
};

/// What is left when a program has run.
struct outcome {
  std::uint64_t value = 0;  ///< depends on the order of everything whose order is defined; 0 after an error
  std::uint64_t error = 0;  ///< the number of the error that arrived; 0 for none
  std::uint64_t executed = 0;
  std::uint64_t checksum = 0;
  friend bool operator==(const outcome&, const outcome&) = default;
};

/// Whether some nodes run under a policy of their own (takt::with_policy), or on a few workers (takt::with_workers).
inline bool scopes_of_policies = false;

/// What programs hold in places, 1 to 16 of them at a time.
inline constexpr std::uint64_t k_block_bytes = 64 << 10;

/// What programs throw.
struct program_error : counted<program_error> {
  explicit program_error(std::uint64_t n) noexcept : number(n) {}
  std::uint64_t number;
};

/// A hash of two words (the finaliser of splitmix64).
constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t x = a * 0x9e3779b97f4a7c15u + b + 0x7f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// By the rules alone: no takt. Every branch, iteration and child runs; the first error in serial order arrives.
outcome run_serial(const node& program);
/// By takt, with the settings in force.
outcome run_takt(const node& program);

}  // namespace takt_test
