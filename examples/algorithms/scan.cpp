// The example of docs/algorithms/scan.md.
#include <takt/algorithms/scan.hpp>

#include <cstdio>
#include <vector>

int main() {
  const std::vector<int> sizes{3, 0, 4, 1};
  std::vector<int> begins(sizes.size());
  takt::exclusive_scan(sizes, begins.begin(), 0);
  std::printf("%d %d %d %d\n", begins[0], begins[1], begins[2], begins[3]);
}
