// The example of docs/algorithms/pipeline.md.
#include <takt/pipeline.hpp>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>

int main() {
  std::istringstream in("one stage reads\nmany transform\none writes, in order\n");
  takt::pipeline(
      [&]() -> std::optional<std::string> {
        std::string line;
        if (!std::getline(in, line)) return std::nullopt;
        return line;
      },
      [](std::string line) {
        std::ranges::transform(line, line.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
        return line;
      },
      [](const std::string& line) { std::puts(line.c_str()); });
}
