// Inputs of HBC's programs: matrices, graphs and tensors, generated or read from files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/matrices.hpp"
#include "harness/problem.hpp"
#include "hbc/hbc.h"

namespace takt::bench {

// 100 entries in every row, anywhere: the paper's spmv-random has as many.
csr hbc_random_matrix(std::int64_t rows);

inline hbc_matrix view_of(const csr& matrix) {
  return {matrix.rows, matrix.row_begin.data(), matrix.col.data(), matrix.value.data()};
}

inline hbc_graph graph_view_of(const csr& links) {
  return {links.rows, links.row_begin.data(), links.col.data()};
}

// What most programs of the table say of themselves.
constexpr problem_info hbc_info(std::string_view name, std::string_view about,
                                std::string_view unit, std::int64_t size, std::int64_t most) {
  return {.name = name,
          .about = about,
          .form = kind::loops,
          .size_unit = unit,
          .size_default = size,
          .size_min = 1,
          .size_max = most,
          .group = "hbc"};
}

// The same of a program that runs on a file's graph, matrix or tensor.
constexpr problem_info hbc_file_info(std::string_view name, std::string_view about,
                                     std::string_view unit, std::int64_t size, std::int64_t most) {
  problem_info info = hbc_info(name, about, unit, size, most);
  info.takes_file = true;
  info.takes_whole_file = true;
  return info;
}

// The graph of a request, row v holding the vertices with a link to v: the file named by
// --input, whose entry (i, j) is a link from i to j, or one in which the numbers of links to a
// vertex follow Zipf's law, about 10 each. Throws input_error and matrix_error.
csr hbc_links_in(const request& wanted, const problem_info& info);

// Of each vertex, the number of links out of it.
std::vector<std::int32_t> count_links_out(const csr& links_in);

// What both ways to PageRank run on.
struct counted_links {
  csr links_in;
  std::vector<std::int32_t> links_out;
};

inline counted_links hbc_counted_links(const request& wanted, const problem_info& info) {
  counted_links in{hbc_links_in(wanted, info), {}};
  in.links_out = count_links_out(in.links_in);
  return in;
}

// The vertex with the most links out of it; a search begins there. 0 in an empty graph.
std::int32_t busiest_vertex(const csr& links_in);

// Every entry in both directions, twice where both were there; values are those of the entry.
csr both_directions(const csr& square);

struct sparse_tensor {
  std::int64_t modes[3] = {0, 0, 0};
  std::vector<std::int64_t> slice_begin{0};
  std::vector<std::int64_t> fibre_begin{0};
  std::vector<std::int32_t> k;
  std::vector<double> value;

  std::int64_t fibres() const { return static_cast<std::int64_t>(fibre_begin.size()) - 1; }
};

inline hbc_tensor view_of(const sparse_tensor& tensor) {
  return {tensor.modes[0], tensor.slice_begin.data(), tensor.fibre_begin.data(), tensor.k.data(),
          tensor.value.data()};
}

// About `entries` entries; the sizes of slices and, within them, of fibres follow Zipf's law, so
// that both loops over them are uneven, as in the paper's nell-2.
sparse_tensor generate_tensor(std::int64_t entries);

// Reads FROSTT's text form: a line per entry, its indices from 1, then its value; # begins a
// comment. Entries must be sorted. Modes beyond the third are folded into the third. Throws
// input_error, which names file and line. Linear time.
sparse_tensor read_tensor(const std::string& path);
sparse_tensor parse_tensor(std::string_view text, std::string_view name);

// The file named by --input, or a generated one.
sparse_tensor tensor_of(const request& wanted, const problem_info& info);

}  // namespace takt::bench
