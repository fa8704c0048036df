#include "harness/matrices.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "harness/random.hpp"

namespace takt::bench {
namespace {

// Fills a matrix whose row lengths are known. One column is drawn from each of `length` equal
// parts of the row: ascending and distinct without sorting, and as unfriendly to the caches
// as independent columns.
csr fill_rows(std::int64_t cols, const std::vector<std::int64_t>& lengths, std::uint64_t seed) {
  csr result;
  result.rows = static_cast<std::int64_t>(lengths.size());
  result.cols = cols;
  result.row_begin.resize(lengths.size() + 1);
  std::partial_sum(lengths.begin(), lengths.end(), result.row_begin.begin() + 1);
  const auto total = static_cast<std::size_t>(result.row_begin.back());
  result.col.reserve(total);
  result.value.reserve(total);
  random_source random(seed);
  for (const std::int64_t length : lengths) {
    for (std::int64_t k = 0; k < length; ++k) {
      const std::int64_t begin = k * cols / length;
      const std::int64_t end = (k + 1) * cols / length;
      const std::int64_t offset = random.below(static_cast<std::uint32_t>(end - begin));
      result.col.push_back(static_cast<std::int32_t>(begin + offset));
      result.value.push_back(0.5 + random.unit());
    }
  }
  return result;
}

}  // namespace

csr arrowhead_matrix(std::int64_t rows) {
  csr result;
  result.rows = rows;
  result.cols = rows;
  const auto total = static_cast<std::size_t>(3 * rows - 2);
  result.row_begin.reserve(static_cast<std::size_t>(rows) + 1);
  result.col.reserve(total);
  result.value.reserve(total);
  random_source random(1);
  const auto add = [&](std::int64_t col) {
    result.col.push_back(static_cast<std::int32_t>(col));
    result.value.push_back(0.5 + random.unit());
  };
  for (std::int64_t c = 0; c < rows; ++c) {
    add(c);
  }
  result.row_begin.push_back(result.entries());
  for (std::int64_t r = 1; r < rows; ++r) {
    add(0);
    add(r);
    result.row_begin.push_back(result.entries());
  }
  return result;
}

csr power_law_matrix(std::int64_t rows) {
  constexpr double k_mean_length = 10.0;
  const auto count = static_cast<double>(rows);
  const double harmonic = std::log(count) + 0.5772156649;
  const double longest = k_mean_length * count / harmonic;
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(rows));
  for (std::size_t rank = 0; rank < lengths.size(); ++rank) {
    const auto length = static_cast<std::int64_t>(longest / static_cast<double>(rank + 1));
    lengths[rank] = std::clamp<std::int64_t>(length, 1, rows);
  }
  // Without the shuffle the first rows would hold all the work, which flatters or punishes a
  // system by how it happens to cut the loop.
  random_source random(2);
  for (std::size_t i = lengths.size(); i > 1; --i) {
    std::swap(lengths[i - 1], lengths[random.below(static_cast<std::uint32_t>(i))]);
  }
  return fill_rows(rows, lengths, 3);
}

csr random_matrix(std::int64_t rows) {
  constexpr std::uint32_t k_longest = 40;
  random_source random(4);
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(rows));
  for (std::int64_t& length : lengths) {
    length = std::min<std::int64_t>(random.below(k_longest + 1), rows);
  }
  return fill_rows(rows, lengths, 5);
}

csr make_matrix(const request& wanted, std::int64_t rows) {
  csr result;
  if (wanted.input.empty() || wanted.input == "arrowhead") {
    result = arrowhead_matrix(rows);
  } else if (wanted.input == "power-law") {
    result = power_law_matrix(rows);
  } else if (wanted.input == "random") {
    result = random_matrix(rows);
  } else {
    result = read_matrix_market(wanted.input);
  }
  return wanted.transpose ? transpose(result) : result;
}

}  // namespace takt::bench
