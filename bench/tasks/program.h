/* What the programs in this folder share: a size from the command line, the time of the work on stderr, and the answer
   on stdout. Without OpenMP each is the serial program. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static struct timespec work_began;

/* The first argument, or what a test runs. */
static inline int size_or(int argc, char** argv, int otherwise) {
  if (argc < 2) return otherwise;
  char* end = argv[1];
  long size = strtol(argv[1], &end, 10);
  if (end == argv[1] || *end != 0 || size < 1 || size > 100000000) {
    fprintf(stderr, "%s: the size is a number from 1 to 100000000, not '%s'\n", argv[0], argv[1]);
    exit(2);
  }
  return (int)size;
}

static inline void* room_for(size_t bytes) {
  void* room = malloc(bytes);
  if (room == NULL) {
    fprintf(stderr, "no memory\n");
    exit(1);
  }
  return room;
}

static inline void work_begins(void) { clock_gettime(CLOCK_MONOTONIC, &work_began); }
static inline void work_ends(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  fprintf(stderr, "%.9f\n",
          (double)(now.tv_sec - work_began.tv_sec) + 1e-9 * (double)(now.tv_nsec - work_began.tv_nsec));
}

/* A number that looks like chance, and depends on nothing else. */
static inline unsigned long mixed(unsigned long x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ul;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebul;
  return x ^ (x >> 31);
}
