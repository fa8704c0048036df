// `takt bench locality`: small figures of a small machine, the programs on this one, and what is refused. No time is
// looked at.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <cstdint>
#include <cstdlib>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/run_bench.hpp"
#include "tools/bench_locality.hpp"
#include "tools/usage_error.hpp"

namespace takt::tools {
namespace {

using nlohmann::json;

const std::string k_small_machine = TAKT_MACHINES "/two-cores.json";

// Not through bench(), whose --runners is not for this.
outcome figures_of(std::vector<std::string> arguments, std::uint64_t shrink = 1) {
  arguments.insert(arguments.begin(), {"bench", "locality"});
  arguments.insert(arguments.end(), {"--program", TAKT_LOCALITY_SIMULATED, "--shrink", std::to_string(shrink)});
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int code = bench_command(static_cast<int>(argv.size()), argv.data());
  std::fflush(stdout);
  return {code, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(bench_locality, every_figure_has_its_points) {
  const std::filesystem::path folder = path_of("locality");
  const auto figures = [&folder] {
    return figures_of({"--machine", k_small_machine, "--sizes", "0.5,2", "--alphas", "1,4", "--policies",
                       "random,adws,sb", "--report", folder});
  };
  const outcome first = figures();
  ASSERT_EQ(first.code, 0) << first.err;
  for (const char* number : {"16", "17", "18", "19", "20", "21"})
    EXPECT_NE(first.out.find("(figure " + std::string(number) + ")"), std::string::npos) << number;
  const std::string results = text_of(folder / "results.json");
  const json all = json::parse(results);
  EXPECT_EQ(all.at("cores"), 2);
  for (const json& point : all.at("points")) {
    EXPECT_GT(point.at("seconds"), 0) << point;
    EXPECT_GT(point.at("busy_s"), 0) << point;
    EXPECT_EQ(point.at("misses").size(), 2u) << point;
    // One core has one socket.
    if (point.at("scheduler") == "serial") {
      EXPECT_EQ(point.at("remote_share"), 0) << point;
      EXPECT_EQ(point.at("steals"), 0) << point;
    }
  }
  const std::string page = text_of(folder / "index.html");
  const auto times = [&page](const std::string& what) {
    std::size_t n = 0;
    for (std::size_t at = page.find(what); at != std::string::npos; at = page.find(what, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(times("<caption>Misses (figure 18)</caption>"), 1u);
  // Each of the six has its picture, that of rrm for two sizes; each bar its value.
  EXPECT_EQ(times("<svg "), 7u);
  EXPECT_EQ(times("(figure 19)</figcaption>"), 2u);
  EXPECT_GT(times("class=\"bar\""), 50u);
  EXPECT_EQ(times("class=\"bar\""), times("class=\"value\""));
  // Nothing in it is measured.
  EXPECT_EQ(figures().out, first.out);
  EXPECT_EQ(text_of(folder / "results.json"), results);
  std::filesystem::remove_all(folder);
}

// Two sockets of two cores each, which share a cache: as in the paper, but small.
TEST(bench_locality, sizes_are_of_all_shared_caches_and_parts_that_fit_run_in_one) {
  constexpr std::uint64_t k_shrink = 16;
  const std::filesystem::path folder = path_of("shared");
  const std::string paper = TAKT_MACHINES "/cascade-lake-2x28.json";
  const outcome made = figures_of({"rrm", "--machine", paper, "--workers", "4", "--sizes", "0.5,3", "--alphas", "1",
                                   "--policies", "random,adws,ml-random,ml-adws", "--report", folder},
                                  k_shrink);
  ASSERT_EQ(made.code, 0) << made.err;
  const json all = json::parse(text_of(folder / "results.json"));
  std::filesystem::remove_all(folder);
  const machine_description machine = part_of(read_machine(paper), 4, k_shrink, 512);
  ASSERT_EQ(machine.caches[2].shared_by, 2u);
  const double last_level = 2 * static_cast<double>(machine.caches[2].bytes);
  const auto size_at = [last_level](double part) { return std::llround(part * last_level / sizeof(double)); };
  std::set<long long> sizes;
  std::map<std::string, double> misses;
  for (const json& point : all.at("points")) {
    sizes.insert(point.at("size").get<long long>());
    if (point.at("size") == size_at(3) && point.at("interleaved") == true && point.at("alpha") == 1 &&
        point.at("hints") == (point.at("scheduler").get<std::string>().ends_with("adws"))) {
      misses[point.at("scheduler")] = point.at("misses").at(2);
    }
  }
  // Figures 16 to 18 and 21 are at those that were asked for, 19 at the paper's 64 MB of 77 MB, 20 at all of it.
  EXPECT_EQ(sizes, (std::set{size_at(0.5), size_at(0.83), size_at(1), size_at(3)}));
  ASSERT_TRUE(misses.contains("adws") && misses.contains("ml-adws"));
  EXPECT_LT(misses["ml-adws"], 0.8 * misses["adws"]);
}

TEST(bench_locality, what_cannot_be_is_one_line) {
  const std::vector<std::string> bad[] = {
      {"nothing"},
      {"rrm", "--policies", "best"},
      {"rrm", "--machine", "nowhere.json"},
      {"rrm", "--machine", TAKT_MACHINES "/epyc-9654.json"},  // does not say what memory takes
      {"rrm", "--machine", k_small_machine, "--workers", "1"},
      {"rrm", "--machine", k_small_machine, "--workers", "4"},
      {"rrm", "--sizes", "2,1"},
      {"rrm", "--sizes", "0"},
      {"rrm", "--grain", "100"},
      {"rrm", "--report", "/dev/null/folder"},
      {"rrm", "--no-such-option"},
  };
  for (const std::vector<std::string>& arguments : bad) {
    SCOPED_TRACE(arguments.back());
    const outcome result = figures_of(arguments);
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    EXPECT_TRUE(result.out.empty()) << result.out;
  }
}

TEST(bench_locality, part_of_a_machine_has_part_of_what_is_shared) {
  const machine_description whole = read_machine(TAKT_MACHINES "/cascade-lake-2x28.json");
  const machine_description part = part_of(whole, 14, 2, 64);
  EXPECT_EQ(part.cores(), 14u);
  EXPECT_EQ(part.cores_per_socket, 7u);
  EXPECT_EQ(part.caches[0].bytes, whole.caches[0].bytes / 2);
  EXPECT_EQ(part.caches[0].shared_by, 1u);
  EXPECT_EQ(part.caches[2].bytes, whole.caches[2].bytes / 8);
  EXPECT_EQ(part.caches[2].shared_by, 7u);
  EXPECT_DOUBLE_EQ(part.caches[2].gb_per_s, whole.caches[2].gb_per_s / 4);
  EXPECT_DOUBLE_EQ(part.memory->gb_per_s, whole.memory->gb_per_s / 4);
  EXPECT_EQ(part.memory->local_ns, whole.memory->local_ns);
  EXPECT_THROW((void)part_of(whole, 13, 1, 64), usage_error);
  EXPECT_THROW((void)part_of(whole, 56, 1024, 64), usage_error);
}

const std::vector<std::string> k_small_sizes{"--size", "rrm=20001,quicksort=20000,kdtree=5000,decision_tree=6000",
                                             "--size", "matmul=128,heat2d=65,sph=2000"};

TEST(bench_locality, every_answer_of_every_system_is_right) {
  const std::string path = path_of("locality.json");
  for (const char* workers : {"2", "5"}) {
    std::vector<std::string> arguments{"locality", "--real", "--workers", workers,       "--runs",
                                       "2",        "--json", path,        "--compilers", TAKT_COMPILER};
    arguments.insert(arguments.end(), k_small_sizes.begin(), k_small_sizes.end());
    const outcome result = bench(arguments);
    EXPECT_EQ(result.code, 0) << result.out << result.err;
    const json results = json::parse(text_of(path));
    EXPECT_GE(results["rows"].size(), 7u * 4u);
    for (const json& row : results["rows"]) EXPECT_TRUE(row["ok"]) << row;
  }
  std::filesystem::remove(path);
}

TEST(bench_locality, rows_of_a_table_are_read) {
  const std::string path = path_of("rows.csv");
  std::ofstream file(path);
  file << "header\n";
  for (int i = 0; i < 3000; ++i) {
    for (int a = 0; a < 28; ++a) file << (i * (a + 3)) % 101 << ',';
    file << (i % 101 < 50 ? 1 : 0) << '\n';
  }
  file.close();
  const std::vector<std::string> request{"decision_tree", "--input", path,        "--runs",      "1",
                                         "--workers",     "2",       "--systems", "serial,takt", "--compilers",
                                         TAKT_COMPILER};
  const outcome result = bench(request);
  EXPECT_EQ(result.code, 0) << result.out << result.err;
  std::ofstream(path) << "header\n1,2,3\n";
  const outcome refused = bench(request);
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("of which 29 are needed"), std::string::npos) << refused.err;
  std::filesystem::remove(path);
}

TEST(bench_locality, a_real_table) {
  const std::string packed = TAKT_SHARED_DATA "/tables/covtype.data.train.zst";
  if (!std::filesystem::exists(packed)) GTEST_SKIP() << "no " << packed;
  if (std::system("zstd --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "zstd is not installed";
  const std::string path = path_of("covtype.csv");
  ASSERT_EQ(std::system(("zstd -q -f -d '" + packed + "' -o '" + path + "'").c_str()), 0);
  const outcome result = bench({"decision_tree", "--input", path, "--size", "50000", "--runs", "1", "--workers", "2",
                                "--systems", "serial,takt,takt-hints", "--compilers", TAKT_COMPILER});
  std::filesystem::remove(path);
  EXPECT_EQ(result.code, 0) << result.out << result.err;
}

}  // namespace
}  // namespace takt::tools
