// Makes an executable at a fixed address have an address of its own for malloc: that of its entry for calls of it. An
// instruction has it in itself; a variable would be filled by the loader.
#include <cstddef>
#include <cstdlib>

void* (*address_of_malloc())(std::size_t);
void* (*address_of_malloc())(std::size_t) { return &std::malloc; }
