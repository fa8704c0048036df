#include <takt/takt.hpp>

#include "stream/config.hpp"

namespace takt::bench {
namespace {

using problem = stream_problem;
using takt::group_order;

void produce(takt::task_group& group, const problem::input& in, problem::answer& out) {
  for (std::size_t i = 0; i < in.count; ++i) {
    group.run([&out, i] { out[i] = problem::work(i); });
  }
}

template <group_order Order>
void from_outside(const problem::input& in, problem::answer& out) {
  takt::task_group group(Order);
  produce(group, in, out);
  group.wait();
}

template <group_order Order>
void from_a_child(const problem::input& in, problem::answer& out) {
  takt::task_group group(Order);
  group.run([&] { produce(group, in, out); });
  group.wait();
}

constexpr auto k_newest = group_order::newest_first;
constexpr auto k_oldest = group_order::oldest_first;
const enrol<stream_outside_problem> outside("takt", from_outside<k_newest>);
const enrol<stream_outside_problem> outside_in_order("takt-oldest-first", from_outside<k_oldest>);
const enrol<stream_child_problem> child("takt", from_a_child<k_newest>);
const enrol<stream_child_problem> child_in_order("takt-oldest-first", from_a_child<k_oldest>);

}  // namespace
}  // namespace takt::bench
