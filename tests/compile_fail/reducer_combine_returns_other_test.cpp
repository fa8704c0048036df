// A combine that returns something else than the combined value: it would be dropped.
// expect: the combine of a reducer returns nothing
#include <takt/algorithms.hpp>

double misuse() {
  return takt::reducing_for(
      0, 10, takt::custom_reducer{[] { return 0.0; }, [](double a, double b) { return a + b > 1; }},
      [](int, double& v) { v += 1; });
}
