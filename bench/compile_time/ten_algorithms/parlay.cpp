#include <parlay/delayed.h>
#include <parlay/primitives.h>
#include <parlay/sequence.h>

#include "data.hpp"

answers ten_algorithms(const numbers& in, const points& places) {
  numbers out(in);
  parlay::for_each(out, [](double& x) { x *= 2; });
  const auto squares = parlay::map(in, [](double x) { return x * x + 1; });
  answers all;
  all.square = squares[0];
  all.sum = parlay::reduce(in);
  all.norm = parlay::reduce(parlay::delayed_map(in, [](double x) { return x * x; }));
  const auto sums = parlay::scan_inclusive(in);
  const auto chosen = parlay::filter(in, [](double x) { return x > 0.5; });
  all.chosen.assign(chosen.begin(), chosen.end());
  all.at = parlay::find_if(in, [](double x) { return x > 0.99; }) - in.begin();
  all.small = static_cast<std::ptrdiff_t>(parlay::count_if(in, [](double x) { return x < 0.1; }));
  all.largest = parlay::max_element(in) - in.begin();
  all.sorted = places;
  parlay::sort_inplace(all.sorted, [](const point& a, const point& b) { return a.x < b.x; });
  all.last = sums[sums.size() - 1];
  return all;
}
