#include TAKT_PBBS_PARALLEL

#include "pbbs/delaunay/config.hpp"

namespace takt::bench::pbbs {
namespace {

void triangulate(const delaunay_problem::input& in, delaunay_problem::answer& out) {
  out = delaunay<parallel>::of(in.points);
}

const enrol_parallel<parallel, delaunay_in_square, triangulate> in_square;
const enrol_parallel<parallel, delaunay_kuzmin, triangulate> kuzmin;

}  // namespace
}  // namespace takt::bench::pbbs
