// The statistics: valid JSON, every field, and numbers that agree with each other and with what was run.
#include <takt/memory.hpp>
#include <takt/takt.hpp>

#include "support/program.hpp"
#include "support/settings.hpp"
#include "support/together.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

namespace {

using nlohmann::json;
using takt_test::under_each_setting;

const std::vector<std::string> k_counts = {"beats_due",        "beats_taken",   "polls",         "promotions_forks",
                                           "promotions_loops", "tasks_handed",  "steals_tried",  "steals_done",
                                           "suspensions",      "memory_sleeps", "memory_rounds", "memory_wakes",
                                           "memory_waits"};
const std::vector<std::string> k_seconds = {"working_s", "idle_s", "asleep_s"};

json stats() { return json::parse(takt::stats_json()); }

std::uint64_t promotions(const json& counters) {
  std::uint64_t n =
      counters.at("promotions_forks").get<std::uint64_t>() + counters.at("promotions_loops").get<std::uint64_t>();
  if (counters.contains("promotions_groups")) n += counters.at("promotions_groups").get<std::uint64_t>();
  return n;
}

void run_everything() {
  EXPECT_EQ(takt_test::fib(16), 987);
  EXPECT_EQ(takt_test::triangle(60), takt_test::serial_triangle(60));
  takt::fork_join(
      [] {
        takt::task_group group;
        for (int i = 0; i < 20; ++i) group.run([] { (void)takt_test::fib(8); });
        group.wait();
      },
      [] {});
}

void expect_consistent(const json& s) {
  const json& total = s.at("total");
  const json& workers = s.at("per_worker");
  for (const auto& name : k_counts) {
    std::uint64_t sum = 0;
    for (const json& w : workers) sum += w.at(name).get<std::uint64_t>();
    EXPECT_EQ(total.at(name).get<std::uint64_t>(), sum) << name;
  }
  for (const auto& name : k_seconds) {
    double sum = 0;
    for (const json& w : workers) sum += w.at(name).get<double>();
    EXPECT_NEAR(total.at(name).get<double>(), sum, 1e-5 * static_cast<double>(workers.size())) << name;
    EXPECT_GE(total.at(name).get<double>(), 0.0) << name;
  }
  const auto depths = total.at("promotions_by_depth").get<std::vector<std::uint64_t>>();
  EXPECT_EQ(std::accumulate(depths.begin(), depths.end(), std::uint64_t{0}), promotions(total));
  const auto distances = total.at("steals_by_distance").get<std::vector<std::uint64_t>>();
  EXPECT_EQ(std::accumulate(distances.begin(), distances.end(), std::uint64_t{0}), total.at("steals_done"));
  EXPECT_LE(total.at("steals_done"), total.at("steals_tried"));
  // A loop makes two tasks of one promotion.
  EXPECT_LE(total.at("steals_done").get<std::uint64_t>(), 2 * promotions(total));
  EXPECT_LE(total.at("stacks_live"), total.at("stacks_peak"));
}

TEST(stats, every_field_is_there_and_the_numbers_agree) {
  under_each_setting([] {
    run_everything();
    const json s = stats();
    const takt::config c = takt::current_config();
    EXPECT_EQ(s.at("workers"), c.workers);
    EXPECT_EQ(s.at("beat_us"), c.beat.count());
    EXPECT_EQ(s.at("trigger"), takt_test::name_of(c.trigger));
    EXPECT_EQ(s.at("policy"), c.policy == takt::policy::automatic ? "random" : takt_test::name_of(c.policy));
    EXPECT_EQ(s.at("memory"), c.memory);
    EXPECT_EQ(s.at("memory_need"), c.memory_need);
    EXPECT_EQ(s.at("total").at("memory_beyond_need_bytes"), 0u);
    EXPECT_FALSE(s.contains("memory_setting")) << "nothing is reported";
    EXPECT_FALSE(s.at("per_worker").empty());
    expect_consistent(s);
  });
}

// To be copied. What more than one worker report is not it.
TEST(stats, one_worker_says_what_to_set) {
  for (const unsigned workers : {1u, 2u}) {
    takt::configure(takt_test::by_default(workers));
    takt::fork_join([] { const takt::memory_scope block(1 << 20); }, [] {});
    const json s = stats();
    EXPECT_EQ(s.at("total").at("memory_peak_bytes"), 1 << 20);
    EXPECT_EQ(s.value("memory_setting", ""), workers == 1 ? "TAKT_MEMORY_NEED=1048576" : "");
  }
}

TEST(stats, what_is_promoted_depends_on_the_trigger) {
  takt::configure(takt_test::settings(2, takt::trigger::never));
  run_everything();
  EXPECT_EQ(promotions(stats().at("total")), 0u);
  EXPECT_EQ(stats().at("total").at("steals_done"), 0u);
  for (const auto& c : {takt_test::beat_zero(1), takt_test::eager(1), takt_test::beat_zero(2), takt_test::eager(2)}) {
    SCOPED_TRACE(takt_test::describe(c));
    takt::configure(c);
    run_everything();
    EXPECT_GT(stats().at("total").at("promotions_forks"), 0u);
    EXPECT_GT(stats().at("total").at("promotions_loops"), 0u);
  }
}

TEST(stats, every_fork_is_promoted_by_the_eager_trigger) {
  takt::configure(takt_test::eager(1));
  // fib(n) forks fib(n + 1) - 1 times.
  EXPECT_EQ(takt_test::fib(12), 144);
  EXPECT_EQ(stats().at("total").at("promotions_forks"), 232u);
  EXPECT_EQ(stats().at("total").at("steals_done"), 0u);
}

TEST(stats, steals_and_suspensions_are_counted) {
  takt::configure(takt_test::at_random(takt_test::eager(2)));
  for (int i = 0; i < 10; ++i) takt_test::fork_apart([] {}, [] {});
  EXPECT_GE(stats().at("total").at("steals_done"), 10u);
  expect_consistent(stats());
}

TEST(stats, start_anew_with_configure) {
  takt::configure(takt_test::eager(2));
  run_everything();
  takt::configure(takt_test::eager(2));
  EXPECT_EQ(promotions(stats().at("total")), 0u);
}

TEST(stats, can_be_asked_for_while_calls_are_under_way) {
  takt::configure(takt_test::eager(2));
  takt::parallel_for(0, 50, [](int) {
    (void)takt_test::fib(6);
    EXPECT_EQ(stats().at("workers"), 2u);
  });
}

// --- at exit: in a process that ends ----------------------------------------------------------------------

class stats_at_exit : public testing::Test {
 protected:
  void SetUp() override {
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    ::setenv("TAKT_WORKERS", "2", 1);
  }
  void TearDown() override {
    ::unsetenv("TAKT_WORKERS");
    ::unsetenv("TAKT_STATS");
    ::unsetenv("TAKT_WORKRES");
    ::unsetenv("TAKT_COLOURS");
  }
  // Not reached in the parent.
  [[noreturn]] static void compute_and_exit() {
    if (takt_test::fib(15) != 610) std::exit(1);
    std::exit(0);
  }
};

TEST_F(stats_at_exit, as_a_table_on_stderr) {
  ::setenv("TAKT_STATS", "1", 1);
  EXPECT_EXIT(compute_and_exit(), testing::ExitedWithCode(0),
              "^takt: 2 workers, a beat of [0-9]+ us, trigger [a-z]+, policy [a-z-]+\n"
              " +working +idle +asleep +busy +beats +promotions +steals +suspensions\n"
              "worker 0 +[0-9.]+ s +[0-9.]+ s +[0-9.]+ s +[0-9-]+%?( +[0-9]+){4}\n"
              "(worker [0-9] [^\n]*\n)*"
              "all [^\n]*\nTAKT_STATS=json has all numbers\n$");
}

// What has been reported, and by what; and with one worker the number for more.
TEST_F(stats_at_exit, the_table_has_the_memory) {
  ::setenv("TAKT_STATS", "1", 1);
  ::setenv("TAKT_WORKERS", "1", 1);
  const auto run = [] {
    takt::fork_join([] { const takt::memory_scope block(3 << 20, "the block"); }, [] {});
    std::exit(0);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0),
              "\nmemory: 3.0 MiB at the peak, 0 waits for the budget; TAKT_MEMORY_NEED=3145728\n"
              "  3.0 MiB of it: the block\n");
}

TEST_F(stats_at_exit, on_stderr) {
  ::setenv("TAKT_STATS", "json", 1);
  EXPECT_EXIT(compute_and_exit(), testing::ExitedWithCode(0), "^\\{\"workers\":2,.*\"per_worker\":\\[.*\\]\\}\n$");
}

TEST_F(stats_at_exit, names_settings_that_are_none) {
  ::setenv("TAKT_STATS", "1", 1);
  ::setenv("TAKT_WORKRES", "3", 1);
  EXPECT_EXIT(compute_and_exit(), testing::ExitedWithCode(0),
              "^takt: TAKT_WORKRES is not a setting; TAKT_WORKERS is\n(.*\n)*not a setting: TAKT_WORKRES\n");
  ::setenv("TAKT_STATS", "json", 1);
  EXPECT_EXIT(compute_and_exit(), testing::ExitedWithCode(0),
              "^takt: TAKT_WORKRES is not a setting; TAKT_WORKERS is\n"
              "\\{.*,\"unknown_settings\":\\[\\{\"name\":\"TAKT_WORKRES\",\"nearest\":\"TAKT_WORKERS\"\\}\\]\\}\n$");
  ::unsetenv("TAKT_STATS");
  EXPECT_EXIT(compute_and_exit(), testing::ExitedWithCode(0),
              "^takt: TAKT_WORKRES is not a setting; TAKT_WORKERS is\n$");
  // What is near to none is not for takt.
  ::unsetenv("TAKT_WORKRES");
  ::setenv("TAKT_COLOURS", "3", 1);
  EXPECT_EXIT(compute_and_exit(), testing::ExitedWithCode(0), "^$");
}

TEST_F(stats_at_exit, nothing_without_the_variable) {
  EXPECT_EXIT(compute_and_exit(), testing::ExitedWithCode(0), "^$");
  ::setenv("TAKT_STATS", "0", 1);
  EXPECT_EXIT(compute_and_exit(), testing::ExitedWithCode(0), "^$");
}

TEST_F(stats_at_exit, in_a_file) {
  std::string name = (std::filesystem::temp_directory_path() / "takt-stats-XXXXXX").string();
  // The process that ends is started anew and comes by here, too: it finds the name.
  if (::getenv("TAKT_STATS") == nullptr) {
    const int file = ::mkstemp(name.data());
    ASSERT_GE(file, 0);
    ::close(file);
    ::setenv("TAKT_STATS", name.c_str(), 1);
  }
  EXPECT_EXIT(compute_and_exit(), testing::ExitedWithCode(0), "^$");
  std::ifstream in(name);
  const json s = json::parse(in);
  std::filesystem::remove(name);
  EXPECT_EQ(s.at("workers"), 2u);
  expect_consistent(s);
}

TEST_F(stats_at_exit, a_file_that_cannot_be_written_is_named) {
  ::setenv("TAKT_STATS", "/nonexistent-folder/stats.json", 1);
  EXPECT_EXIT(compute_and_exit(), testing::ExitedWithCode(0), "^takt: [^\n]*'/nonexistent-folder/stats.json'[^\n]*\n$");
}

TEST_F(stats_at_exit, a_fifo_that_nobody_reads_is_named) {
  const std::string fifo = testing::TempDir() + "takt_stats_fifo_" + std::to_string(::getpid());
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  ::setenv("TAKT_STATS", fifo.c_str(), 1);
  EXPECT_EXIT(compute_and_exit(), testing::ExitedWithCode(0), "^takt: [^\n]*: nobody reads from it\n$");
  std::filesystem::remove(fifo);
}

}  // namespace
