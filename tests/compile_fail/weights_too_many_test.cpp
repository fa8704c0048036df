// Three weights, two branches.
// expect: as many as there are branches
#include <takt/fork_join.hpp>

void misuse() {
  takt::fork_join(takt::bytes(100), takt::weights(1, 2, 3), [] {}, [] {});
}
