/* Another library where one was unloaded: whether its members need threads of their own is asked anew. Compiled three
   times: a library without thread-local variables, one with (OWN), and the program that loads them. */
#define _GNU_SOURCE
#include <omp.h>

#include "check.h"

#ifdef LIBRARY

#ifdef OWN
static int own;
#pragma omp threadprivate(own)
#endif

void region(void) {
#pragma omp parallel
  {
#ifdef OWN
    own = omp_get_thread_num();
#endif
#pragma omp barrier
#ifdef OWN
    CHECK(own == omp_get_thread_num());
#endif
  }
}

#else

#include <dlfcn.h>

/* @returns where it was. */
static void* run(const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  CHECK(library != NULL);
  void (*region)(void) = (void (*)(void))dlsym(library, "region");
  CHECK(region != NULL);
  region();
  region();
  Dl_info where;
  CHECK(dladdr((void*)region, &where) != 0);
  CHECK(dlclose(library) == 0);
  CHECK(dlopen(path, RTLD_NOW | RTLD_NOLOAD) == NULL);
  return where.dli_fbase;
}

int main(int argc, char** argv) {
  CHECK(argc == 3 && omp_get_max_threads() > 1);
  void* last = NULL;
  int met = 0;
  for (int round = 0; round < 4; ++round) {
    void* plain = run(argv[1]);
    met += plain == last;
    last = run(argv[2]);
    met += plain == last;
  }
  /* Else this shows nothing. */
  CHECK(met > 0);
  puts("right");
}

#endif
