// What takt trace makes of the files that the library writes.
#include "tools/trace_file.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include "tools/tests/trace_texts.hpp"
#include "tools/trace_page.hpp"
#include "tools/usage_error.hpp"

namespace takt::tools {
namespace {

using nlohmann::ordered_json;

class trace_files : public testing::Test {
 protected:
  std::string file(const std::string& text) {
    const std::string path =
        testing::TempDir() + std::to_string(::getpid()) + "_takt_trace_" + std::to_string(paths_.size()) + ".json";
    std::ofstream(path, std::ios::binary) << text;
    paths_.push_back(path);
    return path;
  }
  void TearDown() override {
    for (const std::string& path : paths_) {
      std::remove(path.c_str());
    }
  }
  std::vector<std::string> paths_;
};

TEST_F(trace_files, are_summed_up) {
  const ordered_json trace = read_traces({file(trace_text(7, 0))});
  const trace_timeline timeline = to_timeline(trace, "./program 1");
  ASSERT_EQ(timeline.lanes.size(), 2U);
  EXPECT_EQ(timeline.lanes[0].name, "worker 0");
  EXPECT_EQ(timeline.places, (std::vector<std::string>{"/no/such/program+0x10", "/no/such/program+0x20"}));
  EXPECT_DOUBLE_EQ(timeline.us, 1000);
  const trace_totals first = totals_of(timeline.lanes[0]);
  EXPECT_DOUBLE_EQ(first.running, 900);
  EXPECT_DOUBLE_EQ(first.idle, 100);
  const trace_totals second = totals_of(timeline.lanes[1]);
  EXPECT_DOUBLE_EQ(second.running, 300);
  EXPECT_DOUBLE_EQ(second.asleep, 500);
  EXPECT_EQ(timeline.lanes[1].steals, std::vector<double>{200});
  EXPECT_EQ(timeline.lanes[0].promotions, std::vector<double>{150});
  EXPECT_EQ(timeline.dropped, 3U);
  EXPECT_EQ(by_time(timeline), (std::vector<int>{0, 1}));
  EXPECT_EQ(verdict(timeline),
            "In 1.00 ms from the first parallel call to the end, 2 workers ran tasks for 60% of the time, looked for "
            "work for 5%, slept for 25% and took no part for 10%; most of the running (75%) was "
            "/no/such/program+0x10.");
}

TEST_F(trace_files, of_several_processes_share_the_time) {
  const ordered_json trace = read_traces({file(trace_text(8, 5000)), file(trace_text(7, 4000))});
  const trace_timeline timeline = to_timeline(trace, "sh");
  EXPECT_EQ(timeline.processes, 2U);
  ASSERT_EQ(timeline.lanes.size(), 4U);
  // The one that began first comes first, and the other one a millisecond after it.
  EXPECT_EQ(timeline.lanes[0].name, "program 7: worker 0");
  EXPECT_EQ(timeline.lanes[2].name, "program 8: worker 0");
  EXPECT_DOUBLE_EQ(timeline.lanes[2].promotions[0], 1150);
  EXPECT_DOUBLE_EQ(timeline.us, 2000);
  // What was written is read again.
  EXPECT_EQ(to_timeline(read_traces({file(trace.dump())}), "sh").lanes.size(), 4U);
}

TEST_F(trace_files, that_are_none_are_named) {
  std::vector<std::string> texts = {"", "{", "[]", "7", "{}", "\xFF", R"({"traceEvents":[]})",
                                    R"({"traceEvents":[],"otherData":{"takt_trace":2,"sites":[]}})",
                                    R"({"traceEvents":[],"otherData":{"takt_trace":"1"}})",
                                    R"({"traceEvents":[],"otherData":{"takt_trace":1}})"};
  // A site that is not there.
  std::string wrong = trace_text(7, 0);
  wrong.replace(wrong.find("\"site\":1"), 8, "\"site\":9");
  texts.push_back(wrong);
  for (const std::string& text : texts) {
    const std::string path = file(text);
    try {
      read_traces({path});
      ADD_FAILURE() << text;
    } catch (const usage_error& error) {
      EXPECT_EQ(std::string(error.what()).find(path + ": "), 0U) << error.what();
    }
  }
  EXPECT_THROW(read_traces({testing::TempDir()}), usage_error);
  EXPECT_THROW(read_traces({"/no/such/file"}), usage_error);
}

// Nobody writes to it, and it has no end.
TEST_F(trace_files, that_are_none_are_not_waited_for) {
  const std::string fifo = file("");
  ASSERT_TRUE(std::filesystem::remove(fifo));
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  for (const std::string& path : {fifo, std::string("/dev/zero")}) {
    try {
      read_traces({path});
      ADD_FAILURE() << path;
    } catch (const usage_error& error) {
      EXPECT_EQ(error.what(), path + ": cannot be read: is not a regular file");
    }
  }
  // Where a trace names it as a program, it is one of which nothing is known.
  std::string trace = trace_text(7, 0);
  for (std::size_t at = 0; (at = trace.find("/no/such/program")) != std::string::npos;) trace.replace(at, 16, fifo);
  const std::string other = file(trace);
  EXPECT_EQ(to_timeline(read_traces({other}), "").places, (std::vector<std::string>{fifo + "+0x10", fifo + "+0x20"}));
}

TEST_F(trace_files, of_nothing_make_a_page) {
  const ordered_json trace = read_traces({file(
      R"({"traceEvents":[],"otherData":{"takt_trace":1,"pid":1,"sites":[],"workers":[],"runtimes":[]}})")});
  const trace_timeline timeline = to_timeline(trace, "");
  EXPECT_EQ(verdict(timeline), "Nothing took any time.");
  EXPECT_NE(to_html(timeline, about_now()).find("Nothing took any time."), std::string::npos);
}

}  // namespace
}  // namespace takt::tools
