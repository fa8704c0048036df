// Who cancels a loop ends it for the slices, which ask when they claim; nothing is asked in between.
// RUN: %ir %s | %takt | %check
// With -g code of an iteration and the step to the next one are in one block.
// RUN: %ir -g %s | %takt | %check --check-prefix=DEBUG
// Code that is not cancelled is what it is without the rest of the file.
// RUN: %ir %s | %takt | %assembly | sed -n '/^plain.*takt\(_slice\)*:/,/^.Lfunc_end/p' | sed 's/[[:space:]]*#.*//; s/\.L[A-Za-z_]*[0-9_]*/.L/g' > %t.beside
// RUN: %ir -DALONE %s | %takt | %assembly | sed -n '/^plain.*takt\(_slice\)*:/,/^.Lfunc_end/p' | sed 's/[[:space:]]*#.*//; s/\.L[A-Za-z_]*[0-9_]*/.L/g' > %t.alone
// RUN: grep -q takt_loop_next %t.alone
// RUN: diff %t.alone %t.beside
// A team of one is cancelled by its only thread.
// CHECK-LABEL: define internal void @region.omp_outlined(
// CHECK: call i32 @omp_get_cancellation()
// CHECK-NOT: @__kmpc_
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal void @plain.omp_outlined.takt_slice(
// CHECK: call { i64, i64 } @takt_loop_next(
// CHECK-NOT: cancel
// CHECK: {{^[}]$}}
void plain(double *x, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) x[i] += 1;
}

#ifndef ALONE
// CHECK-LABEL: define internal void @cancelled.omp_outlined.takt_slice(
// CHECK-SAME: ptr %[[FRAME:[0-9]+]])
// CHECK-NOT: atomic
// CHECK: call { i64, i64 } @takt_omp_next(ptr %[[FRAME]])
// CHECK: %[[ON:.*]] = call i32 @omp_get_cancellation()
// CHECK-NEXT: %[[NOW:.*]] = call i32 @takt_omp_cancel(ptr %[[FRAME]], i32 %[[ON]])
// CHECK-NEXT: icmp ne i32 %[[NOW]], 0
// CHECK: call i32 @takt_omp_is_cancelled(ptr %[[FRAME]])
// CHECK-NOT: @__kmpc_cancel
// CHECK: {{^[}]$}}
// DEBUG-LABEL: define internal void @cancelled.omp_outlined.takt_slice(
// DEBUG: call i32 @takt_omp_cancel(
// DEBUG: call i32 @takt_omp_is_cancelled(
// DEBUG-NOT: @__kmpc_cancel
// DEBUG: {{^[}]$}}
void cancelled(double *x, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    if (x[i] > 2) {
#pragma omp cancel for
    }
#pragma omp cancellation point for
    x[i] += 1;
  }
}

// What is dealt out in chunks asks for the next one, too. Each of several loops has a state of its own.
// CHECK-LABEL: define internal void @several.omp_outlined.for.takt_slice(
// CHECK-SAME: ptr %[[FRAME:[0-9]+]])
// CHECK: call void @takt_omp_begin(
// CHECK-NEXT: br label %[[NEXT:[0-9]+]]
// CHECK: call { i64, i64 } @takt_omp_next(ptr %[[FRAME]])
// CHECK: call i32 @takt_omp_cancel(ptr %[[FRAME]],
// CHECK-NEXT: %[[IS:[0-9]+]] = icmp ne i32
// CHECK-NEXT: br i1 %[[IS]], label %[[LEAVE:[0-9]+]], label
// CHECK: {{^}}[[LEAVE]]:
// CHECK-NEXT: store i32
// CHECK-NEXT: br label %[[NEXT]]
// CHECK: {{^[}]$}}
// In place nobody else cancels it, and the OpenMP runtime says whether cancellation is on.
// CHECK-LABEL: define internal void @several.omp_outlined.for.takt(
// CHECK: %[[ON:.*]] = call i32 @omp_get_cancellation()
// CHECK-NEXT: icmp ne i32 %[[ON]], 0
// CHECK-NOT: takt_omp_is_cancelled
// CHECK: {{^[}]$}}
// CHECK-LABEL: define internal void @several.omp_outlined.for{{.*}}.takt_slice(
// CHECK-SAME: ptr %[[FRAME:[0-9]+]])
// CHECK: call { i64, i64 } @takt_omp_next(ptr %[[FRAME]])
// CHECK: call i32 @takt_omp_cancel(ptr %[[FRAME]],
// CHECK: {{^[}]$}}
void several(double *x, long n) {
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 4)
    for (long i = 0; i < n; ++i) {
      if (x[i] > 2) {
#pragma omp cancel for
      }
      x[i] += 1;
    }
#pragma omp sections
    {
#pragma omp section
      x[0] = 1;
#pragma omp section
      {
#pragma omp cancel sections
        x[1] = 2;
      }
    }
  }
}

void region(double *x, long n) {
#pragma omp parallel
  {
#pragma omp for
    for (long i = 0; i < n; ++i) x[i] += 1;
    if (x[0] > 3) {
#pragma omp cancel parallel
    }
#pragma omp cancellation point parallel
#pragma omp for
    for (long i = 0; i < n; ++i) x[i] += 1;
  }
}
#endif
