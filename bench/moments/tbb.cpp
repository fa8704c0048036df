#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include "moments/config.hpp"

namespace takt::bench {
namespace {

struct body : moments_problem::seen {
  explicit body(const double* where) : from(where) {}
  body(body& other, tbb::split) : from(other.from) {}
  void operator()(const tbb::blocked_range<std::size_t>& part) {
    seen mine = *this;
    for (std::size_t k = part.begin(); k < part.end(); ++k) {
      mine.add(from[k]);
    }
    static_cast<seen&>(*this) = mine;
  }
  void join(body& right) { append(right); }

  const double* from;
};

const enrol<moments_problem> parts("tbb", [](const moments_problem::input& in, moments_problem::answer& out) {
  body all(in.data());
  tbb::parallel_reduce(tbb::blocked_range<std::size_t>(0, in.size()), all);
  out = all.result();
});

}  // namespace
}  // namespace takt::bench
