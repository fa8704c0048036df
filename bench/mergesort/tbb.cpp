#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

#include "mergesort/config.hpp"

namespace takt::bench {
namespace {

using problem = mergesort_problem;
using blocks = tbb::blocked_range<std::size_t>;

void sort(const problem::part& p, problem::block_ends& ends) {
  if (p.is_base()) {
    p.sort_as_base();
    return;
  }
  tbb::task_group group;
  group.run([&] { sort(p.right(), ends); });
  sort(p.left(), ends);
  group.wait();
  const problem::merge_job job = p.merge();
  problem::block_ends::entry* first = ends.at(p.position);
  tbb::parallel_for(blocks(0, job.blocks()), [&job, first](const blocks& some) {
    for (std::size_t block = some.begin(); block != some.end(); ++block) {
      problem::merge_block_anywhere(job, first, block);
    }
  });
}

const enrol<problem> tasks("tbb", [](const problem::input& /*in*/, problem::answer& out) {
  sort(problem::whole(out), out.ends);
});

}  // namespace
}  // namespace takt::bench
