// Elements must be reached in constant time.
// expect: satisfaction of [^ ]*random_access_(range|iterator)<
// expect: (satisfy '[a-z:]*random_access_(range|iterator)'|random_access_(range|iterator)<.*evaluated to false)
#include <takt/parallel_for.hpp>

#include <list>

void misuse(std::list<int>& all) {
  takt::parallel_for(all, [](int& x) { ++x; });
}
