#include "pbbs/convexhull/config.hpp"

namespace takt::bench::pbbs {
namespace {

using input = convexhull_problem::input;
using answer = convexhull_problem::answer;

void by_quickhull(const input& /*in*/, answer& out) { out.corners = serial_quickhull(out.points); }

// Faster where most of the points are corners.
void by_sorting(const input& /*in*/, answer& out) { out.corners = monotone_chain(out.points); }

const enrol<convexhull_in_circle> in_circle("serial", by_quickhull);
const enrol<convexhull_kuzmin> kuzmin("serial", by_quickhull);
const enrol<convexhull_on_circle> on_circle("serial", by_sorting);

}  // namespace
}  // namespace takt::bench::pbbs
