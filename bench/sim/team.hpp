// Loops as OpenMP schedules them, in virtual time: what takt is compared with on machines that
// are not there. A team of P virtual threads runs the outermost loop; nothing below it is
// parallel.
#pragma once

#include <cstdint>
#include <functional>

#include "sim/virtual_time.hpp"

namespace takt::bench {

enum class schedule { fixed, dynamic, guided };

struct team_costs {
  std::uint64_t begin = 0;    // until a waiting thread of the team starts on a loop, in ticks
  std::uint64_t counter = 0;  // to take iterations from the shared counter: one thread at a time
};

struct team_loop {
  unsigned threads = 1;
  schedule how = schedule::fixed;
  // Iterations taken at a time: exactly (dynamic), at least (guided); fixed: one block each.
  std::uint64_t chunk = 1;
  team_costs cost;
};

// Runs iterations [0, count) as `range(begin, end)` calls. Returns when all are done, on the
// virtual thread that called and no earlier in time than the last of the team. The time that
// `on` takes to start a thread should be none: a team of OpenMP is there before the loop.
void run(sim::virtual_time& on, const team_loop& loop, std::uint64_t count,
         const std::function<void(std::uint64_t, std::uint64_t)>& range);

}  // namespace takt::bench
