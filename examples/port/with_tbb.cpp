// The program that docs/coming-from.md ports: on oneTBB.
#include "lines.hpp"

#include <cstdio>
#include <oneapi/tbb.h>

static counts count_file(const std::vector<std::string>& lines) {
  return tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, lines.size(), 256), counts{},
      [&](const tbb::blocked_range<std::size_t>& r, counts c) {
        for (std::size_t i = r.begin(); i != r.end(); ++i) c = add(c, count_line(lines[i]));
        return c;
      },
      add);
}

int main(int argc, char** argv) {
  tbb::enumerable_thread_specific<counts> totals;
  tbb::parallel_for(1, argc, [&](int i) {
    const counts c = count_file(read_lines(argv[i]));
    totals.local() = add(totals.local(), c);
  });
  const counts all = totals.combine(add);
  std::printf("%zu words, longest line %zu\n", all.words, all.longest);
}
