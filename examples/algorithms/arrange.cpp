// The example of docs/algorithms/arrange.md.
#include <takt/algorithms/flatten.hpp>
#include <takt/algorithms/permutation.hpp>
#include <takt/algorithms/set_operations.hpp>

#include <cstdio>
#include <vector>

int main() {
  const std::vector<std::vector<int>> rows{{1, 2, 3}, {}, {4, 5}};
  std::vector<int> all = takt::flatten(rows);
  const std::vector<int> even{2, 4, 6};
  const std::vector<int> odd = takt::set_difference(all, even);
  std::printf("%zu %zu %d\n", all.size(), odd.size(), odd[1]);
  takt::shuffle(all, 42);
  std::printf("%d\n", all == std::vector<int>{1, 2, 3, 4, 5} ? 0 : 1);
}
