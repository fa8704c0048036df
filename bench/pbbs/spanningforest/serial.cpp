#include "pbbs/spanningforest/config.hpp"

namespace takt::bench::pbbs {
namespace {

void spanning_forest(const graph& in, array<std::uint32_t>& out) {
  components joined(in.vertices);
  array<std::uint32_t> chosen(in.vertices);
  std::size_t count = 0;
  for (std::size_t i = 0; i < in.edges.size(); ++i) {
    if (joined.join(in.edges[i])) {
      chosen[count++] = static_cast<std::uint32_t>(i);
    }
  }
  chosen.shrink(count);
  out = std::move(chosen);
}

const enrol<spanningforest_cube> cube("serial", spanning_forest);
const enrol<spanningforest_rmat> rmat_graph("serial", spanning_forest);

}  // namespace
}  // namespace takt::bench::pbbs
