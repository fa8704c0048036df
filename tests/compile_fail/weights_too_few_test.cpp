// Two weights, three branches.
// expect: as many as there are branches
#include <takt/fork_join.hpp>

void misuse() {
  takt::fork_join(takt::weights(1, 2), [] {}, [] {}, [] {});
}
