#include "scan/config.hpp"

namespace takt::bench {
namespace {

template <class T>
void scan(const std::vector<T>& in, std::vector<T>& out) {
  T sum = 0;
  for (std::size_t k = 0; k < in.size(); ++k) {
    sum += in[k];
    out[k] = sum;
  }
}

const enrol<scan_problem> serial("serial", scan<std::uint64_t>);
const enrol<scan_doubles_problem> doubles("serial", scan<double>);
const enrol<scan_fixed_problem> fixed("serial", scan<double>);

}  // namespace
}  // namespace takt::bench
