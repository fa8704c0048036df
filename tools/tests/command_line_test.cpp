// What commands say of values that are missing, or too many: one line, without the parser's own words.
#include "tools/command_line.hpp"

#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace takt::tools {
namespace {

struct outcome {
  int code;
  std::string err;
};

constexpr int k_ran = 77;

outcome parse(std::vector<std::string> words) {
  CLI::App app("What it does", "takt example");
  std::string memory;
  std::string file;
  std::vector<int> numbers;
  bool loud = false;
  app.prefix_command();
  app.add_option("--memory", memory, "what tasks may hold, for example 2G or 50%")->type_name("SIZE");
  app.add_option("--json", file, "file to write");
  app.add_option("--runs", numbers, "how often")->check(CLI::Range(1, 9))->allow_extra_args(false);
  app.add_flag("--loud", loud, "more words");
  words.insert(words.begin(), "example");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  testing::internal::CaptureStderr();
  const int code = run_with_arguments(app, static_cast<int>(argv.size()), argv.data(), true, [] { return k_ran; });
  return {code, testing::internal::GetCapturedStderr()};
}

void expect_refused(const std::vector<std::string>& words, const std::string& line) {
  const outcome result = parse(words);
  EXPECT_EQ(result.code, k_bad_arguments) << testing::PrintToString(words);
  EXPECT_EQ(result.err, "takt example: " + line + "\n");
}

constexpr const char* k_needs_size = "--memory needs a size: what tasks may hold, for example 2G or 50%";

TEST(command_line, says_what_an_option_needs) {
  expect_refused({"--memory"}, k_needs_size);
  expect_refused({"--memory="}, k_needs_size);
  expect_refused({"--memory", "--", "program"}, k_needs_size);
  expect_refused({"--loud", "--json"}, "--json needs a value: file to write");
  expect_refused({"--runs"}, "--runs needs a number: how often");
}

// The parser takes the next option for the value.
TEST(command_line, an_option_is_no_value) {
  expect_refused({"--memory", "--loud", "program"}, k_needs_size);
  expect_refused({"--memory", "--help"}, k_needs_size);
  expect_refused({"--memory", "--json", "name", "--", "program"}, k_needs_size);
  expect_refused({"--runs", "--json", "name"}, "--runs needs a number: how often");
}

TEST(command_line, a_value_may_begin_with_a_dash) {
  EXPECT_EQ(parse({"--json", "-", "program"}).code, k_ran);
  EXPECT_EQ(parse({"--memory", "2G", "program", "--memory"}).code, k_ran);
  EXPECT_EQ(parse({"--runs", "1", "--runs", "2", "--", "program", "--runs"}).code, k_ran);
}

TEST(command_line, says_that_an_option_is_there_twice) {
  expect_refused({"--memory", "1G", "--memory", "2G"}, "--memory is given more than once");
}

}  // namespace
}  // namespace takt::tools
