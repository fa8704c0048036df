// Bytes are counted.
// expect: (satisfaction of|does not satisfy|satisfy).*whole_number
#include <takt/fork_join.hpp>

void misuse() {
  takt::fork_join(takt::bytes(1.5), [] {}, [] {});
}
