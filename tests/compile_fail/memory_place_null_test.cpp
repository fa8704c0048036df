// A place has a name, or none is given.
// expect: deleted
#include <takt/memory.hpp>

void misuse() { const takt::memory_scope scratch(1 << 20, nullptr); }
