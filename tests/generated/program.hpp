// Programs of every construct of the library: what one is, how it is made from a seed, and how it is made smaller.
#pragma once

#include "conformance/program.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace takt_generated {

using takt_test::mix;
using takt_test::program_error;

enum class kind : std::uint8_t {
  work,       ///< `count` ns of plain code
  steps,      ///< children one after the other
  fork,       ///< two to five children by fork_join
  loop,       ///< parallel_for of `count` iterations, which use the children in turn
  reduce,     ///< parallel_reduce, the same
  group,      ///< a task_group: the child may use it, then it is waited for
  add,        ///< each child becomes one of group `number`
  wait,       ///< for group `number`
  beside,     ///< the first child on a thread of its own, joined when the second one is over
  stay,       ///< the child stays on its thread
  lock,       ///< the child with lock `number` held under takt::stay, or plain code with it held
  semaphore,  ///< the same with semaphore `number`, which more than one may hold
  memory,     ///< the child while memory is held
  policy,     ///< the child under a policy of its own
  error,      ///< throws, in `count` of a thousand visits
  handler,    ///< the second child handles what the first one throws
  algorithm   ///< one of the library, over `count` elements
};

/// Groups are counted from the outermost one around the code. What may be done with them so that a program ends, however it
/// is scheduled, is decided where it is made:
/// - one task at a time may wait for a group: who made it, or to whom it was lent (a branch, or a child of a group
///   that is inside it);
/// - a child may use the groups outside its own one, and add to its own;
/// - with a lock held nothing is waited for that began outside, and nothing inside wants it, or one of a higher number.
struct node {
  kind what = kind::work;
  std::uint32_t id = 0;
  std::uint32_t count = 0;
  std::uint32_t number = 0;
  std::uint32_t variant = 0;  ///< which form of the construct is used
  std::vector<node> children;
};

inline constexpr std::uint32_t k_locks = 3;
inline constexpr std::uint64_t k_block_bytes = takt_test::k_block_bytes;

/// The program of a seed: about ten to two thousand nodes are executed.
node make_program(std::uint64_t seed);
std::string describe(const node& program);
/// Drops parts as long as `fails` says so of what is left.
node shrink(node program, const std::function<bool(const node&)>& fails);

}  // namespace takt_generated
