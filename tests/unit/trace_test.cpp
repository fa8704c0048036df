// TAKT_TRACE: what a process leaves behind when it ends, however it does.
#include <takt/takt.hpp>

#include "support/program.hpp"
#include "support/settings.hpp"
#include "support/together.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>

// A process that exits in the middle of a call, or has forked with threads, has not given everything back.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }

namespace {

using nlohmann::json;

class trace : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "takt-trace-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  struct end {
    int status;
    std::string err;
  };

  /// Runs `program` in a process that has not used takt yet, with TAKT_TRACE as given.
  template <class Program>
  end run(const std::string& traced, Program program) {
    const std::string errors = folder_ + "/stderr";
    const pid_t child = ::fork();
    if (child == 0) {
      ::setenv("TAKT_TRACE", traced.c_str(), 1);
      const int file = ::open(errors.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
      ::dup2(file, STDERR_FILENO);
      program();
      std::exit(0);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    std::ostringstream text;
    text << std::ifstream(errors).rdbuf();
    return {status, text.str()};
  }

  std::string path() const { return folder_ + "/trace.json"; }

  json read() const {
    std::ifstream file(path());
    EXPECT_TRUE(file) << "no trace";
    return file ? json::parse(file) : json{};
  }

  std::string folder_;
};

// What a worker does at one time is one thing; the sum of each kind is what the file says of it.
std::map<std::string, int> expect_consistent(const json& t) {
  std::map<std::string, int> counts;
  std::map<int, double> ends;
  EXPECT_EQ(t.at("otherData").at("takt_trace"), 1);
  const std::size_t sites = t.at("otherData").at("sites").size();
  for (const json& e : t.at("traceEvents")) {
    const std::string phase = e.at("ph");
    if (phase == "M") continue;
    ++counts[e.at("cat")];
    const double at = e.at("ts");
    EXPECT_GE(at, 0.0) << e;
    EXPECT_LE(at, 1e6 * t["otherData"]["seconds"].get<double>() + 1) << e;
    if (e.contains("args") && e["args"].contains("site")) {
      EXPECT_LT(e["args"]["site"].get<std::size_t>(), sites) << e;
    }
    if (phase != "X") continue;
    const double took = e.at("dur");
    EXPECT_GE(took, 0.0) << e;
    double& before = ends[e.at("tid")];
    EXPECT_GE(at, before - 0.01) << e;
    before = at + took;
  }
  return counts;
}

void compute() {
  takt::configure(takt_test::eager(2));
  for (int i = 0; i < 5; ++i) takt_test::fork_apart([] { (void)takt_test::fib(10); }, [] { (void)takt_test::fib(10); });
}

TEST_F(trace, has_all_that_was_done) {
  const end e = run(path(), [] { compute(); });
  EXPECT_EQ(e.status, 0);
  EXPECT_EQ(e.err, "");
  const json t = read();
  const auto counts = expect_consistent(t);
  // fork_apart returns when the other worker has taken its branch.
  EXPECT_GE(counts.at("steal"), 5);
  EXPECT_GE(counts.at("promotion"), 5);
  EXPECT_GE(counts.at("call"), 5);
  EXPECT_GE(counts.at("task"), 5);
  EXPECT_EQ(t["otherData"]["dropped"], 0);
  ASSERT_EQ(t["otherData"]["runtimes"].size(), 1u);
  EXPECT_EQ(t["otherData"]["runtimes"][0]["workers"], 2);
}

TEST_F(trace, of_a_program_whose_name_has_quotes) {
  const end e = run(path(), [] {
    static char name[] = "a \"name\" \\ of\tbytes\xff";
    program_invocation_short_name = name;
    compute();
  });
  EXPECT_EQ(e.status, 0);
  EXPECT_EQ(read()["traceEvents"][0]["args"]["name"], "a \"name\" \\ of?bytes?");
}

TEST_F(trace, nothing_without_the_variable) {
  for (const char* value : {"", "0"}) {
    const end e = run(value, [] { compute(); });
    EXPECT_EQ(e.status, 0);
    EXPECT_EQ(e.err, "");
  }
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(trace, nothing_of_a_process_without_a_call) {
  const end e = run(path(), [] {});
  EXPECT_EQ(e.err, "");
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(trace, of_a_program_that_exits_inside_a_call) {
  const end e = run(path(), [] {
    takt::configure(takt_test::eager(2));
    takt_test::fork_apart([] { std::exit(7); }, [] { (void)takt_test::fib(10); });
  });
  EXPECT_EQ(WEXITSTATUS(e.status), 7);
  const json t = read();
  expect_consistent(t);
  bool still_runs = false;
  for (const json& one : t["traceEvents"])
    still_runs = still_runs || (one.contains("args") && one["args"].value("then", "") == "still runs");
  EXPECT_TRUE(still_runs);
}

TEST_F(trace, of_a_program_that_a_signal_ends) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const end e = run(path(), [signal] {
      ::signal(signal, SIG_DFL);
      compute();
      takt_test::fork_apart(
          [signal] {
            ::kill(::getpid(), signal);
            for (;;) ::pause();
          },
          [] { (void)takt_test::fib(10); });
    });
    EXPECT_TRUE(WIFSIGNALED(e.status) && WTERMSIG(e.status) == signal) << e.status;
    EXPECT_EQ(e.err, "");
    EXPECT_GE(expect_consistent(read()).at("steal"), 6);
    std::filesystem::remove(path());
  }
}

// A process whose stderr is a pipe: whoever waits for a line waits for what was done before it.
class hanging {
 public:
  template <class Program>
  hanging(const std::string& traced, Program program) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    process_ = ::fork();
    if (process_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::setenv("TAKT_TRACE", traced.c_str(), 1);
      ::dup2(ends[1], STDERR_FILENO);
      program();
      ::_exit(0);
    }
    ::close(ends[1]);
    lines_ = ::fdopen(ends[0], "r");
  }
  ~hanging() {
    std::fclose(lines_);
    if (process_ == 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  hanging(const hanging&) = delete;
  hanging& operator=(const hanging&) = delete;

  std::string line() {
    char text[1000] = "";
    return std::fgets(text, sizeof text, lines_) != nullptr ? text : "the end";
  }
  void tell(int signal) { ::kill(process_, signal); }
  int status() {
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = 0;
    return status;
  }

 private:
  pid_t process_;
  std::FILE* lines_;
};

void hang() {
  compute();
  takt_test::fork_apart(
      [] {
        std::fputs("hangs\n", stderr);
        for (;;) ::pause();
      },
      [] {});
}

TEST_F(trace, of_a_program_that_hangs_when_it_is_asked) {
  hanging program(path(), [] {
    ::signal(SIGTERM, SIG_DFL);
    hang();
  });
  ASSERT_EQ(program.line(), "hangs\n");
  for (int i = 0; i < 2; ++i) {
    std::filesystem::remove(path());
    program.tell(SIGCONT);
    EXPECT_EQ(program.line(), "takt: TAKT_TRACE file '" + path() + "' has what was done so far\n");
    EXPECT_GE(expect_consistent(read()).at("steal"), 5);
  }
  std::filesystem::remove(path());
  program.tell(SIGTERM);
  const int status = program.status();
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) << status;
  EXPECT_GE(expect_consistent(read()).at("steal"), 5);
}

TEST_F(trace, a_handler_of_the_program_gets_the_request) {
  hanging program(path(), [] {
    ::signal(SIGCONT, [](int) { (void)!::write(STDERR_FILENO, "its own\n", 8); });
    hang();
  });
  ASSERT_EQ(program.line(), "hangs\n");
  program.tell(SIGCONT);
  EXPECT_EQ(program.line(), "its own\n");
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(trace, leaves_the_program_its_signals) {
  const end ignored = run(path(), [] {
    ::signal(SIGINT, SIG_IGN);
    compute();
    ::raise(SIGINT);
  });
  EXPECT_EQ(ignored.status, 0);
  expect_consistent(read());
  if (TAKT_TEST_THREAD_SANITIZER) GTEST_SKIP() << "ThreadSanitizer hands a signal on when the child has ended";
  const end of_child = run(path(), [] {
    ::signal(SIGTERM, SIG_DFL);
    compute();
    const pid_t child = ::fork();
    if (child == 0) {
      ::raise(SIGTERM);
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    std::exit(WIFSIGNALED(status) ? 0 : 1);
  });
  EXPECT_EQ(of_child.status, 0);
}

TEST_F(trace, of_several_runtimes) {
  const end e = run(path(), [] {
    for (const unsigned workers : {2u, 3u, 1u, 2u}) {
      takt::configure(takt_test::eager(workers));
      (void)takt_test::fib(8);
    }
  });
  EXPECT_EQ(e.status, 0);
  const json t = read();
  EXPECT_GE(expect_consistent(t).at("call"), 4);
  const json& all = t["otherData"]["runtimes"];
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[1]["workers"], 3);
  EXPECT_EQ(all[2]["workers"], 1);
}

TEST_F(trace, what_is_dropped_is_counted) {
  const end e = run(path() + ",events=100", [] {
    takt::configure(takt_test::eager(1));
    (void)takt_test::fib(12);  // 232 promotions
  });
  EXPECT_EQ(e.status, 0);
  const json t = read();
  expect_consistent(t);
  const json& w = t["otherData"]["workers"][0];
  EXPECT_EQ(w["events"], 100);
  EXPECT_GE(w["dropped"].get<int>(), 133);
  EXPECT_EQ(t["otherData"]["dropped"], w["dropped"]);
}

TEST_F(trace, a_bad_number_of_events_is_one_line) {
  const end e = run(path() + ",events=many", [] { compute(); });
  EXPECT_EQ(e.status, 0);
  EXPECT_EQ(e.err, "takt: TAKT_TRACE: events='many' is not a number from 16 to 16777216; using 32768\n");
  EXPECT_EQ(read()["otherData"]["ring"], 32768);
}

TEST_F(trace, a_file_that_cannot_be_written_is_one_line_at_exit) {
  const end e = run("/nonexistent-folder/x.json", [] {
    compute();
    std::_Exit(takt_test::fib(10) == 55 ? 0 : 1);
  });
  EXPECT_EQ(e.err, "");
  const end later = run("/nonexistent-folder/x.json", [] { compute(); });
  EXPECT_EQ(later.status, 0);
  EXPECT_EQ(later.err,
            "takt: cannot write TAKT_TRACE file '/nonexistent-folder/x.json': No such file or directory\n");
}

TEST_F(trace, a_fifo_is_written_to_if_somebody_reads_it) {
  const std::string fifo = folder_ + "/fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const end alone = run(fifo, [] { compute(); });
  EXPECT_EQ(alone.status, 0);
  EXPECT_EQ(alone.err, "takt: cannot write TAKT_TRACE file '" + fifo + "': nobody reads from it\n");
  const int reader = ::open(fifo.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  // So few that the FIFO holds them.
  const end with_reader = run(fifo + ",events=16", [] { compute(); });
  EXPECT_EQ(with_reader.status, 0);
  EXPECT_EQ(with_reader.err, "");
  char first = 0;
  EXPECT_EQ(::read(reader, &first, 1), 1);
  EXPECT_EQ(first, '{');
  ::close(reader);
}

TEST_F(trace, a_full_disk_is_one_line) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full";
  const end e = run("/dev/full", [] { compute(); });
  EXPECT_EQ(e.status, 0);
  EXPECT_EQ(e.err, "takt: cannot write TAKT_TRACE file '/dev/full': No space left on device\n");
  EXPECT_TRUE(std::filesystem::exists("/dev/full"));
}

TEST_F(trace, a_child_has_events_of_its_own) {
  const end e = run(folder_ + "/%p.json", [] {
    compute();
    const pid_t child = ::fork();
    if (child == 0) {
      takt::configure(takt_test::eager(1));
      (void)takt_test::fib(3);  // makes two forks
      std::exit(0);
    }
    const pid_t silent = ::fork();
    if (silent == 0) std::exit(0);
    int status = 0;
    for (int i = 0; i < 2; ++i) {
      if (::wait(&status) < 0 || status != 0) std::exit(1);
    }
  });
  EXPECT_EQ(e.status, 0);
  EXPECT_EQ(e.err, "");
  std::map<int, int> promotions;
  for (const auto& file : std::filesystem::directory_iterator(folder_)) {
    if (file.path().extension() != ".json") continue;
    std::ifstream stream(file.path());
    const json t = json::parse(stream);
    promotions[t["otherData"]["pid"]] = expect_consistent(t)["promotion"];
  }
  // Of the one that has made no call there is none.
  ASSERT_EQ(promotions.size(), 2u);
  EXPECT_EQ(std::min(promotions.begin()->second, promotions.rbegin()->second), 2);
}

// Signals promote while their thread may be recording something else.
TEST_F(trace, events_of_signal_handlers_are_whole) {
  const end e = run(path(), [] {
    takt::config c = takt_test::settings(2, takt::lab::beat);
    c.beat = std::chrono::microseconds(10);
    takt::configure(c);
    for (int i = 0; i < 3; ++i) (void)takt_test::fib(25);
  });
  EXPECT_EQ(e.status, 0);
  expect_consistent(read());
}

}  // namespace
