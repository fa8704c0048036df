// Schedules of small programs: none may give another answer than the serial program, hang, crash or leak.
//
//   explore_test [--schedules N]                      a fixed set of seeds of each program, 15,000 or N
//   explore_test --program NAME --first N --count M   these seeds of one program
//   explore_test --programs                           their names
//
// A schedule that fails is shortened and printed.
#include "explore/harness.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

using namespace takt_explore;

// Shows the schedule of a failure as a person would want to read it.
void explain(const program& p, const outcome& failed) {
  std::printf("%zu decisions\n", failed.decisions.size());
  const outcome shorter = shorten(p, failed);
  std::printf("%zu after shortening\n", shorter.decisions.size());
  show(p, shorter);
}

bool explore_and_report(const program& p, std::uint64_t first, std::uint64_t count) {
  const outcome o = explore(p, first, count);
  std::printf("%s: %llu schedules, %.1f million points, %.0f schedules a second\n", p.name,
              static_cast<unsigned long long>(o.schedules), static_cast<double>(o.points) * 1e-6,
              static_cast<double>(o.schedules) / o.seconds);
  if (o.how == result::held) {
    if (p.sees == nullptr) return true;
    std::printf("%s: %llu times\n", p.sees, static_cast<unsigned long long>(o.witnessed));
    // A few schedules need not come to it.
    return o.witnessed != 0 || count < 1000;
  }
  std::printf("seed %llu fails: %s: %s\nagain: explore_test --program %s --first %llu --count 1\n",
              static_cast<unsigned long long>(o.seed), name_of(o.how), o.message.c_str(), p.name,
              static_cast<unsigned long long>(o.seed));
  explain(p, o);
  return false;
}

std::uint64_t schedules = 15'000;

class explored : public testing::TestWithParam<program> {};

TEST_P(explored, all_schedules_give_the_serial_answer) { EXPECT_TRUE(explore_and_report(GetParam(), 1, schedules)); }

std::string name_of_case(const testing::TestParamInfo<program>& p) { return p.param.name; }
INSTANTIATE_TEST_SUITE_P(programs, explored, testing::ValuesIn(programs()), name_of_case);

[[noreturn]] void refuse(const std::string& what) {
  std::fprintf(stderr, "explore_test: %s\n", what.c_str());
  std::exit(2);
}

std::uint64_t number_or_refuse(const char* name, const char* text) {
  std::uint64_t n = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, n);
  if (error != std::errc{} || stop != end) refuse(std::string(name) + " wants a number, not '" + text + "'");
  return n;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const program* chosen = nullptr;
  std::uint64_t first = 1, count = 1000;
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--programs") {
      for (const program& p : programs()) std::puts(p.name);
      return 0;
    }
    if (i + 1 == argc) refuse(option + " wants a value");
    if (option == "--program") {
      chosen = find_program(argv[i + 1]);
      if (chosen == nullptr) refuse(std::string("no program '") + argv[i + 1] + "'");
    } else if (option == "--schedules") {
      schedules = number_or_refuse("--schedules", argv[i + 1]);
    } else if (option == "--first") {
      first = number_or_refuse("--first", argv[i + 1]);
    } else if (option == "--count") {
      count = number_or_refuse("--count", argv[i + 1]);
    } else {
      refuse("unknown option '" + option + "'");
    }
  }
  if (chosen == nullptr) return RUN_ALL_TESTS();
  return explore_and_report(*chosen, first, count) ? 0 : 1;
}
