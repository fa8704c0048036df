#include <takt/takt.hpp>

#include "sudoku/config.hpp"

namespace takt::bench {
namespace {

using problem = sudoku_problem;

void visit(takt::task_group& group, problem::search& s, const problem::board& b) {
  problem::visit(s, b, [&](const problem::board& next) {
    group.run([&group, &s, next] { visit(group, s, next); });
  });
}

template <takt::group_order Order>
void solve(const problem::input& in, problem::answer& out) {
  problem::search s{out};
  takt::task_group group(Order);
  group.run([&] { visit(group, s, in); });
  group.wait();
}

const enrol<problem> newest_first("takt", solve<takt::group_order::newest_first>);
const enrol<problem> oldest_first("takt-oldest-first", solve<takt::group_order::oldest_first>);

}  // namespace
}  // namespace takt::bench
