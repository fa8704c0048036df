// What a reducer must have.
// expect: satisfaction of [^ ]*reducer<
// expect: (satisfy '[a-z:]*reducer'|reducer<.*evaluated to false)
#include <takt/algorithms.hpp>

struct no_reducer {
  int identity() const { return 0; }
};

int misuse() {
  return takt::reducing_for(0, 10, no_reducer{}, [](int, int&) {});
}
