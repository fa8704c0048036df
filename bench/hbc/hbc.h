// What the programs of HBC's table share. They are plain OpenMP C; this header picks the variant:
//   HBC_SYSTEM      ends the names of its functions, so that variants can be linked together
//   HBC_OUTERMOST   the inner levels stay serial
//   HBC_SCHEDULE    clause for the outermost loops, or nothing
#ifndef TAKT_BENCH_HBC_H
#define TAKT_BENCH_HBC_H

#include <stdint.h>

#ifndef __cplusplus

#define HBC_JOIN(program, system) hbc_##program##_##system
#define HBC_JOIN_EXPANDED(program, system) HBC_JOIN(program, system)
#define HBC_ENTRY(program) HBC_JOIN_EXPANDED(program, HBC_SYSTEM)

#ifndef HBC_SCHEDULE
#define HBC_SCHEDULE
#endif

// HBC_INNER(parallel for ...) is the OpenMP line of a loop that is inside another one.
#define HBC_PRAGMA(text) _Pragma(#text)
#ifdef HBC_OUTERMOST
#define HBC_INNER(...)
#else
#define HBC_INNER(...) HBC_PRAGMA(omp __VA_ARGS__)
#endif

#endif

// Compressed sparse rows: row r holds the entries [row_begin[r], row_begin[r + 1]).
struct hbc_matrix {
  int64_t rows;
  const int64_t *row_begin;
  const int32_t *col;
  const double *value;
};

// The neighbours of v are neighbour[begin[v]] to neighbour[begin[v + 1] - 1]. Those with a link
// to v, unless a program says otherwise.
struct hbc_graph {
  int64_t vertices;
  const int64_t *begin;
  const int32_t *neighbour;
};

// A sparse tensor of order three: the first mode dense, the others compressed. Slice i holds the
// fibres [slice_begin[i], slice_begin[i + 1]), fibre f the entries [fibre_begin[f],
// fibre_begin[f + 1]), k counting along the third mode.
struct hbc_tensor {
  int64_t slices;
  const int64_t *slice_begin;
  const int64_t *fibre_begin;
  const int32_t *k;
  const double *value;
};

#endif
