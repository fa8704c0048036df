#include "scan/config.hpp"

namespace takt::bench {
namespace {

void scan(const scan_problem::input& in, scan_problem::answer& out) {
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < in.size(); ++k) {
    sum += in[k];
    out[k] = sum;
  }
}

const enrol<scan_problem> serial("serial", scan);

}  // namespace
}  // namespace takt::bench
