#define TAKT_TOUCH
#include "simulate/touches.hpp"

#include <cstddef>
#include <takt/fork_join.hpp>
#include <takt/parallel_for.hpp>
#include <takt/parallel_reduce.hpp>
#include <takt/touch.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace takt_test {

bool touch_all(std::size_t count) {
  const std::vector<std::uint64_t> numbers(count, 1);
  std::uint64_t sum = 0;
  for (int round = 0; round < 2; ++round) {
    sum += takt::parallel_reduce(
        std::size_t{0}, count, std::uint64_t{0},
        [n = numbers.data()](std::size_t i) {
          takt::touch(&n[i], sizeof n[i]);
          return n[i];
        },
        std::plus<>{});
  }
  return sum == 2 * count;
}

namespace {

constexpr std::size_t k_of_a_line = 8;

void add_one(std::uint64_t* line) {
  takt::touch(line, k_of_a_line * sizeof *line);
  for (std::size_t i = 0; i < k_of_a_line; ++i) ++line[i];
}

// By the leaf's measure an iteration of a loop: 0.1 us each.
void add_one_to_all(std::uint64_t* numbers, std::size_t lines) {
  if (lines == 1) {
    takt::parallel_for(0, 1, [numbers](int) { add_one(numbers); });
    return;
  }
  const std::size_t half = lines / 2;
  takt::fork_join([=] { add_one_to_all(numbers, half); },
                  [=] { add_one_to_all(numbers + half * k_of_a_line, lines - half); });
}

struct alignas(64) line {
  std::uint64_t numbers[k_of_a_line] = {};
};

template <class Round>
bool often(std::size_t count, int rounds, Round round) {
  std::vector<line> lines(count / k_of_a_line);
  for (int r = 0; r < rounds; ++r) round(lines);
  return std::ranges::all_of(lines, [rounds](const line& l) {
    return std::ranges::all_of(l.numbers,
                               [rounds](std::uint64_t n) { return n == static_cast<std::uint64_t>(rounds); });
  });
}

}  // namespace

namespace {

void recur_over(const char* first, std::size_t lines) {
  constexpr std::size_t k_line = 64;
  constexpr std::size_t k_block = 16;
  const auto all = takt::hints{.bytes = lines * k_line};
  for (int round = 0; round < 3; ++round) {
    takt::parallel_for(
        std::size_t{0}, (lines + k_block - 1) / k_block,
        [=](std::size_t b) {
          const std::size_t begin = b * k_block;
          takt::touch(first + begin * k_line, std::min(k_block, lines - begin) * k_line);
        },
        all);
  }
  if (lines <= 4 * k_block) return;
  takt::fork_join(
      takt::bytes(all.bytes), [=] { recur_over(first, lines / 2); },
      [=] { recur_over(first + lines / 2 * k_line, lines - lines / 2); });
}

}  // namespace

bool touch_by_halves(std::size_t lines) {
  const std::vector<char> data(lines * 64);
  recur_over(data.data(), lines);
  return true;
}

bool touch_often(std::size_t count, int rounds) {
  return often(count, rounds, [](std::vector<line>& lines) {
    takt::parallel_for(std::size_t{0}, lines.size(), [&lines](std::size_t i) { add_one(lines[i].numbers); });
  });
}

bool touch_often_in_a_tree(std::size_t count, int rounds) {
  return often(count, rounds, [](std::vector<line>& lines) { add_one_to_all(lines.front().numbers, lines.size()); });
}

}  // namespace takt_test
