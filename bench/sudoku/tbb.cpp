#include <tbb/task_group.h>

#include "sudoku/config.hpp"

namespace takt::bench {
namespace {

using problem = sudoku_problem;

void visit(tbb::task_group& group, problem::search& s, const problem::board& b) {
  problem::visit(s, b, [&](const problem::board& next) {
    group.run([&group, &s, next] { visit(group, s, next); });
  });
}

const enrol<problem> tasks("tbb", [](const problem::input& in, problem::answer& out) {
  problem::search s{out};
  tbb::task_group group;
  group.run([&] { visit(group, s, in); });
  group.wait();
});

}  // namespace
}  // namespace takt::bench
