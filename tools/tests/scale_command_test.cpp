// takt scale with a program that only pretends to be simulated: a script that writes the report
// that TAKT_SIM asks for.
#include "tools/scale.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "tools/scale_run.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Work of 1 s (1.04 s with promotions) and a span of 20 ms, after the formula of Brent's bound.
// The first argument says what goes wrong.
constexpr const char* k_script = R"(#!/bin/sh
workers=${TAKT_SIM#workers=}
workers=${workers%%,*}
out=${TAKT_SIM#*,out=}
echo "$workers ${TAKT_TRIGGER-none} ${TAKT_BEAT_US-none} ${TAKT_WORKERS-none}" \
  "${TAKT_STATS-none} ${TAKT_SIM%,out=*}" >> "${0%/*}/log"
echo "some output"
echo "some errors" >&2
work=1040000
if [ "${TAKT_TRIGGER-none}" = never ]; then work=1000000; fi
time=$((work / workers + 20000))
simulated=$workers
used=$workers
case ${1-} in
  fails) echo "it went wrong" >&2; exit 3 ;;
  fails_later) if [ "$workers" -gt 1 ]; then exit 4; fi ;;
  crashes) kill -9 $$ ;;
  silent) exit 0 ;;
  malformed) echo "{" > "$out"; exit 0 ;;
  empty) : > "$out"; exit 0 ;;
  no_calls) time=0 ;;
  negative) time=-1 ;;
  simulates_others) simulated=3 ;;
  uses_others) used=3 ;;
esac
cat > "$out" <<EOF
{"takt_sim":1,"workers":$simulated,"seconds_before":0.01,"seconds":$((time + 5000))e-6,
"seconds_in_calls":${time}e-6,"calls":3,"wall_seconds":1,"costs_ns":{"wake":1},
"stats":{"workers":$used,"beat_us":100,"trigger":"${TAKT_TRIGGER-lazy}",
"total":{"promotions_forks":$((workers * 10)),"promotions_loops":2,"promotions_groups":1,
"steals_done":$((workers * 5)),"working_s":${work}e-6},"per_worker":[{"worker":0}]}}
EOF
)";

constexpr const char* k_machine = R"({"name": "test machine", "sockets": 1, "cores_per_socket": 6,
"cache": [], "costs_ns": {"wake": 11, "waker": 12, "start": 13, "signal": 14, "steal": 15,
"promotion": 16, "spin": 17}})";

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

class scale_driver : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "takt_scale_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    // Scratch folders are made here, so that one that is left behind is seen.
    fs::create_directory(folder_ / "tmp");
    setenv("TMPDIR", (folder_ / "tmp").c_str(), 1);
    for (const char* variable : {"TAKT_TRIGGER", "TAKT_BEAT_US", "TAKT_SIM"}) {
      unsetenv(variable);
    }
    // Neither may reach the program: one contradicts the simulation, one makes it write.
    setenv("TAKT_WORKERS", "7", 1);
    setenv("TAKT_STATS", "1", 1);
    std::ofstream(folder_ / "fake") << k_script;
    fs::permissions(folder_ / "fake", fs::perms::owner_all);
    std::ofstream(folder_ / "machine.json") << k_machine;
  }
  void TearDown() override {
    EXPECT_TRUE(fs::is_empty(folder_ / "tmp"));
    fs::remove_all(folder_);
    unsetenv("TMPDIR");
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  static outcome scale(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "scale");
    std::vector<char*> argv;
    for (std::string& argument : arguments) {
      argv.push_back(argument.data());
    }
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = scale_command(static_cast<int>(argv.size()), argv.data());
    std::fflush(stdout);
    return {code, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
  }

  fs::path folder_;
};

TEST_F(scale_driver, predicts_from_runs_that_take_turns) {
  const outcome result =
      scale({"--machine", path("machine.json"), "--runs", "2", "--json", path("x.json"), "--html",
             path("x.html"), "--", path("fake"), "a", "--", "b"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out.find("some"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("test machine: wake 11.00 ns, waker 12.00 ns"), std::string::npos);
  EXPECT_NE(result.out.find("1024 workers, no costs and a beat of 10 us"), std::string::npos);

  const std::string costs = "wake_ns=11,waker_ns=12,start_ns=13,signal_ns=14,steal_ns=15,"
                            "promotion_ns=16,spin_ns=17\n";
  const std::string nothing = "wake_ns=0,waker_ns=0,start_ns=0,signal_ns=0,steal_ns=0,"
                              "promotion_ns=0,spin_ns=0,sites=40\n";
  std::string round = "1 never none none none workers=1," + costs;
  for (const char* p : {"1", "2", "4", "6"}) {
    round += std::string(p) + " none none none none workers=" + p + "," + costs;
  }
  round += "1024 none 10 none none workers=1024," + nothing;
  EXPECT_EQ(text_of(folder_ / "log"), round + round);

  const json written = json::parse(text_of(folder_ / "x.json"));
  EXPECT_EQ(written["program"], (json{path("fake"), "a", "--", "b"}));
  EXPECT_EQ(written["machine"]["costs_ns"]["steal"], 15);
  EXPECT_EQ(written["runs"], 2);
  EXPECT_DOUBLE_EQ(written["work_s"]["median"], 1.02);
  EXPECT_DOUBLE_EQ(written["one_worker_s"]["median"], 1.06);
  EXPECT_DOUBLE_EQ(written["span_s"]["median"], 0.021015);
  EXPECT_DOUBLE_EQ(written["parallelism"], 1.02 / 0.021015);
  ASSERT_EQ(written["rows"].size(), 4U);
  const json& two = written["rows"][1];
  EXPECT_EQ(two["workers"], 2);
  EXPECT_DOUBLE_EQ(two["speedup"], 1.02 / 0.54);
  EXPECT_DOUBLE_EQ(two["upper_bound"], 2);
  EXPECT_DOUBLE_EQ(two["brent_bound"], 1.02 / (0.51 + 0.021015));
  EXPECT_NEAR(two["whole_speedup"].get<double>(), 1.035 / 0.555, 1e-9);
  EXPECT_EQ(two["promotions"], 23);
  EXPECT_EQ(two["steals"], 10);
  EXPECT_NEAR(two["idle"].get<double>(), 1 - 1.04 / 1.08, 1e-9);
  EXPECT_EQ(written["reports"]["predicted"][3].size(), 2U);
  EXPECT_EQ(written["reports"]["predicted"][3][0]["workers"], 6);
  EXPECT_FALSE(written["reports"]["span"][0]["stats"].contains("per_worker"));
  EXPECT_NE(text_of(folder_ / "x.html").find("<circle class=\"median\""), std::string::npos);
}

TEST_F(scale_driver, one_worker_is_run_even_if_it_is_not_shown) {
  // Without "--" the first word that is no option is the program.
  const outcome result = scale({"--machine", path("machine.json"), "--runs", "1", "--workers",
                                "8,2000,8", path("fake"), "--runs", "x"});
  ASSERT_EQ(result.code, 0) << result.err;
  const std::string log = text_of(folder_ / "log");
  EXPECT_NE(log.find("\n1 none none"), std::string::npos) << log;
  // As many as the largest, or the span could be found to be longer than a prediction.
  EXPECT_NE(log.find("\n2000 none 10"), std::string::npos) << log;
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 5);
}

TEST_F(scale_driver, output_is_shown_if_asked_for) {
  const outcome result = scale({"--machine", path("machine.json"), "--runs", "1", "--workers", "1",
                                "--show-output", "--", path("fake")});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out.substr(0, 39), "some output\nsome output\nsome output\npro");
  EXPECT_EQ(result.err, "some errors\nsome errors\nsome errors\n");
}

TEST_F(scale_driver, what_cannot_be_gets_one_line_and_exit_code_2) {
  std::ofstream(folder_ / "text") << "no program";
  std::ofstream(folder_ / "bad.json") << "{";
  const std::string fake = path("fake");
  const std::string machine = path("machine.json");
  const std::string never = path("never");
  const std::vector<std::vector<std::string>> all = {
      {},
      {"--"},
      {"--", ""},
      {"--nonsense", "--", fake},
      {"--workers", "--", fake},
      {"--workers", "", fake},
      {"--workers", "0", fake},
      {"--workers", "4097", fake},
      {"--workers", "1,", fake},
      {"--workers", "1,,2", fake},
      {"--workers", "-1", fake},
      {"--workers", "1 2", fake},
      {"--workers", "99999999999999999999", fake},
      {"--runs", "0", fake},
      {"--runs", "x", fake},
      {"--machine", "", fake},
      {"--machine", "no/such.json", fake},
      {"--machine", path("bad.json"), "--json", never, fake},
      {"--json", "", fake},
      {"--json", "no/such/folder/x", fake},
      {"--html", "/dev/null", fake},
      {"--html", path("tmp"), fake},
      {"--html", never, "--json", never, fake},
  };
  for (const auto& arguments : all) {
    const outcome result = scale(arguments);
    const std::string shown = testing::PrintToString(arguments) + "\n" + result.err;
    EXPECT_EQ(result.code, 2) << shown;
    EXPECT_EQ(result.out, "") << shown;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << shown;
    EXPECT_EQ(result.err.rfind("takt scale: ", 0), 0U) << shown;
  }
  EXPECT_FALSE(fs::exists(folder_ / "log")) << "a program was started in spite of bad arguments";

  const std::vector<std::pair<std::vector<std::string>, std::string>> programs = {
      {{path("nothing")}, "with 1 worker: cannot be started: No such file or directory"},
      {{path("text")}, "cannot be started: Permission denied"},
      {{path("tmp")}, "cannot be started: Permission denied"},
      {{fake, "fails"}, "ended with exit code 3: it went wrong\n"},
      {{fake, "fails_later"}, "with 2 workers: ended with exit code 4: some errors\n"},
      {{fake, "crashes"}, "crashed (signal 9, Killed)"},
      {{fake, "silent"}, "made no parallel call"},
      {{fake, "malformed"}, "wrote a report that is not JSON"},
      {{fake, "empty"}, "wrote a report that is not JSON"},
      {{fake, "no_calls"}, "spent no time in parallel calls"},
      {{fake, "negative"}, "whose \"seconds_in_calls\" is no number"},
      {{fake, "simulates_others"}, "simulated 3 workers where 1 were asked for"},
      {{fake, "uses_others"}, "used 3 workers where 1 were asked for"},
  };
  for (const auto& [words, wanted] : programs) {
    std::vector<std::string> arguments = {"--machine", machine, "--json", never, "--html",
                                          path("never.html"), "--"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const outcome result = scale(arguments);
    EXPECT_EQ(result.code, 2) << result.err;
    EXPECT_EQ(result.out, "") << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(result.err.rfind("takt scale: " + words.front() + " with ", 0), 0U) << result.err;
    EXPECT_NE(result.err.find(wanted), std::string::npos) << result.err;
  }
  EXPECT_FALSE(fs::exists(never));
  EXPECT_FALSE(fs::exists(path("never.html")));
}

TEST_F(scale_driver, help) {
  const outcome result = scale({"--help"});
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.out.find("--machine"), std::string::npos);
}

}  // namespace
}  // namespace takt::tools
