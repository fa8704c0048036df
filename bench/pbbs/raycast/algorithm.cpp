#include TAKT_PBBS_PARALLEL

#include "pbbs/raycast/config.hpp"

namespace takt::bench::pbbs {
namespace {

void cast(const raycast_problem::input& in, raycast_problem::answer& out) {
  const parallel_bvh<parallel> tree(in.mesh);
  parallel::loop(std::size_t{0}, in.rays.size(),
                 [&in, &out, &tree](std::size_t i) { out[i] = tree.first_hit(in.rays[i]); });
}

const enrol_parallel<parallel, raycast_sphere, cast> sphere;
const enrol_parallel<parallel, raycast_soup, cast> soup;

}  // namespace
}  // namespace takt::bench::pbbs
