// One worker's time over the serial program's, in one process and by turns: turns PROBLEM SIZE RUNS. Size 0 is the
// problem's. A wrong answer ends it with code 1, a wrong argument with 2.
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "harness/freed_memory.hpp"
#include "harness/problem.hpp"

namespace {

double median(std::vector<double> of) {
  const auto middle = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
  std::nth_element(of.begin(), middle, of.end());
  return *middle;
}

int measure(const std::string& problem, std::int64_t size, int runs) {
  using namespace takt::bench;
  const auto entry = the_catalogue().find(problem);
  if (entry == the_catalogue().end() || runs < 1) {
    throw input_error("no such problem, or no runs: " + problem);
  }
  request wanted;
  wanted.problem = problem;
  wanted.size = size;
  const auto one = entry->second.systems.at("serial")(wanted);
  constexpr std::array<std::string_view, 2> k_systems{"serial", "takt"};
  std::array<std::vector<double>, 2> times;
  // The first turn warms up.
  for (int turn = 0; turn <= runs; ++turn) {
    for (std::size_t i = 0; i < 2; ++i) {
      const std::size_t s = (i + static_cast<std::size_t>(turn)) % 2;
      one->become(k_systems[s]);
      const double seconds = one->run();
      if (turn == 0 && !one->check()) {
        std::fprintf(stderr, "turns: wrong answer: %s, %s\n", problem.c_str(), std::string(k_systems[s]).c_str());
        return 1;
      }
      if (turn > 0) {
        times[s].push_back(seconds);
      }
    }
  }
  std::printf("%.4f\n", median(times[1]) / median(times[0]));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 4) {
      throw takt::bench::input_error("usage: turns PROBLEM SIZE RUNS");
    }
    takt::bench::keep_freed_memory();
    return measure(argv[1], std::stoll(argv[2]), std::stoi(argv[3]));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "turns: %s\n", e.what());
    return 2;
  }
}
