#include <algorithm>

#include "pbbs/minspanningforest/config.hpp"

namespace takt::bench::pbbs {
namespace {

// Kruskal's algorithm, first for the lightest edges, then for those others that still join two
// sets (Osipov, Sanders and Singler, The filter-Kruskal minimum spanning tree algorithm, 2009).
void min_spanning_forest(const weighted_graph& in, array<std::uint32_t>& out) {
  const auto& edges = in.plain.edges;
  components joined(in.plain.vertices);
  array<std::uint32_t> chosen(in.plain.vertices);
  std::size_t count = 0;
  const auto take = [&](auto first, auto last) {
    std::sort(first, last);
    for (; first != last; ++first) {
      const auto i = static_cast<std::uint32_t>(*first);
      if (joined.join(edges[i])) {
        chosen[count++] = i;
      }
    }
  };
  std::vector<std::uint64_t> all(edges.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = weighed(in.weight[i], i);
  }
  const auto light = static_cast<std::ptrdiff_t>(
      std::min(light_edges(in.plain.vertices), all.size()));
  std::nth_element(all.begin(), all.begin() + light, all.end());
  take(all.begin(), all.begin() + light);
  const auto heavy = std::remove_if(all.begin() + light, all.end(), [&](std::uint64_t e) {
    const edge& ends = edges[static_cast<std::uint32_t>(e)];
    return joined.find(ends.u) == joined.find(ends.v);
  });
  take(all.begin() + light, heavy);
  chosen.shrink(count);
  out = std::move(chosen);
}

const enrol<minspanningforest_cube> cube("serial", min_spanning_forest);
const enrol<minspanningforest_rmat> rmat_graph("serial", min_spanning_forest);

}  // namespace
}  // namespace takt::bench::pbbs
