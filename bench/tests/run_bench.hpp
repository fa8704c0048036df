// Runs the driver as `takt bench` would, in the test's own process.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <unistd.h>

#include "tools/bench.hpp"

namespace takt::tools {

struct outcome {
  int code;
  std::string out;
  std::string err;
};

inline outcome bench(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "bench");
  arguments.insert(arguments.end(), {"--runners", TAKT_RUNNERS});
  std::vector<char*> argv;
  for (std::string& argument : arguments) {
    argv.push_back(argument.data());
  }
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int code = bench_command(static_cast<int>(argv.size()), argv.data());
  std::fflush(stdout);
  return {code, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

inline std::string path_of(const std::string& name) {
  return testing::TempDir() + std::to_string(::getpid()) + "_takt_bench_" + name;
}

}  // namespace takt::tools
