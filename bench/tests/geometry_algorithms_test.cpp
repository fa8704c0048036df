// The geometric problems' algorithms, run serially, and the checks of their answers: right
// answers pass, and planted wrong ones do not. How the algorithms run in parallel is what
// driver_test.cpp looks at.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/seed.hpp"
#include "pbbs/geometry/bvh.hpp"
#include "pbbs/geometry/delaunay.hpp"
#include "pbbs/geometry/hull.hpp"
#include "pbbs/geometry/kd_tree.hpp"
#include "pbbs/geometry/point_generators.hpp"
#include "pbbs/geometry/quickhull.hpp"
#include "pbbs/geometry/serial_primitives.hpp"

namespace takt::bench::pbbs {
namespace {

// Sets of points that are easy and hard, with their names.
std::vector<std::pair<std::string, std::vector<point2>>> point_sets(std::size_t size) {
  const std::uint32_t seed = takt_test::chosen_seed();
  std::vector<point2> line(size);
  for (std::size_t i = 0; i < size; ++i) {
    line[i] = {{static_cast<double>(i * 7919 % size), 3 * static_cast<double>(i * 7919 % size)}};
  }
  std::vector<point2> repeated = grid_points_2d(size, seed);
  for (point2& p : repeated) {
    p = {{std::floor(p.x() / 4), std::floor(p.y() / 4)}};
  }
  return {{"square", points_in_square(size, seed)},
          {"in circle", points_in_circle(size, seed)},
          {"on circle", points_on_circle(size, seed)},
          {"kuzmin", kuzmin_points(size, seed)},
          {"grid", grid_points_2d(size, seed)},
          {"line", std::move(line)},
          {"repeated", std::move(repeated)},
          {"equal", std::vector<point2>(size, {{2, 3}})}};
}

constexpr std::size_t k_sizes[] = {1, 2, 3, 4, 5, 7, 10, 33, 100, 1000, 5000};

TEST(convex_hull, three_ways_and_a_check) {
  SCOPED_TRACE(takt_test::seed_message());
  for (const std::size_t size : k_sizes) {
    for (const auto& [name, points] : point_sets(size)) {
      std::vector<point2> copy = points;
      const auto expected = monotone_chain(copy);
      copy = points;
      EXPECT_EQ(serial_quickhull(copy), expected) << name << " " << size;
      EXPECT_EQ(quickhull<serial_primitives>::of(points), expected) << name << " " << size;
      EXPECT_TRUE(is_convex_hull(points, expected)) << name << " " << size;
    }
  }
  std::vector<point2> none;
  EXPECT_TRUE(quickhull<serial_primitives>::of(none).empty());
  EXPECT_TRUE(serial_quickhull(none).empty());
}

TEST(convex_hull, wrong_answers_are_found) {
  SCOPED_TRACE(takt_test::seed_message());
  const auto points = points_in_circle(1000, takt_test::chosen_seed());
  const auto right = quickhull<serial_primitives>::of(points);
  ASSERT_TRUE(is_convex_hull(points, right));
  const auto wrong = [&](const char* what, const auto& change) {
    auto hull = right;
    change(hull);
    EXPECT_FALSE(is_convex_hull(points, hull)) << what;
  };
  for (std::size_t i = 0; i < right.size(); ++i) {
    wrong("a corner is missing", [i](auto& hull) { hull.erase(hull.begin() + i); });
    wrong("a corner is there twice", [i](auto& hull) { hull.insert(hull.begin() + i, hull[i]); });
    wrong("a corner is none of the points", [i](auto& hull) { hull[i][0] *= 1 + 1e-15; });
  }
  wrong("nothing", [](auto& hull) { hull.clear(); });
  wrong("clockwise", [](auto& hull) { std::reverse(hull.begin() + 1, hull.end()); });
  wrong("another start",
        [](auto& hull) { std::rotate(hull.begin(), hull.begin() + 1, hull.end()); });
  wrong("twice around", [](auto& hull) {
    const auto once = hull;
    hull.insert(hull.end(), once.begin(), once.end());
  });
  // The middle of an edge is no corner.
  const std::vector<point2> square = {{{0, 0}}, {{2, 0}}, {{2, 2}}, {{0, 2}}, {{1, 0}}};
  EXPECT_TRUE(is_convex_hull(square, std::vector<point2>(square.begin(), square.begin() + 4)));
  EXPECT_FALSE(is_convex_hull(
      square, std::vector<point2>{square[0], square[4], square[1], square[2], square[3]}));
}

TEST(delaunay, all_kinds_of_points) {
  SCOPED_TRACE(takt_test::seed_message());
  for (const std::size_t size : k_sizes) {
    for (const auto& [name, points] : point_sets(size)) {
      const auto triangles = delaunay<serial_primitives>::of(points);
      EXPECT_TRUE(is_delaunay(points, triangles)) << name << " " << size;
      EXPECT_EQ(triangles.empty(), size < 3 || name == "line" || name == "equal" ||
                                       (name == "repeated" && size < 33))
          << name << " " << size;
    }
  }
}

TEST(delaunay, wrong_answers_are_found) {
  SCOPED_TRACE(takt_test::seed_message());
  const auto points = points_in_square(300, takt_test::chosen_seed());
  const auto right = delaunay<serial_primitives>::of(points);
  ASSERT_TRUE(is_delaunay(points, right));
  EXPECT_FALSE(is_delaunay(points, {}));
  std::size_t flipped = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    const auto wrong = [&](const char* what, const auto& change) {
      auto triangles = right;
      change(triangles);
      EXPECT_FALSE(is_delaunay(points, triangles)) << what << " " << i;
    };
    wrong("a triangle is missing", [i](auto& all) { all.erase(all.begin() + i); });
    wrong("a triangle is there twice", [i](auto& all) { all.push_back(all[i]); });
    wrong("a triangle turns right", [i](auto& all) { std::swap(all[i][0], all[i][1]); });
    wrong("a corner does not exist", [i](auto& all) { all[i][0] = 300; });
    // The other diagonal of two triangles that form a convex quadrilateral: a triangulation,
    // but not Delaunay's.
    const std::uint32_t a = right[i][0];
    const std::uint32_t b = right[i][1];
    const std::uint32_t c = right[i][2];
    for (std::size_t k = i + 1; k < right.size(); ++k) {
      auto other = right[k];
      for (int turn = 0; turn < 3; ++turn) {
        std::rotate(other.begin(), other.begin() + 1, other.end());
        const std::uint32_t d = other[2];
        if (other[0] == b && other[1] == a && orientation(points[a], points[d], points[c]) > 0 &&
            orientation(points[d], points[b], points[c]) > 0) {
          ++flipped;
          wrong("an edge is flipped", [&](auto& all) {
            all[i] = {a, d, c};
            all[k] = {d, b, c};
          });
        }
      }
    }
  }
  EXPECT_GT(flipped, 50U);
  // A point that is no corner of any triangle.
  auto more = points;
  more.push_back({{0.5, 0.5}});
  EXPECT_FALSE(is_delaunay(more, right));
  // A corner that is cut off at the hull: everything else stays as it was.
  const std::vector<point2> square = {{{0, 0}}, {{1, 0}}, {{1, 1}}, {{0, 1}}, {{0.5, -0.1}}};
  EXPECT_FALSE(is_delaunay(square, std::vector<corner_ids>{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_TRUE(is_delaunay(std::span(square).first(4),
                          std::vector<corner_ids>{{0, 1, 2}, {0, 2, 3}}));
}

template <std::size_t K, std::size_t D>
void expect_nearest(const std::vector<point<D>>& points, const std::string& name) {
  using answer = std::vector<std::array<std::uint32_t, K>>;
  answer serial(points.size());
  serial_neighbours<K>(points, serial);
  EXPECT_TRUE(are_nearest<K>(points, serial, points.size())) << name << " " << points.size();
  answer parallel(points.size());
  parallel_neighbours<serial_primitives, K>(points, parallel);
  EXPECT_TRUE(are_same_neighbours<K>(points, parallel, serial)) << name << " " << points.size();
}

TEST(nearest_neighbours, equal_those_of_brute_force) {
  SCOPED_TRACE(takt_test::seed_message());
  const std::uint32_t seed = takt_test::chosen_seed();
  for (const std::size_t size : {1, 2, 5, 11, 64, 65, 200, 1500}) {
    for (const auto& [name, points] : point_sets(size)) {
      expect_nearest<1>(points, name);
    }
    expect_nearest<10>(plummer_points(size, seed), "plummer");
    expect_nearest<10>(points_in_cube(size, seed), "cube");
    expect_nearest<3>(grid_points_3d(size, seed), "cube grid");
  }
}

TEST(nearest_neighbours, wrong_answers_are_found) {
  SCOPED_TRACE(takt_test::seed_message());
  const auto points = plummer_points(200, takt_test::chosen_seed());
  std::vector<std::array<std::uint32_t, 3>> right(points.size());
  serial_neighbours<3>(points, right);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto wrong = [&](const char* what, const auto& change) {
      auto all = right;
      change(all[i]);
      EXPECT_FALSE(are_nearest<3>(points, all, all.size())) << what;
      EXPECT_FALSE(are_same_neighbours<3>(points, all, right)) << what;
    };
    wrong("itself", [i](auto& ids) { ids[0] = static_cast<std::uint32_t>(i); });
    wrong("twice the same", [](auto& ids) { ids[1] = ids[0]; });
    wrong("in another order", [](auto& ids) { std::swap(ids[1], ids[2]); });
    wrong("none", [](auto& ids) { ids[2] = nearest_list<3>::k_none; });
    wrong("no point", [](auto& ids) { ids[2] = 200; });
  }
}

std::vector<hit> hits_of(const bvh& tree, const std::vector<ray>& rays) {
  std::vector<hit> hits;
  for (const ray& r : rays) {
    hits.push_back(tree.first_hit(r));
  }
  return hits;
}

TEST(ray_casting, equals_brute_force) {
  SCOPED_TRACE(takt_test::seed_message());
  const std::uint32_t seed = takt_test::chosen_seed();
  // Triangles that are all in the same place cannot be divided.
  triangle_mesh pile = triangle_soup(1, seed);
  pile.triangles.resize(500, pile.triangles[0]);
  // A floor of squares, seen along its lines: rays within the planes of boxes.
  triangle_mesh floor;
  for (std::uint32_t i = 0; i < 100; ++i) {
    const auto x = static_cast<float>(i % 10);
    const auto y = static_cast<float>(i / 10);
    floor.vertices.insert(floor.vertices.end(), {{x, y, 0}, {x + 1, y, 0}, {x, y + 1, 0}});
    floor.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  for (const triangle_mesh& mesh :
       {dented_sphere(3000, seed), triangle_soup(3000, seed), triangle_soup(3, seed), pile,
        floor}) {
    auto rays = rays_through(mesh, 500, seed);
    for (std::uint32_t i = 0; i < 100; ++i) {
      const auto x = static_cast<float>(i % 10);
      const auto y = static_cast<float>(i / 10);
      rays.push_back({{x, y, 1}, {x, y, -1}});
      rays.push_back({{x, y - 1, 0.5F}, {x, y, 0}});
    }
    const auto hits = hits_of(serial_bvh(mesh), rays);
    EXPECT_TRUE(are_first_hits(mesh, rays, hits, rays.size()));
    EXPECT_EQ(hits_of(parallel_bvh<serial_primitives>(mesh), rays), hits);
  }
  const auto floor_rays = std::vector<ray>{{{2, 3, 1}, {2, 3, -1}}};
  EXPECT_EQ(hits_of(serial_bvh(floor), floor_rays)[0].distance, 0.5);
  const triangle_mesh nothing;
  EXPECT_EQ(serial_bvh(nothing).first_hit(floor_rays[0]), hit{});
}

TEST(ray_casting, wrong_answers_are_found) {
  SCOPED_TRACE(takt_test::seed_message());
  const auto mesh = dented_sphere(500, takt_test::chosen_seed());
  const auto rays = rays_through(mesh, 50, takt_test::chosen_seed());
  const auto right = hits_of(serial_bvh(mesh), rays);
  for (std::size_t i = 0; i < rays.size(); ++i) {
    for (const hit& other : {hit{}, hit{right[i].distance, right[i].triangle ^ 1},
                             hit{right[i].distance * 1.01, right[i].triangle}}) {
      auto wrong = right;
      wrong[i] = other;
      EXPECT_EQ(are_first_hits(mesh, rays, wrong, rays.size()), other == right[i]);
    }
  }
}

}  // namespace
}  // namespace takt::bench::pbbs
