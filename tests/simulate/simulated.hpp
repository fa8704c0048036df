// Programs on the simulated machine, each in a process of its own.
#pragma once

#include "support/program.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <stdlib.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace takt_test {

using nlohmann::json;

class simulated : public testing::Test {
 protected:
  ~simulated() override { std::filesystem::remove_all(folder_); }

  /// Runs `program` in a process of its own. @returns its report.
  template <class Program>
  json run(const std::string& request, Program program) {
    const std::string path = folder_ + "/report, with a comma.json";
    const auto in_child = [&] {
      ASSERT_EQ(setenv("TAKT_SIM", (request + ",out=" + path).c_str(), 1), 0);
      std::exit(program() ? 0 : 1);
    };
    EXPECT_EXIT(in_child(), testing::ExitedWithCode(0), "^$");
    std::ifstream file(path);
    EXPECT_TRUE(file) << "no report";
    return file ? json::parse(file) : json{};
  }
  template <class Program>
  void expect_refused(const std::string& request, const std::string& message, Program program) {
    const auto in_child = [&] {
      ASSERT_EQ(setenv("TAKT_SIM", request.c_str(), 1), 0);
      program();
      std::exit(0);
    };
    EXPECT_EXIT(in_child(), testing::ExitedWithCode(2), "^takt: [^\n]*" + message + "[^\n]*\n$");
  }
  static void compute() { (void)fib(20); }

  std::string folder_ = [] {
    std::string name = (std::filesystem::temp_directory_path() / "takt_simulate_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for temporary files");
    return name;
  }();
};

}  // namespace takt_test
