#include "explore/spawn_programs.hpp"

#include "explore/parts.hpp"

#include <takt/spawn.hpp>

#include <array>

namespace takt_explore {

std::uint64_t spawns(explorer& on) {
  std::array<std::uint64_t, 8> cells{};
  bool all_waited_for = true;
  const auto fill = [&](std::size_t c) {
    tree(on, 1, c);
    cells[c] += mix(c, 3);
  };
  outside_thread other(on, [&] {
    takt::spawn(takt::priority::low, [&] { fill(0); });
    takt::spawn(takt::priority::high, [&] { fill(1); });
    takt::wait_for_spawned();
    all_waited_for = cells[0] != 0 && cells[1] != 0;
  });
  takt::fork_join(
      [&] {
        takt::spawn([&] {
          takt::spawn([&] { fill(3); });
          fill(2);
          takt::spawn(takt::priority::high, [&] { fill(4); });
        });
        work(on);
      },
      [&] {
        takt::spawn([&] { fill(5); });
        takt::wait_for_spawned();
      });
  takt::spawn([&] { fill(6); });
  other.join();
  takt::spawn([&] { fill(7); });
  takt::wait_for_spawned();
  return all_waited_for ? in_order(cells) : 0;
}

std::uint64_t spawns_alone(explorer& on) {
  on.may_refuse_threads = false;
  std::array<std::uint64_t, 4> cells{};
  outside_thread other(on, [&] {
    tree(on, 1, 1);
    cells[3] = mix(3, 3);
  });
  for (std::size_t c = 0; c < 3; ++c) {
    takt::platform::parker done;
    takt::spawn([&, c] {
      work(on);
      cells[c] = mix(c, 3);
      on.unpark(done);
    });
    on.park(done, 0);
    work(on);
  }
  other.join();
  // The last one may not have ended.
  takt::wait_for_spawned();
  return in_order(cells);
}

}  // namespace takt_explore
