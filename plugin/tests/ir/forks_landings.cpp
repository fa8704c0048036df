// Where forks run as two calls, what follows the landing pad of the first is a function of its own, behind which control
// goes on to the function's end, as it does behind the version that pushes: so LLVM saves registers behind the way out
// that forks nothing.
// REQUIRES: tuning
// RUN: %ir %headers %s | %optimised | %check
// RUN: %ir -g %headers %s | %optimised -o /dev/null
// RUN: %ir %headers %s | %optimised | %assembly | %check --check-prefix=CODE
#include <takt/fork_join.hpp>

// CHECK-LABEL: define {{.*}} double @_Z4leafidddd(
// CHECK: subq %rsp
// CHECK: notail call {{.*}} double @_Z4leafidddd.takt_pushing(
// CHECK: landingpad
// CHECK-NEXT: catch ptr null
// CHECK-NOT: call
// CHECK: call void @_Z4leafidddd.takt_threw(
// CHECK-NEXT: br label
// CHECK-NOT: unreachable
// CHECK-NOT: resume
// CHECK: {{^}}}
// CODE-LABEL: _Z4leafidddd:
// CODE-NOT: push
// CODE: testl %edi, %edi
// CODE-NEXT: je
// CODE: pushq
// CODE: callq _Z4leafidddd
double leaf(int depth, double a, double b, double c, double d) {
  if (depth == 0) return a * b + c * d;
  auto [x, y] = takt::fork_join([=] { return leaf(depth - 1, a + 1, b, c, d); },
                                [=] { return leaf(depth - 1, a, b + 1, d, c); });
  return x + y;
}

// The landing pads of two forks share their end: they stay, and the other version is a call as the last thing.
// CHECK-LABEL: define {{.*}} double @_Z6eitheridd(
// CHECK-NOT: takt_threw
// CHECK: tail call {{.*}} double @_Z6eitheridd.takt_pushing(
// CHECK-NOT: takt_threw
// CHECK: {{^}}}
double either(int depth, double a, double b) {
  if (depth == 0) return a * b;
  if (a < b) {
    auto [x, y] = takt::fork_join([=] { return either(depth - 1, a + 1, b); }, [=] { return either(depth - 1, b, a); });
    return x + y;
  }
  auto [x, y] = takt::fork_join([=] { return either(depth - 1, a, b); }, [=] { return either(depth - 1, a, b + 2); });
  return x - y;
}

// A handler that goes on stays where it is.
// CHECK-LABEL: define {{.*}} double @_Z7handlesidd(
// CHECK: tail call {{.*}} double @_Z7handlesidd.takt_pushing(
// CHECK: call ptr @__cxa_begin_catch(
// CHECK: call void @__cxa_end_catch()
// CHECK: {{^}}}
double handles(int depth, double a, double b) {
  if (depth == 0) return a * b;
  try {
    auto [x, y] = takt::fork_join([=] { return handles(depth - 1, a + 1, b); }, [=] { return handles(depth - 1, a, b + 1); });
    return x + y;
  } catch (...) {
    return a;
  }
}
