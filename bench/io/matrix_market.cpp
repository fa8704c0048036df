#include "io/matrix_market.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <new>
#include <system_error>

namespace takt::bench {
namespace {

enum class field { pattern, integer, real };
enum class symmetry { general, symmetric, skew };

struct header {
  field values = field::real;
  symmetry shape = symmetry::general;
};

struct triplet {
  std::int32_t row;
  std::int32_t col;
  double value;
};

std::string_view take_word(std::string_view& line) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  std::size_t begin = 0;
  while (begin < line.size() && is_space(line[begin])) {
    ++begin;
  }
  std::size_t end = begin;
  while (end < line.size() && !is_space(line[end])) {
    ++end;
  }
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

std::string lower(std::string_view word) {
  std::string result(word);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

// Quotes a piece of the file for a message: a binary file must not reach the terminal, and a
// message stays one line.
std::string shown(std::string_view text) {
  constexpr std::size_t k_longest = 40;
  std::string result = "'";
  for (const char c : text.substr(0, k_longest)) {
    result += std::isprint(static_cast<unsigned char>(c)) ? c : '?';
  }
  return result + (text.size() > k_longest ? "...'" : "'");
}

class parser {
 public:
  parser(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  csr parse();

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw matrix_error(std::string(name_) + ":" + std::to_string(line_number_) + ": " + message);
  }

  bool next_line();
  bool next_data_line();
  header parse_header();
  std::int64_t parse_count(const char* what);
  std::int32_t parse_index(const char* what, std::int64_t limit);
  double parse_value(field values);
  void expect_end_of_line();
  csr compress(std::int64_t rows, std::int64_t cols, const std::vector<triplet>& entries) const;

  std::string_view text_;
  std::string_view name_;
  std::string_view line_;
  std::size_t line_number_ = 0;
};

bool parser::next_line() {
  if (text_.empty()) {
    return false;
  }
  const std::size_t end = text_.find('\n');
  line_ = text_.substr(0, end);
  text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
  if (!line_.empty() && line_.back() == '\r') {
    line_.remove_suffix(1);
  }
  ++line_number_;
  return true;
}

bool parser::next_data_line() {
  while (next_line()) {
    const std::size_t first = line_.find_first_not_of(" \t");
    if (first != std::string_view::npos && line_[first] != '%') {
      return true;
    }
  }
  return false;
}

header parser::parse_header() {
  if (!next_line()) {
    line_number_ = 1;
    fail("the file is empty");
  }
  // Compressed copies of matrices are common enough to deserve their own words.
  if (line_.starts_with("\x28\xB5\x2F\xFD") || line_.starts_with("\x1F\x8B")) {
    fail("the file is compressed; decompress it first");
  }
  if (lower(take_word(line_)) != "%%matrixmarket") {
    fail("not a Matrix Market file: the first line must begin with %%MatrixMarket");
  }
  const std::string object = lower(take_word(line_));
  const std::string format = lower(take_word(line_));
  const std::string values = lower(take_word(line_));
  const std::string shape = lower(take_word(line_));
  if (object != "matrix" || format != "coordinate") {
    fail("only 'matrix coordinate' files are read, this one says " +
         shown(object + " " + format));
  }
  header result;
  if (values == "pattern") {
    result.values = field::pattern;
  } else if (values == "integer") {
    result.values = field::integer;
  } else if (values == "real" || values == "double") {
    result.values = field::real;
  } else {
    fail("values must be pattern, integer or real, not " + shown(values));
  }
  if (shape == "general") {
    result.shape = symmetry::general;
  } else if (shape == "symmetric") {
    result.shape = symmetry::symmetric;
  } else if (shape == "skew-symmetric") {
    result.shape = symmetry::skew;
  } else {
    fail("symmetry must be general, symmetric or skew-symmetric, not " + shown(shape));
  }
  expect_end_of_line();
  return result;
}

std::int64_t parser::parse_count(const char* what) {
  const std::string_view word = take_word(line_);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty()) {
    fail(std::string(what) + " is missing");
  }
  if (error != std::errc{} || end != word.data() + word.size() || value < 0) {
    fail(std::string(what) + " must be a whole number, not " + shown(word));
  }
  return value;
}

std::int32_t parser::parse_index(const char* what, std::int64_t limit) {
  const std::int64_t value = parse_count(what);
  if (value < 1 || value > limit) {
    fail(std::string(what) + " " + std::to_string(value) + " is outside 1.." +
         std::to_string(limit));
  }
  return static_cast<std::int32_t>(value - 1);
}

double parser::parse_value(field values) {
  if (values == field::pattern) {
    return 1.0;
  }
  std::string_view word = take_word(line_);
  if (word.empty()) {
    fail("the value is missing");
  }
  const std::string_view whole = word;
  if (word.front() == '+') {
    word.remove_prefix(1);
  }
  double value = 0.0;
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc::result_out_of_range) {
    // from_chars does not say whether the number was too large or too small; a number that
    // rounds to zero is a good value.
    value = std::strtod(std::string(word).c_str(), nullptr);
    error = std::errc{};
  }
  if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(value)) {
    fail("the value must be a finite number, not " + shown(whole));
  }
  if (values == field::integer && value != std::nearbyint(value)) {
    fail("the file declares integers, this is " + shown(whole));
  }
  return value;
}

void parser::expect_end_of_line() {
  const std::string_view rest = take_word(line_);
  if (!rest.empty()) {
    fail("unexpected " + shown(rest) + " at the end of the line");
  }
}

csr parser::parse() {
  const header head = parse_header();
  if (!next_data_line()) {
    fail("the size line is missing");
  }
  const std::int64_t rows = parse_count("the number of rows");
  const std::int64_t cols = parse_count("the number of columns");
  const std::int64_t count = parse_count("the number of entries");
  expect_end_of_line();
  constexpr std::int64_t k_largest = std::numeric_limits<std::int32_t>::max();
  if (rows > k_largest || cols > k_largest) {
    fail("a matrix may have at most " + std::to_string(k_largest) + " rows and columns");
  }
  if (head.shape != symmetry::general && rows != cols) {
    fail("a symmetric matrix must be square");
  }
  // The shortest entry, "1 1" and a line end, takes 4 bytes: a number of entries that cannot
  // be true is refused before memory is taken for it.
  if (count > static_cast<std::int64_t>(text_.size() / 4) + 1) {
    fail(std::to_string(count) + " entries are declared, but the file is too short for them");
  }
  // Row bounds take memory whether or not a row has entries; a slip of the pen in the size
  // line must end in this message and not in the machine's last page.
  constexpr std::int64_t k_unsuspicious = 100'000'000;
  if (std::max(rows, cols) > std::max(k_unsuspicious, 1000 * count)) {
    fail(std::to_string(rows) + " rows and " + std::to_string(cols) + " columns for " +
         std::to_string(count) + " entries cannot be right");
  }

  std::vector<triplet> entries;
  entries.reserve(static_cast<std::size_t>(head.shape == symmetry::general ? count : 2 * count));
  for (std::int64_t k = 0; k < count; ++k) {
    if (!next_data_line()) {
      fail("the file ends after " + std::to_string(k) + " of " + std::to_string(count) +
           " entries");
    }
    const std::int32_t row = parse_index("row", rows);
    const std::int32_t col = parse_index("column", cols);
    const double value = parse_value(head.values);
    expect_end_of_line();
    entries.push_back({row, col, value});
    if (head.shape == symmetry::general) {
      continue;
    }
    if (row < col) {
      fail("a symmetric file holds the lower triangle only, this entry is above the diagonal");
    }
    if (row == col && head.shape == symmetry::skew) {
      fail("a skew-symmetric matrix has no diagonal");
    }
    if (row != col) {
      entries.push_back({col, row, head.shape == symmetry::skew ? -value : value});
    }
  }
  if (next_data_line()) {
    fail("more than the declared " + std::to_string(count) + " entries");
  }
  return compress(rows, cols, entries);
}

csr parser::compress(std::int64_t rows, std::int64_t cols,
                     const std::vector<triplet>& entries) const {
  csr result;
  result.rows = rows;
  result.cols = cols;
  result.row_begin.assign(static_cast<std::size_t>(rows) + 1, 0);
  for (const triplet& e : entries) {
    ++result.row_begin[static_cast<std::size_t>(e.row) + 1];
  }
  for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r) {
    result.row_begin[r + 1] += result.row_begin[r];
  }
  result.col.resize(entries.size());
  result.value.resize(entries.size());
  std::vector<std::int64_t> next(result.row_begin.begin(), result.row_begin.end() - 1);
  bool ascending = true;
  for (const triplet& e : entries) {
    const std::int64_t row_start = result.row_begin[static_cast<std::size_t>(e.row)];
    const std::int64_t at = next[static_cast<std::size_t>(e.row)]++;
    const auto k = static_cast<std::size_t>(at);
    result.col[k] = e.col;
    result.value[k] = e.value;
    ascending = ascending && (at == row_start || result.col[k - 1] <= e.col);
  }
  // Transposing is a stable counting sort; doing it twice orders every row in linear time.
  return ascending ? result : transpose(transpose(result));
}

std::string read_text(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    throw matrix_error(path + ": no such file");
  }
  if (std::filesystem::is_directory(path, error)) {
    throw matrix_error(path + ": is a directory");
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    throw matrix_error(path + ": cannot be opened for reading");
  }
  std::string text;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error) {
    text.reserve(static_cast<std::size_t>(size) + 1);
  }
  // In blocks and not by the size, which a pipe does not have.
  std::vector<char> block(1 << 20);
  while (stream.read(block.data(), static_cast<std::streamsize>(block.size())) ||
         stream.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (stream.bad()) {
    throw matrix_error(path + ": reading failed");
  }
  return text;
}

}  // namespace

csr parse_matrix_market(std::string_view text, std::string_view name) {
  try {
    return parser(text, name).parse();
  } catch (const std::bad_alloc&) {
    throw matrix_error(std::string(name) + ": not enough memory for a matrix of this size");
  }
}

csr read_matrix_market(const std::string& path) {
  try {
    return parse_matrix_market(read_text(path), path);
  } catch (const std::bad_alloc&) {
    throw matrix_error(path + ": not enough memory to read the file");
  }
}

csr transpose(const csr& matrix) {
  csr result;
  result.rows = matrix.cols;
  result.cols = matrix.rows;
  result.row_begin.assign(static_cast<std::size_t>(matrix.cols) + 1, 0);
  for (const std::int32_t c : matrix.col) {
    ++result.row_begin[static_cast<std::size_t>(c) + 1];
  }
  for (std::size_t c = 0; c < static_cast<std::size_t>(matrix.cols); ++c) {
    result.row_begin[c + 1] += result.row_begin[c];
  }
  result.col.resize(matrix.col.size());
  result.value.resize(matrix.value.size());
  std::vector<std::int64_t> next(result.row_begin.begin(), result.row_begin.end() - 1);
  for (std::int64_t r = 0; r < matrix.rows; ++r) {
    const auto row = static_cast<std::size_t>(r);
    for (std::int64_t k = matrix.row_begin[row]; k < matrix.row_begin[row + 1]; ++k) {
      const auto from = static_cast<std::size_t>(k);
      const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(matrix.col[from])]++);
      result.col[to] = static_cast<std::int32_t>(r);
      result.value[to] = matrix.value[from];
    }
  }
  return result;
}

}  // namespace takt::bench
