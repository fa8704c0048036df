#include <takt/algorithms/count.hpp>
#include <takt/algorithms/extremum.hpp>
#include <takt/algorithms/filter.hpp>
#include <takt/algorithms/find.hpp>
#include <takt/algorithms/for_each.hpp>
#include <takt/algorithms/reduce.hpp>
#include <takt/algorithms/scan.hpp>
#include <takt/algorithms/sort.hpp>

#include "data.hpp"

answers ten_algorithms(const numbers& in, const points& places) {
  numbers out(in);
  takt::for_each(out, [](double& x) { x *= 2; });
  takt::transform(in, out.begin(), [](double x) { return x * x + 1; });
  answers all;
  all.square = out.front();
  all.sum = takt::reduce(in, 0.0);
  all.norm = takt::transform_reduce(in, 0.0, std::plus<>{}, [](double x) { return x * x; });
  takt::inclusive_scan(in, out.begin());
  all.chosen.resize(in.size());
  all.chosen.erase(takt::copy_if(in, all.chosen.begin(), [](double x) { return x > 0.5; }), all.chosen.end());
  all.at = takt::find_if(in, [](double x) { return x > 0.99; }) - in.begin();
  all.small = takt::count_if(in, [](double x) { return x < 0.1; });
  all.largest = takt::max_element(in) - in.begin();
  all.sorted = places;
  takt::sort(all.sorted, [](const point& a, const point& b) { return a.x < b.x; });
  all.last = out.back();
  return all;
}
