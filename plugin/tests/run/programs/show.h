/* What the programs in this folder work on, and how they tell what came out. */
#pragma once

#include <stdio.h>

/* By how much programs of many rows are cut down; 4 where a sanitizer makes them slow. */
#ifndef SMALLER
#define SMALLER 1
#endif

enum { n = 1000 };
static long v[n + 1];

/* A number that depends on all of v, and on its order. */
static inline void show(const char *what) {
  unsigned long mixed = 0;
  for (int i = 0; i <= n; ++i) mixed = (mixed * 31 + (unsigned long)v[i] % 1000003) % 1000003;
  printf("%s %lu\n", what, mixed);
}

static inline void number(const char *what, long value) { printf("%s %ld\n", what, value); }
