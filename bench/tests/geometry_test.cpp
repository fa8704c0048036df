// The predicates, generators and readers of the geometric problems.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/seed.hpp"
#include "harness/problem.hpp"
#include "pbbs/geometry/point_generators.hpp"
#include "pbbs/geometry/predicates.hpp"
#include "pbbs/geometry/read_geometry.hpp"

namespace takt::bench::pbbs {
namespace {

__extension__ using wide = __int128;

int sign(wide value) { return (value > 0 ? 1 : 0) - (value < 0 ? 1 : 0); }

// Points with whole coordinates, for which determinants can be formed in integers.
struct whole_point {
  std::int64_t x;
  std::int64_t y;

  // Scaling by a power of two changes no sign and no digit.
  point2 scaled(double by) const {
    return {{static_cast<double>(x) * by, static_cast<double>(y) * by}};
  }
};

int true_orientation(whole_point a, whole_point b, whole_point c) {
  return sign(wide{b.x - a.x} * (c.y - a.y) - wide{b.y - a.y} * (c.x - a.x));
}

int true_in_circle(whole_point a, whole_point b, whole_point c, whole_point d) {
  const auto part = [d](whole_point p, whole_point q, whole_point r) {
    const wide lift = wide{p.x - d.x} * (p.x - d.x) + wide{p.y - d.y} * (p.y - d.y);
    return lift * (wide{q.x - d.x} * (r.y - d.y) - wide{q.y - d.y} * (r.x - d.x));
  };
  return sign(part(a, b, c) + part(b, c, a) + part(c, a, b));
}

TEST(predicates, orientation_is_that_of_integers) {
  std::mt19937 random(takt_test::chosen_seed());
  SCOPED_TRACE(takt_test::seed_message());
  int on_a_line = 0;
  for (int round = 0; round < 20'000; ++round) {
    // Points on a line, one of them moved by a little or not at all. 2^52 leaves no digit unused.
    const std::int64_t limit = std::int64_t{1} << std::uniform_int_distribution(2, 51)(random);
    std::uniform_int_distribution<std::int64_t> step(-limit / 64 - 1, limit / 64 + 1);
    std::uniform_int_distribution<std::int64_t> times(-50, 50);
    std::uniform_int_distribution<std::int64_t> nudge(-1, 1);
    const whole_point a = {step(random), step(random)};
    const std::int64_t dx = step(random);
    const std::int64_t dy = step(random);
    const std::int64_t u = times(random);
    const std::int64_t v = times(random);
    const whole_point b = {a.x + u * dx, a.y + u * dy};
    const whole_point c = {a.x + v * dx + nudge(random), a.y + v * dy + nudge(random)};
    const double scale = std::ldexp(1.0, std::uniform_int_distribution(-60, 60)(random));
    const int expected = true_orientation(a, b, c);
    on_a_line += expected == 0 ? 1 : 0;
    const point2 p = a.scaled(scale);
    const point2 q = b.scaled(scale);
    const point2 r = c.scaled(scale);
    ASSERT_EQ(orientation(p, q, r), expected) << round;
    ASSERT_EQ(exact_cross_sign(p, q, p, r), expected) << round;
    ASSERT_EQ(orientation(q, p, r), -expected) << round;
  }
  EXPECT_GT(on_a_line, 100);
}

TEST(predicates, in_circle_is_that_of_integers) {
  std::mt19937 random(takt_test::chosen_seed());
  SCOPED_TRACE(takt_test::seed_message());
  int on_the_circle = 0;
  for (int round = 0; round < 20'000; ++round) {
    // Corners of two rectangles with the same middle and the same diagonal are on one circle:
    // sides (m, n) and the other three by symmetry.
    const std::int64_t limit = std::int64_t{1} << std::uniform_int_distribution(2, 24)(random);
    std::uniform_int_distribution<std::int64_t> coordinate(1, limit);
    std::uniform_int_distribution<std::int64_t> nudge(-1, 1);
    const std::int64_t m = coordinate(random);
    const std::int64_t n = coordinate(random);
    const whole_point middle = {coordinate(random), coordinate(random)};
    std::vector<whole_point> around = {{m, n}, {-n, m}, {-m, -n}, {n, -m},
                                       {n, m}, {-m, n}, {-n, -m}, {m, -n}};
    std::shuffle(around.begin(), around.end(), random);
    for (whole_point& p : around) {
      p = {p.x + middle.x, p.y + middle.y};
    }
    if (true_orientation(around[0], around[1], around[2]) < 0) {
      std::swap(around[0], around[1]);
    } else if (true_orientation(around[0], around[1], around[2]) == 0) {
      continue;
    }
    whole_point d = around[3];
    d = {d.x + nudge(random), d.y + nudge(random)};
    const double scale = std::ldexp(1.0, std::uniform_int_distribution(-20, 20)(random));
    const int expected = true_in_circle(around[0], around[1], around[2], d);
    on_the_circle += expected == 0 ? 1 : 0;
    const point2 a = around[0].scaled(scale);
    const point2 b = around[1].scaled(scale);
    const point2 c = around[2].scaled(scale);
    ASSERT_EQ(in_circle(a, b, c, d.scaled(scale)), expected) << round;
    ASSERT_EQ(exact_in_circle(a, b, c, d.scaled(scale)), expected) << round;
  }
  EXPECT_GT(on_the_circle, 100);
}

// Where doubles alone say something else: the test above would pass without exact arithmetic
// if no such case came up.
TEST(predicates, doubles_alone_are_wrong) {
  const point2 b = {{12, 12}};
  const point2 c = {{24, 24}};
  int wrong = 0;
  for (int i = 0; i < 64; ++i) {
    for (int k = 0; k < 64; ++k) {
      const point2 a = {{0.5 + i * 0x1p-53, 0.5 + k * 0x1p-53}};
      // The line through b and c is the diagonal; 12 and 24 lose nothing.
      const int expected = a.x() == a.y() ? 0 : (a.x() < a.y() ? 1 : -1);
      ASSERT_EQ(orientation(a, b, c), expected) << i << " " << k;
      const double rounded = (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
      // The other side, not just a zero, which the bound on the error always sends on.
      wrong += rounded != 0 && sign_of(rounded) != expected ? 1 : 0;
    }
  }
  EXPECT_GT(wrong, 100);
}

template <std::size_t D>
double radius(const point<D>& p) {
  return std::sqrt(squared_distance(p, box<D>::filled(0)));
}

template <class Points>
double share_within(const Points& points, double distance) {
  return static_cast<double>(std::count_if(points.begin(), points.end(),
                                           [&](const auto& p) { return radius(p) < distance; })) /
         static_cast<double>(points.size());
}

constexpr std::size_t k_many = 20'000;

TEST(point_generators, shapes) {
  for (const point2& p : points_in_square(k_many, 1)) {
    ASSERT_TRUE(p.x() >= 0 && p.x() < 1 && p.y() >= 0 && p.y() < 1);
  }
  for (const point3& p : points_in_cube(k_many, 1)) {
    ASSERT_TRUE(std::all_of(p.at.begin(), p.at.end(), [](double c) { return c >= 0 && c < 1; }));
  }
  for (const point2& p : points_in_circle(k_many, 1)) {
    ASSERT_LT(radius(p), 1);
  }
  for (const point2& p : points_on_circle(k_many, 1)) {
    ASSERT_NEAR(radius(p), 1, 1e-15);
  }
  EXPECT_NEAR(share_within(points_in_circle(k_many, 1), std::sqrt(0.5)), 0.5, 0.02);
}

// The shares of the mass within a radius, from the two distributions' definitions.
TEST(point_generators, densities) {
  const auto flat = kuzmin_points(k_many, 1);
  const auto round = plummer_points(k_many, 1);
  for (const double r : {0.5, 1.0, 3.0, 10.0}) {
    EXPECT_NEAR(share_within(flat, r), 1 - 1 / std::sqrt(1 + r * r), 0.02) << r;
    EXPECT_NEAR(share_within(round, r), std::pow(1 + 1 / (r * r), -1.5), 0.02) << r;
  }
}

TEST(point_generators, a_smaller_set_begins_a_larger_one) {
  const auto few = plummer_points(100, 7);
  const auto more = plummer_points(1000, 7);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), more.begin()));
  EXPECT_NE(few, plummer_points(100, 8));
}

template <class Points>
void expect_distinct(Points points) {
  std::sort(points.begin(), points.end());
  EXPECT_EQ(std::adjacent_find(points.begin(), points.end()), points.end());
}

TEST(point_generators, grids) {
  expect_distinct(grid_points_2d(1000, 1));
  expect_distinct(grid_points_3d(1000, 1));
  // 10 x 10 x 10
  for (const point3& p : grid_points_3d(1000, 1)) {
    ASSERT_LT(*std::max_element(p.at.begin(), p.at.end()), 10);
  }
  EXPECT_FALSE(std::ranges::is_sorted(grid_points_2d(1000, 1)));
}

TEST(point_generators, meshes_and_rays) {
  for (const triangle_mesh& mesh : {dented_sphere(1000, 1), triangle_soup(1000, 1)}) {
    EXPECT_GE(mesh.triangles.size(), 1000U);
    for (const auto& corners : mesh.triangles) {
      for (const std::uint32_t corner : corners) {
        ASSERT_LT(corner, mesh.vertices.size());
      }
    }
    const auto by_height = [](const vector3f& a, const vector3f& b) { return a[2] < b[2]; };
    const auto [low, high] =
        std::minmax_element(mesh.vertices.begin(), mesh.vertices.end(), by_height);
    for (const ray& r : rays_through(mesh, 100, 1)) {
      EXPECT_EQ(r.start[2], (*low)[2]);
      EXPECT_EQ(r.end[2], (*high)[2]);
    }
  }
}

TEST(read_geometry, points) {
  const auto points = parse_points("# a comment\n1 2.5 -3e2\r\n\n\t4 5 6 7 red\n", "a.xyz");
  EXPECT_EQ(points, (std::vector<point3>{{{1, 2.5, -300}}, {{4, 5, 6}}}));
}

TEST(read_geometry, mesh) {
  const auto mesh =
      parse_mesh("OFF\n# two faces\n4 2 0\n\n0 0 0\n1 0 0\n1 1 0\n0 1 0.5\n3 0 1 2\n4 0 1 2 3 9\n",
                 "a.off");
  EXPECT_EQ(mesh.vertices.size(), 4U);
  EXPECT_EQ(mesh.vertices[3], (vector3f{0, 1, 0.5F}));
  const std::vector<std::array<std::uint32_t, 3>> expected = {{0, 1, 2}, {0, 1, 2}, {0, 2, 3}};
  EXPECT_EQ(mesh.triangles, expected);
}

template <class Parse>
std::string complaint(const Parse& parse, const std::string& text) {
  try {
    parse(text, "f");
  } catch (const input_error& error) {
    return error.what();
  }
  return "none";
}

TEST(read_geometry, says_what_is_wrong_and_where) {
  EXPECT_EQ(complaint(parse_points, ""), "f:0: the file has no points");
  EXPECT_EQ(complaint(parse_points, "1 2 3\n1 2\n"), "f:2: a coordinate is missing");
  EXPECT_EQ(complaint(parse_points, "1 x 3\n"),
            "f:1: a coordinate is not a number that can be used");
  EXPECT_EQ(complaint(parse_points, "1 nan 3\n"), "f:1: a coordinate is not finite");
  EXPECT_EQ(complaint(parse_points, "\x28\xB5\x2F\xFD junk"),
            "f:1: the file is compressed; decompress it first");
  EXPECT_EQ(complaint(parse_mesh, "PLY\n"), "f:1: not a mesh file: the first line must be OFF");
  EXPECT_EQ(complaint(parse_mesh, "OFF\n4000000000 1 0\n0 0 0\n"),
            "f:3: the file ends before its last vertex");
  EXPECT_EQ(complaint(parse_mesh, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n"),
            "f:6: corner 3 is not below 3");
  EXPECT_EQ(complaint(parse_mesh, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n"),
            "f:6: a face needs three corners");
  EXPECT_EQ(complaint(parse_mesh, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n"),
            "f:5: the file ends before its last face");
  EXPECT_EQ(complaint([](auto&, auto) { read_points("no/such.xyz"); }, ""),
            "no/such.xyz: cannot be read");
  EXPECT_EQ(complaint([](auto&, auto) { read_mesh("."); }, ""), ".: is a folder");
}

}  // namespace
}  // namespace takt::bench::pbbs
