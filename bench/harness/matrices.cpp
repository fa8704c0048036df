#include "harness/matrices.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "harness/random.hpp"

namespace takt::bench {
namespace {

// Where a row's entries may lie.
struct span_of_columns {
  std::int64_t first;
  std::int64_t count;
};

// Fills a matrix whose row lengths are known. One column is drawn from each of `length` equal
// parts of what `columns_of` gives for the row: ascending and distinct without sorting, and as
// unfriendly to the caches as independent columns.
template <class ColumnsOf>
csr fill_rows(std::int64_t cols, const std::vector<std::int64_t>& lengths, std::uint64_t seed,
              const ColumnsOf& columns_of) {
  csr result;
  result.rows = static_cast<std::int64_t>(lengths.size());
  result.cols = cols;
  result.row_begin.resize(lengths.size() + 1);
  std::partial_sum(lengths.begin(), lengths.end(), result.row_begin.begin() + 1);
  const auto total = static_cast<std::size_t>(result.row_begin.back());
  result.col.reserve(total);
  result.value.reserve(total);
  random_source random(seed);
  for (std::int64_t r = 0; r < result.rows; ++r) {
    const std::int64_t length = lengths[static_cast<std::size_t>(r)];
    const span_of_columns span = columns_of(r, length, random);
    for (std::int64_t k = 0; k < length; ++k) {
      const std::int64_t begin = k * span.count / length;
      const std::int64_t end = (k + 1) * span.count / length;
      const std::int64_t offset = random.below(static_cast<std::uint32_t>(end - begin));
      result.col.push_back(static_cast<std::int32_t>(span.first + begin + offset));
      result.value.push_back(0.5 + random.unit());
    }
  }
  return result;
}

csr fill_rows(std::int64_t cols, const std::vector<std::int64_t>& lengths, std::uint64_t seed) {
  return fill_rows(cols, lengths, seed,
                   [cols](std::int64_t, std::int64_t, random_source&) -> span_of_columns {
                     return {0, cols};
                   });
}

void shuffle(std::vector<std::int64_t>& values, std::uint64_t seed) {
  random_source random(seed);
  for (std::size_t i = values.size(); i > 1; --i) {
    std::swap(values[i - 1], values[random.below(static_cast<std::uint32_t>(i))]);
  }
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
  shuffle(lengths, 2);
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

csr web_matrix(std::int64_t rows, double tail) {
  constexpr double k_empty_share = 0.58;
  constexpr double k_mean_empty_run = 6.0;
  constexpr std::uint32_t k_rows_per_far_row = 8;

  // Pages without links to them come in runs, and so do the others.
  random_source random(9);
  std::vector<bool> has_entries(static_cast<std::size_t>(rows));
  const double leaves_empty = 1.0 / k_mean_empty_run;
  const double leaves_full = leaves_empty * k_empty_share / (1.0 - k_empty_share);
  bool is_full = random.unit() >= k_empty_share;
  for (std::size_t r = 0; r < has_entries.size(); ++r) {
    has_entries[r] = is_full;
    if (random.unit() < (is_full ? leaves_full : leaves_empty)) is_full = !is_full;
  }

  std::vector<std::int64_t> full(
      static_cast<std::size_t>(std::count(has_entries.begin(), has_entries.end(), true)));
  for (std::size_t rank = 0; rank < full.size(); ++rank) {
    const double share = static_cast<double>(full.size()) / static_cast<double>(rank + 1);
    full[rank] = static_cast<std::int64_t>(std::pow(share, 1.0 / tail));
  }
  shuffle(full, 10);
  std::vector<std::int64_t> lengths(has_entries.size());
  for (std::size_t r = 0, taken = 0; r < lengths.size(); ++r) {
    lengths[r] = has_entries[r] ? full[taken++] : 0;
  }

  const auto columns_of = [rows](std::int64_t r, std::int64_t length, random_source& any) {
    constexpr std::int64_t k_host_pages = 256;
    const bool is_far = any.below(k_rows_per_far_row) == 0;
    const std::int64_t count = is_far ? rows : std::min(rows, std::max(k_host_pages, 4 * length));
    return span_of_columns{std::clamp<std::int64_t>(r - count / 2, 0, rows - count), count};
  };
  return fill_rows(rows, lengths, 11, columns_of);
}

csr make_matrix(const request& wanted, std::int64_t rows) {
  csr result;
  if (wanted.input.empty() || wanted.input == "arrowhead") {
    result = arrowhead_matrix(rows);
  } else if (wanted.input == "power-law") {
    result = power_law_matrix(rows);
  } else if (wanted.input == "random") {
    result = random_matrix(rows);
  } else if (wanted.input == "web") {
    result = web_matrix(rows, k_web_tail);
  } else if (wanted.input == "web-out") {
    result = web_matrix(rows, k_web_out_tail);
  } else {
    result = read_matrix_market(wanted.input);
  }
  return wanted.transpose ? transpose(result) : result;
}

}  // namespace takt::bench
