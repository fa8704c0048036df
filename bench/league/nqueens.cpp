// nqueens [THREADS [QUEENS]]: all ways to place 14 queens, or 8; each place in a row may run in parallel.
#include "entry.hpp"

#include <array>
#include <functional>

namespace {

template <std::size_t N>
int place(int row, std::array<char, N> columns) {
  if (row == static_cast<int>(N)) return 1;
  return takt::parallel_reduce(
      0, static_cast<int>(N), 0,
      [row, &columns](int column) {
        for (int above = 0; above < row; ++above) {
          const int other = columns[static_cast<std::size_t>(above)];
          if (other == column || other == column - (row - above) || other == column + (row - above)) return 0;
        }
        std::array<char, N> next = columns;
        next[static_cast<std::size_t>(row)] = static_cast<char>(column);
        return place<N>(row + 1, next);
      },
      std::plus<>());
}

}  // namespace

int main(int argc, char** argv) {
  league::use_threads(argc, argv, 1);
  if (league::number(argc, argv, 2, 14) == 8) {
    return league::measure("nqueens", "iteration_count", 1, [] { return place<8>(0, {}) == 92; });
  }
  return league::measure("nqueens", "iteration_count", 1, [] { return place<14>(0, {}) == 365596; });
}
