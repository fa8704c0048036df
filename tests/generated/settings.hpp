// The settings that a program of a seed runs under.
#pragma once

#include <takt/takt.hpp>

#include "generated/program.hpp"
#include "sim/virtual_time.hpp"
#include "support/settings.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <string>

namespace takt_generated {

template <class All>
auto chosen(std::uint64_t seed, std::uint64_t salt, const All& of) {
  return of[mix(seed, salt) % of.size()];
}

inline takt::lab::config settings_of(std::uint64_t seed) {
  namespace lab = takt::lab;
  using takt::policy;
  using takt::trigger;
  using us = std::chrono::microseconds;
  takt::lab::config c;
  c.workers = chosen(seed, 1, std::array{1u, 1u, 2u, 2u, 3u, 3u, 4u, 5u, 6u, 8u, 8u, 16u});
  c.policy = chosen(
      seed, 2,
      std::array{policy::random, policy::random, policy::random, policy::adws, lab::ml_random, policy::ml_adws, lab::sb});
  if (c.policy == policy::random) {
    c.policy = chosen(seed, 3, std::array{policy::random, policy::random, lab::random_private, lab::random_mixed});
  }
  c.trigger = chosen(seed, 4,
                     std::array{lab::eager, lab::eager, lab::beat, lab::beat, lab::beat, lab::request,
                                trigger::lazy, trigger::lazy, trigger::lazy, trigger::never});
  c.beat = chosen(seed, 5, std::array{us(0), us(0), us(5), us(30), us(100)});
  c.interrupts = mix(seed, 6) % 4 != 0;
  c.lab.chunking = chosen(seed, 7, std::array{lab::chunking::time, lab::chunking::hbc, lab::chunking::fixed});
  const int waits = chosen(seed, 8, std::array{0, 0, 1, 2});
  c.lab.hybrid = waits == 1;
  if (waits == 2) c.policy = lab::asyncdf;
  c.lab.memory_alpha = chosen(seed, 9, std::array{k_block_bytes / 16, k_block_bytes});
  c.lab.memory_k = chosen(seed, 10, std::array{k_block_bytes / 16, 3 * k_block_bytes});
  c.memory = chosen(seed, 11, std::array<std::uint64_t, 6>{0, 0, 0, 1, 16 * k_block_bytes, 160 * k_block_bytes});
  if (c.memory != 0) c.memory_need = chosen(seed, 12, std::array<std::uint64_t, 4>{0, 0, 1, 10 * k_block_bytes});
  return c;
}

inline std::string describe(std::uint64_t seed) {
  const takt::lab::config c = settings_of(seed);
  return takt_test::describe(c) + (c.interrupts ? "" : " TAKT_SIGNAL=none");
}

/// What things take on the simulated machine.
inline takt::sim::virtual_settings machine_of(std::uint64_t seed) {
  using ns = std::uint64_t;
  takt::sim::virtual_settings s;
  s.workers = settings_of(seed).workers;
  s.measured = false;
  s.began = 1'000'000'000;
  s.seed = seed;
  s.cost.look = chosen(seed, 20, std::array<ns, 4>{0, 10, 100, 1'000});
  s.cost.promotion = chosen(seed, 21, std::array<ns, 3>{0, 100, 2'000});
  s.cost.steal = chosen(seed, 22, std::array<ns, 3>{0, 100, 1'000});
  s.cost.wake = chosen(seed, 23, std::array<ns, 3>{0, 1'000, 5'000});
  s.cost.wake_latency = chosen(seed, 24, std::array<ns, 3>{0, 1'000, 10'000});
  s.cost.start_latency = chosen(seed, 25, std::array<ns, 3>{0, 1'000, 50'000});
  s.cost.signal = chosen(seed, 26, std::array<ns, 3>{0, 1'000, 10'000});
  return s;
}

}  // namespace takt_generated
