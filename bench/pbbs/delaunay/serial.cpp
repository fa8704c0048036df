#include "pbbs/delaunay/config.hpp"
#include "pbbs/geometry/serial_primitives.hpp"

namespace takt::bench::pbbs {
namespace {

// Divide and conquer is the best serial algorithm, too.
void triangulate(const delaunay_problem::input& in, delaunay_problem::answer& out) {
  out = delaunay<serial_primitives>::of(in.points);
}

const enrol<delaunay_in_square> in_square("serial", triangulate);
const enrol<delaunay_kuzmin> kuzmin("serial", triangulate);

}  // namespace
}  // namespace takt::bench::pbbs
