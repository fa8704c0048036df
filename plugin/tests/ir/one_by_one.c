// Iterations that may take any time are claimed one by one, in the loop itself: others can have all but the one that runs.
// RUN: %ir %s | %takt | %check
void elsewhere(double *x);
static int steps_of(double x, int most) {
  int n = 0;
  while (n < most && x < 4.0) {
    x = x * x;
    ++n;
  }
  return n;
}

// The last number says so.
// CHECK: @calls.omp_outlined.takt_loop = internal constant {{.*}}, i64 4 }
// CHECK: @straight.omp_outlined.takt_loop = internal constant {{.*}}, i64 0 }
// CHECK: @fills.omp_outlined.takt_loop = internal constant {{.*}}, i64 4 }
// CHECK: @up_to_zero.omp_outlined.takt_loop = internal constant {{.*}}, i64 4 }
// It calls code of other files, too.
// CHECK: @dynamic.omp_outlined.takt_loop = internal constant {{.*}}, i64 5 }
// CHECK: @nest.omp_outlined.takt_loop = internal constant {{.*}}, i64 0 }
void calls(const double *x, int *y, long n, int most) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) y[i] = steps_of(x[i], most);
}
// CHECK-LABEL: define internal void @calls.omp_outlined.takt_slice(
// CHECK: call void @takt_omp_begin(
// CHECK: takt.next:
// CHECK: %[[AT:.*]] = load i64, ptr %[[NEXT:.*]], align 8
// CHECK-NEXT: store i64 %[[AT]], ptr
// CHECK: call { i64, i64 } @takt_loop_next(
// The loop goes on to where the next look is.
// CHECK: call i64 @llvm.umax.i64(
// CHECK: call i32 @steps_of(
// Behind each iteration the next one is claimed, unless that has been done.
// CHECK: %[[OLD:.*]] = load i64, ptr %[[NEXT]], align
// CHECK: %[[NEW:.*]] = add i64 %[[OLD]], 1
// CHECK: store i64 %[[NEW]], ptr %[[NEXT]], align
// CHECK: icmp uge i64 %[[NEW]],
// CHECK: %[[PAST:.*]] = add i64 %[[NEW]], 1
// CHECK: store volatile i64 %[[PAST]],
// CHECK: %[[END:.*]] = load volatile i64,
// CHECK: icmp ugt i64 %[[PAST]], %[[END]]
// CHECK: asm sideeffect "cmpq $$0, %fs:16($1)"
// CHECK: br i1 %{{.*}}, label %takt.next, label %{{.*}}, !prof
// CHECK: {{^[}]$}}

// So few turns are straight code.
void straight(const double *x, double *y, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += x[3 * i + k];
    y[i] = sum;
  }
}

// A fill that may be large is none, nor are steps up to zero.
void fills(char *x, long n, long m) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) __builtin_memset(x + i * m, 0, m);
}
void up_to_zero(int *x, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    while (x[i] < 0) x[i] += 3;
  }
}

void dynamic(double *x, long n) {
#pragma omp parallel for schedule(dynamic)
  for (long i = 0; i < n; ++i) elsewhere(x + i);
}
// CHECK-LABEL: define internal void @dynamic.omp_outlined.takt_slice(
// CHECK: call void @elsewhere(
// CHECK: store volatile i64
// CHECK: br i1 %{{.*}}, label %{{.*}}, label %{{.*}}, !prof
// CHECK: {{^[}]$}}

// A converted loop looks around by itself.
void nest(double *x, long n, long m) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
#pragma omp parallel for
    for (long k = 0; k < m; ++k) x[i * m + k] += 1;
  }
}
