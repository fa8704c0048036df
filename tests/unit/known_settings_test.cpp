// Environment variables that nothing reads are named, with what was probably meant.
#include "settings/known_settings.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

using takt::settings::known_setting;
using takt::settings::known_settings;
using takt::settings::unknown_settings;

std::string nearest(const char* variable) {
  const char* const environment[] = {"HOME=/", variable, "TAKT_STATS=1", "PATH=TAKT_X", nullptr};
  const auto unknown = unknown_settings(environment);
  if (unknown.empty()) return "known";
  EXPECT_EQ(unknown.size(), 1u) << variable;
  EXPECT_EQ(variable, unknown.front().name + std::string(variable).substr(unknown.front().name.size()));
  return std::string(unknown.front().nearest);
}

TEST(known_settings, what_is_misspelt_is_found) {
  EXPECT_EQ(nearest("TAKT_WORKRES=3"), "TAKT_WORKERS");
  EXPECT_EQ(nearest("TAKT_WORKER=3"), "TAKT_WORKERS");
  EXPECT_EQ(nearest("TAKT_THREADS=3"), "");
  EXPECT_EQ(nearest("TAKT_BEAT=3"), "TAKT_BEAT_US");
  EXPECT_EQ(nearest("TAKT_BEATUS"), "TAKT_BEAT_US");
  EXPECT_EQ(nearest("TAKT_STAT=1"), "TAKT_STATS");
  EXPECT_EQ(nearest("TAKT_tRACE=x"), "TAKT_TRACE");
  EXPECT_EQ(nearest("TAKT_=1"), "");
  EXPECT_EQ(nearest("TAKT_BROWSR=1"), "");  // a tests' variable is nobody's suggestion
}

TEST(known_settings, what_is_known_is_not_named) {
  for (const known_setting& k : known_settings()) {
    EXPECT_EQ(nearest((std::string(k.name) + "=1").c_str()), "known") << k.name;
  }
  EXPECT_EQ(nearest("takt_workres=1"), "known");  // not ours
  EXPECT_TRUE(unknown_settings(nullptr).empty());
}

// Whoever teaches the library to read another variable is told here that the list must have it.
TEST(known_settings, all_that_the_sources_read_are_known) {
  std::set<std::string> known;
  for (const known_setting& k : known_settings()) known.insert(std::string(k.name));
  const std::regex name("\"(TAKT_[A-Z_]+)\"");
  std::set<std::string> found;
  for (const auto& file : std::filesystem::recursive_directory_iterator(TAKT_SOURCES)) {
    if (file.path().extension() != ".cpp") continue;
    std::ifstream stream(file.path());
    const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    for (std::sregex_iterator it(text.begin(), text.end(), name), end; it != end; ++it) found.insert((*it)[1]);
  }
  EXPECT_GE(found.size(), 10u) << TAKT_SOURCES;
  for (const std::string& variable : found) EXPECT_TRUE(known.contains(variable)) << variable;
}

// Each is one row of the one table that users read: a name, a default, what it may be, and an example.
TEST(known_settings, those_of_the_library_are_few_and_in_the_table) {
  std::set<std::string> of_library;
  for (const known_setting& k : known_settings()) {
    const bool is_of_product = k.name != "TAKT_BEAT_SOURCE" && k.name != "TAKT_CHUNKING" && k.name != "TAKT_HYBRID" &&
                               k.name != "TAKT_MEMORY_K";
    if (k.by == known_setting::reader::library && is_of_product) of_library.insert(std::string(k.name));
  }
  EXPECT_LE(of_library.size(), 12u);
  std::set<std::string> in_table;
  std::ifstream page(TAKT_SETTINGS_PAGE);
  ASSERT_TRUE(page) << TAKT_SETTINGS_PAGE;
  const std::regex row(R"(\| `(TAKT_[A-Z_]+)` \| (.*) \| (.*) \| `.+` \|.*)");
  std::smatch cells;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| `TAKT_")) continue;
    ASSERT_TRUE(std::regex_match(line, cells, row)) << line;
    EXPECT_NE(cells[2], "") << line;
    EXPECT_NE(cells[3], "") << line;
    EXPECT_TRUE(in_table.insert(cells[1]).second) << line;
  }
  EXPECT_EQ(in_table, of_library);
}

}  // namespace
