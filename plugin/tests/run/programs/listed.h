/* What a program has listed, as one number, in whatever order it was put there. */
#pragma once

#include <algorithm>
#include <vector>

static long listed(std::vector<int> &all) {
  std::sort(all.begin(), all.end());
  long mixed = static_cast<long>(all.size());
  for (int each : all) mixed = (mixed * 31 + each) % 1000003;
  return mixed;
}
