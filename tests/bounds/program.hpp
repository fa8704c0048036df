// Random programs of known cost, and what they take in virtual time.
#pragma once

#include <cstdint>
#include <vector>

namespace takt_bounds {

enum class kind : std::uint8_t { leaf, sequence, fork, loop };

struct node {
  kind what = kind::leaf;
  std::uint64_t ticks = 0;     ///< of a leaf
  std::uint64_t count = 0;     ///< iterations of a loop, whose body is the only child
  std::vector<node> children;  ///< two of a sequence or a fork
};

/// The program of a seed: some hundred leaves of at most `longest` ticks.
node make_program(std::uint64_t seed, std::uint64_t longest);
/// `rungs` forks, each with a sequence of `steps` small trees of forks on the left and all the others on the right: who
/// promotes the small ones gets to the rest late.
node make_ladder(unsigned rungs, unsigned steps, std::uint64_t leaf);

/// Cost of the serial program.
std::uint64_t work(const node& n);
/// Cost of the longest path when every fork is made parallel for `tau`, loops as balanced trees of forks.
std::uint64_t span(const node& n, std::uint64_t tau);

}  // namespace takt_bounds
