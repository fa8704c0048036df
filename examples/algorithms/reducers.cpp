// The example of docs/algorithms/reducers.md.
#include <takt/algorithms/per_worker.hpp>
#include <takt/algorithms/random.hpp>
#include <takt/algorithms/reducer.hpp>
#include <takt/parallel_for.hpp>

#include <algorithm>
#include <cstdio>

int main() {
  const takt::random_stream random(2026);
  const auto hits = takt::reducing_for(0, 1000000, takt::append_reducer<int>{}, [random](int i, std::vector<int>& all) {
    if (random.below(static_cast<std::uint64_t>(i), 100000) == 0) all.push_back(i);
  });
  std::printf("%s\n", std::is_sorted(hits.begin(), hits.end()) ? "in order" : "not in order");

  takt::per_worker<std::vector<int>> scratch;
  takt::parallel_for(0, 1000, [&](int i) {
    scratch.with([i](std::vector<int>& v) { v.assign(static_cast<std::size_t>(i), 1); });
  });
}
