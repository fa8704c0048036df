#include TAKT_PBBS_PARALLEL

#include "pbbs/convexhull/config.hpp"
#include "pbbs/geometry/quickhull.hpp"

namespace takt::bench::pbbs {
namespace {

void hull(const convexhull_problem::input& in, convexhull_problem::answer& out) {
  out.corners = quickhull<parallel>::of(in.points);
}

const enrol_parallel<parallel, convexhull_in_circle, hull> in_circle;
const enrol_parallel<parallel, convexhull_kuzmin, hull> kuzmin;
const enrol_parallel<parallel, convexhull_on_circle, hull> on_circle;

}  // namespace
}  // namespace takt::bench::pbbs
