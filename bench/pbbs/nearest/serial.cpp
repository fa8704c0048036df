#include "pbbs/nearest/config.hpp"

namespace takt::bench::pbbs {
namespace {

template <class P>
void find(const typename P::input& in, typename P::answer& out) {
  serial_neighbours<P::k_neighbours>(in.points, out);
}

const enrol<nearest_kuzmin> kuzmin("serial", find<nearest_kuzmin>);
const enrol<nearest_plummer> plummer("serial", find<nearest_plummer>);

}  // namespace
}  // namespace takt::bench::pbbs
