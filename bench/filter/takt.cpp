#include <takt/algorithms/filter.hpp>
#include <takt/touch.hpp>

#include "filter/config.hpp"

namespace takt::bench {
namespace {

void filter(const filter_problem::input& in, filter_problem::answer& out) {
  const auto end = takt::copy_if(in, out.kept.begin(),
                                 [](const std::uint64_t& x) {
                                   takt::touch(&x, sizeof x);
                                   return filter_problem::is_wanted(x);
                                 });
  out.count = static_cast<std::size_t>(end - out.kept.begin());
}

const enrol<filter_problem> one_pass("takt", filter);

}  // namespace
}  // namespace takt::bench
