// sudoku: the first solution that a search finds, which then stops. Each digit that the first empty cell may have is a
// branch; the search knows no other rule. Parallel programs make every branch a child of one group and stop by a flag.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "harness/problem.hpp"

namespace takt::bench {

struct sudoku_problem {
  static constexpr int k_digits = 9;
  static constexpr std::size_t k_cells = 81;
  // Each has one solution and 20 to 26 givens.
  static constexpr std::array<std::string_view, 4> k_puzzles{
      "8.9............2.9.3..4.....4..1...8..59.23.....8...76.........45...1..21..67..4.",
      "..465....2.....8..8.1..75.....4.....9....12.....26..83...9........8..76..58......",
      "2......1.8.16..........964....5.2....5....7.....37..58.39......1.6...98.........7",
      "......418..8......3......6...5..1...4.7.2.5..9....7...........3.2.94..81..37.8..."
  };
  static constexpr problem_info info{.name = "sudoku",
                                     .about = "a first solution of a sudoku",
                                     .form = kind::forks,
                                     .size_unit = "puzzle",
                                     .size_default = 1,
                                     .size_min = 1,
                                     .size_max = k_puzzles.size()};

  // A digit is 1 to 9, 0: empty. Rows, columns and boxes have a bit for each digit that they have.
  struct board {
    std::array<std::uint8_t, k_cells> cells{};
    std::array<std::uint16_t, k_digits> rows{};
    std::array<std::uint16_t, k_digits> columns{};
    std::array<std::uint16_t, k_digits> boxes{};

    std::size_t first_empty() const {
      std::size_t at = 0;
      while (at < k_cells && cells[at] != 0) {
        ++at;
      }
      return at;
    }
    bool may_have(std::size_t at, int digit) const {
      const std::size_t row = at / 9;
      const std::size_t column = at % 9;
      return ((rows[row] | columns[column] | boxes[row / 3 * 3 + column / 3]) >> digit & 1) == 0;
    }
    void flip(std::size_t at, int digit) {
      const std::size_t row = at / 9;
      const std::size_t column = at % 9;
      const auto bit = static_cast<std::uint16_t>(1U << digit);
      rows[row] ^= bit;
      columns[column] ^= bit;
      boxes[row / 3 * 3 + column / 3] ^= bit;
    }
    void put(std::size_t at, int digit) {
      cells[at] = static_cast<std::uint8_t>(digit);
      flip(at, digit);
    }
    board with(std::size_t at, int digit) const {
      board next = *this;
      next.put(at, digit);
      return next;
    }
  };

  using input = board;
  using answer = std::array<std::uint8_t, k_cells>;

  // What the branches of a search share. The first one that finds a solution keeps it.
  struct search {
    answer& out;
    std::atomic<bool> stop{false};

    bool is_over() const { return stop.load(std::memory_order_relaxed); }
    void found(const board& b) {
      if (!stop.exchange(true)) {
        out = b.cells;
      }
    }
  };

  // Calls `branch` with each board that follows. The largest digit comes first: who runs the newest child first then
  // tries digits as the serial program does.
  template <class Branch>
  static void visit(search& s, const board& b, const Branch& branch) {
    if (s.is_over()) {
      return;
    }
    const std::size_t at = b.first_empty();
    if (at == k_cells) {
      s.found(b);
      return;
    }
    for (int digit = k_digits; digit >= 1; --digit) {
      if (b.may_have(at, digit)) {
        branch(b.with(at, digit));
      }
    }
  }

  static input make(const request& wanted) {
    const std::string_view puzzle = k_puzzles[static_cast<std::size_t>(size_of(wanted, info)) - 1];
    input in;
    for (std::size_t at = 0; at < k_cells; ++at) {
      if (puzzle[at] != '.') {
        in.put(at, puzzle[at] - '0');
      }
    }
    return in;
  }
  static void reset(const input& /*in*/, answer& out) { out = {}; }
  static bool right(const input& in, const answer& got) {
    board filled;
    for (std::size_t at = 0; at < k_cells; ++at) {
      const int digit = got[at];
      if (digit < 1 || digit > k_digits || !filled.may_have(at, digit) ||
          (in.cells[at] != 0 && in.cells[at] != digit)) {
        return false;
      }
      filled.put(at, digit);
    }
    return true;
  }
};

}  // namespace takt::bench
