"""The text of a program, and random ones."""
import cancels
import objects
from cancels import CancelMaker, CancelText
from loops import LoopMaker, LoopText
from objects import ObjectMaker, ObjectText
from regions import RegionMaker, RegionText, k_schedules
from tasks import TaskMaker, TaskText
from tree import Node, text_of

HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_thread_num(void) { return 0; }
typedef int omp_lock_t, omp_nest_lock_t;
static void omp_init_lock(omp_lock_t *lock) {}
static void omp_set_lock(omp_lock_t *lock) {}
static int omp_test_lock(omp_lock_t *lock) { return 1; }
static void omp_unset_lock(omp_lock_t *lock) {}
static void omp_init_nest_lock(omp_nest_lock_t *lock) {}
static void omp_set_nest_lock(omp_nest_lock_t *lock) {}
static int omp_test_nest_lock(omp_nest_lock_t *lock) { return 1; }
static void omp_unset_nest_lock(omp_nest_lock_t *lock) {}
#endif
/* In two files, HALF is 0 in the one that has what both use, and every other case. */
#ifndef HALF
#define HALF 2
#define PART static
#elif HALF == 0
#define PART
#else
#define PART extern
#endif
#define HAS(half) (HALF == 2 || HALF == (half))
PART unsigned long v[4000];
PART omp_lock_t plain_lock;
PART omp_nest_lock_t nested_lock;
struct scaled { unsigned long sum, by; };
static void begin_scaled(struct scaled *own, const struct scaled *of) {
  own->sum = 0;
  own->by = of->by;
}
#pragma omp declare reduction(sum_of : struct scaled : omp_out.sum += omp_in.sum) initializer(begin_scaled(&omp_priv, &omp_orig))
PART unsigned long fib(unsigned long x);
PART void fill_row(unsigned long *to, int many, unsigned long by);
PART void later(unsigned long cell, unsigned long x);
#if HAS(0)
PART unsigned long fib(unsigned long x) {
  if (x < 2) return x;
  unsigned long a, b;
#pragma omp task shared(a)
  a = fib(x - 1);
  b = fib(x - 2);
#pragma omp taskwait
#ifdef TWIN
  b += 1;
#endif
  return a + b;
}
PART void fill_row(unsigned long *to, int many, unsigned long by) {
  for (int k = 0; k < many; ++k) to[k] = by + k;
}
PART void later(unsigned long cell, unsigned long x) {
#pragma omp task
  {
#pragma omp atomic
    v[cell] += fib(x % 6) * 7 + x;
  }
}
#endif
"""


class Printer(TaskText, LoopText, RegionText, ObjectText, CancelText):
    """Makes the text of a case. A statement is printed by the function that is named as its kind; what it settles is added to `known`."""

    def __init__(self, number, cxx):
        self.lines = []
        self.functions = []  # those that the case calls
        self.checks = []  # what is to hold at its end
        self.number = number  # of the case
        self.cxx = cxx
        self.away = False  # in a function with constructs
        self.of_all = False  # in a region with a reduction of its own

    def emit(self, text):
        self.lines.append(text)

    def clauses(self, node, known):
        return " ".join(word if isinstance(word, str) else f"{word[0]}(({text_of(word[1], known)}) % {word[2]})" for word in node.words)

    def part(self, node, at, known):
        """The statements of a part: what one settles the next ones know."""
        known = list(known)
        for each in node.parts[at]:
            getattr(self, each.kind)(each, known)

    def block(self, node, at, known):
        self.emit("{")
        self.part(node, at, known)
        self.emit("}")

    def case(self, node):
        self.emit(f"PART void case_{node.number}(void) {{")
        self.emit("unsigned long total = 1, bits = 2, most = 3, final = 4, seed = 5, low = 900, product = 3, line = 6, all = 7;")
        self.emit("struct scaled scale = {8, 3};")
        shown = ["total", "bits", "most", "final", "low", "product", "line", "all", "scale.sum"]
        if self.cxx:
            self.emit("small boxed(3), kept_box(4), ended(5);")
            shown.append("ended.value")
        self.part(node, 0, [])
        for name in shown:
            self.emit(f'printf("case {node.number} {name}: %lu\\n", {name});')
        for at, check in enumerate(self.checks):
            self.emit(f'printf("case {node.number} cancelled {at}: %d\\n", {check});')
        first = node.number * 100
        self.emit(f"for (int i = {first}; i < {first + 100}; ++i)")
        self.emit(f'if (v[i] != 0) printf("case {node.number} v[%d]: %lu\\n", i, v[i]); }}')
        body, self.lines = self.functions + self.lines, []
        if any(f"grow_{node.number}(" in line for line in body):
            self.part(node, 1, [])
        return "\n".join(self.lines + body)


def program(cases, cxx):
    """@returns the text. Each line that the program prints tells what it is, up to a colon."""
    bodies = [f"PART void case_{case.number}(void);\n#if HAS({case.number % 2})\n{Printer(case.number, cxx).case(case)}\n#endif\n"
              for case in cases]
    alive = [f'  printf("case {case.number} alive: %lu\\n", alive);' if cxx else "" for case in cases]
    calls = "\n".join(f"  case_{case.number}();\n{line}" for case, line in zip(cases, alive))
    head = HEAD + cancels.HEAD + (objects.HEAD if cxx else "")
    return head + "\n".join(bodies) + f"\n#if HAS(0)\nint main(void) {{\n  omp_init_lock(&plain_lock);\n  omp_init_nest_lock(&nested_lock);\n{calls}\n  return 0;\n}}\n#endif\n"


class Generator(TaskMaker, LoopMaker, RegionMaker, ObjectMaker, CancelMaker):
    """Makes one case."""

    def __init__(self, number, chance, cxx):
        self.number = number
        self.chance = chance
        self.cxx = cxx
        self.cells = 0
        self.names = 0
        self.in_function = False

    def name(self, of):
        self.names += 1
        return f"{of}{self.names}"

    def cell(self):
        self.cells += 1
        return self.number * 100 + self.cells - 1 if self.cells < 100 else self.number * 100

    def value(self, known):
        """Of what is known where it stands."""
        constant = self.chance.randrange(1, 50)
        return constant, [(self.chance.choice(known), self.chance.randrange(1, 9)) for _ in range(2) if known]

    def make(self):
        kind = self.chance.randrange(15)
        team = self.chance.choice([[], [], [], [], ["num_threads(1)"], ["if (total > 5)"], ["num_threads(2)"], ["proc_bind(close)"]])
        known = []
        given = [self.given(known) for _ in range(self.chance.choice([0, 0, 1, 2]))]
        if kind < 3:
            body = self.statements(known, 3)
            if self.chance.random() < 0.3:
                body.append(self.elsewhere(list(known), 2, False))
            of_all = ["of_all", "by_tasks"] if self.chance.random() < 0.4 else []
            inside = Node("once", [body], [self.value(known)], [self.chance.choice(["single", "master", "masked"]), *of_all[:1]])
            made = Node("region", [[inside]], names=["", *of_all], words=team)
        elif kind < 7:
            names = ["", *(["of_all"] if self.chance.random() < 0.2 else [])]
            made = Node("region", [self.constructs(known, 1)], names=names, words=team)
        elif kind < 9:
            made = self.worksharing(known, True)
        elif kind < 10:
            made = self.combined(known)
        elif kind < 13:
            made = self.pooled(known) if self.chance.random() < 0.5 else self.gathering(known)
        else:
            sections = [Node("section", [self.statements(known, 2)], [self.value(known)]) for _ in range(self.chance.randrange(1, 4))]
            of_all = ["of_all", "by_tasks"] if self.chance.random() < 0.5 else []
            made = Node("region", [sections], names=["sections", *of_all], words=team)
        self.in_function = True
        names = [self.chance.choice(["answers", "leaves", "calls"])] + [word for word in ("before", "after") if self.chance.random() < 0.4]
        inside = ["w", "x"]
        function = Node("function", [self.statements(inside, 2, 2)], [self.value(inside)], names, cell=self.cell())
        case = Node("case", [[*given, made], [function]], number=self.number)
        self.add_cancelled(case, k_schedules)
        return case
