// skynet [THREADS [DEPTH]]: ten children of each task; the leaves of depth 8 are 100 million.
#include "entry.hpp"

#include <functional>

namespace {

std::size_t sum_from(std::size_t first, std::size_t leaves) {
  if (leaves == 1) return first;
  const std::size_t part = leaves / 10;
  return takt::parallel_reduce(
      0, 10, std::size_t{0}, [=](int i) { return sum_from(first + part * static_cast<std::size_t>(i), part); },
      std::plus<>());
}

}  // namespace

int main(int argc, char** argv) {
  league::use_threads(argc, argv, 1);
  std::size_t leaves = 1;
  for (long depth = league::number(argc, argv, 2, 8); depth > 0; --depth) leaves *= 10;
  return league::measure("skynet", "iteration_count", 1,
                         [=] { return sum_from(0, leaves) == leaves * (leaves - 1) / 2; });
}
