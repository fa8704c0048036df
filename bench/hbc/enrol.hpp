// Makes the programs of one system known.
#pragma once

#include "hbc/bfs/config.hpp"
#include "hbc/cc/config.hpp"
#include "hbc/cf/config.hpp"
#include "hbc/cg/config.hpp"
#include "hbc/floyd_warshall/config.hpp"
#include "hbc/kmeans/config.hpp"
#include "hbc/mandelbrot/config.hpp"
#include "hbc/mandelbulb/config.hpp"
#include "hbc/plus_reduce_array/config.hpp"
#include "hbc/pr/config.hpp"
#include "hbc/pr_delta/config.hpp"
#include "hbc/spmv/config.hpp"
#include "hbc/srad/config.hpp"
#include "hbc/sssp/config.hpp"
#include "hbc/ttm/config.hpp"
#include "hbc/ttv/config.hpp"

namespace takt::bench {

template <class Arguments>
using hbc_program = void (*)(const Arguments*);

// The program `Program` as P's body. `Before` runs first, inside the clock.
template <class P, auto Program, auto Before>
void run_hbc(const typename P::input& in, typename P::answer& out) {
  Before();
  const auto arguments = P::arguments(in, out);
  Program(&arguments);
}

inline void nothing_before() {}

}  // namespace takt::bench

// X(problem, program): the rows of HBC's table 1, and the C program of each.
#define TAKT_HBC_TABLE(X)                  \
  X(mandelbrot, mandelbrot)                \
  X(spmv_arrowhead, spmv)                  \
  X(spmv_powerlaw, spmv)                   \
  X(spmv_random, spmv)                     \
  X(floyd_warshall, floyd_warshall)        \
  X(kmeans, kmeans)                        \
  X(plus_reduce_array, plus_reduce_array)  \
  X(srad, srad)                            \
  X(mandelbulb, mandelbulb)                \
  X(cg, cg)                                \
  X(ttv, ttv)                              \
  X(ttm, ttm)                              \
  X(bfs, bfs)                              \
  X(cc, cc)                                \
  X(pr, pr)                                \
  X(cf, cf)                                \
  X(pr_delta, pr_delta)                    \
  X(sssp, sssp)

// The same of rows that are no part of the table: they run where they are named.
#define TAKT_HBC_BESIDE_TABLE(X) \
  X(spmv_web, spmv)              \
  X(spmv_web_out, spmv)

// TAKT_HBC_ENROL(VARIANT, SYSTEM, BEFORE, PROBLEM, PROGRAM), at namespace scope: the program that
// was compiled with HBC_SYSTEM=VARIANT is what the system of that name runs.
#define TAKT_HBC_ENROL(variant, system, before, problem, program)                              \
  extern "C" void hbc_##program##_##variant(const hbc_##program*);                             \
  const enrol<hbc_##problem##_problem> problem##_##variant(                                    \
      system, run_hbc<hbc_##problem##_problem, &hbc_##program##_##variant, &before>);
