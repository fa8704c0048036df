// What else the machine does while runners are measured: processes that spin, and what the runners are under.
#include "tools/bench_load.hpp"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include <unistd.h>

#include "tools/bench_plan.hpp"

namespace takt::tools {
namespace {

std::ptrdiff_t children() {
  std::ifstream file("/proc/self/task/" + std::to_string(gettid()) + "/children");
  return std::distance(std::istream_iterator<int>(file), {});
}

// What a shell says that is started under it.
std::string said_under(const load_in_force& load, const std::string& command) {
  runner_command shell{{"/bin/sh", "-c", "echo \"{\\\"said\\\":\\\"$(" + command + ")\\\"}\"; read line"}, {}};
  load.apply(shell);
  runner_process runner(shell);
  constexpr int k_limit_s = 60;
  return runner.receive(k_limit_s, [](int) {}).at("said").get<std::string>();
}

TEST(bench_load, spins_from_its_beginning_to_its_end) {
  const std::ptrdiff_t before = children();
  {
    const load_in_force load(load_named("spin-4"));
    EXPECT_EQ(children(), before + 4);
  }
  EXPECT_EQ(children(), before);
}

TEST(bench_load, runners_are_nice) {
  const load_in_force none(load_named("none"));
  const int ours = std::stoi(said_under(none, "nice"));
  const load_in_force load(load_named("nice-10"));
  EXPECT_EQ(std::stoi(said_under(load, "nice")), std::min(ours + 10, 19));
}

TEST(bench_load, runners_are_in_a_group_with_a_quota) {
  if (const std::string why = why_no_quota(); !why.empty()) {
    GTEST_SKIP() << why;
  }
  const std::string name = "takt-bench-" + std::to_string(getpid());
  const load_in_force load(load_named("quota"));
  EXPECT_NE(said_under(load, "cat /proc/self/cgroup | tr '\\n' ' '").find(name), std::string::npos);
}

TEST(bench_load, a_group_that_is_gone_gets_no_runner) {
  runner_command shell{{"/bin/sh", "-c", "echo '{}'"}, {}};
  shell.group = "/no/such/group/cgroup.procs";
  runner_process runner(shell);
  EXPECT_THROW(runner.receive(60, [](int) {}), runner_failure);
}

TEST(bench_load, unknown_ones_are_named_with_those_that_are_known) {
  try {
    load_named("nonsense");
    FAIL();
  } catch (const usage_error& error) {
    EXPECT_STREQ(error.what(), "unknown load 'nonsense'; known: none, spin-2, spin-4, nice-10, quota");
  }
}

}  // namespace
}  // namespace takt::tools
