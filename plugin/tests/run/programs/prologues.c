/* Memory that each thread allocates in front of its loop, fills in its iterations, and gives back when it has handed over what is in it. */
#include "cases.h"

#include <stdlib.h>
#include <string.h>

CASE(counted) {
#pragma omp parallel
  {
    long *mine = malloc(8 * sizeof(long));
    memset(mine, 0, 8 * sizeof(long));
#pragma omp for nowait
    for (int i = 0; i < n; ++i) mine[i * i % 8] += i;
#pragma omp critical
    for (int k = 0; k < 8; ++k) v[k] += mine[k];
    free(mine);
  }
  return taken();
}
CASE(counted_from_zero) {
  int places = 8;
#pragma omp parallel
  {
    long *mine = calloc((size_t)places, sizeof(long));
#pragma omp for nowait schedule(dynamic, 3)
    for (int i = 0; i < n; ++i) mine[i * i % places] += i;
    for (int k = 0; k < places; ++k) {
#pragma omp atomic
      v[k] += mine[k];
    }
    free(mine);
  }
  return taken();
}
CASE(set_one_by_one) {
  int places = 8;
#pragma omp parallel
  {
    long *mine = malloc((size_t)places * sizeof(long));
    for (int k = 0; k < places; ++k) mine[k] = -1;
#pragma omp for nowait schedule(guided)
    for (int i = 0; i < n; ++i)
      if (mine[i % places] < i) mine[i % places] = i;
#pragma omp critical
    for (int k = 0; k < places; ++k)
      if (mine[k] > v[k]) v[k] = mine[k];
    free(mine);
  }
  return taken();
}
struct list {
  int *of, used, room;
};
static struct list *new_list(int room) {
  struct list *made = malloc(sizeof *made);
  made->of = malloc((size_t)room * sizeof(int));
  made->used = 0;
  made->room = room;
  return made;
}
static void add(struct list *to, int value) {
  if (to->used == to->room) {
    to->room *= 2;
    to->of = realloc(to->of, (size_t)to->room * sizeof(int));
  }
  to->of[to->used++] = value;
}
static void drop(struct list *gone) {
  free(gone->of);
  free(gone);
}
CASE(made_by_functions) {
#pragma omp parallel
  {
    struct list *mine = new_list(4);
#pragma omp for nowait
    for (int i = 0; i < n; ++i)
      if (i % 3 != 0) add(mine, i);
#pragma omp critical
    for (int k = 0; k < mine->used; ++k) v[mine->of[k]]++;
    drop(mine);
  }
  return taken();
}
struct part {
  struct list *of;
  struct part *next;
};
/* What is handed over whole is there behind the region. */
CASE(handed_over) {
  struct part *all = NULL;
#pragma omp parallel
  {
    struct part *mine = malloc(sizeof *mine);
    mine->of = new_list(2);
#pragma omp for nowait
    for (int i = 0; i < n; ++i) add(mine->of, i);
#pragma omp critical
    {
      mine->next = all;
      all = mine;
    }
  }
  while (all != NULL) {
    struct part *next = all->next;
    for (int k = 0; k < all->of->used; ++k) v[all->of->of[k]] += k >= 0;
    drop(all->of);
    free(all);
    all = next;
  }
  return taken();
}
CASE(scratch) {
#pragma omp parallel
  {
    int *mine = malloc(16 * sizeof(int));
#pragma omp for nowait
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 16; ++k) mine[k] = i + k;
      for (int k = 0; k < 16; ++k) v[i] += mine[k];
    }
    free(mine);
  }
  return taken();
}
/* Each thread finds out for itself that there is no memory. */
size_t all_there_is = 100;
static long *some_memory(size_t bytes) { return bytes > all_there_is ? NULL : malloc(bytes); }
CASE(without_memory) {
  size_t bytes = n * sizeof(long);
#pragma omp parallel
  {
    long *mine = some_memory(bytes), lost = 0;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) {
      if (mine != NULL) {
        mine[i] = i;
      } else {
        lost += i;
      }
    }
#pragma omp atomic
    v[0] += lost;
    if (mine != NULL) memcpy(v, mine, sizeof v);
    free(mine);
  }
  return taken();
}
CASE(without_iterations) {
  int none = n - n;
#pragma omp parallel
  {
    struct list *mine = new_list(4);
#pragma omp for nowait
    for (int i = 0; i < none; ++i) add(mine, i);
#pragma omp critical
    if (mine->used != 0) v[0] = 1;
    drop(mine);
  }
  return taken();
}
CASE(one_thread) {
#pragma omp parallel num_threads(1)
  {
    struct list *mine = new_list(4);
#pragma omp for nowait
    for (int i = 0; i < n; ++i) add(mine, i);
#pragma omp critical
    for (int k = 0; k < mine->used; ++k) v[k] = mine->of[k];
    drop(mine);
  }
  return taken();
}
CASE(in_iterations) {
#pragma omp parallel for
  for (int o = 0; o < 20; ++o) {
#pragma omp parallel
    {
      struct list *mine = new_list(4);
#pragma omp for nowait
      for (int i = 0; i < 40 * o; ++i) add(mine, i);
#pragma omp critical(list)
      for (int k = 0; k < mine->used; ++k) v[o] += mine->of[k] + 1;
      drop(mine);
    }
  }
  return taken();
}
/* These count threads, or say which one it is, and stay. */
static long next_number;
CASE(numbered) {
  next_number = 0;
#pragma omp parallel
  {
    struct list *mine = new_list(4);
    long number;
#pragma omp atomic capture
    number = next_number++;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) add(mine, i);
#pragma omp critical
    for (int k = 0; k < mine->used; ++k) v[mine->of[k]] += number >= 0;
    drop(mine);
  }
  return taken();
}
struct counter {
  long *threads;
};
CASE(counted_in_turn) {
  long threads = 0;
#pragma omp parallel
  {
    struct counter *mine = malloc(sizeof *mine);
    mine->threads = &threads;
#pragma omp critical
    mine->threads[0]++;
    long sum = 0;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) sum += i;
#pragma omp atomic
    v[0] += sum;
    free(mine);
  }
  v[1] = threads > 0;
  return taken();
}
/* Nobody can tell when a thread gives that back, whatever it has kept there. */
CASE(given_back_behind_a_barrier) {
#pragma omp parallel
  {
    long *mine = calloc(8, sizeof(long)), *more = NULL;
#pragma omp for schedule(dynamic, 2)
    for (int i = 0; i < n; ++i) {
      if (i % 3 == 0) more = realloc(more, (size_t)(i + 1) * sizeof(long));
      if (i % 3 == 0) more[i] = i;
      mine[i % 8] = i;
      v[i] = mine[i % 8] + (i % 3 == 0 ? more[i] : 1);
    }
    free(mine);
    if (more != NULL) free(more);
  }
  return taken();
}
/* Another thread may look at it until all iterations are over. */
CASE(shown_behind_a_barrier) {
  const long *shown = NULL;
#pragma omp parallel
  {
    long *mine = calloc(8, sizeof(long));
#pragma omp for
    for (int i = 0; i < n; ++i) {
#pragma omp critical
      {
        mine[i % 8] = i;
        if (shown != NULL) v[i] = shown[i % 8] >= 0 ? 1 : -1;
        if (shown == NULL) v[i] = 1;
        shown = mine;
      }
    }
    free(mine);
  }
  return taken();
}
/* What each thread has lives from one turn to the next. */
CASE(comes_again) {
  int left = 5;
#pragma omp parallel
  {
    struct list *mine = new_list(4);
    while (left != 0) {
#pragma omp for nowait
      for (int i = 0; i < n; ++i) add(mine, i);
#pragma omp barrier
#pragma omp single
      --left;
    }
#pragma omp critical
    for (int k = 0; k < mine->used; ++k) v[mine->of[k]]++;
    drop(mine);
  }
  return taken();
}

int main(void) {
  RUN(counted);
  RUN(counted_from_zero);
  RUN(set_one_by_one);
  RUN(made_by_functions);
  RUN(handed_over);
  RUN(scratch);
  RUN(without_memory);
  RUN(without_iterations);
  RUN(one_thread);
  RUN(in_iterations);
  RUN(numbered);
  RUN(counted_in_turn);
  RUN(given_back_behind_a_barrier);
  RUN(shown_behind_a_barrier);
  RUN(comes_again);
  return 0;
}
// converted: 12 loops, 0 regions, 4 left
