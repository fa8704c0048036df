// A function that calls itself through forks of the library asks once whether they are free: then each is two calls.
// Else all of the function runs as its other version, in which each fork may be pushed.
// RUN: %ir %headers %s | %takt | %check
// RUN: %ir -g %headers %s | %takt -o /dev/null
// RUN: %remarks %headers %s 2>&1 | %check --check-prefix=REMARK --implicit-check-not=remark:
// RUN: %ir %headers -DTAKT_FORCE_PORTABLE %s | %takt | %check --check-prefix=PORTABLE
// RUN: %ir %headers -DTAKT_ELISION %s | %takt | %check --check-prefix=PORTABLE
#include <takt/fork_join.hpp>

// PORTABLE-NOT: takt_pushing

// CHECK-LABEL: define dso_local noundef i64 @_Z3fibl(
// CHECK: icmp slt i64
// CHECK: subq %rsp
// CHECK: br i1 %{{.*}}, label %[[FREE:.*]], label %[[PUSHING:.*]], !prof
// CHECK: [[PUSHING]]:
// CHECK-NEXT: %[[ALL:.*]] = call noundef i64 @_Z3fibl.takt_pushing(i64 noundef %{{[0-9]*}})
// CHECK-NEXT: ret i64 %[[ALL]]
// CHECK: [[FREE]]:
// CHECK-NOT: asm
// CHECK: call {{.*}}10fork_plainI
// CHECK-NOT: subq %rsp
// CHECK: {{^}}}
long fib(long n) {
  if (n < 2) return n;
  // REMARK: [[@LINE+1]]:17: remark: the fork runs as two calls where the forks of its function are free, which is asked once
  auto [a, b] = takt::fork_join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

// One caller: it is the caller's fork. The rest of three branches is asked for with the first.
template <class F, class G, class H>
static long sum(F f, G g, H h) {
  auto [a, b, c] = takt::fork_join(f, g, h);
  return a + b + c;
}
// CHECK-LABEL: define {{.*}}@_Z6helperl(
// CHECK: subq %rsp
// CHECK: call noundef i64 @_Z6helperl.takt_pushing(
// CHECK-NOT: in_free_band
// CHECK-NOT: subq %rsp
// CHECK: {{^}}}
long helper(long n) {
  if (n < 3) return n;
  // REMARK: [[@LINE+1]]:10: remark: the fork runs as two calls
  return sum([n] { return helper(n - 1); }, [n] { return helper(n - 2); }, [n] { return helper(n - 3); });
}

// What has an effect is not done twice: the question comes first.
// CHECK-LABEL: define {{.*}}@_Z6effectPii(
// CHECK-NOT: store
// CHECK: subq %rsp
// CHECK: {{^}}}
void effect(int *where, int depth) {
  *where = depth;
  if (depth == 0) return;
  // REMARK: [[@LINE+1]]:3: remark: the fork runs as two calls
  takt::fork_join([=] { effect(where + 1, depth - 1); }, [=] { effect(where + (1 << depth), depth - 1); });
}

// Two forks of one function, one question for both: either may be the one that has been timed.
// CHECK-LABEL: define {{.*}}@_Z6eitherll(
// CHECK: subq %rsp
// CHECK: br i1 %{{.*}}, label %[[FREE:.*]], label %[[SECOND:.*]], !prof
// CHECK: [[SECOND]]:
// CHECK: subq %rsp
// CHECK: br i1 %{{.*}}, label %[[FREE]], label
// CHECK: call {{.*}}@_Z6eitherll.takt_pushing(
long either(long n, long m) {
  if (n < 2 && m < 2) return n + m;
  if (n > m) {
    // REMARK: [[@LINE+1]]:19: remark: the fork runs as two calls
    auto [a, b] = takt::fork_join([=] { return either(n / 2, m); }, [=] { return either(n - n / 2, m); });
    return a + b;
  }
  // REMARK: [[@LINE+1]]:17: remark: the fork runs as two calls
  auto [a, b] = takt::fork_join([=] { return either(n, m / 2); }, [=] { return either(n, m - m / 2); });
  return a - b;
}

// Behind one question there could be any number of forks.
// CHECK-LABEL: define {{.*}}@_Z6loopedl(
// CHECK-NOT: takt_pushing
// CHECK: {{^}}}
long looped(long n) {
  long all = 1;
  for (long i = 0; i < n; ++i) {
    // REMARK: [[@LINE+1]]:19: remark: the fork asks for itself whether it is free: a fork of its function stands in a loop
    auto [a, b] = takt::fork_join([=] { return looped(i / 2); }, [=] { return looped(i / 3); });
    all += a - b;
  }
  return all;
}

// CHECK-LABEL: define {{.*}}@_Z4oncePi(
// CHECK-NOT: takt_pushing
// CHECK: {{^}}}
void once(int *x) {
  // REMARK: [[@LINE+1]]:3: remark: the fork asks for itself whether it is free: its function does not call itself
  takt::fork_join([=] { x[0] = 1; }, [=] { x[1] = 2; });
}

// A helper that cannot be part of its caller keeps its forks.
// CHECK-LABEL: define {{.*}}@_Z9from_listl(
// CHECK: call {{.*}}@_ZL7of_listiz(
// CHECK: {{^}}}
// CHECK-LABEL: define internal {{.*}}@_ZL7of_listiz(
// CHECK: call void @llvm.va_start
// CHECK-NOT: takt_pushing
// CHECK: {{^}}}
long from_list(long n);
static long of_list(int count, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, count);
  const long n = __builtin_va_arg(list, long);
  __builtin_va_end(list);
  // REMARK: [[@LINE+1]]:17: remark: the fork asks for itself whether it is free: its function has a variable number of arguments
  auto [a, b] = takt::fork_join([n] { return from_list(n - 1); }, [n] { return from_list(n - 2); });
  return a + b;
}
long from_list(long n) { return n < 2 ? n : of_list(1, n); }

// Of more than four forks, each asks.
// CHECK-LABEL: define {{.*}}@_Z4fivell(
// CHECK-NOT: takt_pushing
// CHECK: {{^}}}
long five(long n, long m) {
  if (n < 2) return n;
  // REMARK: [[@LINE+1]]:15: remark: the fork asks for itself whether it is free: its function has more than four forks
  if (m == 1) takt::fork_join([=] { five(n - 1, 0); }, [=] { five(n - 2, 0); });
  // REMARK: [[@LINE+1]]:15: remark: the fork asks for itself
  if (m == 2) takt::fork_join([=] { five(n - 1, 1); }, [=] { five(n - 2, 0); });
  // REMARK: [[@LINE+1]]:15: remark: the fork asks for itself
  if (m == 3) takt::fork_join([=] { five(n - 1, 2); }, [=] { five(n - 2, 0); });
  // REMARK: [[@LINE+1]]:15: remark: the fork asks for itself
  if (m == 4) takt::fork_join([=] { five(n - 1, 3); }, [=] { five(n - 2, 0); });
  // REMARK: [[@LINE+1]]:17: remark: the fork asks for itself
  auto [a, b] = takt::fork_join([=] { return five(n - 1, m); }, [=] { return five(n - 2, m); });
  return a + b;
}

// The rest of many branches, which is handed on by reference, and of a fork with hints, are of the fork around them.
// CHECK-LABEL: define {{.*}}@_Z5eightl(
// CHECK: call {{.*}}@_Z5eightl.takt_pushing(
// CHECK-NOT: subq %rsp
// CHECK-COUNT-7: {{.*}}10fork_plainI
// CHECK-NOT: 10fork_plainI
// CHECK: {{^}}}
long eight(long n) {
  if (n < 2) return n;
  // REMARK: [[@LINE+2]]:{{[0-9]+}}: remark: the fork runs as two calls
  auto [a, b, c, d, e, f, g, h] =
      takt::fork_join([n] { return eight(n - 1); }, [n] { return eight(n - 2); }, [n] { return eight(n - 3); },
                      [n] { return eight(n - 4); }, [n] { return eight(n - 5); }, [n] { return eight(n - 6); },
                      [n] { return eight(n - 7); }, [n] { return eight(n - 8); });
  return a + b + c + d + e + f + g + h;
}
// CHECK-LABEL: define {{.*}}@_Z6hintedl(
// CHECK: call {{.*}}@_Z6hintedl.takt_pushing(
// CHECK-NOT: subq %rsp
// CHECK-COUNT-2: {{.*}}10fork_plainI
// CHECK-NOT: 10fork_plainI
// CHECK: {{^}}}
long hinted(long n) {
  if (n < 2) return n;
  // REMARK: [[@LINE+1]]:20: remark: the fork runs as two calls
  auto [a, b, c] = takt::fork_join(takt::work(4), [n] { return hinted(n - 1); }, [n] { return hinted(n - 2); },
                                   [n] { return hinted(n - 3); });
  return a + b + c;
}

// What there can be only one of.
// CHECK-LABEL: define {{.*}}@_Z6probedl(
// CHECK-NOT: takt_pushing
// CHECK: {{^}}}
__attribute__((noinline)) long probed(long n) {
  if (n < 2) return n;
  asm volatile("nop\n .Lprobe: nop");
  // REMARK: [[@LINE+1]]:17: remark: the fork asks for itself whether it is free: its function has assembly with a name of its own
  auto [a, b] = takt::fork_join([n] { return probed(n - 1); }, [n] { return probed(n - 2); });
  return a + b;
}
// CHECK-LABEL: define {{.*}}@_Z3metl(
// CHECK-NOT: takt_pushing
// CHECK: {{^}}}
__attribute__((noduplicate)) void meet();
long met(long n) {
  if (n < 2) return n;
  meet();
  // REMARK: [[@LINE+1]]:17: remark: the fork asks for itself whether it is free: its function has a call that must not be copied
  auto [a, b] = takt::fork_join([n] { return met(n - 1); }, [n] { return met(n - 2); });
  return a + b;
}
// CHECK-LABEL: define {{.*}}@_Z6labelsl(
// CHECK: call {{.*}}@_Z6labelsl.takt_pushing(
// CHECK: {{^}}}
long labels(long n) {
  if (n < 2) return n;
  asm volatile("1: movq %%fs:0, %0; jmp 1f; 1: .Lown%=: nop" : "+r"(n));
  // REMARK: [[@LINE+1]]:17: remark: the fork runs as two calls
  auto [a, b] = takt::fork_join([n] { return labels(n - 1); }, [n] { return labels(n - 2); });
  return a + b;
}

// CHECK-LABEL: define {{.*}}@_Z7jumpingl(
// CHECK-NOT: takt_pushing
// CHECK: {{^}}}
// CHECK-LABEL: define internal {{.*}}@_Z3fibl.takt_pushing(
// CHECK-SAME: #[[APART:[0-9]+]]
// CHECK-NOT: subq %rsp
// CHECK-NOT: 10fork_plainI
// CHECK: {{^}}}
// CHECK: attributes #[[APART]] = { {{.*}}noinline
long jumping(long n) {
  static void *const where[] = {&&small, &&large};
  goto *where[n < 2 ? 0 : 1];
small:
  return n;
large:
  // REMARK: [[@LINE+1]]:17: remark: the fork asks for itself whether it is free: its function has a computed goto
  auto [a, b] = takt::fork_join([=] { return jumping(n - 1); }, [=] { return jumping(n - 2); });
  return a + b;
}
