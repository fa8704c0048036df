/* A sparse matrix of blocks, made into the product of a lower and an upper triangular one, in place. */
#pragma once

#include "program.h"

enum { rows = 24 }; /* of a block */

typedef double block[rows][rows];

/* A block on the diagonal. */
static void divide(block a) {
  for (int k = 0; k < rows; ++k) {
    for (int i = k + 1; i < rows; ++i) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < rows; ++j) a[i][j] -= a[i][k] * a[k][j];
    }
  }
}

/* To the right of it. */
static void forward(block diagonal, block a) {
  for (int k = 0; k < rows; ++k) {
    for (int i = k + 1; i < rows; ++i) {
      for (int j = 0; j < rows; ++j) a[i][j] -= diagonal[i][k] * a[k][j];
    }
  }
}

/* Below it. */
static void backward(block diagonal, block a) {
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < rows; ++k) {
      a[i][k] /= diagonal[k][k];
      for (int j = k + 1; j < rows; ++j) a[i][j] -= a[i][k] * diagonal[k][j];
    }
  }
}

/* All others: a -= left * above. */
static void update(block left, block above, block a) {
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < rows; ++k) {
      for (int j = 0; j < rows; ++j) a[i][j] -= left[i][k] * above[k][j];
    }
  }
}

/* Null: all zero. */
static block** new_matrix(int n) {
  block** a = room_for((size_t)(n * n) * sizeof *a);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      int is_there = i == j || i - j == 1 || j - i == 1 || mixed((unsigned long)(i * n + j)) % 4 == 0;
      a[i * n + j] = is_there ? room_for(sizeof(block)) : NULL;
      if (!is_there) continue;
      for (int k = 0; k < rows * rows; ++k) {
        double value = (double)(mixed((unsigned long)((i * n + j) * rows * rows + k)) % 1000) / 1000;
        (*a[i * n + j])[k / rows][k % rows] = i == j && k / rows == k % rows ? value + 4 * n * rows : value;
      }
    }
  }
  return a;
}

static block* new_zero(void) {
  block* a = room_for(sizeof(block));
  for (int k = 0; k < rows * rows; ++k) (*a)[k / rows][k % rows] = 0;
  return a;
}

static void show_and_free(block** a, int n) {
  double sum = 0;
  long blocks = 0;
  for (int i = 0; i < n * n; ++i) {
    if (a[i] == NULL) continue;
    ++blocks;
    for (int k = 0; k < rows * rows; ++k) sum += (*a[i])[k / rows][k % rows] * (double)((i + k) % 17);
    free(a[i]);
  }
  free(a);
  printf("%.12g in %ld blocks\n", sum, blocks);
}
