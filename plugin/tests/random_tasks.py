#!/usr/bin/env python3
"""Random OpenMP programs with tasks and loops: without OpenMP, with Clang's own runtime and with takt they print the same.

takt's program also runs with bands without end, so that functions with tasks run in their free version (plugin/README.md).

Each program has a number of cases, which are independent of each other: the line that differs names the case, and --only runs a program
that has no other; --reduce makes it small. What a program prints does not depend on the order of its tasks: they add to numbers of their own by atomic, critical
and reductions, and what one reads of another has been waited for, or is ordered by depend."""
import argparse
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

HEAD = """#include <stdio.h>
static unsigned long v[4000];
struct scaled { unsigned long sum, by; };
static void begin_scaled(struct scaled *own, const struct scaled *of) {
  own->sum = 0;
  own->by = of->by;
}
#pragma omp declare reduction(sum_of : struct scaled : omp_out.sum += omp_in.sum) initializer(begin_scaled(&omp_priv, &omp_orig))
static unsigned long fib(unsigned long x) {
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
static void later(unsigned long cell, unsigned long x) {
#pragma omp task
  {
#pragma omp atomic
    v[cell] += fib(x % 6) * 7 + x;
  }
}
"""


class Node:
    """A statement, or the case itself. `parts` are lists of statements inside; `values` what it computes with, each a constant and
    factors of names. What is printed has only names that are declared where it stands: so any statement may be taken out."""

    def __init__(self, kind, parts=(), values=(), names=(), words=(), cell=0, number=0):
        self.kind = kind
        self.parts = [list(part) for part in parts]
        self.values = list(values)
        self.names = list(names)
        self.words = list(words)  # clauses, each of which may be left out
        self.cell = cell
        self.number = number  # of iterations

    def size(self):
        """How many statements there are inside."""
        return sum(1 + each.size() for part in self.parts for each in part)


def text_of(value, known):
    constant, factors = value
    return " + ".join([str(constant)] + [f"{name} * {factor}ul" for name, factor in factors if name in known])


class Printer:
    """Makes the text of a case."""

    def __init__(self, number):
        self.lines = []
        self.number = number  # of the case

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

    def add(self, node, known):
        self.emit("#pragma omp atomic")
        self.emit(f"v[{node.cell}] += {text_of(node.values[0], known)};")

    def lock(self, node, known):
        self.emit("#pragma omp critical")
        self.emit(f"v[{node.cell}] += {text_of(node.values[0], known)};")

    def later(self, node, known):
        self.emit(f"later({node.cell}, {text_of(node.values[0], known)});")

    def grow(self, node, known):
        self.emit(f"grow_{self.number}({text_of(node.values[0], known)}, ({text_of(node.values[1], known)}) % 4);")

    def call(self, node, known):
        # What an atomic adds is computed before.
        name = node.names[0]
        self.emit(f"{{ unsigned long {name} = {text_of(node.values[0], known)} + fib(({text_of(node.values[1], known)}) % 9);")
        self.emit("#pragma omp atomic")
        self.emit(f"v[{node.cell}] += {name}; }}")

    def wait(self, node, known):
        self.emit("#pragma omp taskwait")

    def rest(self, node, known):
        self.emit("#pragma omp taskyield")

    def large(self, node, known):
        """What a task captures is small, does not fit a slot, or is too large for a frame."""
        name = node.names[0]
        self.emit(f"struct {{ unsigned long of[{node.number}]; }} {name};")
        self.emit(f"for (int j = 0; j < {node.number}; ++j) {name}.of[j] = j * 3ul + {text_of(node.values[0], known)};")
        self.emit(f"#pragma omp task firstprivate({name}) {self.clauses(node, known)}")
        self.emit("{")
        self.part(node, 0, known)
        self.emit(f"unsigned long all_{name} = 0;")
        self.emit(f"for (int j = 0; j < {node.number}; ++j) all_{name} = all_{name} * 31 + {name}.of[j];")
        self.emit("#pragma omp atomic")
        self.emit(f"v[{node.cell}] += all_{name}; }}")
        self.emit(f"{name}.of[0] = 1;")

    def task(self, node, known):
        self.emit(f"#pragma omp task {self.clauses(node, known)}")
        self.block(node, 0, known)

    def shared(self, node, known):
        for name, value in zip(node.names, node.values):
            self.emit(f"unsigned long {name} = {text_of(value, known)};")
        for at, name in enumerate(node.names):
            self.emit(f"#pragma omp task shared({name}) {self.clauses(node, known)}")
            self.emit("{")
            self.part(node, at, known)
            self.emit(f"{name} += {text_of(node.values[len(node.names) + at], known)}; }}")
        self.emit("#pragma omp taskwait")
        known += node.names

    def first(self, node, known):
        name = node.names[0]
        self.emit(f"unsigned long {name} = {text_of(node.values[0], known)};")
        self.emit(f"#pragma omp task firstprivate({name}) {self.clauses(node, known)}")
        self.emit("{")
        self.emit(f"{name} += 3;")
        self.part(node, 0, [*known, name])
        self.emit("}")
        # The serial program changes the variable itself.
        if node.number != 0:
            self.emit("#pragma omp taskwait")
        self.emit(f"{name} = {text_of(node.values[1], known) if node.number != 0 else '1'};")
        known.append(name)

    def many(self, node, known):
        i = node.names[0]
        self.emit(f"for (unsigned long {i} = 0; {i} < {node.number}; ++{i})")
        self.block(node, 0, [*known, i])

    def group(self, node, known):
        self.emit("#pragma omp taskgroup")
        self.block(node, 0, known)

    def reduced(self, node, known):
        name, i = node.names[:2]
        inside = [*known, i]
        start, own, inner, beside, plain = (text_of(value, inside) for value in node.values)
        # Of the reduction that the program declares: all copies begin with the same factor.
        how, at, by = ("sum_of", f"{name}.sum", f" * {name}.by") if "declared" in node.names else ("+", name, "")
        self.emit(f"struct scaled {name} = {{{start}, 3}};" if by else f"unsigned long {name} = {start};")
        self.emit(f"#pragma omp taskgroup task_reduction({how} : {name})")
        self.emit(f"for (unsigned long {i} = 0; {i} < {node.number}; ++{i}) {{")
        if "beside" in node.names:
            if "plain" in node.names:
                self.emit("#pragma omp atomic")
            self.emit(f"{at} += {beside};")
        if "plain" in node.names:
            # A task of the group that does not take part, and has the variable itself.
            self.emit(f"#pragma omp task shared({name})")
            self.emit("{")
            self.emit("#pragma omp atomic")
            self.emit(f"{at} += ({plain}){by}; }}")
        self.emit(f"#pragma omp task in_reduction({how} : {name}) {self.clauses(node, inside)}")
        self.emit("{")
        if "kept" in node.names:
            # A wait must not change the copy: those that the task waits for do not take part.
            self.emit(f"unsigned long kept_{name} = {at};")
        self.part(node, 0, inside)
        if "kept" in node.names:
            self.emit("#pragma omp taskwait")
            self.emit(f"{at} = kept_{name} + ({own}){by}; }} }}")
        else:
            if "inner" in node.names:
                self.emit(f"#pragma omp task in_reduction({how} : {name})")
                self.emit(f"{at} += fib(({inner}) % 7){by};")
            self.emit(f"{at} += ({own}){by}; }} }}")
        if by:
            self.emit(f"unsigned long of_{name} = {at};")
        known.append(f"of_{name}" if by else name)

    def chain(self, node, known):
        name = node.names[0]
        self.emit(f"unsigned long {name} = {text_of(node.values[0], known)};")
        self.part(node, 0, [*known, name])
        self.emit("#pragma omp taskwait")
        known.append(name)

    def chain_read(self, node, known):
        name = node.names[0]
        self.emit(f"#pragma omp task shared({name}) depend(in : {name})")
        self.emit("{")
        self.emit("#pragma omp atomic")
        self.emit(f"v[{node.cell}] += {name}; }}")

    def chain_write(self, node, known):
        name = node.names[0]
        others = [each for each in known if each != name]
        self.emit(f"#pragma omp task shared({name}) depend({node.names[1]} : {name})")
        self.emit(f"{name} = {name} * 3 + {text_of(node.values[0], others)};")

    def loop(self, node, known):
        i = node.names[0]
        name = node.names[1] if len(node.names) > 1 else None
        last = f"l{i}" if "last" in node.names else None
        name = None if name == "last" else name
        for each in filter(None, (name, last)):
            self.emit(f"unsigned long {each} = {text_of(node.values[0], known)};")
        self.emit(f"#pragma omp taskloop {f'reduction(+ : {name})' if name else ''} {f'lastprivate({last})' if last else ''} "
                  f"{self.clauses(node, known)}")
        self.emit(f"for (unsigned long {i} = 0; {i} < {node.number}; ++{i}) {{")
        self.part(node, 0, [*known, i])
        if name is not None:
            self.emit(f"{name} += {text_of(node.values[1], [*known, i])};")
        if last is not None:
            self.emit(f"{last} = {text_of(node.values[2], [*known, i])};")
        known += [each for each in (name, last) if each is not None]
        self.emit("}")

    # What stands in a region.

    def worksharing(self, node, known):
        i = node.names[0]
        more = {"total": "reduction(+ : total)", "bits": "reduction(^ : bits)", "most": "reduction(max : most)", "final": "lastprivate(final)",
                "seed": "firstprivate(seed)", "pairs": "collapse(2)"}
        self.emit(f"#pragma omp {'' if node.cell == 0 else 'parallel '}for {self.clauses(node, known)} "
                  f"{' '.join(more[each] for each in node.names[1:])}")
        inside = [*known, i, *(["seed"] if "seed" in node.names else []), *([f"j{i}"] if "pairs" in node.names else [])]
        self.emit(f"for (unsigned long {i} = 0; {i} < {node.number}; ++{i})")
        if "pairs" in node.names:
            self.emit(f"for (unsigned long j{i} = 3; j{i} > 0; --j{i})")
        self.emit("{")
        self.part(node, 0, inside)
        value = text_of(node.values[0], inside)
        for name, text in (("total", f"total += {value};"), ("bits", f"bits ^= {value};"), ("final", f"final = {value};"),
                           ("most", f"if (most < ({value}) % 1000) most = ({value}) % 1000;")):
            if name in node.names:
                self.emit(text)
        self.emit("}")

    def once(self, node, known):
        self.emit(f"#pragma omp {node.names[0]} {self.clauses(node, known)}")
        self.block(node, 0, known)

    def variable(self, node, known):
        """Each thread has one, with the same value."""
        self.emit(f"unsigned long {node.names[0]} = {text_of(node.values[0], known)};")
        known.append(node.names[0])

    def again(self, node, known):
        i = node.names[0]
        self.emit(f"for (unsigned long {i} = 0; {i} < {node.number}; ++{i})")
        self.block(node, 0, [*known, i])

    def section(self, node, known):
        self.emit("#pragma omp section")
        self.block(node, 0, known)

    def region(self, node, known):
        self.emit(f"#pragma omp parallel {node.names[0]} {self.clauses(node, known)}")
        self.block(node, 0, known)

    def function(self, node, known):
        """Of the case: makes tasks and calls itself."""
        kind = node.names[0]
        self.emit(f"static {'unsigned long' if kind == 'answers' else 'void'} grow_{self.number}(unsigned long w, unsigned long x) {{")
        self.emit(f"if (x == 0) return{' w' if kind == 'answers' else ''};")
        again = f"grow_{self.number}(w * 3 + 1, x - 1);"
        inside = [*known, "w", "x"]
        if "before" in node.names:
            # So that its free version begins before.
            self.emit("#pragma omp atomic")
            self.emit(f"v[{node.cell}] += {text_of(node.values[0], inside)};")
        if kind == "answers":
            self.emit("unsigned long one, two;")
            self.emit("#pragma omp task shared(one)")
            self.emit(f"one = {again}")
            self.part(node, 0, inside)
            self.emit("#pragma omp taskwait")
            self.emit(f"two = {again}")
            self.emit("return one * 5 + two; }")
            return
        self.part(node, 0, inside)
        if kind == "leaves":
            self.emit("#pragma omp task")
        self.emit(again)
        if "after" in node.names:
            self.emit("#pragma omp task")
            self.emit(again)
        self.emit("}")

    def case(self, node):
        self.emit(f"static void case_{node.number}(void) {{")
        self.emit("unsigned long total = 1, bits = 2, most = 3, final = 4, seed = 5;")
        self.part(node, 0, [])
        first = node.number * 100
        self.emit(f"unsigned long sum = total + bits * 3 + most * 5 + final * 7; for (int i = {first}; i < {first + 100}; ++i) sum = sum * 31 + v[i];")
        self.emit(f'printf("case {node.number}: %lu\\n", sum);\n}}')
        body, self.lines = self.lines, []
        if any(line.startswith(f"grow_{node.number}(") for line in body):
            self.part(node, 1, [])
        return "\n".join(self.lines + body)


class Generator:
    """Makes one case."""

    def __init__(self, number, chance):
        self.number = number
        self.chance = chance
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

    def leaf(self, known):
        kind = self.chance.choice(["lock", "later", "call", "add", "add"] + ([] if self.in_function else ["grow"]))
        values = [self.value(known) for _ in range(2)]
        return Node(kind, cell=self.cell(), values=values, names=[self.name("f")])

    def clauses(self, known):
        # Not untied: of a task that makes tasks, Clang makes code that fails, or none.
        some = []
        if self.chance.random() < 0.2:
            some.append(("if", self.value(known), 3))
        if self.chance.random() < 0.15:
            some.append(("final", self.value(known), 2))
        if self.chance.random() < 0.1:
            some.append(self.chance.choice(["mergeable", "priority(3)"]))
        return some

    def statements(self, known, depth, most=3):
        known = list(known)
        return [self.statement(known, depth) for _ in range(self.chance.randrange(1, most + 1))]

    def statement(self, known, depth):
        """What it settles is added to `known`."""
        if depth == 0:
            return self.leaf(known)
        kinds = [self.leaf_only, self.task, self.shared, self.first, self.many, self.group, self.reduced, self.chain, self.loop, self.large,
                 self.chance.choice([self.wait, self.rest])]
        return self.chance.choice(kinds)(known, depth)

    def leaf_only(self, known, _):
        return self.leaf(known)

    def wait(self, *_):
        return Node("wait")

    def rest(self, *_):
        return Node("rest")

    def large(self, known, depth):
        return Node("large", [[self.statement(list(known), depth - 1)]], [self.value(known)], [self.name("b")], self.clauses(known),
                    cell=self.cell(), number=self.chance.choice([1, 4, 12, 60]))

    def task(self, known, depth):
        return Node("task", [self.statements(known, depth - 1)], words=self.clauses(known))

    def shared(self, known, depth):
        names = [self.name("a") for _ in range(self.chance.randrange(1, 4))]
        made = Node("shared", [[self.statement(list(known), depth - 1)] for _ in names], [self.value(known) for _ in range(2 * len(names))],
                    names, self.clauses(known))
        known += names
        return made

    def first(self, known, depth):
        name = self.name("p")
        made = Node("first", [[self.statement([*known, name], depth - 1)]], [self.value(known) for _ in range(2)], [name],
                    self.clauses(known), number=self.chance.randrange(2))
        known.append(name)
        return made

    def many(self, known, depth):
        i = self.name("i")
        inside = [*known, i]
        return Node("many", [[self.task(inside, depth - 1) if depth > 1 else self.leaf(inside)]], names=[i], number=self.chance.randrange(1, 6))

    def group(self, known, depth):
        return Node("group", [self.statements(known, depth - 1)])

    def reduced(self, known, depth):
        name, i = self.name("r"), self.name("i")
        inside = [*known, i]
        # Its own value; what a task adds, a task inside, code beside the tasks, and a task that does not take part.
        values = [self.value(known), *(self.value(inside) for _ in range(4))]
        names = [word for word, share in (("declared", 0.3), ("beside", 0.3), ("plain", 0.25)) if self.chance.random() < share]
        names += self.chance.choice([[], [], ["inner"], ["kept"]])
        made = Node("reduced", [[self.statement(list(inside), depth - 1)] if depth > 1 else []], values, [name, i, *names], self.clauses(inside),
                    number=self.chance.randrange(1, 8))
        name = f"of_{name}" if "declared" in names else name
        known.append(name)
        return made

    def chain(self, known, _):
        name = self.name("d")
        some = []
        for _ in range(self.chance.randrange(1, 5)):
            if self.chance.random() < 0.3:
                some.append(Node("chain_read", names=[name], cell=self.cell()))
            else:
                some.append(Node("chain_write", values=[self.value(known)], names=[name, self.chance.choice(["inout", "out"])]))
        made = Node("chain", [some], [self.value(known)], [name])
        known.append(name)
        return made

    def loop(self, known, depth):
        i = self.name("i")
        names = [i] + ([self.name("s")] if self.chance.random() < 0.5 else [])
        inside = [*known, i]
        body = self.statement(list(inside), depth - 1 if len(names) == 1 else 0)
        made = Node("loop", [[body]], [self.value(known), self.value(inside), self.value(inside)], names,
                    self.chance.choice([[], ["grainsize(2)"], ["num_tasks(3)"]]), number=self.chance.randrange(0, 12))
        if self.chance.random() < 0.2:
            # Without iterations the variable has no value.
            made.number += 1
            made.names.append("last")
            known.append(f"l{i}")
        elif len(names) == 1 and self.chance.random() < 0.2:
            made.words.append("nogroup")
        known += names[1:]
        return made

    def worksharing(self, known, alone):
        i = self.name("i")
        schedule = self.chance.choice([[], ["schedule(static, 3)"], ["schedule(dynamic)"], ["schedule(guided, 2)"]])
        names = [i] + [name for name, share in (("total", 0.5), ("bits", 0.15), ("most", 0.15), ("final", 0.2), ("seed", 0.2), ("pairs", 0.15))
                       if self.chance.random() < share]
        inside = [*known, i, *(["seed"] if "seed" in names else []), *([f"j{i}"] if "pairs" in names else [])]
        body = [self.statement(inside, self.chance.randrange(0, 3)) for _ in range(self.chance.randrange(1, 3))]
        # Without iterations what is lastprivate has no value.
        number = self.chance.randrange(int("final" in names), 15 if "pairs" in names else 40)
        return Node("worksharing", [body], [self.value(inside)], names, schedule, cell=int(alone), number=number)

    def constructs(self, known, depth):
        """Of a region that has loops."""
        known = list(known)
        some = []
        for _ in range(self.chance.randrange(2, 5)):
            kind = self.chance.random()
            if kind < 0.15:
                name = self.name("g")
                some.append(Node("variable", values=[self.value(known)], names=[name]))
                known.append(name)
            elif kind < 0.3 and depth > 0:
                i = self.name("k")
                some.append(Node("again", [self.constructs([*known, i], depth - 1)], names=[i], number=self.chance.randrange(1, 4)))
            elif kind < 0.65:
                some.append(self.worksharing(known, False))
            else:
                some.append(Node("once", [self.statements(known, 2)], names=["single"], words=self.chance.choice([[], ["nowait"]])))
        return some

    def make(self):
        kind = self.chance.randrange(5)
        team = self.chance.choice([[], [], [], ["num_threads(1)"], ["if (total > 5)"]])
        if kind == 0:
            inside = Node("once", [self.statements([], 3)], names=[self.chance.choice(["single", "master"])])
            made = Node("region", [[inside]], names=[""], words=team)
        elif kind < 3:
            made = Node("region", [self.constructs([], 1)], names=[""], words=team)
        elif kind == 3:
            made = self.worksharing([], True)
        else:
            sections = [Node("section", [self.statements([], 2)]) for _ in range(self.chance.randrange(1, 4))]
            made = Node("region", [sections], names=["sections"], words=team)
        self.in_function = True
        names = [self.chance.choice(["answers", "leaves", "calls"])] + [word for word in ("before", "after") if self.chance.random() < 0.4]
        inside = ["w", "x"]
        function = Node("function", [self.statements(inside, 2, 2)], [self.value(inside)], names, cell=self.cell())
        return Node("case", [[made], [function]], number=self.number)


def program(cases):
    bodies = [Printer(case.number).case(case) for case in cases]
    calls = "\n".join(f"  case_{case.number}();" for case in cases)
    return HEAD + "\n".join(bodies) + f"\nint main(void) {{\n{calls}\n  return 0;\n}}\n"


# What may take the place of another one's statement: those of a region only stand in regions.
REGIONS = {"case": ("region", "worksharing"), "region": ("worksharing", "once", "variable", "again", "section"),
           "again": ("worksharing", "once", "variable", "again")}


# Names of what a statement has besides, which may be left out.
k_optional = {"total", "bits", "most", "final", "seed", "pairs", "last", "declared", "beside", "plain", "inner", "kept", "before", "after"}


def may_hold(parent, child):
    if parent.kind in REGIONS:
        return child.kind in REGIONS[parent.kind]
    return child.kind not in ("worksharing", "once", "variable", "again", "section", "region", "function") and not child.kind.startswith("chain_")


def smaller(root):
    """Programs that are a step smaller, those that are much smaller first: each a function that takes the step and returns one that takes it
    back."""
    def nodes(node):
        yield node
        for part in node.parts:
            for each in part:
                yield from nodes(each)

    def setting(holder, at, value):
        def step():
            before = holder[at]
            holder[at] = value

            def back():
                holder[at] = before
            return back
        return step

    steps = []
    for node in nodes(root):
        for at, part in enumerate(node.parts):
            for first in range(len(part)):
                each = part[first]
                if node.kind != "case":
                    steps.append((1 + each.size(), setting(node.parts, at, part[:first] + part[first + 1:])))
                inside = [other for some in each.parts for other in some]
                if inside and all(may_hold(node, other) for other in inside):
                    steps.append((1, setting(node.parts, at, part[:first] + inside + part[first + 1:])))
            half = len(part) // 2
            if half > 1:
                for rest in (part[:half], part[half:]):
                    steps.append((sum(1 + each.size() for each in part) - sum(1 + each.size() for each in rest), setting(node.parts, at, rest)))
        for name in sorted(k_optional & set(node.names)):
            steps.append((0, setting(vars(node), "names", [each for each in node.names if each != name])))
        for at in range(len(node.words)):
            steps.append((0, setting(vars(node), "words", node.words[:at] + node.words[at + 1:])))
        if node.kind != "case" and node.number > 2:
            steps.append((0, setting(vars(node), "number", 2)))
    return [step for _, step in sorted(steps, key=lambda step: -step[0])]


def reduce(root, fails):
    """Takes statements and clauses out of `root`, in place, as long as `fails()`."""
    again = True
    while again:
        again = False
        for step in smaller(root):
            back = step()
            if fails():
                again = True
                break
            back()


# Statements that a program with the planted error may still have: a region, a construct, a task, a call.
k_small = 4


def output(command, seconds, **settings):
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("TAKT_", "OMP_"))}
    # Where libomp steals chunks, lastprivate of its dynamic schedule may be lost.
    environment.update({"OMP_NUM_THREADS": "3", "KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE": "true", **settings})
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=seconds)
    except subprocess.TimeoutExpired:
        return f"nothing within {seconds} s"
    return done.stdout if done.returncode == 0 else f"exit code {done.returncode}\n{done.stdout}{done.stderr}"


def differs(wanted, got):
    """The first line that is not what it should be."""
    for line in got.splitlines() or [got]:
        if line not in wanted.splitlines():
            return line
    return "lines are missing"


def compiled(command, source, to):
    """@returns the compiler's remarks, and what it says against the program."""
    made = subprocess.run([*command, "-w", str(source), "-o", str(to)], capture_output=True, text=True)
    return made.stderr, "" if made.returncode == 0 else (made.stderr.splitlines() or ["does not compile"])[0]


def with_endless_bands(assembly, chance):
    """Some sites, or all, have a band without end, so that what asks there is told that its tasks are free. @returns None: there are none."""
    share = chance.choice([1, 1, 0.5])
    parts = re.split(r"(takt_site[.0-9]*:\n(?:[^\n]*\n){3}\s*\.quad\s+-1\b[^\n]*\n\s*\.quad\s+)0\b", assembly)
    for at in range(1, len(parts), 2):
        parts[at] += "-1" if chance.random() < share else "0"
    return "".join(parts) if len(parts) > 1 else None


def kind_of(line):
    """What is the same for programs that are wrong in the same way."""
    for kind in ("case ", "nothing within", "exit code"):
        if line.startswith(kind):
            return kind if kind != "exit code" else line
    return "other: " + line


class Trial:
    """A program at a level, with some settings of workers and beat, and one with bands without end."""

    def __init__(self, given, seed, work):
        self.chance = random.Random(f"{seed}/settings")
        self.given = given
        self.work = work
        self.level = f"-O{self.chance.randrange(4)}"
        self.settings = [(self.chance.choice([1, 2, 3, 7, 64]), "0"), (self.chance.choice([1, 2, 3, 7]), "0"), (3, "100")]
        self.endless = (self.chance.choice([1, 3, 7]), self.chance.choice(["0", "100"]))
        self.bands = self.chance.random()
        self.programs = ("takt", "endless")
        self.remarks = ""
        work.mkdir(parents=True, exist_ok=True)

    def made(self, cases):
        """Compiles the program. @returns what is wrong."""
        source = self.work / "random.c"
        source.write_text(program(cases))
        taktcc = str(self.given.plugin / "taktcc")
        assembly = self.work / "takt.s"
        _, why = compiled([self.given.clang, "-O1"], source, self.work / "serial")
        if why:
            return [(f"serial: {why}", "", "")]
        twin = ["-DTWIN"] if self.given.twin else []
        self.remarks, why = compiled([taktcc, self.level, "-fopenmp", "-Rpass=takt", "-Rpass-missed=takt", "-S", *twin], source, assembly)
        why = why or compiled([taktcc, "-fopenmp"], assembly, self.work / "takt")[1]
        self.has_bands = False
        if not why and self.level != "-O0" and "endless" in self.programs:
            other = with_endless_bands(assembly.read_text(), random.Random(self.bands))
            if other is not None:
                self.has_bands = True
                assembly.write_text(other)
                _, why = compiled([taktcc, "-fopenmp"], assembly, self.work / "endless")
        return [(f"takt: {why}", why, "takt")] if why else []

    def wrong(self, cases, seconds=120, turns=1, kind=None):
        """@returns what is wrong, each with the line that differs and the program. With `kind`: the first that is wrong in this way."""
        failed = self.made(cases)
        if failed:
            return failed if kind is None else [each for each in failed if kind_of(each[1]) == kind]
        wanted = output([str(self.work / "serial")], 60)
        runs = [("takt", *each) for each in self.settings] + ([("endless", *self.endless)] if self.has_bands else [])
        for name, workers, beat in [each for each in runs if each[0] in self.programs] * turns:
            got = output([str(self.work / name)], seconds, TAKT_WORKERS=str(workers), TAKT_BEAT_US=beat)
            if got != wanted:
                line = differs(wanted, got)
                this = (f"{self.level}, {name}, {workers} workers, beat {beat}: {line}", line, name)
                if kind is None:
                    failed.append(this)
                elif kind_of(line) == kind:
                    return [this]
        return failed

    def is_wrong_of_clang(self, turns=5):
        """The program that was made last, without the plugin."""
        _, why = compiled([self.given.clang, self.level, "-fopenmp"], self.work / "random.c", self.work / "omp")
        if why:
            return True
        wanted = output([str(self.work / "serial")], 60)
        return any(output([str(self.work / "omp")], 120) != wanted for _ in range(turns))


def make_small(given, seed, cases, failed):
    """Makes the case that failed first small, and writes it to a file. @returns how many statements are left; None: alone it is right."""
    trial = Trial(given, seed, given.work / "small")
    # An error of order does not show each time; the planted one does.
    turns = 1 if given.twin else 5
    _, line, name = failed[0]
    trial.programs = (name,)
    wanted = int(line.split()[1].rstrip(":")) if line.startswith("case ") else None
    kind = kind_of(line)
    known = {}  # what a step takes may not be printed

    def fails(case):
        """In the same way, and not with Clang's own runtime, for which no error is planted."""
        text = program([case])
        if text not in known:
            known[text] = bool(trial.wrong([case], 20, turns, kind)) and (given.twin or not trial.is_wrong_of_clang(turns))
        return known[text]

    for case in cases:
        if wanted is not None and case.number != wanted:
            continue
        if not fails(case):
            continue
        reduce(case, lambda: fails(case))
        small = given.work / f"small_{seed}.c"
        small.write_text(program([case]))
        why = (trial.wrong([case], 20, turns, kind) or [("not every time", "", "")])[0][0]
        print(f"{small}: {case.size()} statements; {why}")
        return case.size()
    print(f"--seed {seed}: no case is wrong when it is alone")
    return None


def check(given, seed):
    """@returns what is wrong, how many regions and loops were converted, how many were left, and to how many statements a program that is
    wrong was reduced."""
    numbers = range(given.cases) if given.only is None else [given.only]
    cases = [Generator(number, random.Random(f"{seed}/{number}")).make() for number in numbers]
    trial = Trial(given, seed, given.work)
    failed = trial.wrong(cases)
    said = [what for what, *_ in failed]
    converted, left = trial.remarks.count("remark: the parallel region runs"), trial.remarks.count("region stays")
    small = None
    if failed and trial.is_wrong_of_clang():
        said.append("Clang's own runtime is wrong, too")
    elif failed and given.reduce:
        small = make_small(given, seed, cases, failed)
    return "; ".join(said), converted, left, small


class Parser(argparse.ArgumentParser):
    def error(self, message):
        print(f"random_tasks.py: {message}", file=sys.stderr)
        sys.exit(2)


def main():
    parser = Parser(description=__doc__.splitlines()[0])
    parser.add_argument("plugin", type=pathlib.Path, help="the folder that has taktcc")
    parser.add_argument("work", type=pathlib.Path, help="a folder for the programs")
    parser.add_argument("clang")
    parser.add_argument("--programs", type=int, default=3)
    parser.add_argument("--cases", type=int, default=12, help="in each program, at most 40")
    parser.add_argument("--seed", type=int, default=1, help="of the first program; the next one has the next")
    parser.add_argument("--only", type=int, help="just this case")
    parser.add_argument("--twin", action="store_true", help="an error is planted in what takt runs, and must be found")
    parser.add_argument("--reduce", action="store_true",
                        help="make a program that is wrong small; with --twin: it must become one with a few statements")
    given = parser.parse_args()
    if not 1 <= given.cases <= 40 or given.programs < 1:
        parser.error("1 to 40 cases, and at least one program")
    if not (given.plugin / "taktcc").is_file():
        parser.error(f"no taktcc in {given.plugin}")
    if shutil.which(given.clang) is None:
        parser.error(f"no {given.clang}")
    wrong = converted = left = large = 0
    for seed in range(given.seed, given.seed + given.programs):
        failed, done, stayed, small = check(given, seed)
        large += given.twin and given.reduce and (small is None or small > k_small)
        converted += done
        left += stayed
        wrong += failed != ""
        if failed and not given.twin:
            sys.stdout.flush()
            print(f"--seed {seed} --cases {given.cases}: {failed}", file=sys.stderr)
    print(f"{given.programs} programs of {given.cases} cases from seed {given.seed}: {wrong} wrong; {converted} regions converted, {left} left")
    sys.exit(0 if converted != 0 and large == 0 and wrong == (given.programs if given.twin else 0) else 1)


if __name__ == "__main__":
    main()
