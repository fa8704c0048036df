#include <functional>
#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>

#include "filter/config.hpp"

namespace takt::bench {
namespace {

// oneTBB has no filter; this is the way its scan is used for one.
void filter(const filter_problem::input& in, filter_problem::answer& out) {
  using part = tbb::blocked_range<std::size_t>;
  out.count = tbb::parallel_scan(
      part(0, in.size()), std::size_t{0},
      [&](const part& some, std::size_t count, bool is_final) {
        for (std::size_t k = some.begin(); k != some.end(); ++k) {
          if (filter_problem::is_wanted(in[k])) {
            if (is_final) {
              out.kept[count] = in[k];
            }
            ++count;
          }
        }
        return count;
      },
      std::plus<>{});
}

const enrol<filter_problem> tasks("tbb", filter);

}  // namespace
}  // namespace takt::bench
