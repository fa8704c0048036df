#include "stream/config.hpp"

namespace takt::bench {
namespace {

using problem = stream_problem;

void run(const problem::input& in, problem::answer& out) {
  for (std::size_t i = 0; i < in.count; ++i) {
    out[i] = problem::work(i);
  }
}

const enrol<stream_outside_problem> outside("serial", run);
const enrol<stream_child_problem> child("serial", run);

}  // namespace
}  // namespace takt::bench
