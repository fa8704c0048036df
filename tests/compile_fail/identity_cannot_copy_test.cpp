// Each part starts from a copy of the identity. (takt::transform_reduce needs none.)
// expect: satisfaction of [^ ]*reduces<
// expect: (satisfy '[a-z:]*reduces'|reduces<.*evaluated to false)
#include <takt/parallel_reduce.hpp>

#include <memory>

auto misuse() {
  return takt::parallel_reduce(0, 10, std::make_unique<int>(0), [](int k) { return std::make_unique<int>(k); },
                               [](std::unique_ptr<int> a, std::unique_ptr<int>) { return a; });
}
