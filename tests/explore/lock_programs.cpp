#include "explore/lock_programs.hpp"

#include "explore/parts.hpp"

#include <array>
#include <atomic>

namespace takt_explore {

// Children that hold a lock, each on its thread, while a fork of theirs is joined, perhaps under another policy than that
// of the group: none begins on top of another one. 0 if one has.
static std::uint64_t children_under_a_lock(explorer& on, takt::policy inside) {
  std::array<std::uint64_t, 4> cells{};
  std::array<std::atomic<const void*>, 4> holders{};
  std::atomic<bool> on_top{false};
  takt::with_policy(takt::policy::random, [&] {
    takt::task_group members;
    const short_of_memory scarce(on);
    for (std::size_t c = 0; c < cells.size(); ++c) {
      members.run([&, c] {
        const takt::stay on_this_thread;
        // Null: outside of any call, for want of a stack.
        const void* const here = worker_here();
        for (const auto& holder : holders) {
          if (here != nullptr && holder.load() == here) on_top = true;
        }
        holders[c] = here;
        takt::with_policy(inside, [&] {
          const auto [a, b] = takt::fork_join([&] { return tree(on, 1, 1) != 0; },
                                              [&] {
                                                work(on);
                                                return c;
                                              });
          cells[c] += a ? mix(b, 3) : 0;
        });
        holders[c] = nullptr;
      });
    }
    members.wait();
  });
  return on_top ? 0 : in_order(cells);
}
std::uint64_t policies_under_a_lock(explorer& on) { return children_under_a_lock(on, takt::policy::adws); }
std::uint64_t forks_under_a_lock(explorer& on) { return children_under_a_lock(on, takt::policy::random); }

// Children that want a lock, which is held while a group and a fork are waited for: none begins on top of that. 0 if one
// has.
std::uint64_t groups_under_a_lock(explorer& on) {
  std::array<std::uint64_t, 4> cells{};
  std::atomic<const void*> holder{nullptr};
  std::atomic<bool> on_top{false};
  takt::fork_join(
      [&] {
        takt::task_group outer;
        const auto add = [&](takt::task_group& members, std::size_t c, bool wants_it) {
          members.run([&, c, wants_it] {
            if (wants_it && worker_here() != nullptr && worker_here() == holder.load()) on_top = true;
            work(on);
            cells[c] += mix(c, 3);
          });
        };
        add(outer, 0, true);
        {
          const takt::stay on_this_thread;
          holder = worker_here();
          takt::task_group inner;
          add(inner, 2, false);
          inner.wait();
          // If both are promoted, the child is the newer task of the two.
          takt::fork_join(
              [&] {
                add(outer, 1, true);
                work(on);
              },
              [&] { cells[3] += mix(3, 3); });
          holder = nullptr;
        }
        outer.wait();
      },
      [&] { work(on); });
  return on_top ? 0 : in_order(cells);
}

}  // namespace takt_explore
