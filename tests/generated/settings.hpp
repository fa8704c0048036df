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

inline takt::config settings_of(std::uint64_t seed) {
  using takt::balancer;
  using takt::memory_policy;
  using takt::policy;
  using takt::trigger;
  using us = std::chrono::microseconds;
  takt::config c;
  c.workers = chosen(seed, 1, std::array{1u, 1u, 2u, 2u, 3u, 3u, 4u, 5u, 6u, 8u, 8u, 16u});
  c.policy = chosen(
      seed, 2,
      std::array{policy::random, policy::random, policy::random, policy::adws, policy::ml_random, policy::ml_adws, policy::sb});
  c.balancer = chosen(seed, 3, std::array{balancer::concurrent, balancer::concurrent, balancer::private_, balancer::mixed});
  c.trigger = chosen(seed, 4,
                     std::array{trigger::eager, trigger::eager, trigger::beat, trigger::beat, trigger::beat, trigger::request,
                                trigger::lazy, trigger::lazy, trigger::lazy, trigger::never});
  c.beat = chosen(seed, 5, std::array{us(0), us(0), us(5), us(30), us(100)});
  c.interrupts = mix(seed, 6) % 4 != 0;
  c.chunking = chosen(seed, 7, std::array{takt::chunking::time, takt::chunking::hbc, takt::chunking::fixed});
  c.memory_policy = chosen(
      seed, 8, std::array{memory_policy::none, memory_policy::none, memory_policy::hybrid, memory_policy::asyncdf});
  c.memory_alpha = chosen(seed, 9, std::array{k_block_bytes / 16, k_block_bytes});
  c.memory_k = chosen(seed, 10, std::array{k_block_bytes / 16, 3 * k_block_bytes});
  c.memory = chosen(seed, 11, std::array<std::uint64_t, 6>{0, 0, 0, 1, 16 * k_block_bytes, 160 * k_block_bytes});
  if (c.memory != 0) c.memory_need = chosen(seed, 12, std::array<std::uint64_t, 4>{0, 0, 1, 10 * k_block_bytes});
  return c;
}

inline std::string describe(std::uint64_t seed) {
  const takt::config c = settings_of(seed);
  return takt_test::describe(c) + (c.interrupts ? "" : " TAKT_INTERRUPTS=0");
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
