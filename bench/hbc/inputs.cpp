#include "hbc/inputs.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <memory>

#include "harness/random.hpp"

namespace takt::bench {
namespace {

// A graph's vertices and a tensor's indices are 32 bits wide, as in the programs.
constexpr std::int64_t k_most_indices = std::numeric_limits<std::int32_t>::max();

// The sum of 1/1 to 1/n, nearly.
double harmonic(std::int64_t n) { return std::log(static_cast<double>(n)) + 0.5772156649; }

// `count` sizes that follow Zipf's law and add up to about `total`, none below 1, shuffled.
std::vector<std::int64_t> zipf_sizes(std::int64_t count, std::int64_t total, std::int64_t most,
                                     random_source& random) {
  const double largest = static_cast<double>(total) / harmonic(count);
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(count));
  for (std::size_t rank = 0; rank < sizes.size(); ++rank) {
    const auto size = static_cast<std::int64_t>(largest / static_cast<double>(rank + 1));
    sizes[rank] = std::clamp<std::int64_t>(size, 1, most);
  }
  for (std::size_t i = sizes.size(); i > 1; --i) {
    std::swap(sizes[i - 1], sizes[random.below(static_cast<std::uint32_t>(i))]);
  }
  return sizes;
}

std::string text_of_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (file == nullptr) {
    throw input_error(path + ": cannot be read");
  }
  std::string text;
  std::vector<char> block(1U << 20);
  for (std::size_t got = 1; got > 0;) {
    got = std::fread(block.data(), 1, block.size(), file.get());
    text.append(block.data(), got);
  }
  if (std::ferror(file.get()) != 0) {
    throw input_error(path + ": cannot be read");
  }
  return text;
}

class tensor_parser {
 public:
  tensor_parser(std::string_view text, std::string_view name) : rest_(text), name_(name) {}

  sparse_tensor parse() {
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      std::string_view line = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number_;
      line = line.substr(0, line.find('#'));
      if (line.find_first_not_of(k_blank) != std::string_view::npos) {
        take(line);
      }
    }
    if (order_ == 0) {
      throw input_error(std::string(name_) + ": has no entries");
    }
    return build();
  }

 private:
  static constexpr std::string_view k_blank = " \t\r";

  [[noreturn]] void fail(const std::string& what) const {
    throw input_error(std::string(name_) + ":" + std::to_string(number_) + ": " + what);
  }

  void take(std::string_view line) {
    std::vector<std::string_view> words;
    while (true) {
      const std::size_t first = line.find_first_not_of(k_blank);
      if (first == std::string_view::npos) {
        break;
      }
      line.remove_prefix(first);
      const std::size_t end = std::min(line.find_first_of(k_blank), line.size());
      words.push_back(line.substr(0, end));
      line.remove_prefix(end);
    }
    if (order_ == 0) {
      if (words.size() < 4) {
        fail("needs at least three indices and a value");
      }
      order_ = words.size() - 1;
      index_.resize(order_);
    }
    if (words.size() != order_ + 1) {
      fail("has " + std::to_string(words.size()) + " numbers, the lines before it " +
           std::to_string(order_ + 1));
    }
    for (std::size_t mode = 0; mode < order_; ++mode) {
      const std::string_view word = words[mode];
      std::int64_t index = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
      if (error != std::errc{} || end != word.data() + word.size() || index < 1 ||
          index > k_most_indices) {
        fail("'" + std::string(word) + "' is not an index");
      }
      index_[mode].push_back(static_cast<std::int32_t>(index - 1));
    }
    double value = 0.0;
    const std::string_view word = words.back();
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(value)) {
      fail("'" + std::string(word) + "' is not a number");
    }
    result_.value.push_back(value);
    const std::size_t at = result_.value.size() - 1;
    if (at > 0 && (index_[0][at] < index_[0][at - 1] ||
                   (index_[0][at] == index_[0][at - 1] && index_[1][at] < index_[1][at - 1]))) {
      fail("comes before the line before it; entries must be sorted");
    }
  }

  sparse_tensor build() {
    std::vector<std::int64_t> sizes(order_);
    for (std::size_t mode = 0; mode < order_; ++mode) {
      sizes[mode] = *std::max_element(index_[mode].begin(), index_[mode].end()) + std::int64_t{1};
    }
    std::int64_t third = 1;
    for (std::size_t mode = 2; mode < order_; ++mode) {
      third = third > k_most_indices / sizes[mode] ? k_most_indices : third * sizes[mode];
    }
    if (third >= k_most_indices) {
      throw input_error(std::string(name_) + ": the third mode and those after it are too large");
    }
    result_.modes[0] = sizes[0];
    result_.modes[1] = sizes[1];
    result_.modes[2] = third;
    for (std::size_t at = 0; at < result_.value.size(); ++at) {
      std::int64_t k = 0;
      for (std::size_t mode = 2; mode < order_; ++mode) {
        k = k * sizes[mode] + index_[mode][at];
      }
      result_.k.push_back(static_cast<std::int32_t>(k));
      const bool new_slice = at == 0 || index_[0][at] != index_[0][at - 1];
      if (at > 0 && (new_slice || index_[1][at] != index_[1][at - 1])) {
        result_.fibre_begin.push_back(static_cast<std::int64_t>(at));
      }
      // Slices without entries, too.
      while (static_cast<std::int64_t>(result_.slice_begin.size()) <= index_[0][at]) {
        result_.slice_begin.push_back(result_.fibres());
      }
    }
    result_.fibre_begin.push_back(static_cast<std::int64_t>(result_.value.size()));
    result_.slice_begin.push_back(result_.fibres());
    return std::move(result_);
  }

  std::string_view rest_;
  std::string_view name_;
  std::int64_t number_ = 0;
  std::size_t order_ = 0;
  std::vector<std::vector<std::int32_t>> index_;
  sparse_tensor result_;
};

}  // namespace

csr hbc_random_matrix(std::int64_t rows) {
  constexpr std::int64_t k_row_length = 100;
  csr result;
  result.rows = rows;
  result.cols = rows;
  random_source random(7);
  const std::int64_t length = std::min(k_row_length, rows);
  result.col.reserve(static_cast<std::size_t>(rows * length));
  result.value.reserve(static_cast<std::size_t>(rows * length));
  for (std::int64_t r = 0; r < rows; ++r) {
    // One from each of as many parts of the row: ascending and without repeats.
    for (std::int64_t e = 0; e < length; ++e) {
      const std::int64_t first = rows * e / length;
      const std::int64_t width = rows * (e + 1) / length - first;
      const std::int64_t col = first + random.below(static_cast<std::uint32_t>(width));
      result.col.push_back(static_cast<std::int32_t>(col));
      result.value.push_back(0.5 + random.unit());
    }
    result.row_begin.push_back(result.entries());
  }
  return result;
}

csr hbc_links_in(const request& wanted, const problem_info& info) {
  const std::int64_t vertices = size_of(wanted, info);
  if (wanted.input.empty()) {
    return power_law_matrix(vertices);
  }
  const csr links = read_matrix_market(wanted.input);
  if (links.rows != links.cols) {
    throw input_error(std::string(info.name) +
                      ": the matrix of a graph must be square, this one has " +
                      std::to_string(links.rows) + " rows and " + std::to_string(links.cols) +
                      " columns");
  }
  return transpose(links);
}

std::vector<std::int32_t> count_links_out(const csr& links_in) {
  std::vector<std::int32_t> counts(static_cast<std::size_t>(links_in.rows));
  for (const std::int32_t from : links_in.col) {
    ++counts[static_cast<std::size_t>(from)];
  }
  return counts;
}

std::int32_t busiest_vertex(const csr& links_in) {
  const std::vector<std::int32_t> counts = count_links_out(links_in);
  return static_cast<std::int32_t>(std::max_element(counts.begin(), counts.end()) -
                                   counts.begin());
}

csr both_directions(const csr& square) {
  const csr turned = transpose(square);
  csr result;
  result.rows = square.rows;
  result.cols = square.cols;
  result.col.reserve(2 * square.col.size());
  result.value.reserve(2 * square.col.size());
  for (std::int64_t r = 0; r < square.rows; ++r) {
    for (const csr* part : {&square, &turned}) {
      const auto row = static_cast<std::size_t>(r);
      const auto first = part->row_begin[row];
      const auto last = part->row_begin[row + 1];
      result.col.insert(result.col.end(), part->col.begin() + first, part->col.begin() + last);
      result.value.insert(result.value.end(), part->value.begin() + first,
                          part->value.begin() + last);
    }
    result.row_begin.push_back(result.entries());
  }
  return result;
}

sparse_tensor generate_tensor(std::int64_t entries) {
  random_source random(8);
  sparse_tensor result;
  // nell-2's proportions: more entries than the square of a mode's size.
  const auto side = std::max<std::int64_t>(
      1, static_cast<std::int64_t>(std::sqrt(static_cast<double>(entries)) / 2.0));
  result.modes[0] = side;
  result.modes[1] = side;
  result.modes[2] = 4 * side;
  for (const std::int64_t in_slice :
       zipf_sizes(side, entries, side * result.modes[2], random)) {
    const std::int64_t fibres = std::clamp<std::int64_t>(in_slice / 8, 1, side);
    for (const std::int64_t in_fibre :
         zipf_sizes(fibres, in_slice, result.modes[2], random)) {
      for (std::int64_t e = 0; e < in_fibre; ++e) {
        const std::int64_t first = result.modes[2] * e / in_fibre;
        const std::int64_t width = result.modes[2] * (e + 1) / in_fibre - first;
        const std::int64_t k = first + random.below(static_cast<std::uint32_t>(width));
        result.k.push_back(static_cast<std::int32_t>(k));
        result.value.push_back(0.5 + random.unit());
      }
      result.fibre_begin.push_back(static_cast<std::int64_t>(result.k.size()));
    }
    result.slice_begin.push_back(result.fibres());
  }
  return result;
}

sparse_tensor parse_tensor(std::string_view text, std::string_view name) {
  return tensor_parser(text, name).parse();
}

sparse_tensor read_tensor(const std::string& path) {
  return parse_tensor(text_of_file(path), path);
}

sparse_tensor tensor_of(const request& wanted, const problem_info& info) {
  const std::int64_t entries = size_of(wanted, info);
  return wanted.input.empty() ? generate_tensor(entries) : read_tensor(wanted.input);
}

}  // namespace takt::bench
