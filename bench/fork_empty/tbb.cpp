#include <tbb/task_group.h>

#include "fork_empty/config.hpp"

namespace takt::bench {
namespace {

using problem = fork_empty_problem;

const enrol<problem> tasks("tbb", [](const problem::input& in, problem::answer& out) {
  tbb::task_group outer;
  outer.run_and_wait([&] {
    for (std::int64_t i = 0; i < in.forks; ++i) {
      tbb::task_group group;
      group.run([] {});
      group.wait();
      problem::keep();
    }
    out = in.forks;
  });
});

}  // namespace
}  // namespace takt::bench
