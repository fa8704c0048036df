#include "tools/bench_results.hpp"

#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/schema_check.hpp"

namespace takt::tools {
namespace {

using nlohmann::json;

json schema() {
  std::ifstream stream(TAKT_RESULTS_SCHEMA);
  return json::parse(stream);
}

std::vector<bench_row> some_rows() {
  bench_row serial{"fib", "n=3", "serial", "gcc", 1, {0.2, 0.1, 0.3}, {}, true, {}};
  bench_row takt{"fib", "n=3", "takt", "gcc", 2, {0.1, 0.3}, {}, true, {}};
  bench_row other{"fib", "n=3", "takt", "clang", 2, {0.1}, {}, false, {}};
  bench_row failed{"fib", "n=3", "tbb", "gcc", 2, {}, {}, false, "crashed (signal 11)"};
  std::vector<bench_row> rows{serial, takt, other, failed};
  compare_to_serial(rows);
  return rows;
}

json some_results() {
  return json::parse(to_json(some_rows(), {{"omp", "clang", "not built"}}).dump());
}

TEST(bench_results, median_of_odd_and_even) {
  EXPECT_DOUBLE_EQ(median({3.0, 1.0, 2.0}), 2.0);
  EXPECT_DOUBLE_EQ(median({4.0, 1.0}), 2.5);
}

TEST(bench_results, ratio_is_to_the_serial_program_of_the_same_compiler) {
  const std::vector<bench_row> rows = some_rows();
  EXPECT_DOUBLE_EQ(rows[0].ratio_to_serial.value(), 1.0);
  EXPECT_DOUBLE_EQ(rows[1].ratio_to_serial.value(), 1.0);
  EXPECT_FALSE(rows[2].ratio_to_serial);
  EXPECT_FALSE(rows[3].ratio_to_serial);
}

TEST(bench_results, json_is_as_the_schema_says) {
  EXPECT_EQ(bench::violations(some_results(), schema()), std::vector<std::string>{});
}

TEST(bench_results, say_when_and_where_and_what_is_not_there) {
  const run_about about = about_now();
  const json results = json::parse(
      to_json(some_rows(), {}, &about, {"stopped by SIGINT", {"spmv n=5: not run"}}).dump());
  EXPECT_EQ(bench::violations(results, schema()), std::vector<std::string>{});
  EXPECT_EQ(results["stopped"]["left"][0], "spmv n=5: not run");
  EXPECT_GE(results["about"]["cpus"], 1);
  // "2026-11-25T00:00:00+01:00"
  EXPECT_EQ(results["about"]["date"].get<std::string>().size(), 25U) << results["about"];
  EXPECT_FALSE(some_results().contains("stopped"));
}

// The check itself must be able to fail.
TEST(bench_results, the_schema_refuses_what_is_wrong) {
  const auto refused = [](auto&& spoil) {
    json results = some_results();
    spoil(results);
    return !bench::violations(results, schema()).empty();
  };
  EXPECT_TRUE(refused([](json& r) { r["rows"][0].erase("ok"); }));
  EXPECT_TRUE(refused([](json& r) { r["rows"][0]["ok"] = "yes"; }));
  EXPECT_TRUE(refused([](json& r) { r["rows"][0]["workers"] = 0; }));
  EXPECT_TRUE(refused([](json& r) { r["rows"][0]["workers"] = 1.5; }));
  EXPECT_TRUE(refused([](json& r) { r["rows"][0]["system"] = "other"; }));
  EXPECT_TRUE(refused([](json& r) { r["rows"][0]["median_s"] = -1.0; }));
  EXPECT_TRUE(refused([](json& r) { r["rows"][0]["extra"] = 1; }));
  EXPECT_TRUE(refused([](json& r) { r["missing"][0]["why"] = ""; }));
  EXPECT_TRUE(refused([](json& r) { r.erase("rows"); }));
}

TEST(bench_results, table_shows_failures_and_wrong_answers) {
  const std::string table = to_table(some_rows(), true);
  EXPECT_NE(table.find("crashed (signal 11)"), std::string::npos);
  EXPECT_NE(table.find("WRONG"), std::string::npos);
}

TEST(bench_results, nothing_is_left_of_a_file_that_cannot_be_written) {
  EXPECT_THROW(write_json("no/such/folder/x.json", json::object()), std::runtime_error);
}

}  // namespace
}  // namespace takt::tools
