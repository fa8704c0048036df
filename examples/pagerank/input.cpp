#include "input.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <utility>

#include "debian_packages.hpp"
#include "io/matrix_market.hpp"
#include "progress.hpp"

namespace pagerank {
namespace {

std::string count_of(std::int64_t n, const char* what) { return std::to_string(n) + " " + what; }

// Names are a convenience: a list that does not fit the matrix is left aside with a word.
std::vector<std::string> read_names(const std::string& matrix_path, std::int64_t rows) {
  const std::string path = std::filesystem::path(matrix_path).replace_extension(".names").string();
  std::ifstream in(path);
  std::vector<std::string> names;
  for (std::string line; std::getline(in, line);) {
    names.push_back(std::move(line));
  }
  if (!names.empty() && static_cast<std::int64_t>(names.size()) != rows) {
    std::fprintf(stderr, "pagerank: %s: %zu names for %lld rows; printing row numbers instead\n", path.c_str(),
                 names.size(), static_cast<long long>(rows));
    names.clear();
  }
  return names;
}

}  // namespace

std::string input::name_of(std::int32_t node) const {
  return names.empty() ? "row " + std::to_string(node + 1) : names[static_cast<std::size_t>(node)];
}

input read_matrix(const std::string& path) {
  const progress step("reading " + path);
  takt::bench::csr matrix;
  try {
    matrix = takt::bench::read_matrix_market(path);
  } catch (const takt::bench::matrix_error& e) {
    throw input_error(e.what());
  }
  // Checked here and not by the reader: a product takes any matrix, a graph does not.
  if (matrix.rows != matrix.cols) {
    throw input_error(path + ": a graph needs a square matrix, this one is " + std::to_string(matrix.rows) + " x " +
                      std::to_string(matrix.cols));
  }
  if (matrix.rows == 0) {
    throw input_error(path + ": the matrix has no rows");
  }

  const auto rows = static_cast<std::int32_t>(matrix.rows);
  std::vector<edge> edges;
  edges.reserve(matrix.col.size());
  for (std::int32_t row = 0; row < rows; ++row) {
    const auto end = matrix.row_begin[static_cast<std::size_t>(row) + 1];
    for (auto k = matrix.row_begin[static_cast<std::size_t>(row)]; k < end; ++k) {
      edges.push_back({row, matrix.col[static_cast<std::size_t>(k)]});
    }
  }
  input result{build_graph(rows, edges), read_names(path, rows), {}};
  result.description = path + ": " + count_of(rows, "nodes, ") + count_of(result.links.edges(), "edges");
  return result;
}

input read_packages(const std::string& path) {
  const progress step("reading package lists");
  const std::string shown = path == "-" ? "package list on the standard input" : path;
  std::ifstream file;
  if (path != "-") {
    file.open(path);
    // Opening a directory succeeds and reading it finds nothing, which would pass for an empty list.
    if (!file || std::filesystem::is_directory(path)) {
      throw input_error(path + ": cannot be opened for reading");
    }
  }
  package_graph packages;
  try {
    packages = read_package_list(path == "-" ? std::cin : file);
  } catch (const package_list_error& e) {
    throw input_error(shown + ": " + e.what());
  }
  if (packages.packages == 0) {
    throw input_error(shown + ": no packages in it");
  }

  const auto nodes = static_cast<std::int32_t>(packages.names.size());
  input result{build_graph(nodes, packages.edges), std::move(packages.names), {}};
  result.description = count_of(packages.packages, "Debian packages and ") +
                       count_of(nodes - packages.packages, "names without a package, ") +
                       count_of(result.links.edges(), "dependencies");
  return result;
}

}  // namespace pagerank
