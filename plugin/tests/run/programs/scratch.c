// Arrays of a region that its loops use as scratch: each iteration fills them before it reads them.
#include "cases.h"

#include <string.h>

/* The shape of the set-up of many solvers: a function fills a vector for each point of a grid. */
static void exact(double x, double y, double to[5]) {
  for (int m = 0; m < 5; m++) to[m] = m + x * (2 + y * (3 + m));
}
CASE(filled_by_a_function) {
  int i, j, m;
  double x, y, row[5];
#pragma omp parallel default(shared) private(i, j, m, x, y, row)
  {
#pragma omp for
    for (i = 0; i < n; i++) {
      x = i * 0.5;
      for (j = 0; j < 3; j++) {
        y = j;
        exact(x, y, row);
        for (m = 0; m < 5; m++) v[i] += (long)row[m] * (m + 1);
      }
    }
    x = 2;
#pragma omp for nowait
    for (i = 0; i < n; i++) {
      exact(x, i, row);
      for (m = 4; m >= 0; m--) v[i] += (long)(row[m] * 2);
    }
  }
  return taken();
}
CASE(filled_in_parts) {
  double face[2][3][5], row[5];
  int i, j, m, ix;
  double xi, eta, zeta;
#pragma omp parallel private(i, j, m, ix, face, row, xi, eta, zeta)
  {
#pragma omp for
    for (i = 0; i < n; i++) {
      xi = i;
      for (j = 0; j < v[n] + 3; j++) {
        eta = j;
        zeta = xi - eta;
        for (ix = 0; ix < 2; ix++) exact(ix, eta, &(face[ix][0][0]));
        for (ix = 0; ix < 2; ix++) exact(xi, ix, &face[ix][1][0]);
        for (ix = 0; ix < 2; ix++) exact(zeta, ix, &face[ix][2][0]);
        for (m = 0; m < 5; m++) v[i] += (long)(face[0][0][m] + 3 * face[1][1][m] - face[1][2][m]);
      }
    }
#pragma omp for
    for (i = 0; i < n; i++) {
      exact(1, i, row);
      for (m = 0; m < 5; m++) v[i] += (long)row[m];
    }
#pragma omp for schedule(dynamic, 3)
    for (i = 0; i < n; i++) {
      for (ix = 1; ix >= 0; --ix)
        for (j = 0; j < 3; ++j) exact(i, j, face[ix][j]);
      v[i] += (long)face[1][2][4];
    }
  }
  return taken();
}
/* Some of it, and only that is read. */
static int first_two(int *to, int from) {
  to[0] = from;
  to[1] = from * 2;
  return from % 2;
}
CASE(a_part_of_it) {
#pragma omp parallel
  {
    int row[9];
    for (int k = 0; k < 3; ++k) {
#pragma omp for
      for (int i = 0; i < n; ++i) {
        const int which = first_two(row + 3, i);
        v[i] += row[3] + row[4] * k;
        if (which) {
          row[0] = 3;
          v[i] += row[0];
        }
      }
    }
  }
  return taken();
}
CASE(by_bytes) {
#pragma omp parallel
  {
    char text[40];
    struct { int a, b[3]; long c; } mixed[2];
#pragma omp for
    for (int i = 0; i < n; ++i) {
      memset(text, i % 100, sizeof text);
      for (int k = 0; k < 40; k += 3) text[k] = (char)k;
      mixed[0].a = i;
      mixed[0].b[2] = 4;
      v[i] += text[i % 40] + mixed[0].a + mixed[0].b[2];
    }
#pragma omp for
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 40; k += 2) text[k] = (char)(k + i);
      for (int k = 1; k < 40; k += 2) text[k] = (char)(k - i);
      mixed[1].c = i;
      for (int k = 2; k >= 0; --k) mixed[1].b[k] = k + i;
      v[i] += text[(i * 7) % 40] + mixed[1].c + mixed[1].b[0] + mixed[1].b[2];
    }
  }
  return taken();
}
CASE(long_ones) {
#pragma omp parallel
  {
    double line[600];
#pragma omp for schedule(static, 5)
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 600; ++k) line[k] = k * i;
      v[i] += (long)line[i % 600];
    }
#pragma omp sections
    {
#pragma omp section
      {
        int k = 0;
        while (k < 600) line[k++] = 7;
        v[0] = (long)line[17];  // no sum: LLVM loads ahead what may be another section's
      }
#pragma omp section
      {
        int k = 600;
        do line[--k] = k * 3; while (k != 0);
        v[1] = (long)line[23];
      }
    }
  }
  return taken();
}
/* In what one thread runs, too, and in functions that the region calls. */
static void rows(int from) {
  int row[3][2];
#pragma omp for
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 6; ++k) row[k / 2][k % 2] = k * from + i;
    v[i] += row[i % 3][i % 2];
  }
#pragma omp single
  {
    for (int k = 0; k < 3; ++k) row[k][0] = row[k][1] = from;
    v[5] += row[v[5] % 3][v[6] % 2];
  }
#pragma omp for
  for (int i = 0; i < n; ++i) {
    if (i % 2)
      for (int k = 0; k < 3; ++k) row[k][0] = row[k][1] = from;
    else
      for (int k = 2; k >= 0; --k) row[k][1] = row[k][0] = i;
    v[i] += row[i % 3][i % 2];
  }
}
CASE(in_a_function) {
#pragma omp parallel
  {
    rows(3);
    rows(5);
  }
  return taken();
}
/* A loop sets what the others do not read of it, and code beside the loops, too. */
CASE(set_beside) {
#pragma omp parallel
  {
    long row[4];
    for (int k = 0; k < 4; ++k) row[k] = k + 7;
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] += row[i % 4];
#pragma omp for
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 4; ++k) row[k] = i;
      v[i] += row[i % 4];
    }
    for (int k = 0; k < 4; ++k) row[k] = 5 - k;
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] += row[i % 4];
  }
  return taken();
}
/* These read what a thread has from before, or that they do not is not known. */
CASE(kept_from_the_loop_before) {
#pragma omp parallel
  {
    int hold[n];
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; ++i) hold[i] = i * 3;
#pragma omp for schedule(static)
    for (int i = 0; i < n; ++i) {
      v[i] += hold[i];
      hold[i] = 1;
    }
  }
  return taken();
}
CASE(one_is_not_filled) {
#pragma omp parallel
  {
    int row[5];
    row[4] = 8;
#pragma omp for
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 4; ++k) row[k] = i;
      for (int k = 0; k < 5; ++k) v[i] += row[k];
    }
#pragma omp for
    for (int i = 0; i < n; ++i) {
      for (int k = 1; k < 4; ++k) row[k] = k;
      row[0] = i;
      v[i] += row[i % 5];
    }
  }
  return taken();
}
static void maybe(int *to, int from) {
  if (from < n) {
    for (int k = 0; k < 3; ++k) to[k] = from;
  }
}
CASE(filled_if) {
#pragma omp parallel
  {
    int row[3];
#pragma omp for
    for (int i = 0; i < n; ++i) {
      maybe(row, i);
      v[i] += row[1];
    }
#pragma omp for
    for (int i = 0; i < n; ++i) {
      maybe(row, i + 0);
      v[i] += row[2];
    }
  }
  return taken();
}
CASE(set_once_in_each_chunk) {
  int first = 1;
#pragma omp parallel
  {
    int row[4];
#pragma omp for firstprivate(first)
    for (int i = 0; i < n; ++i) {
      if (first)
        for (int k = 0; k < 4; ++k) row[k] = k * k;
      first = 0;
      v[i] += row[i % 4];
    }
#pragma omp for
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 4; ++k) row[k] = i;
      v[i] += row[i % 4];
    }
  }
  return taken();
}
CASE(filled_as_far_as) {
#pragma omp parallel
  {
    int row[8];
#pragma omp for
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < v[n] + 5; ++k) row[k] = k + i;
      for (int k = 0; k < v[n] + 5; ++k) v[i] += row[k];
    }
#pragma omp for
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 8; ++k) {
        row[k] = k + i;
        if (v[n] > k) break;
      }
      v[i] += row[7];
    }
  }
  return taken();
}
CASE(read_behind_it) {
#pragma omp parallel num_threads(1)
  {
    int row[3] = {1, 1, 1};
#pragma omp for
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 3; ++k) row[k] = i + k;
      v[i] += row[i % 3];
    }
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] += row[i % 3];
  }
  return taken();
}
CASE(set_by_one) {
#pragma omp parallel
  {
    int row[2];
#pragma omp for
    for (int i = 0; i < n; ++i) {
      row[0] = row[1] = i;
      v[i] += row[i % 2];
    }
#pragma omp master
    row[0] = row[1] = 4;
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] += i;
#pragma omp master
    v[3] += row[v[3] % 2];
  }
  return taken();
}

int main(void) {
  RUN(filled_by_a_function);
  RUN(filled_in_parts);
  RUN(a_part_of_it);
  RUN(by_bytes);
  RUN(long_ones);
  RUN(in_a_function);
  RUN(set_beside);
  RUN(kept_from_the_loop_before);
  RUN(one_is_not_filled);
  RUN(filled_if);
  RUN(set_once_in_each_chunk);
  RUN(filled_as_far_as);
  RUN(read_behind_it);
  RUN(set_by_one);
}
// converted: 17 loops, 7 regions, 7 left
