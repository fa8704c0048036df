// One weight is relative to nothing.
// expect: sizeof ?\.\.\. ?\(T\) ?>= ?2
#include <takt/fork_join.hpp>

void misuse() {
  takt::fork_join(takt::weights(1), [] {}, [] {});
}
