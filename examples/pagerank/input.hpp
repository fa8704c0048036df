// Where the graph comes from, and what its nodes are called.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "graph.hpp"

namespace pagerank {

struct input {
  graph links;
  std::vector<std::string> names;  // empty: nodes have numbers only
  std::string description;         // one line

  // The name, or for a matrix without names "row 17", counted from 1 as in the file.
  [[nodiscard]] std::string name_of(std::int32_t node) const;
};

// what() is one line that says which file and what is wrong with it.
class input_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A square Matrix Market file: an entry (i, j) is an edge from i to j whatever its value.
// A file of the same name that ends in .names, if there is one, names the rows, one a line.
input read_matrix(const std::string& path);

// A Debian package list; "-" is the standard input.
input read_packages(const std::string& path);

}  // namespace pagerank
