// The plug-in of plugin_unloaded_test: short loops, which soon run free.
#include <takt/takt.hpp>

static double values[64];

extern "C" double rows(int count) {
  double sum = 0;
  for (int k = 0; k < count; ++k) {
    takt::parallel_for(0, 20, [&](int i) { values[i] = values[i] * 0.5 + k; });
    sum += values[3];
  }
  return sum;
}
