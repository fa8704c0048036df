#include "pbbs/geometry/point_generators.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "harness/random.hpp"

namespace takt::bench::pbbs {
namespace {

// Generator number `index` of a family.
random_source source(std::uint64_t seed, std::size_t index) {
  return random_source(random_source(seed * 0x100000001B3U + index).next());
}

template <class Make>
auto generated(std::size_t count, std::uint64_t seed, const Make& make) {
  std::vector<decltype(make(std::declval<random_source&>()))> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    random_source random = source(seed, i);
    all[i] = make(random);
  }
  return all;
}

point2 in_direction(double angle, double radius) {
  return {{radius * std::cos(angle), radius * std::sin(angle)}};
}

double angle(random_source& random) { return 2 * std::numbers::pi * random.unit(); }

// On the unit sphere; by Archimedes, heights are uniform.
point3 direction(random_source& random) {
  const double height = 2 * random.unit() - 1;
  const point2 around = in_direction(angle(random), std::sqrt(1 - height * height));
  return {{around.x(), around.y(), height}};
}

// Above 0 and below 1, for the distributions that are infinite at one of them.
double open_unit(random_source& random) { return std::max(random.unit(), 0x1.0p-53); }

template <class T>
void shuffle(std::vector<T>& all, std::uint64_t seed) {
  random_source random(seed);
  for (std::size_t left = all.size(); left > 1; --left) {
    std::swap(all[left - 1], all[random.next() % left]);
  }
}

vector3f as_floats(const point3& p) {
  return {static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])};
}

}  // namespace

std::vector<point2> points_in_square(std::size_t count, std::uint64_t seed) {
  return generated(count, seed, [](random_source& random) {
    const double x = random.unit();
    return point2{{x, random.unit()}};
  });
}

std::vector<point3> points_in_cube(std::size_t count, std::uint64_t seed) {
  return generated(count, seed, [](random_source& random) {
    const double x = random.unit();
    const double y = random.unit();
    return point3{{x, y, random.unit()}};
  });
}

std::vector<point2> points_in_circle(std::size_t count, std::uint64_t seed) {
  return generated(count, seed, [](random_source& random) {
    for (;;) {
      const double x = 2 * random.unit() - 1;
      const double y = 2 * random.unit() - 1;
      if (x * x + y * y < 1) {
        return point2{{x, y}};
      }
    }
  });
}

std::vector<point2> points_on_circle(std::size_t count, std::uint64_t seed) {
  return generated(count, seed,
                   [](random_source& random) { return in_direction(angle(random), 1); });
}

std::vector<point2> kuzmin_points(std::size_t count, std::uint64_t seed) {
  return generated(count, seed, [](random_source& random) {
    const double u = open_unit(random);
    const double radius = std::sqrt(1 / (u * u) - 1);
    return in_direction(angle(random), radius);
  });
}

std::vector<point3> plummer_points(std::size_t count, std::uint64_t seed) {
  return generated(count, seed, [](random_source& random) {
    const double radius = 1 / std::sqrt(std::expm1(-2.0 / 3.0 * std::log(open_unit(random))));
    point3 p = direction(random);
    for (double& coordinate : p.at) {
      coordinate *= radius;
    }
    return p;
  });
}

std::vector<point2> grid_points_2d(std::size_t count, std::uint64_t seed) {
  auto side = static_cast<std::size_t>(std::sqrt(static_cast<double>(count)));
  side += side * side < count ? 1 : 0;
  std::vector<point2> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i] = {{static_cast<double>(i % side), static_cast<double>(i / side)}};
  }
  shuffle(all, seed);
  return all;
}

std::vector<point3> grid_points_3d(std::size_t count, std::uint64_t seed) {
  auto side = static_cast<std::size_t>(std::cbrt(static_cast<double>(count)));
  side += side * side * side < count ? 1 : 0;
  std::vector<point3> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i] = {{static_cast<double>(i % side), static_cast<double>(i / side % side),
               static_cast<double>(i / side / side)}};
  }
  shuffle(all, seed);
  return all;
}

triangle_mesh dented_sphere(std::size_t triangles, std::uint64_t seed) {
  random_source random(seed);
  std::vector<std::pair<point3, double>> dents(40);
  for (auto& [place, depth] : dents) {
    place = direction(random);
    depth = 0.05 + 0.2 * random.unit();
  }
  // Quads in latitude and longitude, twice as many around as from pole to pole.
  const auto rings = static_cast<std::size_t>(std::sqrt(static_cast<double>(triangles) / 4)) + 2;
  const std::size_t around = 2 * rings;
  triangle_mesh mesh;
  for (std::size_t ring = 0; ring <= rings; ++ring) {
    const double polar = std::numbers::pi * static_cast<double>(ring) / static_cast<double>(rings);
    for (std::size_t step = 0; step < around; ++step) {
      const double turn =
          2 * std::numbers::pi * static_cast<double>(step) / static_cast<double>(around);
      const point2 level = in_direction(turn, std::sin(polar));
      point3 p = {{level.x(), level.y(), std::cos(polar)}};
      double radius = 1;
      for (const auto& [place, depth] : dents) {
        radius -= depth * std::exp(-30 * squared_distance(p, place));
      }
      for (double& coordinate : p.at) {
        coordinate *= radius;
      }
      mesh.vertices.push_back(as_floats(p));
    }
  }
  const auto vertex = [around](std::size_t ring, std::size_t step) {
    return static_cast<std::uint32_t>(ring * around + step % around);
  };
  for (std::size_t ring = 0; ring < rings; ++ring) {
    for (std::size_t step = 0; step < around; ++step) {
      const std::uint32_t a = vertex(ring, step);
      const std::uint32_t b = vertex(ring, step + 1);
      const std::uint32_t c = vertex(ring + 1, step);
      const std::uint32_t d = vertex(ring + 1, step + 1);
      // At the poles one of the two has no area.
      if (ring > 0) {
        mesh.triangles.push_back({a, c, b});
      }
      if (ring + 1 < rings) {
        mesh.triangles.push_back({b, c, d});
      }
    }
  }
  return mesh;
}

triangle_mesh triangle_soup(std::size_t triangles, std::uint64_t seed) {
  triangle_mesh mesh;
  for (std::size_t i = 0; i < triangles; ++i) {
    random_source random = source(seed, i);
    const point3 centre = {{random.unit(), random.unit(), random.unit()}};
    // The smallest are a thousandth of the cube wide, few are larger than a tenth.
    const double size = 0.001 / std::sqrt(random.unit() + 1e-4);
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (int corner = 0; corner < 3; ++corner) {
      point3 p = direction(random);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        p[axis] = centre[axis] + size * p[axis];
      }
      mesh.vertices.push_back(as_floats(p));
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

std::vector<ray> rays_through(const triangle_mesh& mesh, std::size_t count, std::uint64_t seed) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  vector3f low = {infinity, infinity, infinity};
  vector3f high = {-infinity, -infinity, -infinity};
  for (const vector3f& v : mesh.vertices) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], v[axis]);
      high[axis] = std::max(high[axis], v[axis]);
    }
  }
  const auto place = [&](random_source& random, float height) {
    const auto between = [&](std::size_t axis) {
      return low[axis] + static_cast<float>(random.unit()) * (high[axis] - low[axis]);
    };
    const float x = between(0);
    return vector3f{x, between(1), height};
  };
  return generated(count, seed, [&](random_source& random) {
    const vector3f start = place(random, low[2]);
    return ray{start, place(random, high[2])};
  });
}

}  // namespace takt::bench::pbbs
