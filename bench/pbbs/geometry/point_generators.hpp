// The point sets of the Heartbeat paper's appendix A, and meshes that need no file.
//
// Point i depends on the seed and on i alone, so a smaller set is the beginning of a larger one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pbbs/geometry/point.hpp"
#include "pbbs/geometry/triangle_mesh.hpp"

namespace takt::bench::pbbs {

std::vector<point2> points_in_square(std::size_t count, std::uint64_t seed);  // [0, 1) x [0, 1)
std::vector<point3> points_in_cube(std::size_t count, std::uint64_t seed);
std::vector<point2> points_in_circle(std::size_t count, std::uint64_t seed);  // radius 1
std::vector<point2> points_on_circle(std::size_t count, std::uint64_t seed);

// Kuzmin's distribution: half of the points are within sqrt(3) of the origin, and the farthest
// of n points is about n away.
std::vector<point2> kuzmin_points(std::size_t count, std::uint64_t seed);

// Plummer's distribution, the same in space: the farthest point is about cbrt(n) away.
std::vector<point3> plummer_points(std::size_t count, std::uint64_t seed);

// The first `count` points of a grid of whole numbers with sides as equal as they can be,
// shuffled. Many distances are equal, many points are on one line or on one circle.
std::vector<point2> grid_points_2d(std::size_t count, std::uint64_t seed);
std::vector<point3> grid_points_3d(std::size_t count, std::uint64_t seed);

// A sphere with dents, of at least `triangles` triangles.
triangle_mesh dented_sphere(std::size_t triangles, std::uint64_t seed);

// Triangles of very different sizes and any direction in a cube; they cross each other.
triangle_mesh triangle_soup(std::size_t triangles, std::uint64_t seed);

}  // namespace takt::bench::pbbs
