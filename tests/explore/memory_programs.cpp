#include "explore/memory_programs.hpp"

#include "explore/parts.hpp"

#include "memory/ledger.hpp"

#include <takt/lab.hpp>
#include <takt/memory.hpp>

#include <array>
#include <iterator>

namespace takt_explore {

namespace {

constexpr std::size_t k_block = takt_test::k_block_bytes;

}  // namespace

// A round is a look of an idle worker: few of them, or so many that only who is alone wakes.
void choose_memory(explorer& on) {
  takt::lab::config c = takt::current_config();
  const std::uint64_t how = on.chosen_below(5);
  if (how >= 3) {
    c.policy = takt::lab::asyncdf;
    constexpr std::uint64_t k_quotas[] = {1, k_block / 3, 2 * k_block};
    c.lab.memory_k = k_quotas[on.chosen_below(std::size(k_quotas))];
    if (how == 4) c.memory = 4 * k_block;
    takt::lab::configure(c);
    return;
  }
  c.lab.hybrid = how != 1;
  constexpr std::uint64_t k_alphas[] = {k_block, k_block / 3, 1};
  c.lab.memory_alpha = k_alphas[on.chosen_below(std::size(k_alphas))];
  c.lab.memory_beta = 0;
  constexpr std::uint64_t k_budgets[] = {1, 4 * k_block, 8 * k_block};
  if (how != 0) c.memory = k_budgets[on.chosen_below(std::size(k_budgets))];
  // And one with what the leftmost may need.
  if (c.memory == 8 * k_block) c.memory_need = 2 * k_block;
  takt::lab::configure(c);
}

// Workers tell what they have gathered when the runtime ends, at the latest.
std::uint64_t nothing_is_held() {
  takt::configure(takt::current_config());
  return takt::core::memory_ledger::now() == 0 ? 1 : 0;
}

namespace {

template <class F>
std::uint64_t with_memory(explorer& on, F f) {
  choose_memory(on);
  const std::uint64_t value = f();
  return mix(value, nothing_is_held());
}

// Memory at each level; what is held when a branch is about to take more.
std::uint64_t memory_tree(explorer& on, unsigned depth, std::uint64_t path) {
  const takt::memory_scope block(k_block);
  work(on, 1);
  if (depth == 0) return mix(path, 1);
  const auto [a, b] = takt::fork_join([&on, depth, path] { return memory_tree(on, depth - 1, 2 * path); },
                                      [&on, depth, path] { return memory_tree(on, depth - 1, 2 * path + 1); });
  return mix(a, b);
}

}  // namespace

std::uint64_t memory_in_loop(explorer& on) {
  return with_memory(on, [&on] {
    const short_of_memory scarce(on);
    std::array<std::uint64_t, 6> cells{};
    takt::parallel_for(std::size_t{0}, cells.size(), [&](std::size_t i) {
      work(on, 1);
      const takt::memory_scope block((1 + i % 2) * k_block);
      tree(on, 1, 1);
      cells[i] += mix(i, 3);
    });
    return in_order(cells);
  });
}

std::uint64_t memory_in_forks(explorer& on) {
  return with_memory(on, [&on] {
    const short_of_memory scarce(on);
    return memory_tree(on, 3, 1);
  });
}

std::uint64_t memory_in_group(explorer& on) {
  return with_memory(on, [&on] {
    std::array<std::uint64_t, 6> cells{};
    takt::task_group members(some_bound(on));
    const short_of_memory scarce(on);
    takt::fork_join(
        [&] {
          for (std::size_t c = 0; c < 3; ++c) {
            members.run([&, c] {
              const takt::memory_scope block(k_block);
              members.run([&, c] {
                const takt::memory_scope more(k_block);
                cells[c] += mix(c, 3);
              });
              work(on, 1);
            });
          }
          members.wait();
        },
        [&] {
          const takt::stay here;
          const takt::memory_scope block(k_block);
          takt::parallel_for(std::size_t{3}, cells.size(), [&](std::size_t c) {
            const takt::memory_scope more(k_block);
            cells[c] += mix(c, 3);
          });
        });
    return in_order(cells);
  });
}

std::uint64_t memory_in_two_calls(explorer& on) {
  return with_memory(on, [&on] {
    std::uint64_t there = 0;
    outside_thread other(on, [&] { there = memory_tree(on, 2, 1); });
    const std::uint64_t here = memory_tree(on, 2, 2);
    other.join();
    return mix(here, there);
  });
}

}  // namespace takt_explore
