// A static schedule on the simulated machine: a team of as many threads as it has cores, each with the same part of each
// loop. What takt's loops are compared with.
#pragma once

#include <cstddef>
#include <functional>

namespace takt::bench {

// Runs range(begin, end) for the parts of [0, count), which are alike; thread t has the t-th. Each thread pays one steal
// for the loop: it fetches what the loop is, and tells its end. The team waits for its next loop awake.
void run_static(std::size_t count, const std::function<void(std::size_t begin, std::size_t end)>& range);

}  // namespace takt::bench
