#include TAKT_PBBS_PARALLEL

#include "pbbs/nearest/config.hpp"

namespace takt::bench::pbbs {
namespace {

template <class P>
void find(const typename P::input& in, typename P::answer& out) {
  parallel_neighbours<parallel, P::k_neighbours>(in.points, out);
}

const enrol_parallel<parallel, nearest_kuzmin, find<nearest_kuzmin>> kuzmin;
const enrol_parallel<parallel, nearest_plummer, find<nearest_plummer>> plummer;

}  // namespace
}  // namespace takt::bench::pbbs
