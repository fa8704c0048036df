#include "mergesort/config.hpp"

namespace takt::bench {
namespace {

using problem = mergesort_problem;

void sort(const problem::part& p) {
  if (p.is_base()) {
    p.sort_as_base();
    return;
  }
  sort(p.left());
  sort(p.right());
  const problem::merge_job job = p.merge();
  std::size_t i = 0;
  for (std::size_t at = 0; at < job.size(); at += problem::k_base) {
    i = problem::merge_block(job, at, i);
  }
}

const enrol<problem> serial("serial", [](const problem::input& /*in*/, problem::answer& out) {
  sort(problem::whole(out));
});

}  // namespace
}  // namespace takt::bench
