// The matrices that the sparse problems run on: generated, or read from a file.
#pragma once

#include <cstdint>

#include "harness/problem.hpp"
#include "io/matrix_market.hpp"

namespace takt::bench {

// Generators; every one gives the same matrix for the same number of rows, on any machine.
//
// First row and first column full, and the diagonal: 3 * rows - 2 entries, all rows but one
// of two entries.
csr arrowhead_matrix(std::int64_t rows);

// Row lengths follow Zipf's law with exponent 1, shuffled; about 10 entries a row on average,
// the longest row holding about 1/14 of them.
csr power_law_matrix(std::int64_t rows);

// Row lengths uniform in 0..40, columns spread over the whole row.
csr random_matrix(std::int64_t rows);

// Links between the pages of a web: 58% of the rows are empty, in runs of six on average; of the
// others, those with k entries and more are a share of k^-tail, so that most have one to three.
// Seven rows in eight have their columns close by, as pages of one host link to each other.
//
// Links to a page: about 2.1 entries a row on average; of a million rows the longest holds one in 43.
inline constexpr double k_web_tail = 1.2;
// Links out of a page: 0.84 a row; hardly any row is long.
inline constexpr double k_web_out_tail = 1.72;
csr web_matrix(std::int64_t rows, double tail);

// The matrix that `wanted` names: a generator with `rows` rows, or a Matrix Market file; then
// transposed if asked. Throws input_error or matrix_error.
csr make_matrix(const request& wanted, std::int64_t rows);

// What the inner loops read, as plain pointers: the vectors they point into outlive it. All
// systems read a matrix through it, so that none pays for an indirection another avoids.
struct csr_view {
  explicit csr_view(const csr& matrix)
      : rows(matrix.rows),
        row_begin(matrix.row_begin.data()),
        col(matrix.col.data()),
        value(matrix.value.data()) {}

  std::int64_t rows;
  const std::int64_t* row_begin;
  const std::int32_t* col;
  const double* value;
};

}  // namespace takt::bench
