// Elements of std::vector<bool> share words: writing two of them side by side loses one. (Const ones can be read.)
// expect: satisfaction of [^ ]*separate_elements<
// expect: (satisfy '[a-z:]*separate_elements'|separate_elements<.*evaluated to false)
#include <takt/parallel_for.hpp>

#include <vector>

void misuse(std::vector<bool>& flags) {
  takt::parallel_for(flags, [](auto&& flag) { flag = true; });
}
