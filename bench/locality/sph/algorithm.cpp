#include "sph/config.hpp"

#include "locality/parallel.hpp"

namespace takt::bench {
namespace {

using problem = sph_problem;
using cell = problem::cell;
using particle = problem::particle;
using state = problem::state;

// Densities, or forces from them.
enum class pass { densities, forces };

double squared_distance(const problem::vec& a, const problem::vec& b) {
  double sum = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    sum += (a[d] - b[d]) * (a[d] - b[d]);
  }
  return sum;
}

bool is_near(const cell& a, const cell& b) {
  for (std::size_t d = 0; d < 3; ++d) {
    if (std::abs(a.centre[d] - b.centre[d]) > a.half + b.half + problem::k_radius) {
      return false;
    }
  }
  return true;
}

void add_density(const particle& a, const particle& b, state& to) {
  constexpr double k_h2 = problem::k_radius * problem::k_radius;
  const double r2 = squared_distance(a.at, b.at);
  if (r2 < k_h2) {
    const double w = k_h2 - r2;
    to.density += b.mass * w * w * w;
  }
}

void add_force(const particle& a, const particle& b, const state& of_a, const state& of_b, problem::vec& to) {
  const double r2 = squared_distance(a.at, b.at);
  if (r2 >= problem::k_radius * problem::k_radius || r2 == 0) {
    return;
  }
  constexpr double k_rest_density = 1000;
  const double r = std::sqrt(r2);
  const double w = problem::k_radius - r;
  const double pressure = (of_a.density + of_b.density - 2 * k_rest_density) / (2 * of_b.density);
  for (std::size_t d = 0; d < 3; ++d) {
    const double push = pressure * w * w * (a.at[d] - b.at[d]) / r;
    const double drag = 0.1 * w * (b.velocity[d] - a.velocity[d]) / of_b.density;
    to[d] += b.mass * (push + drag);
  }
}

// The leaf kernel: the particles of a leaf, and all that are near.
void do_leaf(const problem::input& in, state* states, const cell& leaf, const cell& other, pass what) {
  if (!is_near(leaf, other)) {
    return;
  }
  if (other.children != 0) {
    for (std::uint32_t c = 0; c < other.children; ++c) {
      do_leaf(in, states, leaf, in.cells[other.first_child + c], what);
    }
    return;
  }
  par::touch(&in.particles[other.first_particle], other.particles * sizeof(particle));
  if (what == pass::forces) {
    par::touch(&states[other.first_particle], other.particles * sizeof(state));
  }
  for (std::uint32_t i = leaf.first_particle; i < leaf.first_particle + leaf.particles; ++i) {
    problem::vec force = states[i].force;
    for (std::uint32_t j = other.first_particle; j < other.first_particle + other.particles; ++j) {
      if (what == pass::densities) {
        add_density(in.particles[i], in.particles[j], states[i]);
      } else {
        add_force(in.particles[i], in.particles[j], states[i], states[j], force);
      }
    }
    states[i].force = force;
  }
}

// Cells `first` to before `last`, which lie one behind the other.
void do_cells(const problem::input& in, state* states, std::uint32_t first, std::uint32_t last, pass what) {
  if (last - first == 1) {
    const cell& here = in.cells[first];
    if (here.children != 0) {
      do_cells(in, states, here.first_child, here.first_child + here.children, what);
      return;
    }
    par::touch(&in.particles[here.first_particle], here.particles * sizeof(particle));
    par::touch(&states[here.first_particle], here.particles * sizeof(state));
    do_leaf(in, states, here, in.cells[0], what);
    return;
  }
  const std::uint32_t middle = first + (last - first) / 2;
  const auto particles = [&in](std::uint32_t from, std::uint32_t to) {
    return in.cells[to - 1].first_particle + in.cells[to - 1].particles - in.cells[from].first_particle;
  };
  const std::uint32_t left = particles(first, middle);
  const std::uint32_t right = particles(middle, last);
  par::fork(
      left, right, (left + right) * (sizeof(particle) + sizeof(state)),
      [=, &in] { do_cells(in, states, first, middle, what); }, [=, &in] { do_cells(in, states, middle, last, what); });
}

const enrol<problem> program(par::k_system, [](const problem::input& in, problem::answer& out) {
  par::root([&] {
    do_cells(in, out.data(), 0, 1, pass::densities);
    do_cells(in, out.data(), 0, 1, pass::forces);
  });
});

}  // namespace
}  // namespace takt::bench
