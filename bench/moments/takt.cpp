#include "moments/config.hpp"

#include <takt/subranges.hpp>

#include "harness/touching.hpp"

namespace takt::bench {
namespace {

struct body : moments_problem::seen {
  explicit body(const double* where) : from(where) {}
  body(body& other, takt::split) : from(other.from) {}
  void operator()(std::size_t begin, std::size_t end) {
    seen mine = *this;
    for (std::size_t k = begin; k < end; ++k) {
      mine.add(touched(from[k]));
    }
    static_cast<seen&>(*this) = mine;
  }
  void join(body& right) { append(right); }

  const double* from;
};

const enrol<moments_problem> parts("takt", [](const moments_problem::input& in, moments_problem::answer& out) {
  body all(in.data());
  takt::parallel_reduce(std::size_t{0}, in.size(), all);
  out = all.result();
});

}  // namespace
}  // namespace takt::bench
