// The programs of HBC's table on inputs that take milliseconds, and the inputs themselves. No
// time is looked at.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "hbc/inputs.hpp"
#include "tests/run_bench.hpp"

namespace takt::tools {
namespace {

using nlohmann::json;

// Those of the table, and what is beside it.
constexpr std::size_t k_programs = 20;
constexpr const char* k_all = "hbc,hbc_spmv_web,hbc_spmv_web_out";

std::vector<std::string> systems() {
  std::vector<std::string> result{"serial"};
  if (TAKT_HBC_HAS_TAKT) {
    result.emplace_back("takt");
  }
  if (TAKT_HBC_HAS_OMP) {
    result.insert(result.end(), {"omp-static", "omp-dynamic", "omp-guided"});
  }
  return result;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : ",") + word;
  }
  return text;
}

// One small run of every program, or of `problems`; the rows of the results.
json rows_of_small_runs(const std::string& problems, const std::string& systems,
                        const std::string& workers, const std::vector<std::string>& more = {}) {
  // Tests run at the same time.
  const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::string path = path_of("hbc_" + test + ".json");
  std::vector<std::string> arguments{
      problems, "--systems", systems, "--workers", workers, "--runs", "1", "--json", path,
      "--size", "hbc_bfs=2000,hbc_cc=2000,hbc_cf=200,hbc_cg=1000,hbc_pr=2000,hbc_pr_delta=2000",
      "--size", "hbc_spmv_arrowhead=3000,hbc_spmv_powerlaw=2000,hbc_spmv_random=150",
      "--size", "hbc_spmv_web=9000,hbc_spmv_web_out=9000",
      "--size", "hbc_floyd_warshall=40,hbc_kmeans=200,hbc_plus_reduce_array=5000,hbc_srad=40",
      "--size", "hbc_mandelbrot=30,hbc_mandelbulb=8,hbc_sssp=2000,hbc_ttm=5000,hbc_ttv=5000"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const outcome result = bench(arguments);
  EXPECT_EQ(result.code, 0) << result.out << result.err;
  std::ifstream stream(path);
  const json results = json::parse(stream, nullptr, false);
  std::remove(path.c_str());
  EXPECT_FALSE(results.is_discarded());
  return results.is_discarded() ? json::array() : results["rows"];
}

void expect_all_right(const json& rows) {
  for (const json& row : rows) {
    EXPECT_TRUE(row["ok"]) << row;
    EXPECT_EQ(row["runs"], 1) << row;
    // Whatever compiled the runner.
    EXPECT_EQ(row["compiler"], "clang") << row;
  }
}

TEST(hbc, every_program_gives_the_serial_answer) {
  const json rows = rows_of_small_runs(k_all, joined(systems()), "1,2,3");
  EXPECT_EQ(rows.size(), k_programs * (1 + 3 * (systems().size() - 1)));
  expect_all_right(rows);
}

TEST(hbc, every_program_promoted_at_every_poll_gives_the_serial_answer) {
  if (!TAKT_HBC_HAS_TAKT) {
    GTEST_SKIP() << "the plugin is not part of this build";
  }
  setenv("TAKT_BEAT_US", "0", 1);
  const json rows = rows_of_small_runs(k_all, "takt", "1,2,3");
  unsetenv("TAKT_BEAT_US");
  EXPECT_EQ(rows.size(), k_programs * 3);
  expect_all_right(rows);
  for (const json& row : rows) {
    EXPECT_GT(row["tasks"], 0) << row;
  }
}

TEST(hbc, every_program_with_hbcs_chunks_gives_the_serial_answer) {
  if (!TAKT_HBC_HAS_TAKT) {
    GTEST_SKIP() << "the plugin is not part of this build";
  }
  setenv("TAKT_CHUNKING", "hbc", 1);
  const json rows = rows_of_small_runs(k_all, "takt", "1,2,3");
  unsetenv("TAKT_CHUNKING");
  EXPECT_EQ(rows.size(), k_programs * 3);
  expect_all_right(rows);
}

TEST(hbc, all_levels_of_openmp_give_the_serial_answer) {
  if (!TAKT_HBC_HAS_OMP) {
    GTEST_SKIP() << "Clang's OpenMP runtime is not installed";
  }
  const json rows =
      rows_of_small_runs("hbc_spmv_arrowhead,hbc_kmeans,hbc_srad,hbc_ttm,hbc_cf", "omp-nested", "2",
                         {"--size", "hbc_spmv_arrowhead=50,hbc_kmeans=50,hbc_srad=10,hbc_ttm=50",
                          "--size", "hbc_cf=20"});
  EXPECT_EQ(rows.size(), 5U);
  expect_all_right(rows);
}

// Ten rounds with three parallel regions each, of two threads.
TEST(hbc, counts_the_tasks_of_clangs_runtime) {
  if (!TAKT_HBC_HAS_OMP) {
    GTEST_SKIP() << "Clang's OpenMP runtime is not installed";
  }
  const json rows = rows_of_small_runs("hbc_srad", "omp-static,omp-guided", "2", {"--count"});
  ASSERT_EQ(rows.size(), 2U);
  for (const json& row : rows) {
    EXPECT_EQ(row.value("tasks", 0), 60) << row;
  }
}

TEST(hbc, reads_graphs_and_tensors) {
  const std::string graph = path_of("hbc.mtx");
  std::ofstream(graph) << "%%MatrixMarket matrix coordinate pattern general\n"
                          "5 5 6\n3 1\n1 2\n2 3\n5 4\n2 5\n2 2\n";
  const json graph_rows =
      rows_of_small_runs("hbc_bfs,hbc_cc,hbc_cf,hbc_cg,hbc_pr,hbc_pr_delta,hbc_sssp",
                         joined(systems()), "2", {"--input", graph});
  std::remove(graph.c_str());
  expect_all_right(graph_rows);
  const std::string tensor = path_of("hbc.tns");
  std::ofstream(tensor) << "# origin destination day hour flights\n"
                           "1 1 2 1 3\n1 1 2 2 1\n1 3 1 1 2.5\n4 2 1 2 1\n";
  const json tensor_rows =
      rows_of_small_runs("hbc_ttv,hbc_ttm", joined(systems()), "2", {"--input", tensor});
  std::remove(tensor.c_str());
  expect_all_right(tensor_rows);
  for (const json& row : tensor_rows) {
    EXPECT_EQ(row["input"], std::filesystem::path(tensor).filename().string());
  }
}

TEST(hbc, runs_on_a_real_graph) {
  const std::string packed = TAKT_SHARED_DATA "/graphs/debian-bookworm-deps.mtx.zst";
  if (!std::filesystem::exists(packed)) {
    GTEST_SKIP() << packed << " is missing";
  }
  const std::string graph = path_of("debian.mtx");
  const std::string command = "zstd -q -f -d --long=27 '" + packed + "' -o '" + graph + "'";
  if (std::system(command.c_str()) != 0) {
    GTEST_SKIP() << "zstd is not installed";
  }
  const std::string some = TAKT_HBC_HAS_TAKT ? "serial,takt" : "serial";
  expect_all_right(rows_of_small_runs("hbc_bfs,hbc_cg,hbc_sssp", some, "2", {"--input", graph}));
  std::remove(graph.c_str());
}

TEST(hbc, bad_arguments_get_one_line_and_exit_code_2) {
  const std::string oblong = path_of("oblong.mtx");
  std::ofstream(oblong) << "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 3\n";
  const std::string broken = path_of("broken.tns");
  std::ofstream(broken) << "1 1 1 2.0\n1 1 0 2.0\n";
  const std::vector<std::vector<std::string>> all = {
      {"hbc_bfs", "--input", oblong},
      {"hbc_cg", "--input", "no/such.mtx"},
      {"hbc_pr", "--input", broken},
      {"hbc_ttv", "--input", broken},
      {"hbc_ttm", "--input", oblong},
      {"hbc_kmeans", "--size", "4"},
      {"hbc_srad", "--systems", "tbb"},
      {"hbc_srad", "--systems", "elision"},
      {"hbc_srad", "--compilers", "gcc"},
      {"hbc_none"},
  };
  for (const auto& arguments : all) {
    const outcome result = bench(arguments);
    const std::string shown = testing::PrintToString(arguments) + "\n" + result.err;
    EXPECT_EQ(result.code, 2) << shown;
    EXPECT_EQ(result.out, "") << shown;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << shown;
  }
  std::remove(oblong.c_str());
  std::remove(broken.c_str());
}

TEST(hbc, what_has_no_program_is_said_once) {
  const outcome result = bench({"hbc_mandelbulb,hbc_ttv", "--size", "hbc_mandelbulb=4,hbc_ttv=100",
                                "--systems", "serial,tbb", "--runs", "1"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("not run: hbc: no programs for tbb\n"), std::string::npos);
  EXPECT_EQ(result.out.find("tbb"), result.out.rfind("tbb")) << result.out;
}

}  // namespace
}  // namespace takt::tools

namespace takt::bench {
namespace {

TEST(hbc_inputs, a_tensor_with_empty_slices) {
  const sparse_tensor t = parse_tensor("2 1 3 0.5\n2 1 4 1\n2 7 1 -2e1\n\n4 2 2 1\n", "t.tns");
  EXPECT_EQ(t.modes[0], 4);
  EXPECT_EQ(t.modes[1], 7);
  EXPECT_EQ(t.modes[2], 4);
  EXPECT_EQ(t.slice_begin, (std::vector<std::int64_t>{0, 0, 2, 2, 3}));
  EXPECT_EQ(t.fibre_begin, (std::vector<std::int64_t>{0, 2, 3, 4}));
  EXPECT_EQ(t.k, (std::vector<std::int32_t>{2, 3, 0, 1}));
  EXPECT_EQ(t.value, (std::vector<double>{0.5, 1.0, -20.0, 1.0}));
}

TEST(hbc_inputs, modes_beyond_the_third_are_folded) {
  const sparse_tensor t = parse_tensor("1 1 1 3 1\r\n1 1 2 1 1 # evening\n", "t.tns");
  EXPECT_EQ(t.modes[2], 6);
  EXPECT_EQ(t.k, (std::vector<std::int32_t>{2, 3}));
  EXPECT_EQ(t.fibres(), 1);
}

TEST(hbc_inputs, what_is_wrong_with_a_tensor) {
  const std::vector<std::pair<std::string, std::string>> all = {
      {"", "t.tns: has no entries"},
      {"# nothing\n", "t.tns: has no entries"},
      {"1 1 1\n", "t.tns:1: needs at least three indices and a value"},
      {"1 1 1 1\n1 1 2\n", "t.tns:2: has 3 numbers, the lines before it 4"},
      {"1 1 1 1\n1 1 0 1\n", "t.tns:2: '0' is not an index"},
      {"1 1 x 1\n", "t.tns:1: 'x' is not an index"},
      {"1 1 9999999999 1\n", "t.tns:1: '9999999999' is not an index"},
      {"1 1 1 x\n", "t.tns:1: 'x' is not a number"},
      {"1 1 1 inf\n", "t.tns:1: 'inf' is not a number"},
      {"2 1 1 1\n1 1 1 1\n", "t.tns:2: comes before the line before it; entries must be sorted"},
      {"1 1 2000000000 2000000000 1\n",
       "t.tns: the third mode and those after it are too large"},
  };
  for (const auto& [text, expected] : all) {
    try {
      parse_tensor(text, "t.tns");
      ADD_FAILURE() << text;
    } catch (const input_error& error) {
      EXPECT_EQ(error.what(), expected);
    }
  }
}

TEST(hbc_inputs, generated_tensors_are_whole_and_uneven) {
  for (const std::int64_t entries : {1, 7, 1000, 100'000}) {
    const sparse_tensor t = generate_tensor(entries);
    ASSERT_EQ(t.slice_begin.size(), static_cast<std::size_t>(t.modes[0] + 1));
    EXPECT_EQ(t.slice_begin.back(), t.fibres());
    EXPECT_EQ(t.fibre_begin.back(), static_cast<std::int64_t>(t.value.size()));
    EXPECT_TRUE(std::is_sorted(t.slice_begin.begin(), t.slice_begin.end()));
    EXPECT_TRUE(std::is_sorted(t.fibre_begin.begin(), t.fibre_begin.end()));
    for (const std::int32_t k : t.k) {
      ASSERT_GE(k, 0);
      ASSERT_LT(k, t.modes[2]);
    }
  }
  const sparse_tensor t = generate_tensor(100'000);
  EXPECT_GT(t.value.size(), 50'000U);
  EXPECT_LT(t.value.size(), 200'000U);
  std::int64_t longest = 0;
  for (std::size_t f = 1; f < t.fibre_begin.size(); ++f) {
    longest = std::max(longest, t.fibre_begin[f] - t.fibre_begin[f - 1]);
  }
  EXPECT_GT(longest * t.fibres(), 10 * static_cast<std::int64_t>(t.value.size()));
}

TEST(hbc_inputs, random_rows_are_even) {
  for (const std::int64_t rows : {1, 99, 1000}) {
    const csr m = hbc_random_matrix(rows);
    ASSERT_EQ(m.entries(), rows * std::min<std::int64_t>(rows, 100));
    const std::size_t length = rows < 100 ? static_cast<std::size_t>(rows) : 100;
    for (std::size_t e = 1; e < m.col.size(); ++e) {
      const bool first_of_row = e % length == 0;
      ASSERT_TRUE(first_of_row || m.col[e] > m.col[e - 1]);
      ASSERT_LT(m.col[e], rows);
    }
  }
}

TEST(hbc_inputs, both_directions_of_every_link) {
  csr m;
  m.rows = m.cols = 3;
  m.row_begin = {0, 2, 2, 3};
  m.col = {1, 2, 2};
  m.value = {5.0, 6.0, 7.0};
  const csr both = both_directions(m);
  EXPECT_EQ(both.row_begin, (std::vector<std::int64_t>{0, 2, 3, 6}));
  EXPECT_EQ(both.col, (std::vector<std::int32_t>{1, 2, 0, 2, 0, 2}));
  EXPECT_EQ(both.value, (std::vector<double>{5.0, 6.0, 5.0, 7.0, 6.0, 7.0}));
  EXPECT_EQ(busiest_vertex(m), 2);
}

}  // namespace
}  // namespace takt::bench
