// A library with a copy of takt of its own.
#include <takt/takt.hpp>

extern "C" [[gnu::visibility("default")]] int call(bool (*fork_here)()) {
  takt::fork_join([] {}, [] {});
  // The program's copy, in a task of this one's.
  return takt::fork_join([&] { return fork_here(); }, [] {}).first ? 1 : 0;
}
extern "C" [[gnu::visibility("default")]] int leaf_is_reached(bool (*meet)(void*), void* argument) {
  return takt::fork_join(
             [&] { return takt::fork_join([&] { return meet(argument); }, [&] { return meet(argument); }); },
             [] {
             }).first.first
             ? 1
             : 0;
}
