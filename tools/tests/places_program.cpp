// A program with five calls of algorithms that share one lambda; the lines of the calls are marked for
// places_test.cpp.
#include <takt/algorithms.hpp>
#include <takt/takt.hpp>

#include <random>
#include <vector>

namespace {

struct point {
  double x;
  double y;
  int number;
};

}  // namespace

int main() {
  std::vector<point> points(1000);
  std::minstd_rand random(7);
  for (point& p : points) {
    p = {static_cast<double>(random()), static_cast<double>(random()), 1};
  }
  const auto x = [](const point& p) { return p.x; };
  takt::sort(points, {}, x);                           // PLACE takt::sort
  const auto most = takt::max_element(points, {}, x);  // PLACE takt::max_element
  takt::stable_sort(points, {}, x);                    // PLACE takt::stable_sort
  const auto least = takt::min_element(points, {}, x); // PLACE takt::min_element
  const auto small = takt::count_if(points, [](double v) { return v < 1e9; }, x);  // PLACE takt::count_if
  return most->x >= least->x && small > 0 ? 0 : 1;
}
