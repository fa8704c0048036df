#include "filter/config.hpp"

namespace takt::bench {
namespace {

void filter(const filter_problem::input& in, filter_problem::answer& out) {
  std::size_t count = 0;
  for (const std::uint64_t x : in) {
    if (filter_problem::is_wanted(x)) {
      out.kept[count++] = x;
    }
  }
  out.count = count;
}

const enrol<filter_problem> serial("serial", filter);

}  // namespace
}  // namespace takt::bench
