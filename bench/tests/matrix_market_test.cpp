#include "io/matrix_market.hpp"

#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <unistd.h>

namespace takt::bench {
namespace {

std::string message_of(std::string_view text) {
  try {
    parse_matrix_market(text, "m");
  } catch (const matrix_error& error) {
    return error.what();
  }
  return "accepted";
}

using bounds = std::vector<std::int64_t>;
using columns = std::vector<std::int32_t>;
using values = std::vector<double>;

TEST(matrix_market, reads_entries_in_any_order) {
  const csr m = parse_matrix_market(
      "%%MatrixMarket matrix coordinate real general\n"
      "% a comment\n"
      "\n"
      "3 4 4\n"
      "3 1 +5e-1\n"
      "1 4 2\n"
      "% between entries\n"
      "1 2 -1.5\n"
      "  3\t4   7  \n",
      "m");
  EXPECT_EQ(m.rows, 3);
  EXPECT_EQ(m.cols, 4);
  EXPECT_EQ(m.row_begin, (bounds{0, 2, 2, 4}));
  EXPECT_EQ(m.col, (columns{1, 3, 0, 3}));
  EXPECT_EQ(m.value, (values{-1.5, 2.0, 0.5, 7.0}));
}

TEST(matrix_market, mirrors_symmetric_entries) {
  const csr m = parse_matrix_market(
      "%%MatrixMarket MATRIX Coordinate Integer SYMMETRIC\r\n2 2 2\r\n1 1 3\r\n2 1 4\r\n", "m");
  EXPECT_EQ(m.row_begin, (bounds{0, 2, 3}));
  EXPECT_EQ(m.col, (columns{0, 1, 0}));
  EXPECT_EQ(m.value, (values{3.0, 4.0, 4.0}));
}

TEST(matrix_market, negates_skew_symmetric_entries) {
  const csr m = parse_matrix_market(
      "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 4\n", "m");
  EXPECT_EQ(m.value, (values{-4.0, 4.0}));
}

TEST(matrix_market, pattern_entries_are_one) {
  const csr m = parse_matrix_market(
      "%%MatrixMarket matrix coordinate pattern general\n1 2 2\n1 2\n1 1", "m");
  EXPECT_EQ(m.value, (values{1.0, 1.0}));
  EXPECT_EQ(m.col, (columns{0, 1}));
}

TEST(matrix_market, empty_matrices) {
  const csr m =
      parse_matrix_market("%%MatrixMarket matrix coordinate real general\n0 0 0\n", "m");
  EXPECT_EQ(m.rows, 0);
  EXPECT_EQ(m.row_begin, (bounds{0}));
  EXPECT_EQ(parse_matrix_market("%%MatrixMarket matrix coordinate real general\n2 5 0\n", "m")
                .row_begin,
            (bounds{0, 0, 0}));
}

TEST(matrix_market, keeps_repeated_entries) {
  EXPECT_EQ(parse_matrix_market(
                "%%MatrixMarket matrix coordinate real general\n1 1 2\n1 1 1\n1 1 2\n", "m")
                .entries(),
            2);
}

TEST(matrix_market, tiny_values_become_zero) {
  EXPECT_EQ(parse_matrix_market(
                "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1e-999\n", "m")
                .value,
            (values{0.0}));
}

TEST(matrix_market, transposing_twice_gives_the_matrix) {
  const csr m = parse_matrix_market(
      "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 3 1\n2 1 2\n2 3 3\n", "m");
  const csr t = transpose(m);
  EXPECT_EQ(t.rows, 3);
  EXPECT_EQ(t.cols, 2);
  EXPECT_EQ(t.row_begin, (bounds{0, 1, 1, 3}));
  EXPECT_EQ(t.col, (columns{1, 0, 1}));
  EXPECT_EQ(t.value, (values{2.0, 1.0, 3.0}));
  const csr back = transpose(t);
  EXPECT_EQ(back.row_begin, m.row_begin);
  EXPECT_EQ(back.col, m.col);
  EXPECT_EQ(back.value, m.value);
}

struct bad_file {
  const char* text;
  const char* message;
};

#define TAKT_HEAD "%%MatrixMarket matrix coordinate real general\n"
constexpr bad_file k_bad_files[] = {
    bad_file{"", "m:1: the file is empty"},
    bad_file{"hello\n", "m:1: not a Matrix Market file"},
    bad_file{"\x28\xB5\x2F\xFD\x04", "m:1: the file is compressed"},
    bad_file{"%%MatrixMarket matrix array real general\n", "m:1: only 'matrix coordinate'"},
    bad_file{"%%MatrixMarket matrix coordinate complex general\n", "m:1: values must be"},
    bad_file{"%%MatrixMarket matrix coordinate real hermitian\n", "m:1: symmetry must be"},
    bad_file{"%%MatrixMarket matrix coordinate\n", "m:1: values must be"},
    bad_file{TAKT_HEAD "% only comments\n", "m:2: the size line is missing"},
    bad_file{TAKT_HEAD "1 1\n", "m:2: the number of entries is missing"},
    bad_file{TAKT_HEAD "1 -1 0\n", "m:2: the number of columns must be a whole number"},
    bad_file{TAKT_HEAD "1 1 1 1\n", "m:2: unexpected '1'"},
    bad_file{TAKT_HEAD "3000000000 1 0\n", "m:2: a matrix may have at most"},
    bad_file{TAKT_HEAD "2000000000 1 1\n1 1 1\n", "m:2: 2000000000 rows"},
    bad_file{TAKT_HEAD "9 9 99999999999\n1 1 1\n", "m:2: 99999999999 entries"},
    bad_file{TAKT_HEAD "99999999999999999999 1 0\n", "m:2: the number of rows must be"},
    bad_file{TAKT_HEAD "2 2 1\n3 1 1\n", "m:3: row 3 is outside 1..2"},
    bad_file{TAKT_HEAD "2 2 1\n1 0 1\n", "m:3: column 0 is outside 1..2"},
    bad_file{TAKT_HEAD "2 2 1\n1 1\n", "m:3: the value is missing"},
    bad_file{TAKT_HEAD "2 2 1\n1 1 nan\n", "m:3: the value must be a finite number"},
    bad_file{TAKT_HEAD "2 2 1\n1 1 1e999\n", "m:3: the value must be a finite number"},
    bad_file{TAKT_HEAD "2 2 1\n1 1 1x\n", "m:3: the value must be a finite number"},
    bad_file{TAKT_HEAD "2 2 1\n1 1 1 1\n", "m:3: unexpected '1'"},
    bad_file{TAKT_HEAD "2 2 2\n1 1 1\n", "m:3: the file ends after 1 of 2 entries"},
    bad_file{TAKT_HEAD "2 2 1\n1 1 1\n2 2 2\n", "m:4: more than the declared 1"},
    bad_file{"%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1.5\n",
             "m:3: the file declares integers"},
    bad_file{"%%MatrixMarket matrix coordinate real symmetric\n1 2 0\n",
             "m:2: a symmetric matrix must be square"},
    bad_file{"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n",
             "m:3: a symmetric file holds the lower triangle"},
    bad_file{"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 1\n",
             "m:3: a skew-symmetric matrix has no diagonal"}};
#undef TAKT_HEAD

TEST(matrix_market, says_what_is_wrong_and_where) {
  for (const bad_file& file : k_bad_files) {
    const std::string message = message_of(file.text);
    EXPECT_EQ(message.substr(0, std::string(file.message).size()), file.message);
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

TEST(matrix_market, files_that_cannot_be_read) {
  EXPECT_THROW(read_matrix_market("no/such/file.mtx"), matrix_error);
  EXPECT_THROW(read_matrix_market("."), matrix_error);
}

TEST(matrix_market, reads_a_file) {
  const std::string path = testing::TempDir() + std::to_string(::getpid()) + "_takt_matrix_market_test.mtx";
  std::ofstream(path) << "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n";
  const csr m = read_matrix_market(path);
  std::remove(path.c_str());
  EXPECT_EQ(m.row_begin, (bounds{0, 0, 1}));
}

}  // namespace
}  // namespace takt::bench
