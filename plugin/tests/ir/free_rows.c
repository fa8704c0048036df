// A chunk of rows of which each begins where the one before ends is asked about as a whole, and its rows are not if it is short.
// REQUIRES: tuning
// RUN: %ir %s | %optimised | %check
// RUN: %ir %s | %optimised | %check --check-prefix=ONCE
// RUN: %ir %s | %optimised | %check --check-prefix=OWN
// RUN: %ir %s | %optimised | %check --check-prefix=WALK
// What is loaded ahead of its time would be reported.
// RUN: %ir -fsanitize=thread %s | %optimised | %check --check-prefix=SANITIZED
#include <unistd.h>

void unknown(void);

void words(double *y, const long *begin, const double *a, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (long k = begin[i]; k < begin[i + 1]; ++k) sum += a[k];
    y[i] = sum;
  }
}
// Two loads of the bound: of the chunk, and of a row of a chunk that is not short.
// CHECK-LABEL: define internal void @words.omp_outlined.takt_slice(
// CHECK: %[[PAST:.*]] = load atomic i64, ptr {{.*}}@words.omp_outlined.omp_outlined.takt_site, i64 16) monotonic
// CHECK: %[[BELOW:.*]] = xor i64 %[[PAST]], -1
// CHECK: %[[MOST:.*]] = shl i64 %[[BELOW]], 5
// CHECK: %[[END:.*]] = load i64, ptr
// CHECK: call i64 @llvm.umax.i64(i64 %{{.*}}, i64 256)
// CHECK: call void @llvm.prefetch.p0(ptr %{{.*}}, i32 0, i32 3, i32 1)
// CHECK: %[[ALL:.*]] = sub i64 %[[END]], %
// CHECK: %[[SHORT:.*]] = icmp {{ult i64 %.*, %|ugt i64 %}}[[MOST]]
// CHECK: br i1 %[[SHORT]], label %{{.*}}, label %{{.*}}, !prof
// CHECK: load atomic i64, ptr {{.*}}@words.omp_outlined.omp_outlined.takt_site, i64 16) monotonic
// CHECK-NOT: load atomic i64
// CHECK: {{^[}]$}}
// In the copy for short chunks nothing asks.
// ONCE-LABEL: define internal void @words.omp_outlined.takt_slice(
// ONCE: @takt_omp_ask(
// ONCE-NOT: @takt_omp_ask(
// ONCE: {{^[}]$}}
// Which has its own addresses of y, begin and a, and none of what the other copy needs.
// OWN-LABEL: define internal void @words.omp_outlined.takt_slice(
// OWN-COUNT-3: call ptr asm "", "=r,0"(ptr
// OWN-NOT: call ptr asm
// OWN: {{^[}]$}}
// SANITIZED-LABEL: define internal void @words.omp_outlined.takt_slice(
// SANITIZED-NOT: shl i64 %{{.*}}, 5
// SANITIZED: {{^[}]$}}

// Stores of characters could be to `begin`: both bounds are loaded in each iteration.
void numbers(char *y, const unsigned *begin, const char *a, unsigned n) {
#pragma omp parallel for
  for (unsigned i = 0; i < n; ++i) {
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (unsigned k = begin[i]; k < begin[i + 1]; ++k) sum ^= a[k] ^ sum << 1;
    y[i] = (char)sum;
  }
}
// CHECK-LABEL: define internal void @numbers.omp_outlined.takt_slice(
// CHECK: %[[BELOW:.*]] = load atomic i64, ptr {{.*}}@numbers.omp_outlined.omp_outlined.takt_site, i64 8) monotonic
// CHECK: %[[MOST:.*]] = shl i64 %[[BELOW]], 5
// CHECK: %[[SHORT:.*]] = icmp {{ult i64 %.*, %|ugt i64 %}}[[MOST]]
// CHECK: br i1 %[[SHORT]], label
// CHECK: {{^[}]$}}

// The last iteration may be one that does not look at `begin`.
void some(double *y, const long *begin, const double *a, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    if (y[i] > 0) continue;
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (long k = begin[i]; k < begin[i + 1]; ++k) sum += a[k];
    y[i] = sum;
  }
}
// CHECK-LABEL: define internal void @some.omp_outlined.takt_slice(
// CHECK-NOT: shl i64 %{{.*}}, 5
// CHECK: {{^[}]$}}

// Or there may be no such iteration.
void calls(double *y, const long *begin, const double *a, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (long k = begin[i]; k < begin[i + 1]; ++k) sum += a[k];
    y[i] = sum;
    unknown();
  }
}
// CHECK-LABEL: define internal void @calls.omp_outlined.takt_slice(
// CHECK-NOT: shl i64 %{{.*}}, 5
// CHECK: {{^[}]$}}

// Rows that leave something out between them.
void apart(double *y, const long *begin, const long *end, const double *a, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (long k = begin[i]; k < end[i]; ++k) sum += a[k];
    y[i] = sum;
  }
}
// CHECK-LABEL: define internal void @apart.omp_outlined.takt_slice(
// CHECK-NOT: shl i64 %{{.*}}, 5
// CHECK: {{^[}]$}}

// Here, too, where the iterations that may be the program's last ones are in another function.
void replaces(double *y, const long *begin, const double *a, const char *last, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    double sum = 0;
#pragma omp parallel for
    for (int k = 0; k < 4; ++k) {
      if (last[4 * i + k]) execl("/bin/true", "true", (char *)0);
    }
#pragma omp parallel for reduction(+ : sum)
    for (long k = begin[i]; k < begin[i + 1]; ++k) sum += a[k];
    y[i] = sum;
  }
}
// CHECK-LABEL: define internal void @replaces.omp_outlined.takt_slice(
// CHECK-NOT: shl i64 %{{.*}}, 5
// CHECK: {{^[}]$}}

// Or in a cycle that has two entries, and so is no loop to LLVM.
void waits(double *y, const long *begin, const double *a, const volatile int *flag, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    double sum = 0;
    if (flag[i] == 2) goto second;
  first:
    if (flag[i] == 3) goto out;
  second:
    if (flag[i] != 4) goto first;
  out:;
#pragma omp parallel for reduction(+ : sum)
    for (long k = begin[i]; k < begin[i + 1]; ++k) sum += a[k];
    y[i] = sum;
  }
}
// CHECK-LABEL: define internal void @waits.omp_outlined.takt_slice(
// CHECK-NOT: shl i64 %{{.*}}, 5
// CHECK: {{^[}]$}}

// Addresses of 32 bits: LLVM cannot fetch what they point to ahead of its time.
void narrow(double *y, const int __attribute__((address_space(270))) * begin, const double *a, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int k = begin[i]; k < begin[i + 1]; ++k) sum += a[k];
    y[i] = sum;
  }
}
// CHECK-LABEL: define internal void @narrow.omp_outlined.takt_slice(
// CHECK-NOT: @llvm.prefetch
// CHECK: shl i64 %{{.*}}, 5
// CHECK-NOT: @llvm.prefetch
// CHECK: {{^[}]$}}
// OWN-LABEL: define internal void @narrow.omp_outlined.takt_slice(
// OWN-COUNT-2: call ptr asm "", "=r,0"(ptr
// OWN: {{^[}]$}}

// What an analysis knows of a static array from before would not be true of a copy of its address.
static double matrix[65536];
void by_name(const int *begin, const double *a, long n, long distance) {
#pragma omp parallel for
  for (long w = 0; w < 1; ++w) {
    double *row = matrix + w * distance;
    for (long i = 0; i < n; ++i) {
      double sum = 0;
#pragma omp parallel for reduction(+ : sum)
      for (int k = begin[i]; k < begin[i + 1]; ++k) sum += a[k];
      row[i] = sum + matrix[0];
    }
  }
}
// OWN-LABEL: define internal void @by_name.omp_outlined.takt_slice(
// OWN-COUNT-2: call ptr asm "", "=r,0"(ptr
// OWN-NOT: call ptr asm
// OWN: {{^[}]$}}

// Bounds that are no integers: there is no difference of them.
void fractions(double *y, const double *begin, char *const *places, const double *a, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    double sum = *places[i];
#pragma omp parallel for reduction(+ : sum)
    for (long k = (long)begin[i]; k < (long)begin[i + 1]; ++k) sum += a[k];
#pragma omp parallel for reduction(+ : sum)
    for (long k = (long)places[i]; k < (long)places[i + 1]; ++k) sum += a[k];
    y[i] = sum;
  }
}
// CHECK-LABEL: define internal void @fractions.omp_outlined.takt_slice(
// CHECK-NOT: shl i64 %{{.*}}, 5
// CHECK: {{^[}]$}}

// Rows of one length, in a loop inside the chunk's: their number tells the rest.
void alike(double *y, const long *begin, const double *a, const double *c, long n, long m) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    for (long l = 0; l < m; ++l) {
      double sum = 0;
#pragma omp parallel for reduction(+ : sum)
      for (long k = begin[i]; k < begin[i + 1]; ++k) sum += a[k] * c[l];
      y[i * m + l] = sum;
    }
  }
}
// CHECK-LABEL: define internal void @alike.omp_outlined.takt_slice(
// CHECK: load atomic i64, ptr {{.*}}@alike.omp_outlined.omp_outlined.takt_site, i64 16) monotonic
// CHECK: %[[MOST:.*]] = shl i64 %{{.*}}, 5
// CHECK: %[[ALL:.*]] = mul i64
// CHECK: icmp ult i64 %[[ALL]], %[[MOST]]
// CHECK: load atomic i64, ptr {{.*}}@alike.omp_outlined.omp_outlined.takt_site, i64 16) monotonic
// CHECK-NOT: load atomic i64
// CHECK: {{^[}]$}}
// ONCE-LABEL: define internal void @alike.omp_outlined.takt_slice(
// ONCE: @takt_omp_ask(
// ONCE-NOT: @takt_omp_ask(
// ONCE: {{^[}]$}}
// SANITIZED-LABEL: define internal void @alike.omp_outlined.takt_slice(
// SANITIZED-NOT: call ptr asm
// SANITIZED: {{^[}]$}}

// In the free copy, the rows of a matrix are walked by addition: no product for each row, and the place that is computed from
// the row's number, y[i * m + l], stays so.
void dense_rows(double *y, const long *begin, const int *column, const double *a, const double *c, long n, long m, long width) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    for (long l = 0; l < m; ++l) {
      double sum = 0;
#pragma omp parallel for reduction(+ : sum)
      for (long k = begin[i]; k < begin[i + 1]; ++k) sum += a[k] * c[l * width + column[k]];
      y[i * m + l] = sum;
    }
  }
}
// WALK-LABEL: define internal void @dense_rows.omp_outlined.takt_slice(
// WALK: %[[APART:[0-9]+]] = shl i64 %{{.*}}, 3
// WALK: call ptr asm "", "=r,0"(ptr
// WALK: %[[ROW:[0-9]+]] = phi ptr [ %{{[0-9]+}}, %{{[^ ]+}} ], [ %[[NEXT:[0-9]+]], %
// WALK: getelementptr double, ptr %[[ROW]], i64 %
// WALK: %[[NEXT]] = getelementptr i8, ptr %[[ROW]], i64 %[[APART]]
// WALK: {{^[}]$}}

// Those of a dense array, in the chunk itself, ask.
void dense(double *y, const double *a, long n, long m) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (long k = 0; k < m; ++k) sum += a[i * m + k];
    y[i] = sum;
  }
}
// CHECK-LABEL: define internal void @dense.omp_outlined.takt_slice(
// CHECK-NOT: shl i64 %{{.*}}, 5
// CHECK: {{^[}]$}}
