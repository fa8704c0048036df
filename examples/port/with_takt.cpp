// The program that docs/coming-from.md ports: on takt.
#include "lines.hpp"

#include <cstdio>
#include <takt/takt.hpp>

static counts count_file(const std::vector<std::string>& lines) {
  return takt::parallel_reduce(lines, counts{}, count_line, add);
}

int main(int argc, char** argv) {
  const counts all =
      takt::parallel_reduce(1, argc, counts{}, [&](int i) { return count_file(read_lines(argv[i])); }, add);
  std::printf("%zu words, longest line %zu\n", all.words, all.longest);
}
