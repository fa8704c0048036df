// takt trace with programs that only pretend to have takt: a script that writes what TAKT_TRACE asks for.
#include "tools/trace.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sched.h>
#include <unistd.h>

#include "tools/tests/trace_texts.hpp"

namespace {
bool parent_waits_for_term = false;
}

// A fork whose parent goes on at the worst moment: once the program has asked it to end.
extern "C" pid_t fork() noexcept {
  const auto real = reinterpret_cast<pid_t (*)()>(::dlsym(RTLD_NEXT, "fork"));
  const pid_t child = real();
  if (child > 0 && parent_waits_for_term) {
    sigset_t pending;
    do {
      ::sched_yield();
      ::sigpending(&pending);
    } while (sigismember(&pending, SIGTERM) == 0);
  }
  return child;
}

namespace takt::tools {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* k_script = R"(#!/bin/sh
here=${0%/*}
echo "some output"
case ${1-} in
  no_takt) exit 0 ;;
  fails) exit 3 ;;
  crashes) kill -11 $$ ;;
  malformed) echo "{" > "${TAKT_TRACE%/*}/1.json"; exit 0 ;;
esac
echo "$TAKT_TRACE" > "$here/log"
cp "$here/seven" "${TAKT_TRACE%/*}/7.json"
case ${1-} in
  two) cp "$here/eight" "${TAKT_TRACE%/*}/8.json" ;;
  writes_and_fails) exit 5 ;;
  is_asked_to_end) kill -15 $PPID; while :; do sleep 0.1; done ;;
  reads) cat > "$here/input" ;;
esac
)";

struct outcome {
  int code;
  std::string out;
  std::string err;
};

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class trace_driver : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "takt_trace_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    // Scratch folders are made here, so that one that is left behind is seen.
    fs::create_directory(folder_ / "tmp");
    setenv("TMPDIR", (folder_ / "tmp").c_str(), 1);
    std::ofstream(folder_ / "fake") << k_script;
    fs::permissions(folder_ / "fake", fs::perms::owner_all);
    std::ofstream(folder_ / "seven") << trace_text(7, 1000);
    std::ofstream(folder_ / "eight") << trace_text(8, 2000);
  }
  void TearDown() override {
    EXPECT_TRUE(fs::is_empty(folder_ / "tmp"));
    fs::remove_all(folder_);
    unsetenv("TMPDIR");
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  outcome trace(std::vector<std::string> arguments, bool with_files = true) {
    if (with_files) {
      arguments.insert(arguments.begin(), {"--json", path("x.json"), "--html", path("x.html")});
    }
    arguments.insert(arguments.begin(), "trace");
    std::vector<char*> argv;
    for (std::string& argument : arguments) {
      argv.push_back(argument.data());
    }
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = trace_command(static_cast<int>(argv.size()), argv.data());
    std::fflush(stdout);
    return {code, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
  }

  fs::path folder_;
};

TEST_F(trace_driver, writes_both_files) {
  const outcome result = trace({"--", path("fake")});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, "some output\n");
  EXPECT_NE(result.err.find("2 workers ran tasks for 60%"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("3 events are not in it"), std::string::npos) << result.err;
  EXPECT_EQ(json::parse(text_of(folder_ / "x.json"))["otherData"]["processes"].size(), 1U);
  EXPECT_NE(text_of(folder_ / "x.html").find("2 workers ran tasks for 60%"), std::string::npos);
  EXPECT_NE(text_of(folder_ / "log").find("/%p.json\n"), std::string::npos);
}

TEST_F(trace_driver, hands_on_what_it_is_told) {
  // Without "--" the first word that is no option is the program.
  const outcome result = trace({"--events", "99", path("fake"), "two", "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_NE(text_of(folder_ / "log").find("/%p.json,events=99\n"), std::string::npos);
  EXPECT_EQ(json::parse(text_of(folder_ / "x.json"))["otherData"]["processes"].size(), 2U);
  EXPECT_NE(text_of(folder_ / "x.html").find("2 processes"), std::string::npos);
}

TEST_F(trace_driver, ends_as_the_program_does) {
  const outcome result = trace({"--", path("fake"), "writes_and_fails"});
  EXPECT_EQ(result.code, 5);
  EXPECT_NE(result.err.find("fake: ended with exit code 5\n"), std::string::npos) << result.err;
  EXPECT_TRUE(fs::exists(path("x.html")));
}

TEST_F(trace_driver, hands_on_what_is_to_end_it) {
  const outcome result = trace({"--", path("fake"), "is_asked_to_end"});
  EXPECT_EQ(result.code, 128 + 15);
  EXPECT_NE(result.err.find("fake: was ended by signal 15"), std::string::npos) << result.err;
  EXPECT_TRUE(fs::exists(path("x.html")));
}

TEST_F(trace_driver, hands_on_what_came_before_it_could) {
  parent_waits_for_term = true;
  const outcome result = trace({"--", path("fake"), "is_asked_to_end"});
  parent_waits_for_term = false;
  EXPECT_EQ(result.code, 128 + 15);
  EXPECT_NE(result.err.find("fake: was ended by signal 15"), std::string::npos) << result.err;
}

TEST_F(trace_driver, reads_earlier_traces) {
  const outcome result = trace({"--from", path("seven"), "--from", path("eight")});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(json::parse(text_of(folder_ / "x.json"))["otherData"]["processes"].size(), 2U);
  // What it has written, too.
  const outcome again = trace({"--from", path("x.json"), "--json", path("y.json"), "--html", path("y.html")}, false);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(text_of(folder_ / "y.json"), text_of(folder_ / "x.json"));
}

TEST_F(trace_driver, what_cannot_be_gets_one_line_and_exit_code_2) {
  std::ofstream(folder_ / "text") << "no program";
  const std::string fake = path("fake");
  const std::vector<std::pair<std::vector<std::string>, std::string>> all = {
      {{}, "no program given"},
      {{"--"}, "no program given"},
      {{"--", ""}, "no program given"},
      {{"--nonsense", "--", fake}, "unknown option '--nonsense'"},
      {{"--events", "5", "--", fake}, "5"},
      {{"--events", "x", "--", fake}, "x"},
      {{"--json"}, "--json"},
      {{"--json", "", fake}, "--json: no file named"},
      {{"--json", "no/such/folder/x", fake}, "no such directory"},
      {{"--html", path("tmp"), fake}, "is a directory"},
      {{"--html", "/dev/null", fake}, "is not a regular file"},
      {{"--json", path("x"), "--html", path("x"), fake}, "name the same file"},
      {{"--from", path("nothing"), "--json", path("x"), "--html", path("y")}, "cannot be read"},
      {{"--from", path("fake"), "--json", path("x"), "--html", path("y")}, "is not JSON"},
      {{"--from", path("seven"), "--", fake}, "no program is run"},
  };
  for (const auto& [arguments, wanted] : all) {
    const outcome result = trace(arguments, false);
    const std::string shown = testing::PrintToString(arguments) + "\n" + result.err;
    EXPECT_EQ(result.code, 2) << shown;
    EXPECT_EQ(result.out, "") << shown;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << shown;
    EXPECT_EQ(result.err.rfind("takt trace: ", 0), 0U) << shown;
    EXPECT_NE(result.err.find(wanted), std::string::npos) << shown;
  }
  EXPECT_FALSE(fs::exists(folder_ / "log")) << "a program was started in spite of bad arguments";

  const std::vector<std::pair<std::vector<std::string>, std::string>> programs = {
      {{path("nothing")}, "cannot be started: No such file or directory"},
      {{path("text")}, "cannot be started: Permission denied"},
      {{fake, "no_takt"}, "ended with exit code 0 without a trace: it made no parallel call"},
      {{fake, "fails"}, "ended with exit code 3 without a trace"},
      {{fake, "crashes"}, "was ended by signal 11 (Segmentation fault), and a trace is written when a program exits"},
      {{fake, "malformed"}, "is not JSON"},
  };
  for (const auto& [words, wanted] : programs) {
    std::vector<std::string> arguments = {"--"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const outcome result = trace(arguments);
    EXPECT_EQ(result.code, 2) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_NE(result.err.find(wanted), std::string::npos) << result.err;
  }
  for (const char* never : {"x", "y", "x.json", "x.html"}) {
    EXPECT_FALSE(fs::exists(path(never))) << never;
  }
}

TEST_F(trace_driver, help) {
  const outcome result = trace({"--help"}, false);
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.out.find("--events"), std::string::npos);
}

}  // namespace
}  // namespace takt::tools
