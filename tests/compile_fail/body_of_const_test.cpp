// A named body that is const is called as that.
// expect: satisfaction of [^ ]*invocable<
// expect: (satisfy '[a-z:]*invocable'|invocable<.*evaluated to false)
#include <takt/parallel_for.hpp>

void misuse() {
  const auto body = [n = 0](int i) mutable { n += i; };
  takt::parallel_for(0, 10, body);
}
