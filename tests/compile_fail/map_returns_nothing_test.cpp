// Something must be combined.
// expect: satisfaction of [^ ]*reduces<
// expect: (satisfy '[a-z:]*reduces'|reduces<.*evaluated to false)
#include <takt/parallel_reduce.hpp>

#include <functional>

int misuse() {
  return takt::parallel_reduce(0, 10, 0, [](int) {}, std::plus<>{});
}
