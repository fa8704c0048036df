// What both programs share: reading a file, and what is counted of a line.
#pragma once

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

struct counts {
  std::size_t words = 0, longest = 0;
};

inline counts add(counts a, counts b) { return {a.words + b.words, std::max(a.longest, b.longest)}; }

inline counts count_line(const std::string& line) {
  std::istringstream words(line);
  counts c{0, line.size()};
  for (std::string word; words >> word;) ++c.words;
  return c;
}

inline std::vector<std::string> read_lines(const char* path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}
