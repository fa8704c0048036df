// Functions of other OpenMP runtimes that this one does not have: a program that calls one is told its name.
#include <cstdio>
#include <cstdlib>

extern "C" [[noreturn]] __attribute__((used, visibility("hidden"))) void takt_omp_missing(const char* name) {
  std::fprintf(stderr, "takt: OpenMP: the program calls %s, which takt's OpenMP runtime does not have\n", name);
  std::abort();
}

// TAKT_MISSING(name) for each name of names.txt: a weak definition, for those that have no other.
#if defined(__x86_64__)
#define TAKT_MISSING(name)                                                       \
  __asm__(".pushsection .rodata\n.Lname_" #name ": .asciz \"" #name "\"\n"       \
          ".popsection\n.pushsection .text\n.weak " #name "\n.type " #name       \
          ", @function\n" #name ":\n  leaq .Lname_" #name                        \
          "(%rip), %rdi\n  andq $-16, %rsp\n  call takt_omp_missing\n.popsection\n");
#elif defined(__aarch64__)
#define TAKT_MISSING(name)                                                       \
  __asm__(".pushsection .rodata\n.Lname_" #name ": .asciz \"" #name "\"\n"       \
          ".popsection\n.pushsection .text\n.p2align 2\n.weak " #name "\n.type " \
          #name ", %function\n" #name ":\n  adrp x0, .Lname_" #name              \
          "\n  add x0, x0, :lo12:.Lname_" #name "\n  b takt_omp_missing\n.popsection\n");
#endif

#include "missing_names.inc"
