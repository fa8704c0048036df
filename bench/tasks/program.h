/* What the programs in this folder share: a size from the command line, the time of the work on stderr, and the answer
   on stdout. Without OpenMP each is the serial program. With CUT_OFF defined some take a cut-off as second argument:
   what is below it makes no tasks, as programs are written for other runtimes. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static struct timespec work_began;

static inline int number_in(char** argv, int at) {
  char* end = argv[at];
  long number = strtol(argv[at], &end, 10);
  if (end == argv[at] || *end != 0 || number < 1 || number > 100000000) {
    fprintf(stderr, "%s: the %s is a number from 1 to 100000000, not '%s'\n", argv[0], at == 1 ? "size" : "cut-off",
            argv[at]);
    exit(2);
  }
  return (int)number;
}

#ifdef CUT_OFF
static int cut_off;
#endif

/* The first argument, or what a test runs. */
static inline int size_or(int argc, char** argv, int otherwise) {
#ifdef CUT_OFF
  if (argc > 2) cut_off = number_in(argv, 2);
#endif
  return argc < 2 ? otherwise : number_in(argv, 1);
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
