#include "mergesort/config.hpp"

#include <takt/takt.hpp>

namespace takt::bench {
namespace {

using problem = mergesort_problem;

void sort(const problem::part& p, problem::block_ends& ends) {
  if (p.is_base()) {
    p.sort_as_base();
    return;
  }
  takt::fork_join([&] { sort(p.left(), ends); }, [&] { sort(p.right(), ends); });
  const problem::merge_job job = p.merge();
  problem::block_ends::entry* first = ends.at(p.position);
  takt::parallel_for(std::size_t{0}, job.blocks(), [&job, first](std::size_t block) {
    problem::merge_block_anywhere(job, first, block);
  });
}

const enrol<problem> forks("takt", [](const problem::input& /*in*/, problem::answer& out) {
  sort(problem::whole(out), out.ends);
});

}  // namespace
}  // namespace takt::bench
