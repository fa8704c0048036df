// Loops with a way round on which only somebody else can change what ends them; and loops that look alike, and end by themselves.
// RUN: %ir %s | %takt | %check
// RUN: %remarks %s 2>&1 | %check --check-prefix=REMARK
typedef struct omp_lock_t {
  void *lock;
} omp_lock_t;
void omp_set_lock(omp_lock_t *lock);
void omp_unset_lock(omp_lock_t *lock);
struct queue {
  omp_lock_t lock;
  int size, room, closed, at[64];
};
void produced(struct queue *q, int left, unsigned spin) {
// REMARK: [[@LINE+1]]:1: remark: {{.*}} it waits in a loop for what another thread does
#pragma omp parallel sections firstprivate(left, spin)
  {
#pragma omp section
    while (left) {
#pragma omp critical
      if (q->size < q->room) {
        q->size++;
        left--;
      }
      for (int i = 0; i < 10; ++i) spin = (spin + 1) % 10;
    }
#pragma omp section
    q->room++;
  }
}
// CHECK-LABEL: define internal void @produced.omp_outlined
// CHECK: call void @__kmpc_for_static_init_4(
void seen_before(struct queue *q) {
// REMARK: [[@LINE+1]]:1: remark: {{.*}} it waits in a loop for what another thread does
#pragma omp parallel for
  for (int i = 0; i < 2; ++i) {
    int closed = 0;
    while (!closed) {
#pragma omp critical
      closed = q->closed;
    }
  }
}
void got_one(struct queue *q, int n) {
// REMARK: [[@LINE+1]]:1: remark: {{.*}} it waits in a loop for what another thread does
#pragma omp parallel for
  for (int i = 0; i < 2; ++i) {
    int left = n;
    while (left > 0) {
      int got = 0;
#pragma omp critical
      if (i ? q->size > 0 : q->size < q->room) {
        q->size += i ? -1 : 1;
        got = 1;
      }
      if (got) left--;
    }
  }
}
void by_lock(struct queue *q, int n) {
// REMARK: [[@LINE+1]]:1: remark: {{.*}} it waits in a loop for what another thread does
#pragma omp parallel for
  for (int i = 0; i < 2; ++i) {
    int left = n;
    while (left > 0) {
      omp_set_lock(&q->lock);
      if (q->size < q->room) {
        q->size++;
        left--;
      }
      omp_unset_lock(&q->lock);
    }
  }
}
static int is_closed(struct queue *q) {
  int closed;
#pragma omp critical
  closed = q->closed;
  return closed;
}
void in_a_function(struct queue *q) {
// REMARK: [[@LINE+1]]:1: remark: {{.*}} it waits in a loop for what another thread does
#pragma omp parallel for
  for (int i = 0; i < 2; ++i) {
    while (!is_closed(q)) {
    }
  }
}
void looks_on_its_way(struct queue *q, int n, int *a) {
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    int low = 0, high = n;
    while (low < high) {
      int closed;
#pragma omp atomic read
      closed = q->closed;
      if (closed) break;
      const int middle = (low + high) / 2;
      if (a[middle] < i) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
  }
}
struct node {
  struct node *next;
  int value;
};
void walks(struct node **lists, int n, int *most) {
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    struct node *at = lists[i];
    while (at) {
#pragma omp critical
      if (at->value > *most) *most = at->value;
      at = at->next;
    }
  }
}
void takes(struct queue *q, int n, int *out) {
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    int got;
    do {
      int value;
      got = 0;
#pragma omp critical
      if (q->size > 0) {
        value = q->at[--q->size];
        got = 1;
      }
      if (got) out[value]++;
    } while (got);
  }
}
void takes_some(struct queue *q, int n, int *out) {
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    int got = 1, k = 0;
    while (got && k < n) {
      int value;
#pragma omp critical
      {
        got = q->size > 0;
        if (got) value = q->at[--q->size];
      }
      if (got) {
        out[value]++;
        k++;
      }
    }
  }
}
