// A policy that only tests use: `random`, and it writes down what is said to it.
#pragma once

#include "policy/policy.hpp"

#include <takt/config.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace takt_test {

/// What a policy has been told of one frame, or one child, as it was then.
struct heard {
  takt::abi::hints said;
  bool at_push;       ///< else at the promotion
  unsigned around;    ///< in how many others it is, on the same fiber
  double of_all = 0;  ///< at the push of a loop: its work_of all iterations
};

/// Since begin_listening(), in no order if there is more than one worker.
std::vector<heard> what_was_heard();
/// From the next runtime on. `at_once`: each hinted frame is promoted when it is pushed.
void begin_listening(unsigned workers, bool at_once, takt::trigger trigger = takt::trigger::lazy);
/// Forgets it.
void listen_anew();

}  // namespace takt_test
