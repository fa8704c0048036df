// Branches are called without arguments.
// expect: satisfaction of [^ ]*branch<
// expect: (satisfy '[a-z:]*branch'|branch<.*evaluated to false)
#include <takt/fork_join.hpp>

void misuse() {
  takt::fork_join([](int) {}, [] {});
}
