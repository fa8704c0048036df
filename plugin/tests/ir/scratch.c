// An array of the region that loops fill before they read it: each of them, and each slice, has one of its own.
// RUN: %ir %s | %takt | %check
// RUN: %remarks %s 2>&1 | %check --check-prefix=REMARK
static void fill(double *to, int many, double by) {
  for (int k = 0; k < many; ++k) to[k] = by + k;
}
void other_file(double *to);

// REMARK: [[@LINE+4]]:1: remark: the parallel region runs as a team of one
// CHECK-LABEL: define internal void @in_two_loops.omp_outlined(
// CHECK-NOT: alloca [2 x [3 x double]]
void in_two_loops(double *a, int n) {
#pragma omp parallel
  {
    double part[2][3];
    int k;
#pragma omp for
    for (int i = 0; i < n; ++i) {
      for (k = 0; k < 2; ++k) fill(part[k], 3, i);
      a[i] = part[i & 1][i % 3];
    }
#pragma omp for
    for (int i = 0; i < n; ++i) {
      for (k = 5; k >= 0; --k) part[k / 3][k % 3] = a[i];
      a[i] += part[i & 1][1];
    }
  }
}
// CHECK-LABEL: define internal void @in_two_loops.omp_outlined.for.takt_slice(
// CHECK: alloca [2 x [3 x double]]
// CHECK-LABEL: define internal void @in_two_loops.omp_outlined.for.{{[0-9]+}}.takt_slice(
// CHECK: alloca [2 x [3 x double]]

// Not where it may be read before. The ways to read it are those of the C program.
void stays(double *a, int n, int m) {
// REMARK: [[@LINE+1]]:1: remark: {{.*}} one of its loops writes a variable that is private to the region
#pragma omp parallel
  {
    double row[4];
#pragma omp for
    for (int i = 0; i < n; ++i) {
      fill(row, 3, i);
      a[i] = row[3];
    }
#pragma omp for
    for (int i = 0; i < n; ++i) row[3] = a[i];
  }
// As far as is known.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} one of its loops writes a variable that is private to the region
#pragma omp parallel
  {
    double row[4];
#pragma omp for
    for (int i = 0; i < n; ++i) {
      fill(row, m, i);
      a[i] = row[2];
    }
#pragma omp for
    for (int i = 0; i < n; ++i) row[3] = a[i];
  }
// Left in the middle.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} one of its loops writes a variable that is private to the region
#pragma omp parallel
  {
    double row[4];
#pragma omp for
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 4; ++k) {
        row[k] = i;
        if (a[k] > 0) break;
      }
      a[i] = row[i % 4];
    }
#pragma omp for
    for (int i = 0; i < n; ++i) row[3] = a[i];
  }
// Not in each iteration.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} one of its loops writes a variable that is private to the region
#pragma omp parallel
  {
    double row[4];
#pragma omp for
    for (int i = 0; i < n; ++i) {
      if (i % 8 == 0) fill(row, 4, i);
      a[i] = row[i % 4];
    }
#pragma omp for
    for (int i = 0; i < n; ++i) row[3] = a[i];
  }
// Another loop reads what this one has left, and so does the code behind the loops.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} one of its loops writes a variable that is private to the region
#pragma omp parallel
  {
    double row[4];
#pragma omp for
    for (int i = 0; i < n; ++i) {
      fill(row, 4, i);
      a[i] = row[i % 4];
    }
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] += row[i % 4];
  }
// REMARK: [[@LINE+1]]:1: remark: {{.*}} one of its loops writes a variable that is private to the region
#pragma omp parallel
  {
    double row[4] = {0}, mine = 0;
#pragma omp for
    for (int i = 0; i < n; ++i) {
      fill(row, 4, i);
      a[i] = row[i % 4];
    }
    mine = row[0];
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] += mine;
  }
// What fills it is not seen.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} one of its constructs hands out the address of a variable that is private to it
#pragma omp parallel
  {
    double row[4];
#pragma omp for
    for (int i = 0; i < n; ++i) {
      other_file(row);
      a[i] = row[i % 4];
    }
#pragma omp for
    for (int i = 0; i < n; ++i) {
      other_file(row);
      a[i] += row[i % 4];
    }
  }
// One thread fills it; the others have not.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} it has a single or masked construct that writes a variable that is private to the region
#pragma omp parallel
  {
    double row[4];
#pragma omp for
    for (int i = 0; i < n; ++i) {
      fill(row, 4, i);
      a[i] = row[i % 4];
    }
#pragma omp single
    fill(row, 4, n);
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] += row[i % 4];
  }
}
// REMARK-NOT: stays with
