// Arrays that may overlap: of two at least one has no memory of its own, so nothing is said of either.
// RUN: %ir %s | %takt | %check
// RUN: %ir %s | %takt | %check --check-prefix=ANY
// ANY-NOT: !alias.scope
typedef __SIZE_TYPE__ size;
void *malloc(size);
void *realloc(void *, size);
void keep(double **);

void given(double *b, int n) {
  double *a = malloc(n);
#pragma omp parallel for
  for (int i = 0; i < n; ++i) a[i] = b[i];
}
// CHECK-DAG: define internal void @given.omp_outlined.takt_slice(

void copied(int n) {
  double *a = malloc(n), *b = a + 1;
#pragma omp parallel for
  for (int i = 0; i < n - 1; ++i) a[i] = b[i];
}
// CHECK-DAG: define internal void @copied.omp_outlined.takt_slice(

void swapped(int n) {
  double *a = malloc(n), *b = malloc(n);
  for (int turn = 0; turn < 3; ++turn) {
#pragma omp parallel for
    for (int i = 0; i < n; ++i) a[i] = b[i];
    double *c = a;
    a = b;
    b = c;
  }
}
// CHECK-DAG: define internal void @swapped.omp_outlined.takt_slice(

void one_for_both(int n) {
  double *a, *b;
  a = b = malloc(n);
#pragma omp parallel for
  for (int i = 0; i < n; ++i) a[i] = b[n - i];
}
// CHECK-DAG: define internal void @one_for_both.omp_outlined.takt_slice(

void grown(int n) {
  double *a = malloc(n), *b = malloc(n);
  b = realloc(b, n + n);
#pragma omp parallel for
  for (int i = 0; i < n; ++i) a[i] = b[i];
}
// CHECK-DAG: define internal void @grown.omp_outlined.takt_slice(

// Memory from allocators of the program's own, under a name of theirs or of the library's.
static double room[1000];
__attribute__((malloc, noinline)) static void *out_of_room(size bytes) { return room; }
void *calloc(size number, size bytes) { return room; }
void own_allocator(int n) {
  double *a = out_of_room(n), *b = out_of_room(n);
#pragma omp parallel for
  for (int i = 0; i < n; ++i) a[i] = b[i];
}
// CHECK-DAG: define internal void @own_allocator.omp_outlined.takt_slice(
void own_calloc(int n) {
  double *a = calloc(n, 8), *b = calloc(n, 8);
#pragma omp parallel for
  for (int i = 0; i < n; ++i) a[i] = b[i];
}
// CHECK-DAG: define internal void @own_calloc.omp_outlined.takt_slice(

// Stored by another function, or as bytes.
void known_elsewhere(int n) {
  double *a = malloc(n), *b = malloc(n);
  keep(&b);
#pragma omp parallel for
  for (int i = 0; i < n; ++i) a[i] = b[i];
}
// CHECK-DAG: define internal void @known_elsewhere.omp_outlined.takt_slice(
static void set(double **where, double *what) { *where = what; }
void set_by_function(int n) {
  double *a = malloc(n), *b = malloc(n);
  set(&b, a);
#pragma omp parallel for
  for (int i = 0; i < n; ++i) a[i] = b[i];
}
// CHECK-DAG: define internal void @set_by_function.omp_outlined.takt_slice(
void set_as_bytes(int n) {
  double *a = malloc(n), *b = malloc(n);
  __builtin_memcpy(&b, &a, sizeof b);
#pragma omp parallel for
  for (int i = 0; i < n; ++i) a[i] = b[i];
}
// CHECK-DAG: define internal void @set_as_bytes.omp_outlined.takt_slice(

void members(int n) {
  struct {
    double *a, *b;
  } both = {malloc(n), malloc(n)};
#pragma omp parallel for
  for (int i = 0; i < n; ++i) both.a[i] = both.b[i];
}
// CHECK-DAG: define internal void @members.omp_outlined.takt_slice(

// Each turn of the loop has an array of its own, but the variable changes while it runs.
void in_the_loop(int n) {
  double *a = malloc(n), *b = malloc(n);
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    if (i == 0) b = malloc(n);
    a[i] = b[i];
  }
}
// CHECK-DAG: define internal void @in_the_loop.omp_outlined.takt_slice(
