#include "harness/omp_support.hpp"
#include "stream/config.hpp"

namespace takt::bench {
namespace {

using problem = stream_problem;

void produce(const problem::input& in, problem::answer& out) {
  for (std::size_t i = 0; i < in.count; ++i) {
#pragma omp task shared(out) firstprivate(i)
    out[i] = problem::work(i);
  }
}

// The end of the region waits for all tasks. There is no code outside of it that could add them.
const enrol<stream_outside_problem> outside(
    "omp", [](const problem::input& in, problem::answer& out) {
      omp_root([&] { produce(in, out); });
    });

const enrol<stream_child_problem> child("omp", [](const problem::input& in, problem::answer& out) {
  omp_root([&] {
#pragma omp task shared(in, out)
    produce(in, out);
  });
});

}  // namespace
}  // namespace takt::bench
