// Programs by seed in which a group is waited for somewhere else than it was made and filled: behind forks, in children
// of other groups, by code that stays on its thread. On a simulated machine, which says so when all wait for each
// other. TAKT_SEED repeats one.
#include <takt/takt.hpp>

#include "simulate/in_virtual_time.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace {

using takt_test::in_virtual_time;

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15u + b + 1;
  x ^= x >> 31;
  x *= 0xbf58476d1ce4e5b9u;
  return x ^ (x >> 29);
}

// Whoever has a group in its list is the only one who adds children to it, and who waits for it.
struct held_group {
  takt::task_group* group;
  unsigned age;  // those made later, and gone earlier, have more
};
using held_groups = std::vector<held_group>;

// Without a machine the program runs as plain calls: how many nodes it has.
class program {
 public:
  explicit program(in_virtual_time* machine) : machine_(machine) {}

  void node(std::uint64_t seed, unsigned depth, held_groups& held, unsigned age) {
    nodes_.fetch_add(1, std::memory_order_relaxed);
    if (depth == 0) return spend(seed % 8'000);
    std::optional<takt::stay> stays;
    std::vector<std::unique_ptr<takt::task_group>> made;
    const std::uint64_t steps = 2 + mixed(seed, 1) % 6;
    for (std::uint64_t s = 0; s < steps; ++s) {
      const std::uint64_t r = mixed(seed, 10 + s);
      switch (r % 8) {
        case 0:
          spend(r / 8 % 60'000);
          break;
        case 1:
        case 2: {
          held_groups left, right;
          for (const held_group& h : held) (mixed(r, h.age) % 2 == 0 ? left : right).push_back(h);
          fork([&] { node(mixed(r, 2), depth - 1, left, age + 1); },
               [&] { node(mixed(r, 3), depth - 1, right, age + 1); });
          held = left;
          held.insert(held.end(), right.begin(), right.end());
          break;
        }
        case 3:
          made.push_back(std::make_unique<takt::task_group>());
          held.push_back({made.back().get(), age++});
          break;
        case 4:
        case 5: {
          if (held.empty()) break;
          const held_group to = held[mixed(r, 4) % held.size()];
          for (std::uint64_t child = 0; child < 1 + r / 8 % 3; ++child) {
            held_groups lent, kept;
            for (const held_group& h : held)
              (h.age < to.age && mixed(r, 20 + h.age) % 2 == 0 ? lent : kept).push_back(h);
            held = kept;
            run(*to.group, [this, seed = mixed(r, 5 + child), depth, lent, age]() mutable {
              node(seed, depth - 1, lent, age + 1);
            });
          }
          break;
        }
        case 6:
          if (!held.empty()) wait(*held[mixed(r, 6) % held.size()].group);
          break;
        default:
          if (machine_ != nullptr && r / 8 % 2 == 0 && !stays) stays.emplace();
      }
    }
    // The youngest first: a child of one may have been lent an older one.
    while (!made.empty()) {
      std::erase_if(held, [&](const held_group& h) { return h.group == made.back().get(); });
      wait(*made.back());
      made.pop_back();
    }
  }

  std::uint64_t nodes() const { return nodes_.load(); }

 private:
  void spend(std::uint64_t ns) {
    if (machine_ != nullptr) machine_->on.spend(ns);
  }
  template <class A, class B>
  void fork(A a, B b) {
    if (machine_ != nullptr) {
      takt::fork_join(a, b);
    } else {
      a();
      b();
    }
  }
  template <class F>
  void run(takt::task_group& group, F f) {
    machine_ != nullptr ? group.run(f) : f();
  }
  void wait(takt::task_group& group) {
    if (machine_ != nullptr) group.wait();
  }

  in_virtual_time* machine_;
  std::atomic<std::uint64_t> nodes_{0};
};

TEST(random_waits, end) {
  using takt::balancer;
  using takt::policy;
  using takt::trigger;
  const char* const given = std::getenv("TAKT_SEED");
  const unsigned first = given != nullptr ? static_cast<unsigned>(std::stoul(given)) : 0;
  const unsigned count = given != nullptr ? 1 : 400;
  for (unsigned seed = first; seed < first + count; ++seed) {
    // The last one is what a deadlock, or the test's time limit, ends.
    std::printf("%u ", seed);
    std::fflush(stdout);
    program serial(nullptr);
    held_groups none;
    serial.node(seed, 4, none, 0);
    const auto chosen = [seed](std::uint64_t salt, const auto& of) { return of[mixed(seed, salt) % of.size()]; };
    takt::config c;
    c.policy = chosen(
        100, std::array{policy::random, policy::random, policy::adws, policy::ml_random, policy::ml_adws, policy::sb});
    c.balancer = chosen(101, std::array{balancer::concurrent, balancer::private_, balancer::mixed});
    c.trigger = chosen(102, std::array{trigger::eager, trigger::beat, trigger::request, trigger::lazy});
    c.beat = chosen(
        103, std::array{std::chrono::microseconds(0), std::chrono::microseconds(5), std::chrono::microseconds(30)});
    in_virtual_time machine(chosen(104, std::array{1u, 1u, 2u, 3u, 8u}), c);
    program parallel(&machine);
    takt::fork_join([&] { parallel.node(seed, 4, none, 0); }, [] {});
    ASSERT_EQ(parallel.nodes(), serial.nodes()) << "TAKT_SEED=" << seed;
  }
}

}  // namespace
