// Forks and loops in the middle of takt's algorithms have the names of the lines that call them.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tools/scale_sites.hpp"
#include "tools/trace_file.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;

// "places_program.cpp:27 takt::sort in main", as the comments in the source say.
std::set<std::string> expected_places() {
  std::set<std::string> places;
  std::ifstream source(TAKT_PLACES_SOURCE);
  int number = 0;
  for (std::string line; std::getline(source, line);) {
    ++number;
    const std::string mark = "// PLACE ";
    if (const std::size_t at = line.find(mark); at != std::string::npos && line.front() == ' ') {
      places.insert("places_program.cpp:" + std::to_string(number) + " " + line.substr(at + mark.size()) + " in main");
    }
  }
  return places;
}

std::set<std::string> places_of_program(const std::string& program) {
  std::string folder = testing::TempDir() + "takt_places_XXXXXX";
  EXPECT_NE(mkdtemp(folder.data()), nullptr);
  const std::string trace = folder + "/trace.json";
  // Everything that can be a task is one.
  const std::string command =
      "TAKT_TRIGGER=eager TAKT_WORKERS=2 TAKT_TRACE=" + trace + ",events=1000000 '" + program + "'";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::set<std::string> places;
  for (const std::string& place : to_timeline(read_traces({trace}), "").places) {
    places.insert(place);
  }
  fs::remove_all(folder);
  return places;
}

TEST(places, are_those_of_the_callers) {
  const std::set<std::string> expected = expected_places();
  ASSERT_EQ(expected.size(), 5U);
  // Two of them sort stably, by one and the same code: it is of both.
  std::vector<std::string> sorts;
  std::set<std::string> all;
  for (const std::string& place : expected) {
    if (place.find("sort") == std::string::npos) {
      all.insert(place);
    } else {
      sorts.push_back(place);
    }
  }
  ASSERT_EQ(sorts.size(), 2U);
  const std::string end = " in main";
  all.insert(sorts[0].substr(0, sorts[0].size() - end.size()) + ", " + sorts[1]);
  EXPECT_EQ(places_of_program(TAKT_PLACES_PROGRAM), all);
}

// Without debug information there are no lines, but the program's function is known.
TEST(places, without_lines_are_functions) {
  for (const std::string& place : places_of_program(TAKT_PLACES_PROGRAM_PLAIN)) {
    EXPECT_TRUE(place.ends_with("main")) << place;
    EXPECT_EQ(place.find("places_program.cpp"), std::string::npos) << place;
  }
}

TEST(places, names_without_what_surrounds_them) {
  const std::map<std::string, std::string> names = {
      {"main", "main"},
      {"fib(int)", "fib"},
      {"void takt::sort<int*, std::less<int> >(int*, int*)", "takt::sort"},
      {"std::pair<long, long> takt::fork_join<main::{lambda()#1}>(main::{lambda()#1})", "takt::fork_join"},
      {"main::{lambda(P const&)#1}::operator()(P const&) const", "main::{lambda#1}"},
      {"a::b<int>::operator<<(a::b<int>&)", "a::b::operator<<"},
      {"bool (anonymous namespace)::f<1>(int)", "{anonymous}::f"},
      {"auto s::work<int>::operator()(unsigned long) const::'lambda'(unsigned long)::operator()(unsigned long) const",
       "s::work::operator()::'lambda'"},
      {"void f(int) [clone .cold]", "f"},
      {"main.omp_outlined_debug__", "main"},
      {"", ""}};
  for (const auto& [function, name] : names) {
    EXPECT_EQ(bare_name(function), name) << function;
  }
}

}  // namespace
}  // namespace takt::tools
