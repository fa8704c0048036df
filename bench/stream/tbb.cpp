#include <tbb/task_group.h>

#include "stream/config.hpp"

namespace takt::bench {
namespace {

using problem = stream_problem;

void produce(tbb::task_group& group, const problem::input& in, problem::answer& out) {
  for (std::size_t i = 0; i < in.count; ++i) {
    group.run([&out, i] { out[i] = problem::work(i); });
  }
}

const enrol<stream_outside_problem> outside(
    "tbb", [](const problem::input& in, problem::answer& out) {
      tbb::task_group group;
      produce(group, in, out);
      group.wait();
    });

const enrol<stream_child_problem> child(
    "tbb", [](const problem::input& in, problem::answer& out) {
      tbb::task_group group;
      group.run([&] { produce(group, in, out); });
      group.wait();
    });

}  // namespace
}  // namespace takt::bench
