/* Allocators: alignment, pools and what follows when they are full; and memory of the one device, the host. */
#include <omp.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

static int is_aligned(const void* block, uintptr_t to) { return (uintptr_t)block % to == 0; }

static void pools(void) {
  omp_alloctrait_t traits[] = {
      {omp_atk_alignment, 128}, {omp_atk_pool_size, 4096}, {omp_atk_fallback, omp_atv_null_fb}};
  const omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 3, traits);
  CHECK(pool != omp_null_allocator);
  char* a = omp_alloc(2500, pool);
  CHECK(a != NULL && is_aligned(a, 128));
  CHECK(omp_alloc(2500, pool) == NULL);
  memset(a, 7, 2500);
  a = omp_realloc(a, 3000, pool, pool);
  CHECK(a != NULL && a[0] == 7 && a[2499] == 7 && is_aligned(a, 128));
  CHECK(omp_realloc(a, 5000, pool, pool) == NULL && a[2499] == 7);
  a = omp_realloc(a, 100, pool, pool);
  char* const b = omp_calloc(2, 1500, pool);
  CHECK(a != NULL && a[99] == 7 && b != NULL && b[2999] == 0);
  omp_free(a, pool);
  omp_free(b, omp_null_allocator);
  a = omp_aligned_alloc(256, 3500, pool);
  CHECK(a != NULL && is_aligned(a, 256));

  omp_alloctrait_t next[] = {
      {omp_atk_pool_size, 64}, {omp_atk_fallback, omp_atv_allocator_fb}, {omp_atk_fb_data, (omp_uintptr_t)pool}};
  const omp_allocator_handle_t small = omp_init_allocator(omp_default_mem_space, 3, next);
  CHECK(omp_alloc(2500, small) == NULL);
  omp_free(a, pool);
  a = omp_alloc(2500, small);
  CHECK(a != NULL && is_aligned(a, 128));
  omp_free(a, small);
  next[1].value = omp_atv_default_mem_fb;
  const omp_allocator_handle_t plain = omp_init_allocator(omp_default_mem_space, 2, next);
  a = omp_alloc(25000, plain);
  CHECK(a != NULL);
  omp_free(a, plain);
  traits[0].value = 3;
  CHECK(omp_init_allocator(omp_default_mem_space, 1, traits) == omp_null_allocator);
  omp_destroy_allocator(plain);
  omp_destroy_allocator(small);
  omp_destroy_allocator(pool);
}

static void defaults(void) {
  CHECK(omp_get_default_allocator() == omp_default_mem_alloc);
  omp_set_default_allocator(omp_cgroup_mem_alloc);
#pragma omp parallel
  {
    CHECK(omp_get_default_allocator() == omp_cgroup_mem_alloc);
    omp_set_default_allocator(omp_thread_mem_alloc);
    CHECK(omp_get_default_allocator() == omp_thread_mem_alloc);
  }
  CHECK(omp_get_default_allocator() == omp_cgroup_mem_alloc);
  omp_set_default_allocator(omp_null_allocator);
  CHECK(omp_get_default_allocator() == omp_default_mem_alloc);
}

static void rectangles(void) {
#ifndef __clang__ /* which has it in the library for devices */
  int from[4][5], to[3][6];
  for (int i = 0; i < 20; ++i) from[i / 5][i % 5] = i;
  memset(to, 0, sizeof to);
  const size_t volume[] = {2, 3}, to_at[] = {1, 2}, from_at[] = {1, 1}, to_shape[] = {3, 6}, from_shape[] = {4, 5};
  CHECK(omp_target_memcpy_rect(NULL, NULL, 4, 2, NULL, NULL, NULL, NULL, NULL, 0, 0) >= 3);
  CHECK(omp_target_memcpy_rect(to, from, sizeof(int), 2, volume, to_at, from_at, to_shape, from_shape, 0, 0) == 0);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 6; ++j) {
      const int is_inside = i >= 1 && j >= 2 && j < 5;
      CHECK(to[i][j] == (is_inside ? from[i][j - 1] : 0));
    }
  }
#endif
}

/* A target region begins as a program does, and has copies of what is firstprivate. */
static void targets(void) {
  struct {
    int a, b;
  } own = {1, 2};
  double x = 3.5;
  int seen = 0;
  omp_set_num_threads(omp_get_max_threads() + 3);
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp target firstprivate(own, x) map(tofrom : seen)
  {
    own.a += 10;
    x += 1;
    seen = own.a == 11 && own.b == 2 && x == 4.5;
#ifndef __clang__ /* which calls the region as a function of its own, if there are no devices */
    seen = seen && omp_get_level() == 0 && omp_in_parallel() == 0;
#endif
  }
  CHECK(seen && own.a == 1 && x == 3.5);
  omp_set_num_threads(omp_get_max_threads() - 3);
}

int main(void) {
  for (int i = 0; i < 3; ++i) {
    pools();
    defaults();
    rectangles();
    targets();
  }
  puts("right");
  return 0;
}
