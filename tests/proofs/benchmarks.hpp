// Benchmarks as programs of known cost: their forks and loops, with made-up times for what is between them.
#pragma once

#include "bounds/program.hpp"

#include <string>
#include <vector>

namespace takt_trace {

struct benchmark {
  std::string name;
  takt_bounds::node program;
};

/// fib, nqueens, mergesort, matmul and mandelbrot (bench/), on small inputs.
std::vector<benchmark> all_benchmarks();

}  // namespace takt_trace
