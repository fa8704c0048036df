// Sparse matrices in compressed rows, and the Matrix Market reader that fills them.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace takt::bench {

// Compressed sparse rows, everything counted from 0. Row r holds the entries
// [row_begin[r], row_begin[r + 1]) of `col` and `value`, columns ascending.
//
// Columns are 32 bits wide because the memory traffic of a sparse product is mostly these
// indices; row bounds are 64 bits because the number of entries may exceed 2^31.
struct csr {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<std::int64_t> row_begin{0};
  std::vector<std::int32_t> col;
  std::vector<double> value;

  std::int64_t entries() const { return static_cast<std::int64_t>(col.size()); }
};

// What is wrong with a matrix file. what() is one line that names the file and, where there
// is one, the line: "web.mtx:17: column 9 is outside 1..8".
class matrix_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Reads a Matrix Market file in coordinate format: pattern, integer or real; general,
// symmetric or skew-symmetric. A pattern entry gets the value 1. Symmetric files store the
// lower triangle; the result has both. Entries may come in any order, and an entry that is
// given twice is kept twice, which is what sums and products expect.
//
// Throws matrix_error for a file that cannot be read or is not of this kind.
// Time and space are linear in the size of the file, plus the sizes it declares.
csr read_matrix_market(const std::string& path);

// The same for a text in memory; `name` stands for the file in messages.
csr parse_matrix_market(std::string_view text, std::string_view name);

// Row r of the result holds column r of `matrix`, ascending. Linear time.
csr transpose(const csr& matrix);

}  // namespace takt::bench
