// The view is changed in place.
// expect: takt::reducing_for: the body changes its view
#include <takt/algorithms.hpp>

long misuse() {
  return takt::reducing_for(0, 10, takt::sum_reducer<long>{}, [](int i, long sum) { return sum + i; });
}
