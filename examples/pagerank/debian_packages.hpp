// Debian's package lists as a graph: who names whom as a dependency.
#pragma once

#include <cstdint>
#include <istream>
#include <stdexcept>
#include <string>
#include <vector>

#include "graph.hpp"

namespace pagerank {

struct package_graph {
  std::vector<std::string> names;  // node i; in the order in which they are first met
  std::int32_t packages = 0;       // how many nodes have a stanza; the others are virtual or missing
  std::vector<edge> edges;         // from a package to a name it gives; may repeat
};

// what() says which line and what is wrong with it.
class package_list_error : public std::runtime_error {
 public:
  package_list_error(std::int64_t line, const std::string& what)
      : std::runtime_error("line " + std::to_string(line) + ": " + what) {}
};

// Reads stanzas of "Field: value" lines as in a Packages file, the output of `apt-cache dumpavail`
// or dpkg's status file, and takes Pre-Depends, Depends, Recommends and Suggests from them. Every
// alternative of `a | b` counts as named; versions, architectures and build profiles are dropped.
// A package with several stanzas (architectures, suites) is one node with the edges of all.
// Throws package_list_error on text that is not such a list; an empty list is an empty graph.
package_graph read_package_list(std::istream& in);

}  // namespace pagerank
