// Static variables of functions, whose initialisers run loops.
#include <vector>

#include "show.h"

static std::vector<long> squares() {
  std::vector<long> all(5000);
  long* const to = all.data();
#pragma omp parallel for
  for (int i = 0; i < 5000; ++i) to[i] = static_cast<long>(i) * i;
  return all;
}

static long square(int i) {
  static const std::vector<long> all = squares();
  return all[static_cast<unsigned>(i)];
}

static long plain(int i) {
  static const std::vector<long> all(5000, 7);
  return all[static_cast<unsigned>(i)];
}

int main() {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) v[i] = square(i);
  show("squares");
#pragma omp parallel for
  for (int i = 0; i < n; ++i) v[i] = plain(i);
  show("plain");
  return 0;
}
// converted: 2 loops, 0 regions, 1 left
