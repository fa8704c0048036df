/* Locks, nested and plain; held across waits; threadprivate variables; memory. */
#include <omp.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

static int own = 5;
#pragma omp threadprivate(own)

static void plain(int n) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  int count = 0;
#pragma omp parallel
  {
    for (int i = 0; i < 300; ++i) {
      if (i % 3 == 0) {
        while (!omp_test_lock(&lock)) {
        }
      } else {
        omp_set_lock(&lock);
      }
      ++count;
      omp_unset_lock(&lock);
    }
  }
  CHECK(count == 300 * n);
  omp_destroy_lock(&lock);
}

static void nested(int n) {
  omp_nest_lock_t lock;
  omp_init_nest_lock(&lock);
  int count = 0;
#pragma omp parallel
  {
    for (int i = 0; i < 100; ++i) {
      omp_set_nest_lock(&lock);
      CHECK(omp_test_nest_lock(&lock) == 2);
      ++count;
      omp_unset_nest_lock(&lock);
      ++count;
      omp_unset_nest_lock(&lock);
    }
  }
  CHECK(count == 200 * n);
  omp_destroy_nest_lock(&lock);
}

static void held_across_waits(int n) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  int rounds = 0;
#pragma omp parallel
  {
    omp_set_lock(&lock);
    int inside = 0;
#pragma omp task shared(inside)
    inside = 1;
#pragma omp taskwait
    CHECK(inside == 1);
    ++rounds;
    omp_unset_lock(&lock);
  }
  CHECK(rounds == n);
  omp_destroy_lock(&lock);
}

static void threadprivates(int n) {
  own = 9;
#pragma omp parallel copyin(own)
  {
    CHECK(own == 9);
    own = 100 + omp_get_thread_num();
#pragma omp barrier
    CHECK(own == 100 + omp_get_thread_num());
  }
#pragma omp parallel
  CHECK(own == 100 + omp_get_thread_num());
  (void)n;
}

static void memory(void) {
  double* block = (double*)omp_alloc(1000 * sizeof *block, omp_default_mem_alloc);
  CHECK(block != 0);
  block[999] = 1;
  omp_free(block, omp_default_mem_alloc);
  omp_alloctrait_t traits[1] = {{omp_atk_alignment, 256}};
  omp_allocator_handle_t aligned = omp_init_allocator(omp_default_mem_space, 1, traits);
  void* other = omp_alloc(10, aligned);
  CHECK((uintptr_t)other % 256 == 0);
  omp_free(other, aligned);
  omp_destroy_allocator(aligned);
}

int main(void) {
  int n = omp_get_max_threads();
  plain(n);
  nested(n);
  held_across_waits(n);
  memory();
  threadprivates(n);
  puts("right");
  return 0;
}
