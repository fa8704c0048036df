// The first object of a program that compares systems in one process: moves all code behind it by
// TAKT_CODE_AT bytes. Where a loop lies within a cache line is worth up to a sixth of its time, and
// is as much luck of one system as of another.
#define TAKT_TEXT(what) #what
#define TAKT_SKIP(bytes) ".skip " TAKT_TEXT(bytes) ", 0x90\n"

__asm__(".pushsection .text\n.p2align 6\n" TAKT_SKIP(TAKT_CODE_AT) ".popsection\n");
