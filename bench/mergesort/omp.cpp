#include "harness/omp_support.hpp"
#include "mergesort/config.hpp"

#if defined(__clang__)
// Clang converts the bounds of a taskloop to and fro by itself and then warns of it.
#pragma clang diagnostic ignored "-Wsign-conversion"
#endif

namespace takt::bench {
namespace {

using problem = mergesort_problem;

void sort(const problem::part& p, problem::block_ends& ends) {
  if (p.is_base()) {
    p.sort_as_base();
    return;
  }
#pragma omp task shared(p, ends)
  sort(p.right(), ends);
  sort(p.left(), ends);
#pragma omp taskwait
  const problem::merge_job job = p.merge();
  problem::block_ends::entry* first = ends.at(p.position);
#pragma omp taskloop shared(job) firstprivate(first)
  for (std::size_t block = 0; block < job.blocks(); ++block) {
    problem::merge_block_anywhere(job, first, block);
  }
}

const enrol<problem> tasks("omp", [](const problem::input& /*in*/, problem::answer& out) {
  omp_root([&] { sort(problem::whole(out), out.ends); });
});

}  // namespace
}  // namespace takt::bench
