// What the demo prints: the graph, its ten top nodes, the table, and what the table means.
#pragma once

#include <string>

#include "input.hpp"
#include "measure.hpp"

namespace pagerank {

std::string describe(const input& in);
std::string top_nodes(const input& in, const measurement& m);
std::string table(const measurement& m);

// Empty, or a warning that other programs kept the CPUs busy that the systems wanted.
std::string caution(const measurement& m);

// Two sentences, each word of which that could be otherwise is taken from the numbers.
std::string meaning(const input& in, const measurement& m);

}  // namespace pagerank
