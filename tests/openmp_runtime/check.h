/* Tells what was wrong, and ends. */
#include <stdio.h>
#include <stdlib.h>
#define CHECK(what)                                               \
  do {                                                            \
    if (!(what)) {                                                \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what);  \
      abort();                                                    \
    }                                                             \
  } while (0)
