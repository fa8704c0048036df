#include "explore/stop_programs.hpp"

#include "explore/parts.hpp"

#include <takt/algorithms/find.hpp>
#include <takt/stop.hpp>

#include <array>
#include <atomic>
#include <stop_token>

namespace takt_explore {

namespace {

// Until it is stopped: a schedule that goes on without end fails. Who asks for that must get its turn.
[[noreturn]] void fork_for_ever(explorer& on) {
  for (unsigned round = 0;; ++round) {
    takt::fork_join([&on] { work(on, 1); }, [&on] { work(on, 1); });
    on.relax(round);
  }
}

// Without a stack there is no call, and nobody could be stopped.
bool is_in_call() { return worker_here() != nullptr; }

}  // namespace

std::uint64_t stops(explorer& on) {
  std::stop_source asked;
  std::uint64_t after = 0;
  static_cast<void>(takt::with_stop(asked.get_token(), [&] {
    if (!is_in_call()) return;
    takt::fork_join(
        [&] {
          tree(on, 1, 1);
          asked.request_stop();
        },
        [&on] { fork_for_ever(on); });
    after = 1;
  }));
  // What is around goes on.
  return mix(tree(on, 1, 1), after);
}

std::uint64_t cancels(explorer& on) {
  std::array<std::uint64_t, 2> ran{};
  takt::task_group group;
  for (unsigned round = 0; round < 2; ++round) {
    group.run([&] {
      work(on);
      if (round == 0) group.cancel();
      ran[round] = 1;
    });
    if (round == 0) group.run([&on] { tree(on, 1, 1); });
    group.wait();
  }
  // The one that cancels may have been dropped by nobody, and the second round is whole.
  return mix(ran[0], ran[1]);
}

std::uint64_t stopped_searches(explorer& on) {
  constexpr std::array<int, 2> elements{0, 1};
  std::atomic<bool> other_began{false};
  const bool found = takt::any_of(elements, [&](int x) {
    if (x == 1) {
      other_began = true;
      tree(on, 1, 1);
      return true;
    }
    // Without the other one it ends by itself.
    for (unsigned round = 0; round < 3 || other_began; ++round) {
      (void)takt::any_of(elements, [&on](int) {
        work(on, 1);
        return false;
      });
      on.relax(round);
    }
    return false;
  });
  return found ? 1 : 0;
}

// What ends a search is thrown, and not what that does to the rest of it; also once it is known that searches nest.
std::uint64_t failed_searches(explorer& on) {
  constexpr std::array<int, 3> elements{0, 1, 2};
  std::uint64_t sum = 0;
  for (int round = 0; round < 4; ++round) {
    try {
      static_cast<void>(takt::any_of(elements, [&](int x) {
        return takt::any_of(elements, [&](int y) -> bool {
          work(on, 1);
          if (round == 0) return false;
          throw 3 * x + y + 1;
        });
      }));
    } catch (int first) {
      sum += static_cast<std::uint64_t>(first);
    } catch (const takt::stopped&) {
      sum += 100;
    }
  }
  return sum;
}

}  // namespace takt_explore
