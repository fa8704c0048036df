#include "harness/matrices.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

#include <gtest/gtest.h>

namespace takt::bench {
namespace {

void expect_valid(const csr& m) {
  ASSERT_EQ(m.row_begin.size(), static_cast<std::size_t>(m.rows) + 1);
  EXPECT_EQ(m.row_begin.front(), 0);
  EXPECT_EQ(m.row_begin.back(), m.entries());
  ASSERT_EQ(m.value.size(), m.col.size());
  for (std::size_t r = 0; r < static_cast<std::size_t>(m.rows); ++r) {
    ASSERT_LE(m.row_begin[r], m.row_begin[r + 1]);
    for (std::int64_t k = m.row_begin[r]; k < m.row_begin[r + 1]; ++k) {
      const std::int32_t col = m.col[static_cast<std::size_t>(k)];
      ASSERT_GE(col, 0);
      ASSERT_LT(col, m.cols);
      ASSERT_TRUE(k == m.row_begin[r] || m.col[static_cast<std::size_t>(k - 1)] < col);
    }
  }
}

std::int64_t longest_row(const csr& m) {
  std::int64_t longest = 0;
  for (std::size_t r = 0; r < static_cast<std::size_t>(m.rows); ++r) {
    longest = std::max(longest, m.row_begin[r + 1] - m.row_begin[r]);
  }
  return longest;
}

TEST(matrices, arrowhead) {
  const csr m = arrowhead_matrix(1000);
  expect_valid(m);
  EXPECT_EQ(m.entries(), 2998);
  EXPECT_EQ(longest_row(m), 1000);
}

TEST(matrices, power_law_is_skewed) {
  const csr m = power_law_matrix(10000);
  expect_valid(m);
  EXPECT_GT(longest_row(m), m.entries() / 20);
  EXPECT_GT(m.entries(), 9 * m.rows);
  EXPECT_LT(m.entries(), 12 * m.rows);
}

TEST(matrices, random_is_even) {
  const csr m = random_matrix(10000);
  expect_valid(m);
  EXPECT_LE(longest_row(m), 40);
  EXPECT_GT(m.entries(), 19 * m.rows);
  EXPECT_LT(m.entries(), 21 * m.rows);
}

TEST(matrices, web_is_mostly_empty) {
  const csr m = web_matrix(100'000, k_web_tail);
  expect_valid(m);
  const auto share_of_rows = [&](std::int64_t least, std::int64_t most) {
    std::int64_t found = 0;
    for (std::size_t r = 0; r < static_cast<std::size_t>(m.rows); ++r) {
      const std::int64_t length = m.row_begin[r + 1] - m.row_begin[r];
      found += length >= least && length <= most ? 1 : 0;
    }
    return static_cast<double>(found) / static_cast<double>(m.rows);
  };
  EXPECT_NEAR(share_of_rows(0, 0), 0.58, 0.01);
  EXPECT_NEAR(share_of_rows(1, 3), 0.34, 0.01);
  EXPECT_NEAR(share_of_rows(100, m.cols), 0.42 * 0.004, 0.0005);
  EXPECT_GT(m.entries(), 19 * m.rows / 10);
  EXPECT_LT(m.entries(), 22 * m.rows / 10);
  EXPECT_GT(longest_row(m), m.entries() / 60);
}

TEST(matrices, web_out_has_hardly_any_long_rows) {
  const csr m = web_matrix(100'000, k_web_out_tail);
  expect_valid(m);
  EXPECT_NEAR(static_cast<double>(m.entries()), 0.84 * static_cast<double>(m.rows), 2000.0);
  EXPECT_LT(longest_row(m), m.entries() / 100);
}

TEST(matrices, columns_of_web_are_close_by) {
  const csr m = web_matrix(100'000, k_web_tail);
  std::int64_t near = 0;
  for (std::int64_t r = 0; r < m.rows; ++r) {
    const auto row = static_cast<std::size_t>(r);
    for (std::int64_t k = m.row_begin[row]; k < m.row_begin[row + 1]; ++k) {
      near += std::abs(m.col[static_cast<std::size_t>(k)] - r) <= 256 ? 1 : 0;
    }
  }
  EXPECT_GT(near, m.entries() / 2);
  EXPECT_LT(near, m.entries() * 9 / 10);
}

TEST(matrices, smallest_sizes) {
  for (std::int64_t rows = 1; rows < 50; ++rows) {
    expect_valid(arrowhead_matrix(rows));
    expect_valid(power_law_matrix(rows));
    expect_valid(random_matrix(rows));
    expect_valid(web_matrix(rows, k_web_tail));
  }
}

TEST(matrices, the_same_every_time) {
  EXPECT_EQ(power_law_matrix(500).col, power_law_matrix(500).col);
  EXPECT_EQ(random_matrix(500).value, random_matrix(500).value);
  EXPECT_EQ(web_matrix(500, k_web_tail).col, web_matrix(500, k_web_tail).col);
}

TEST(matrices, by_name_and_transposed) {
  request wanted;
  wanted.input = "power-law";
  wanted.transpose = true;
  const csr m = make_matrix(wanted, 300);
  expect_valid(m);
  EXPECT_EQ(m.col, transpose(power_law_matrix(300)).col);
  wanted.input = "web";
  wanted.transpose = false;
  EXPECT_EQ(make_matrix(wanted, 300).col, web_matrix(300, k_web_tail).col);
  wanted.input = "web-out";
  EXPECT_EQ(make_matrix(wanted, 300).col, web_matrix(300, k_web_out_tail).col);
  wanted.input = "no/such.mtx";
  EXPECT_THROW(make_matrix(wanted, 300), matrix_error);
}

}  // namespace
}  // namespace takt::bench
