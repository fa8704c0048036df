#include "mergesort/config.hpp"

#include <takt/takt.hpp>
#include <takt/touch.hpp>

namespace takt::bench {
namespace {

using problem = mergesort_problem;

void sort(const problem::part& p, problem::block_ends& ends) {
  if (p.is_base()) {
    takt::touch(p.keys + p.position, p.size * sizeof *p.keys);
    p.sort_as_base();
    return;
  }
  takt::fork_join([&] { sort(p.left(), ends); }, [&] { sort(p.right(), ends); });
  const problem::merge_job job = p.merge();
  problem::block_ends::entry* first = ends.at(p.position);
  takt::parallel_for(std::size_t{0}, job.blocks(), [&job, first](std::size_t block) {
    const problem::ranks a = problem::merge_block_anywhere(job, first, block);
    const std::size_t at = block * problem::k_base;
    const std::size_t count = std::min(problem::k_base, job.size() - at);
    takt::touch(job.a + a.begin, (a.end - a.begin) * sizeof *job.a);
    takt::touch(job.b + (at - a.begin), (count - (a.end - a.begin)) * sizeof *job.b);
    takt::touch(job.out + at, count * sizeof *job.out);
  });
}

const enrol<problem> forks("takt", [](const problem::input& /*in*/, problem::answer& out) {
  sort(problem::whole(out), out.ends);
});

}  // namespace
}  // namespace takt::bench
