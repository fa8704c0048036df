#include "pbbs/raycast/config.hpp"

namespace takt::bench::pbbs {
namespace {

void cast(const raycast_problem::input& in, raycast_problem::answer& out) {
  const serial_bvh tree(in.mesh);
  for (std::size_t i = 0; i < in.rays.size(); ++i) {
    out[i] = tree.first_hit(in.rays[i]);
  }
}

const enrol<raycast_sphere> sphere("serial", cast);
const enrol<raycast_soup> soup("serial", cast);

}  // namespace
}  // namespace takt::bench::pbbs
