// Chunks of a length that is known only when the program runs, dealt out in turn.
#define SCHEDULE static
#include "chunks_dynamic.c"
// converted: 10 loops, 1 regions, 0 left
