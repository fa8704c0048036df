// parallel_for and parallel_reduce over iterators and ranges.
#include <takt/takt.hpp>

#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <ranges>
#include <span>
#include <string>
#include <vector>

namespace {

using takt::parallel_for;
using takt::parallel_reduce;
using takt_test::under_some_settings;

constexpr std::size_t k_count = 5000;

const auto increment = [](auto& element) { ++element; };

template <class Range>
void expect_all(const Range& range, int value) {
  for (const auto& element : range) ASSERT_EQ(element, value);
}

TEST(parallel_for_iterators, of_every_random_access_container) {
  under_some_settings([] {
    std::vector<int> vector(k_count);
    std::deque<int> deque(k_count);
    std::array<int, 300> array{};
    parallel_for(vector.begin(), vector.end(), increment);
    parallel_for(vector.rbegin(), vector.rend(), increment);
    parallel_for(vector.data(), vector.data() + vector.size(), increment);
    expect_all(vector, 3);
    parallel_for(deque.begin(), deque.end(), increment);
    expect_all(deque, 1);
    parallel_for(array.begin(), array.end(), increment);
    expect_all(array, 1);
  });
}

TEST(parallel_for_iterators, a_part_an_empty_part_and_constant_elements) {
  under_some_settings([] {
    std::vector<int> vector(100);
    parallel_for(vector.begin() + 10, vector.begin() + 20, increment);
    parallel_for(vector.begin() + 10, vector.begin() + 10, increment);
    for (std::size_t i = 0; i < vector.size(); ++i) ASSERT_EQ(vector[i], i >= 10 && i < 20 ? 1 : 0);
    std::atomic<int> sum{0};
    parallel_for(vector.cbegin(), vector.cend(), [&sum](const int& element) { sum.fetch_add(element); });
    EXPECT_EQ(sum.load(), 10);
  });
}

TEST(parallel_for_ranges, of_every_kind) {
  under_some_settings([] {
    std::vector<int> vector(k_count);
    std::deque<int> deque(k_count);
    std::array<int, 300> array{};
    int plain[77] = {};
    parallel_for(vector, increment);
    parallel_for(std::span(vector), increment);  // a temporary view of elements that stay
    parallel_for(std::ranges::subrange(vector.begin(), vector.end()), increment);
    parallel_for(vector | std::views::reverse, increment);
    expect_all(vector, 4);
    parallel_for(deque, increment);
    expect_all(deque, 1);
    parallel_for(array, increment);
    expect_all(array, 1);
    parallel_for(plain, increment);
    expect_all(plain, 1);
    std::string text(1000, 'a');
    parallel_for(text, increment);
    EXPECT_EQ(text, std::string(1000, 'b'));
  });
}

TEST(parallel_for_ranges, whose_elements_are_made_on_the_fly) {
  under_some_settings([] {
    std::vector<int> seen(k_count);
    const auto count = [&seen](auto i) { ++seen[static_cast<std::size_t>(i)]; };
    parallel_for(std::views::iota(0, static_cast<int>(k_count)), count);
    parallel_for(std::views::iota(0, static_cast<int>(k_count)) |
                     std::views::transform([](int i) { return static_cast<int>(k_count) - 1 - i; }),
                 count);
    expect_all(seen, 2);
  });
}

TEST(parallel_for_ranges, empty_ones_run_nothing) {
  under_some_settings([] {
    std::atomic<int> calls{0};
    const auto count = [&calls](int) { calls.fetch_add(1); };
    parallel_for(std::vector<int>{}, count);
    parallel_for(std::span<int>{}, count);
    parallel_for(std::views::iota(5, 5), count);
    EXPECT_EQ(calls.load(), 0);
  });
}

TEST(parallel_for_ranges, of_ranges) {
  under_some_settings([] {
    std::vector<std::vector<int>> rows;
    for (std::size_t i = 0; i < 60; ++i) rows.emplace_back(i * 7 % 50);
    parallel_for(rows, [](std::vector<int>& row) { parallel_for(row, increment); });
    for (const auto& row : rows) expect_all(row, 1);
  });
}

TEST(parallel_reduce_ranges, iterators_and_ranges_in_order) {
  under_some_settings([] {
    std::vector<std::string> words;
    std::string expected;
    for (int i = 0; i < 700; ++i) {
      words.push_back(std::to_string(i) + ",");
      expected += words.back();
    }
    const auto same = [](const std::string& s) { return s; };
    EXPECT_EQ(parallel_reduce(words.begin(), words.end(), std::string(), same, std::plus<>()), expected);
    EXPECT_EQ(parallel_reduce(words, std::string(), same, std::plus<>()), expected);
    EXPECT_EQ(parallel_reduce(std::span<const std::string>(words), std::string(), same, std::plus<>()), expected);
    const std::deque<std::string> deque(words.begin(), words.end());
    EXPECT_EQ(parallel_reduce(deque, std::string(), same, std::plus<>()), expected);
    EXPECT_EQ(parallel_reduce(std::views::iota(0, 700), std::string(),
                              [](int i) { return std::to_string(i) + ","; }, std::plus<>()),
              expected);
    EXPECT_EQ(parallel_reduce(std::vector<std::string>(), std::string("identity"), same, std::plus<>()), "identity");
  });
}

}  // namespace
