// The driver with real runners, on inputs that take milliseconds. No time is looked at.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <csignal>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/run_bench.hpp"
#include "tests/schema_check.hpp"

namespace takt::tools {
namespace {

using nlohmann::json;

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Sizes that take milliseconds and still leave something to steal.
std::vector<std::string> small_runs_of(const std::string& systems, const std::string& workers,
                                       const std::string& runs = "2") {
  return {"all", "--systems", systems, "--workers", workers, "--runs", runs,
          "--size", "fib=18,tree=12,quadrature=20,nqueens=7,mergesort=20000",
          "--size", "sudoku=2,stream_outside=3000,stream_child=3000",
          "--size", "spmv=5000,pagerank=3000,mandelbrot=64,saxpy=100001",
          "--size", "loop100=50,fork_empty=1000,two_leaves=100000,two_long_leaves=100000,idle=10",
          "--size", "rested_3=2,rested_9=2,rested_30=2,rested_90=2",
          "--size", "sort_random=30000,sort_almost=30000,sort_few=30000,histogram=50000",
          "--size", "scan=50000,scan_doubles=50000,scan_fixed=50000,filter=50000",
          "--size", "reduce=50000,reduce_fixed=50000,moments=50000,stencil=150",
          "--size", "radixsort_random=40000,radixsort_exponential=40000,radixsort_pairs=40000",
          "--size", "samplesort_random=40000,samplesort_exponential=40000,samplesort_almost=40000",
          "--size", "removeduplicates_random=20000,removeduplicates_bounded=20000",
          "--size", "removeduplicates_exponential=20000,removeduplicates_trigrams=5000",
          "--size", "suffixarray_text=5000,suffixarray_dna=5000",
          "--size", "spanningforest_cube=4000,spanningforest_rmat=4000",
          "--size", "minspanningforest_cube=2000,minspanningforest_rmat=2000",
          "--size", "convexhull_in_circle=20000,convexhull_kuzmin=20000,convexhull_on_circle=2000",
          "--size", "nearest_kuzmin=3000,nearest_plummer=1000,raycast_sphere=3000,raycast_soup=2000",
          "--size", "delaunay_in_square=3000,delaunay_kuzmin=3000",
          "--size", "hbc_bfs=2000,hbc_cc=2000,hbc_cf=200,hbc_cg=1000,hbc_pr=2000,hbc_pr_delta=2000",
          "--size", "hbc_spmv_arrowhead=3000,hbc_spmv_powerlaw=2000,hbc_spmv_random=150",
          "--size", "hbc_floyd_warshall=40,hbc_kmeans=200,hbc_plus_reduce_array=5000,hbc_srad=40",
          "--size", "hbc_mandelbrot=30,hbc_mandelbulb=8,hbc_sssp=2000,hbc_ttm=5000,hbc_ttv=5000",
          "--size", "rrm=20001,quicksort=20000,kdtree=5000,decision_tree=6000,matmul=128,heat2d=65,sph=2000",
          "--size", "baggage_fib=15,baggage_integrate=20,baggage_jacobi=16,baggage_matmul=64,baggage_nqueens=6",
          "--size", "baggage_quicksort=20000,baggage_lu=64,baggage_heat=32",
          "--size", "hbc_mandelbrot_images=30,hbc_spmv_web=9000,hbc_spmv_web_out=9000"};
}

// What was written there, which is as the schema describes it; the file is gone then.
json results_in(const std::string& path) {
  std::ifstream stream(path);
  json results = json::parse(stream);
  std::remove(path.c_str());
  std::ifstream schema(TAKT_RESULTS_SCHEMA);
  EXPECT_EQ(bench::violations(results, json::parse(schema)), std::vector<std::string>{});
  return results;
}

TEST(bench_driver, every_answer_of_every_system_is_right) {
  const std::string path = path_of("all.json");
  std::vector<std::string> arguments = small_runs_of("serial,takt,tbb,omp", "1,2");
  arguments.insert(arguments.end(), {"--json", path});
  const outcome result = bench(arguments);
  EXPECT_EQ(result.code, 0) << result.out << result.err;
  const json results = results_in(path);
  EXPECT_GE(results["rows"].size(), 17U);
  for (const json& row : results["rows"]) {
    EXPECT_TRUE(row["ok"]) << row;
    EXPECT_EQ(row["runs"], 2) << row;
    // A problem without a size in small_runs_of() runs at its full one, which takes seconds each time.
    const std::string size = row["problem"].get<std::string>() + "=";
    EXPECT_TRUE(std::ranges::any_of(arguments, [&](const std::string& a) {
      return a.starts_with(size) || a.find("," + size) != std::string::npos;
    })) << row;
  }
}

// More workers than CPUs, and the triggers that only takt has.
TEST(bench_driver, every_answer_of_takt_is_right_with_any_trigger) {
  const outcome result = bench(small_runs_of("serial,takt,takt-never,takt-eager", "3,8", "1"));
  EXPECT_EQ(result.code, 0) << result.out << result.err;
}

TEST(bench_driver, reads_a_matrix_file) {
  const std::string path = path_of("small.mtx");
  std::ofstream(path) << "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n3 1\n1 2\n";
  const outcome result = bench({"spmv,pagerank", "--input", path, "--transpose", "--runs", "1",
                                "--workers", "2", "--compilers", TAKT_COMPILER});
  std::remove(path.c_str());
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("small.mtx transposed"), std::string::npos) << result.out;
}

// Every system of baggage; each program in Java is right beside its own serial one.
TEST(bench_driver, runs_the_eight_programs_with_all_their_systems) {
  const std::string path = path_of("baggage.json");
  std::vector<std::string> arguments = small_runs_of("", "2", "1");
  arguments[0] = "baggage";
  arguments.erase(arguments.begin() + 1, arguments.begin() + 3);  // the usual systems
  arguments.insert(arguments.end(), {"--json", path, "--warm-ups", "0", "--compilers", TAKT_COMPILER});
  const outcome result = bench(arguments);
  EXPECT_EQ(result.code, 0) << result.out << result.err;
  const json results = results_in(path);
  std::map<std::string, int> programs;
  for (const json& row : results["rows"]) {
    EXPECT_TRUE(row["ok"]) << row;
    const std::string system = row["system"].get<std::string>();
    const bool alone = system == "serial" || system == "takt-calls" || system == "takt-slots" || system == "takt-polls";
    EXPECT_EQ(row["workers"], alone ? 1 : 2) << row;
    ++programs[system + " " + row["compiler"].get<std::string>()];
  }
  for (const char* system : {"serial", "takt", "takt-calls", "takt-slots", "takt-polls"}) {
    EXPECT_EQ(programs[std::string(system) + " " + TAKT_COMPILER], 8) << system;
  }
  // Where there is no JDK one line says so.
  const bool has_java = std::filesystem::exists(TAKT_RUNNERS "/takt-bench-java");
  EXPECT_EQ(programs["java java"], has_java ? 8 : 0);
  EXPECT_EQ(programs["serial java"], has_java ? 8 : 0);
  EXPECT_EQ(result.out.find("missing: java (java): takt-bench-java was not built") == std::string::npos, has_java)
      << result.out;
}

// Both elisions have programs of their own, and all say how many tasks they made.
TEST(bench_driver, runs_the_suite_of_the_paper) {
  const std::string path = path_of("pbbs.json");
  std::vector<std::string> arguments =
      small_runs_of("serial,elision,blocked-elision,takt,takt-never,tbb,omp", "2", "1");
  arguments[0] = "pbbs";
  arguments.insert(arguments.end(), {"--json", path, "--compilers", TAKT_COMPILER});
  const outcome result = bench(arguments);
  EXPECT_EQ(result.code, 0) << result.out << result.err;
  std::ifstream stream(path);
  const json results = json::parse(stream);
  std::remove(path.c_str());
  for (const json& row : results["rows"]) {
    const std::string system = row["system"];
    EXPECT_TRUE(row["ok"]) << row;
    const bool is_serial = system == "serial" || system.ends_with("elision");
    EXPECT_EQ(row.contains("tasks"), !is_serial) << row;
    if (system == "tbb" || system == "omp") {
      EXPECT_GT(row["tasks"], 0) << row;
    } else if (system == "takt-never") {
      EXPECT_EQ(row["tasks"], 0) << row;
    }
  }
}

TEST(bench_driver, reads_a_text_and_a_graph) {
  const std::string text = path_of("small.txt");
  std::ofstream(text) << "abracadabra";
  const std::string graph = path_of("graph.mtx");
  std::ofstream(graph) << "%%MatrixMarket matrix coordinate pattern general\n"
                          "4 4 3\n3 1\n1 2\n2 3\n";
  const outcome strings =
      bench({"suffixarray_text,suffixarray_dna", "--input", text, "--systems", "serial,elision",
             "--runs", "1", "--compilers", TAKT_COMPILER});
  EXPECT_EQ(strings.code, 0) << strings.err;
  EXPECT_NE(strings.out.find("small.txt"), std::string::npos) << strings.out;
  const outcome graphs =
      bench({"spanningforest_rmat,minspanningforest_rmat", "--input", graph, "--systems",
             "serial,elision", "--runs", "1", "--compilers", TAKT_COMPILER});
  EXPECT_EQ(graphs.code, 0) << graphs.err;
  std::remove(text.c_str());
  std::remove(graph.c_str());
}

TEST(bench_driver, says_what_is_missing) {
  const std::string other = std::string(TAKT_COMPILER) == "gcc" ? "clang" : "gcc";
  const outcome result =
      bench({"fib", "--size", "10", "--runs", "1", "--systems", "serial", "--compilers",
             "gcc,clang"});
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.out.find("missing: all systems (" + other + ")"), std::string::npos) << result.out;
}

// Not one for each system and problem.
TEST(bench_driver, says_once_that_a_compiler_is_missing) {
  const std::string other = std::string(TAKT_COMPILER) == "gcc" ? "clang" : "gcc";
  const outcome result = bench({"fib,tree,saxpy", "--size", "fib=10,tree=5,saxpy=1000", "--runs", "1",
                                "--workers", "1"});
  EXPECT_EQ(result.code, 0) << result.err;
  std::size_t count = 0;
  for (std::size_t at = 0; (at = result.out.find("(" + other + ")", at)) != std::string::npos; ++at) {
    ++count;
  }
  EXPECT_EQ(count, 1U) << result.out;
}

void write_program(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path) << "#!/bin/sh\n" << text << "\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

// One fails, one says what is not understood, one what is half understood, and one only when it is to run.
TEST(bench_driver, goes_on_without_a_runner_that_is_broken) {
  const std::filesystem::path folder = path_of("broken_runners");
  std::filesystem::create_directory(folder);
  write_program(folder / "takt-bench-java", "exit 3");
  write_program(folder / "takt-bench-hbc-omp", "echo '{}'");
  write_program(folder / "takt-bench-omp",
                R"(echo '{"suite": "", "system": "omp", "compiler": ")" TAKT_COMPILER R"(", "runtime": "", )"
                R"("optimised": true, "compiler_version": "", "problems": [{}]}')");
  write_program(folder / "takt-bench-serial", std::string("[ \"$1\" = --describe ] || exit 4\nexec ") + TAKT_RUNNERS +
                                                  "/takt-bench-serial \"$@\"");
  const outcome result = bench({"fib", "--size", "10", "--runs", "1", "--workers", "1", "--systems", "serial,takt,omp",
                                "--compilers", TAKT_COMPILER, "--runners", folder.string()});
  EXPECT_EQ(result.code, 1) << result.out << result.err;
  for (const char* said : {"takt-bench-java: ended without an answer (exit code 3)",
                           "takt-bench-hbc-omp: not a benchmark runner of this version",
                           "takt-bench-omp: not a benchmark runner of this version"}) {
    EXPECT_NE(result.err.find((folder / said).string()), std::string::npos) << said << result.err;
  }
  EXPECT_NE(result.out.find("fib n=10 ("), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("exit code 4"), std::string::npos) << result.out;
  EXPECT_EQ(bench({"--list", "--runners", folder.string()}).code, 1);
  // The first that is asked whether it can read the input.
  const std::filesystem::path matrix = folder / "matrix.mtx";
  std::ofstream(matrix) << "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n";
  const outcome read = bench({"spmv", "--input", matrix.string(), "--runs", "1", "--workers", "1", "--systems",
                              "serial,takt", "--compilers", TAKT_COMPILER, "--runners", folder.string()});
  EXPECT_EQ(read.code, 1) << read.err;
  EXPECT_NE(read.out.find("exit code 4"), std::string::npos) << read.out << read.err;
  std::filesystem::remove_all(folder);
}

// A driver in a process of its own, measuring something short and then something that never ends.
class stopped_bench {
 public:
  stopped_bench(const std::string& results, const std::string& report) {
    int out[2];
    EXPECT_EQ(pipe2(out, O_CLOEXEC), 0);
    child_ = fork();
    if (child_ == 0) {
      dup2(out[1], STDOUT_FILENO);
      dup2(out[1], STDERR_FILENO);
      std::vector<std::string> words = {
          "bench", "tree,fib,quadrature", "--size", "fib=60,tree=5,quadrature=10", "--systems", "serial",
          "--compilers", TAKT_COMPILER, "--runs", "2", "--warm-ups", "0", "--json", results, "--report", report,
          "--runners", TAKT_RUNNERS};
      std::vector<char*> argv;
      for (std::string& word : words) {
        argv.push_back(word.data());
      }
      const int code = bench_command(static_cast<int>(argv.size()), argv.data());
      std::fflush(stdout);
      _exit(code);
    }
    close(out[1]);
    out_ = out[0];
  }
  ~stopped_bench() { close(out_); }
  stopped_bench(const stopped_bench&) = delete;
  stopped_bench& operator=(const stopped_bench&) = delete;

  // Reads on until `text` has been written, or the end.
  bool says(const std::string& text) {
    char block[4096];
    while (said_.find(text) == std::string::npos) {
      const ssize_t got = read(out_, block, sizeof block);
      if (got <= 0) {
        return false;
      }
      said_.append(block, static_cast<std::size_t>(got));
    }
    return true;
  }
  int end_by(int signal) {
    kill(child_, signal);
    EXPECT_FALSE(says("there is no such text"));
    int status = 0;
    waitpid(child_, &status, 0);
    return status;
  }
  const std::string& said() const { return said_; }

 private:
  pid_t child_ = -1;
  int out_ = -1;
  std::string said_;
};

TEST(bench_driver, keeps_what_it_has_when_it_is_stopped) {
  const std::string results = path_of("stopped.json");
  const std::string folder = path_of("stopped");
  for (const int signal : {SIGINT, SIGTERM, SIGKILL}) {
    std::filesystem::remove_all(folder);
    std::remove(results.c_str());
    stopped_bench bench(results, folder);
    // It says so after a second of waiting for the one that never ends.
    ASSERT_TRUE(bench.says("fib n=60 serial")) << bench.said();
    const int status = bench.end_by(signal);
    if (signal == SIGKILL) {
      EXPECT_TRUE(WIFSIGNALED(status));
    } else {
      EXPECT_EQ(WEXITSTATUS(status), 128 + signal) << bench.said();
      EXPECT_NE(bench.said().find("stopped by SIG"), std::string::npos) << bench.said();
      EXPECT_NE(bench.said().find("quadrature"), std::string::npos) << bench.said();
    }
    const json written = json::parse(text_of(results));
    std::ifstream schema(TAKT_RESULTS_SCHEMA);
    EXPECT_EQ(bench::violations(written, json::parse(schema)), std::vector<std::string>{});
    ASSERT_EQ(written["rows"].size(), 1U) << written;
    EXPECT_EQ(written["rows"][0]["problem"], "tree");
    EXPECT_EQ(written["rows"][0]["runs"], 2);
    const json& left = written["stopped"]["left"];
    ASSERT_EQ(left.size(), 2U) << written;
    EXPECT_EQ(left[0].get<std::string>().find("fib n=60"), 0U) << written;
    EXPECT_EQ(left[1].get<std::string>().find("quadrature"), 0U) << written;
    const std::string page = text_of(folder + "/index.html");
    EXPECT_NE(page.find("Incomplete, "), std::string::npos);
    EXPECT_NE(page.find("</html>"), std::string::npos);
    EXPECT_NE(page.find("fib n=60"), std::string::npos);
  }
  std::filesystem::remove_all(folder);
  std::remove(results.c_str());
}

TEST(bench_driver, starts_everything_anew_as_often_as_asked) {
  const std::string path = path_of("launches.json");
  const outcome result = bench({"fib", "--systems", "serial,takt", "--workers", "1", "--size", "18",
                                "--runs", "2", "--launches", "3", "--json", path});
  EXPECT_EQ(result.code, 0) << result.out << result.err;
  EXPECT_NE(result.out.find("(3 processes of 2 runs each"), std::string::npos) << result.out;
  std::ifstream stream(path);
  const json results = json::parse(stream);
  std::remove(path.c_str());
  for (const json& row : results["rows"]) {
    EXPECT_EQ(row["runs"], 6) << row;
  }
}

TEST(bench_driver, rests_before_each_run) {
  const std::string path = path_of("rest.json");
  const auto start = std::chrono::steady_clock::now();
  const outcome result = bench({"fib", "--systems", "serial,takt", "--workers", "2", "--size", "18",
                                "--runs", "2", "--rest", "700", "--json", path});
  // Of two systems, each a warm-up and two runs. Nothing is asked of how much longer it took.
  EXPECT_GE(std::chrono::steady_clock::now() - start, 6 * std::chrono::milliseconds(700));
  EXPECT_EQ(result.code, 0) << result.out << result.err;
  std::ifstream stream(path);
  const json results = json::parse(stream);
  std::remove(path.c_str());
  ASSERT_EQ(results["rows"].size(), 2U);
  for (const json& row : results["rows"]) {
    EXPECT_EQ(row["input"], "n=18 after 700 ms") << row;
    EXPECT_EQ(row["runs"], 2) << row;
  }
}

TEST(bench_driver, runs_under_each_load_and_rests_under_none) {
  const std::string path = path_of("load.json");
  const outcome result = bench({"fib,rested_3", "--systems", "serial,takt", "--workers", "2", "--size", "fib=18,rested_3=2",
                                "--runs", "2", "--load", "none,spin-2,nice-10", "--json", path});
  EXPECT_EQ(result.code, 0) << result.out << result.err;
  std::vector<std::string> inputs;
  const json results = results_in(path);
  for (const json& row : results["rows"]) {
    EXPECT_EQ(row["runs"], 2) << row;
    if (row["system"] == "takt") {
      inputs.push_back(row["input"]);
    }
  }
  EXPECT_EQ(inputs, (std::vector<std::string>{"n=18", "n=18, beside 2", "n=18, nice 10 beside 2", "calls=2"}));
}

TEST(bench_driver, makes_as_many_calls_as_asked) {
  const std::string path = path_of("calls.json");
  for (const int calls : {1, 3}) {
    const outcome result =
        bench({"saxpy", "--size", "100001", "--systems", "serial,takt,omp-static", "--workers", "2",
               "--runs", "1", "--calls", std::to_string(calls), "--count", "--json", path});
    EXPECT_EQ(result.code, 0) << result.out << result.err;
    const json rows = json::parse(text_of(path))["rows"];
    std::remove(path.c_str());
    EXPECT_GE(rows.size(), TAKT_BENCH_RIVALS ? 3U : 2U);
    for (const json& row : rows) {
      EXPECT_EQ(row["ok"], true) << row;
      EXPECT_EQ(row["input"], calls == 1 ? "elements=100001" : "elements=100001, 3 calls") << row;
      if (row["system"] == "omp-static") {
        EXPECT_EQ(row["tasks"], 2 * calls) << row;  // one per thread and call
      }
    }
  }
}

TEST(bench_driver, gives_up_a_run_that_takes_too_long) {
  // Thirty minutes of work, given one second: the driver must not wait for it.
  const outcome result = bench({"fib", "--size", "60", "--systems", "serial", "--runs", "1",
                                "--warm-ups", "0", "--limit", "1"});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.out.find("took longer than 1 s"), std::string::npos) << result.out;
}

TEST(bench_driver, bad_arguments_get_one_line_and_exit_code_2) {
  const std::string broken = path_of("broken.mtx");
  std::ofstream(broken) << "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 9 1\n";
  const std::string json_path = path_of("never.json");
  const std::string never = path_of("never");
  const std::vector<std::vector<std::string>> all = {
      {},
      {"nonsense"},
      {"fib", "--systems", "nonsense"},
      {"fib", "--compilers", "nonsense"},
      {"fib", "--runs", "0"},
      {"fib", "--launches", "0"},
      {"fib", "--rest", "-1"},
      {"fib", "--load", "nonsense"},
      {"fib", "--load"},
      {"saxpy", "--calls", "0"},
      {"saxpy", "--calls", "x"},
      {"fib,saxpy", "--calls", "2"},
      {"fib", "--rest", "long"},
      {"fib", "--runs", "many"},
      {"fib", "--workers", "0"},
      {"fib", "--workers", "1,x"},
      {"fib", "--size", "61"},
      {"fib", "--size", "tree=x"},
      {"fib", "--size", "nonsense=1"},
      {"fib", "--nonsense"},
      {"fib", "--json", "no/such/folder/x.json"},
      {"--report"},
      {"--report", ""},
      {"--report", never},
      {"--report", never, "--from"},
      {"--report", never, "--from", "no/such.json"},
      {"--report", never, "--from", "."},
      {"--report", "/proc/self/x", "fib"},
      {"--from", "no/such.json"},
      {"nonsense", "--report", never},
      {"spmv", "--input", broken, "--report", never},
      {"fib", "--runners", "no/such/folder"},
      {"fib", "--systems", "omp-static"},
      {"spmv", "--input", "no/such.mtx"},
      {"spmv", "--input", broken, "--json", json_path},
      {"suffixarray_text", "--input", "no/such.txt"},
      {"spanningforest_rmat", "--input", broken, "--json", json_path},
      {"fib", "--systems", "blocked-elision"},
  };
  for (const auto& arguments : all) {
    const outcome result = bench(arguments);
    const std::string shown = testing::PrintToString(arguments) + "\n" + result.err;
    EXPECT_EQ(result.code, 2) << shown;
    EXPECT_EQ(result.out, "") << shown;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << shown;
  }
  EXPECT_FALSE(std::filesystem::exists(json_path));
  EXPECT_FALSE(std::filesystem::exists(never));
  std::remove(broken.c_str());
}

// Measures with everything that is counted, and makes the page twice: at once and from the file.
TEST(bench_driver, a_page_at_once_and_from_results) {
  const std::string folder = path_of("report/new");
  const std::string results = path_of("report.json");
  std::filesystem::remove_all(path_of("report"));
  const outcome measured =
      bench({"fib,saxpy", "--size", "fib=18,saxpy=100001", "--systems",
             "serial,takt,takt-never,tbb,omp", "--compilers", TAKT_COMPILER, "--workers", "1,2",
             "--runs", "2", "--json", results, "--report", folder});
  EXPECT_EQ(measured.code, 0) << measured.out << measured.err;
  const std::string page = text_of(folder + "/index.html");
  EXPECT_EQ(page.find("takt against") != std::string::npos, TAKT_BENCH_RIVALS);

  const json rows = json::parse(text_of(results))["rows"];
  for (const json& row : rows) {
    const std::string system = row["system"];
    const bool forks = row["problem"] == "fib";
    EXPECT_EQ(row.contains("tasks"), system != "serial") << row;
    EXPECT_EQ(row.contains("steals"), system.starts_with("takt")) << row;
    // Not of oneTBB, and not of OpenMP tasks.
    EXPECT_EQ(row.contains("idle_s"),
              system.starts_with("takt") || (system.starts_with("omp") && !forks))
        << row;
    // A task for one of the two branches of each of the 4180 calls that have them.
    if (forks && system == "tbb") {
      EXPECT_EQ(row["tasks"], 4180) << row;
    } else if (forks && system == "omp") {
      EXPECT_EQ(row["tasks"], 4180 + row["workers"].get<int>()) << row;
    } else if (system.starts_with("omp")) {
      // One per thread and call, of which saxpy makes ten in a run.
      EXPECT_EQ(row["tasks"], 10 * row["workers"].get<int>()) << row;
    } else if (system == "takt-never") {
      EXPECT_EQ(row["tasks"], 0) << row;
    }
  }

  std::filesystem::remove_all(path_of("report"));
  const outcome again = bench({"--report", folder, "--from", results});
  EXPECT_EQ(again.code, 0) << again.err;
  std::string expected = page;
  const std::string title = "<h2>this run</h2>";
  expected.replace(expected.find(title), title.size(), "<h2>" + results + "</h2>");
  EXPECT_EQ(text_of(folder + "/index.html"), expected);
  std::filesystem::remove_all(path_of("report"));
  std::remove(results.c_str());
}

TEST(bench_driver, a_page_of_bad_files_is_not_begun) {
  const std::string folder = path_of("never_report");
  const std::string bad = path_of("bad.json");
  const std::vector<std::string> texts = {"", "{", "[]", "{\"format\":\"other\"}", "\x00\xFF"};
  for (const std::string& text : texts) {
    std::ofstream(bad) << text;
    const outcome result = bench({"--report", folder, "--from", bad});
    EXPECT_EQ(result.code, 2) << text;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_NE(result.err.find(bad), std::string::npos) << result.err;
  }
  std::remove(bad.c_str());
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(bench_driver, help_and_list) {
  EXPECT_EQ(bench({"--help"}).code, 0);
  const outcome result = bench({"--list"});
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.out.find("mergesort"), std::string::npos);
}

}  // namespace
}  // namespace takt::tools
