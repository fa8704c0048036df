// sph: smoothed particle hydrodynamics, the forces of a breaking dam over an octree (ADWS paper, section 6.2; kernels
// as in Becker and Teschner 2007, simplified). Building the octree is part of the input.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/problem.hpp"
#include "harness/random.hpp"

namespace takt::bench {

struct sph_problem {
  static constexpr problem_info info{.name = "sph",
                                     .about = "densities and forces of the particles of a breaking dam",
                                     .form = kind::forks,
                                     .size_unit = "particles",
                                     .size_default = 50'000,
                                     .size_min = 1,
                                     .size_max = 50'000'000,
                                     .group = "locality"};
  static constexpr std::size_t k_most_in_leaf = 32;
  // Particles of a grid of distance 1 interact within this radius: some forty each.
  static constexpr double k_radius = 2.1;

  using vec = std::array<double, 3>;
  // One cache line.
  struct particle {
    vec at;
    vec velocity;
    double mass;
    double unused;
  };
  struct state {
    vec force;
    double density;
  };
  // Cells in the order of the curve: a cell's children lie one behind the other, and so do its particles.
  struct cell {
    vec centre;
    double half;  // of its edge
    std::uint32_t first_particle;
    std::uint32_t particles;
    std::uint32_t first_child;
    std::uint32_t children;  // 0: a leaf
  };
  struct input {
    std::vector<particle> particles;
    std::vector<cell> cells;  // the first one is all
  };
  using answer = std::vector<state>;

  // A block of water, twice as long as it is high and wide, as it begins to fall.
  static std::vector<particle> dam(std::size_t count) {
    const auto edge = static_cast<std::size_t>(std::cbrt(static_cast<double>(count) / 2)) + 1;
    random_source random(15);
    std::vector<particle> all(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t place[] = {i % (2 * edge), i / (2 * edge) % edge, i / (2 * edge * edge)};
      for (std::size_t d = 0; d < 3; ++d) {
        all[i].at[d] = static_cast<double>(place[d]) + 0.2 * random.unit();
        all[i].velocity[d] = d == 2 ? -random.unit() : 0.1 * random.unit();
      }
      all[i].mass = 1;
    }
    return all;
  }

  static void divide(input& in, std::size_t self) {
    const cell here = in.cells[self];
    if (here.particles <= k_most_in_leaf) {
      return;
    }
    const auto octant = [&here](const particle& p) {
      return (p.at[0] >= here.centre[0] ? 1U : 0U) + (p.at[1] >= here.centre[1] ? 2U : 0U) +
             (p.at[2] >= here.centre[2] ? 4U : 0U);
    };
    const auto begin = in.particles.begin() + here.first_particle;
    std::stable_sort(begin, begin + here.particles,
                     [&](const particle& a, const particle& b) { return octant(a) < octant(b); });
    const auto first_child = static_cast<std::uint32_t>(in.cells.size());
    for (std::uint32_t i = 0; i < here.particles;) {
      const unsigned o = octant(begin[i]);
      std::uint32_t end = i;
      while (end < here.particles && octant(begin[end]) == o) {
        ++end;
      }
      cell child{.centre = here.centre,
                 .half = here.half / 2,
                 .first_particle = here.first_particle + i,
                 .particles = end - i,
                 .first_child = 0,
                 .children = 0};
      for (std::size_t d = 0; d < 3; ++d) {
        child.centre[d] += (o >> d & 1U) != 0 ? child.half : -child.half;
      }
      in.cells.push_back(child);
      i = end;
    }
    in.cells[self].first_child = first_child;
    in.cells[self].children = static_cast<std::uint32_t>(in.cells.size()) - first_child;
    for (std::size_t c = 0; c < in.cells[self].children; ++c) {
      divide(in, first_child + c);
    }
  }

  static input make(const request& wanted) {
    input in{dam(static_cast<std::size_t>(size_of(wanted, info))), {}};
    double most = 0;
    for (const particle& p : in.particles) {
      most = std::max({most, p.at[0], p.at[1], p.at[2]});
    }
    const double half = (most + 1) / 2;
    in.cells.push_back({.centre = {half, half, half},
                        .half = half,
                        .first_particle = 0,
                        .particles = static_cast<std::uint32_t>(in.particles.size()),
                        .first_child = 0,
                        .children = 0});
    divide(in, 0);
    return in;
  }
  static void reset(const input& in, answer& a) { a.assign(in.particles.size(), state{}); }
  // Each particle's sums are taken in the same order.
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return std::equal(got.begin(), got.end(), expected.begin(), expected.end(),
                      [](const state& a, const state& b) { return a.force == b.force && a.density == b.density; });
  }
};

}  // namespace takt::bench
