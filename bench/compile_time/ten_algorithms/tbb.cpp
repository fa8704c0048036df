// The standard's parallel algorithms, which GCC's library runs on oneTBB.
#include <algorithm>
#include <execution>
#include <functional>
#include <numeric>

#include "data.hpp"

answers ten_algorithms(const numbers& in, const points& places) {
  constexpr auto& par = std::execution::par;
  numbers out(in);
  std::for_each(par, out.begin(), out.end(), [](double& x) { x *= 2; });
  std::transform(par, in.begin(), in.end(), out.begin(), [](double x) { return x * x + 1; });
  answers all;
  all.square = out.front();
  all.sum = std::reduce(par, in.begin(), in.end(), 0.0);
  all.norm = std::transform_reduce(par, in.begin(), in.end(), 0.0, std::plus<>{}, [](double x) { return x * x; });
  std::inclusive_scan(par, in.begin(), in.end(), out.begin());
  all.chosen.resize(in.size());
  all.chosen.erase(std::copy_if(par, in.begin(), in.end(), all.chosen.begin(), [](double x) { return x > 0.5; }),
                   all.chosen.end());
  all.at = std::find_if(par, in.begin(), in.end(), [](double x) { return x > 0.99; }) - in.begin();
  all.small = std::count_if(par, in.begin(), in.end(), [](double x) { return x < 0.1; });
  all.largest = std::max_element(par, in.begin(), in.end()) - in.begin();
  all.sorted = places;
  std::sort(par, all.sorted.begin(), all.sorted.end(), [](const point& a, const point& b) { return a.x < b.x; });
  all.last = out.back();
  return all;
}
