#!/usr/bin/env python3
"""Random OpenMP programs with tasks and loops: without OpenMP, with Clang's own runtime and with takt they print the same.

Each program has a number of cases, which are independent of each other: the line that differs names the case, and --only runs a program
that has no other. What a program prints does not depend on the order of its tasks: they add to numbers of their own by atomic, critical
and reductions, and what one reads of another has been waited for, or is ordered by depend."""
import argparse
import os
import pathlib
import random
import shutil
import subprocess
import sys

HEAD = """#include <stdio.h>
static unsigned long v[4000];
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


class Case:
    """One function: its lines, as a list."""

    def __init__(self, number, chance):
        self.number = number
        self.chance = chance
        self.cells = 0
        self.names = 0
        self.lines = []

    def name(self, of):
        self.names += 1
        return f"{of}{self.names}"

    def cell(self):
        self.cells += 1
        return self.number * 100 + self.cells - 1 if self.cells < 100 else self.number * 100

    def value(self, known):
        """An expression of what is known where it stands."""
        parts = [str(self.chance.randrange(1, 50))]
        parts += [f"{self.chance.choice(known)} * {self.chance.randrange(1, 9)}ul" for _ in range(2) if known]
        return " + ".join(parts)

    def emit(self, text):
        self.lines.append(text)

    def leaf(self, known):
        kind = self.chance.randrange(5)
        if kind == 0:
            self.emit("#pragma omp critical")
        elif kind == 1:
            self.emit(f"later({self.cell()}, {self.value(known)});")
            return
        else:
            self.emit("#pragma omp atomic")
        call = f" + fib(({self.value(known)}) % 9)" if kind == 2 else ""
        if kind == 2:
            # What an atomic adds is computed before.
            name = self.name("f")
            self.lines.pop()
            self.emit(f"{{ unsigned long {name} = {self.value(known)}{call};")
            self.emit("#pragma omp atomic")
            self.emit(f"v[{self.cell()}] += {name}; }}")
            return
        self.emit(f"v[{self.cell()}] += {self.value(known)};")

    def clauses(self, known):
        some = []
        if self.chance.random() < 0.2:
            some.append(f"if (({self.value(known)}) % 3)")
        if self.chance.random() < 0.15:
            some.append(f"final(({self.value(known)}) % 2)")
        if self.chance.random() < 0.1:
            some.append(self.chance.choice(["mergeable", "priority(3)"]))
        return " ".join(some)

    def block(self, known, depth):
        self.emit("{")
        known = list(known)
        for _ in range(self.chance.randrange(1, 4)):
            self.statement(known, depth)
        self.emit("}")

    def statement(self, known, depth):
        """One or more; what they settle is added to `known`."""
        kinds = [self.leaf_only, self.task, self.shared, self.first, self.many, self.group, self.reduced, self.chain, self.loop]
        (self.leaf_only if depth == 0 else self.chance.choice(kinds))(known, depth)

    def leaf_only(self, known, _):
        self.leaf(known)

    def task(self, known, depth):
        self.emit(f"#pragma omp task {self.clauses(known)}")
        self.block(known, depth - 1)
        if self.chance.random() < 0.3:
            self.emit("#pragma omp taskwait")

    def shared(self, known, depth):
        names = [self.name("a") for _ in range(self.chance.randrange(1, 4))]
        for name in names:
            self.emit(f"unsigned long {name} = {self.value(known)};")
        for name in names:
            self.emit(f"#pragma omp task shared({name}) {self.clauses(known)}")
            self.emit("{")
            self.statement(list(known), depth - 1)
            self.emit(f"{name} += {self.value(known)}; }}")
        self.emit("#pragma omp taskwait")
        known += names

    def first(self, known, depth):
        name = self.name("p")
        self.emit(f"unsigned long {name} = {self.value(known)};")
        self.emit(f"#pragma omp task firstprivate({name}) {self.clauses(known)}")
        self.emit("{")
        self.emit(f"{name} += 3;")
        self.statement([*known, name], depth - 1)
        self.emit("}")
        if self.chance.random() < 0.5:
            self.emit(f"{name} = 1;")
        else:
            # The serial program changes the variable itself.
            self.emit("#pragma omp taskwait")
            self.emit(f"{name} = {self.value(known)};")
        known.append(name)

    def many(self, known, depth):
        i = self.name("i")
        self.emit(f"for (unsigned long {i} = 0; {i} < {self.chance.randrange(1, 6)}; ++{i})")
        self.emit("{")
        self.task([*known, i], depth - 1) if depth > 1 else self.leaf([*known, i])
        self.emit("}")

    def group(self, known, depth):
        self.emit("#pragma omp taskgroup")
        self.block(known, depth - 1)

    def reduced(self, known, depth):
        name, i = self.name("r"), self.name("i")
        self.emit(f"unsigned long {name} = {self.value(known)};")
        self.emit(f"#pragma omp taskgroup task_reduction(+ : {name})")
        self.emit(f"for (unsigned long {i} = 0; {i} < {self.chance.randrange(1, 8)}; ++{i}) {{")
        self.emit(f"#pragma omp task in_reduction(+ : {name}) {self.clauses([*known, i])}")
        self.emit("{")
        if depth > 1:
            self.statement([*known, i], depth - 1)
        self.emit(f"{name} += {self.value([*known, i])}; }} }}")
        known.append(name)

    def chain(self, known, _):
        name = self.name("d")
        self.emit(f"unsigned long {name} = {self.value(known)};")
        for _ in range(self.chance.randrange(1, 5)):
            if self.chance.random() < 0.3:
                self.emit(f"#pragma omp task shared({name}) depend(in : {name})")
                self.emit("{")
                self.emit("#pragma omp atomic")
                self.emit(f"v[{self.cell()}] += {name}; }}")
            else:
                self.emit(f"#pragma omp task shared({name}) depend({self.chance.choice(['inout', 'out'])} : {name})")
                self.emit(f"{name} = {name} * 3 + {self.value(known)};")
        self.emit("#pragma omp taskwait")
        known.append(name)

    def loop(self, known, depth):
        i = self.name("i")
        extra, name = "", None
        if self.chance.random() < 0.5:
            name = self.name("s")
            self.emit(f"unsigned long {name} = {self.value(known)};")
            extra = f"reduction(+ : {name})"
        self.emit(f"#pragma omp taskloop {extra} {self.chance.choice(['', 'grainsize(2)', 'num_tasks(3)'])}")
        self.emit(f"for (unsigned long {i} = 0; {i} < {self.chance.randrange(0, 12)}; ++{i}) {{")
        self.statement([*known, i], depth - 1 if name is None else 0)
        if name is not None:
            self.emit(f"{name} += {self.value([*known, i])};")
            known.append(name)
        self.emit("}")

    def worksharing(self, known, prefix, total):
        i = self.name("i")
        schedule = self.chance.choice(["", "schedule(static, 3)", "schedule(dynamic)", "schedule(guided, 2)"])
        reduction = f"reduction(+ : {total})" if total else ""
        self.emit(f"#pragma omp {prefix}for {schedule} {reduction}")
        self.emit(f"for (unsigned long {i} = 0; {i} < {self.chance.randrange(0, 40)}; ++{i}) {{")
        inside = [*known, i]
        for _ in range(self.chance.randrange(1, 3)):
            self.statement(inside, self.chance.randrange(0, 3))
        if total:
            self.emit(f"{total} += {self.value(inside)};")
        self.emit("}")

    def make(self):
        self.emit(f"static void case_{self.number}(void) {{")
        self.emit("unsigned long total = 1;")
        kind = self.chance.randrange(4)
        team = self.chance.choice(["", "", "", "num_threads(1)", "if (total > 5)"])
        if kind == 0:
            self.emit(f"#pragma omp parallel {team}\n#pragma omp {self.chance.choice(['single', 'master'])}")
            self.block([], 3)
        elif kind == 1:
            self.emit(f"#pragma omp parallel {team}")
            self.emit("{")
            for _ in range(self.chance.randrange(2, 5)):
                if self.chance.random() < 0.5:
                    self.worksharing([], "", self.chance.choice([None, "total"]))
                else:
                    self.emit(f"#pragma omp single {self.chance.choice(['', 'nowait'])}")
                    self.block([], 2)
            self.emit("}")
        elif kind == 2:
            self.worksharing([], "parallel ", self.chance.choice([None, "total"]))
        else:
            self.emit(f"#pragma omp parallel sections {team}")
            self.emit("{")
            for _ in range(self.chance.randrange(1, 4)):
                self.emit("#pragma omp section")
                self.block([], 2)
            self.emit("}")
        self.emit(f'unsigned long sum = total; for (int i = {self.number * 100}; i < {self.number * 100 + 100}; ++i) '
                  "sum = sum * 31 + v[i];")
        self.emit(f'printf("case {self.number}: %lu\\n", sum);\n}}')
        return "\n".join(self.lines)


def program(seed, cases, only):
    numbers = range(cases) if only is None else [only]
    bodies = [Case(number, random.Random(f"{seed}/{number}")).make() for number in numbers]
    calls = "\n".join(f"  case_{number}();" for number in numbers)
    return HEAD + "\n".join(bodies) + f"\nint main(void) {{\n{calls}\n  return 0;\n}}\n"


def output(command, seconds, **settings):
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("TAKT_", "OMP_"))}
    environment.update({"OMP_NUM_THREADS": "3", **settings})
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


def check(given, seed):
    """@returns what is wrong, how many regions and loops were converted, and how many were left."""
    work = given.work
    work.mkdir(parents=True, exist_ok=True)
    source = work / "random.c"
    source.write_text(program(seed, given.cases, given.only))
    chance = random.Random(f"{seed}/settings")
    level = f"-O{chance.randrange(4)}"
    takt = [str(given.plugin / "taktcc"), level, "-fopenmp", "-Rpass=takt", "-Rpass-missed=takt", *(["-DTWIN"] if given.twin else [])]
    remarks = ""
    for name, command in {"serial": [given.clang, "-O1"], "omp": [given.clang, "-O1", "-fopenmp"], "takt": takt}.items():
        made = subprocess.run([*command, "-w", str(source), "-o", str(work / name)], capture_output=True, text=True)
        if made.returncode != 0:
            return f"{name}: {(made.stderr.splitlines() or ['does not compile'])[0]}", 0, 0
        remarks = made.stderr
    wanted = output([str(work / "serial")], 60)
    failed = []
    for workers, beat in [(chance.choice([1, 2, 3, 7, 64]), "0"), (chance.choice([1, 2, 3, 7]), "0"), (3, "100")]:
        got = output([str(work / "takt")], 120, TAKT_WORKERS=str(workers), TAKT_BEAT_US=beat)
        if got != wanted:
            failed.append(f"{level}, {workers} workers, beat {beat}: {differs(wanted, got)}")
    if failed and output([str(work / "omp")], 120) != wanted:
        failed.append("Clang's own runtime is wrong, too")
    return "; ".join(failed), remarks.count("remark: the parallel region runs"), remarks.count("region stays")


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
    given = parser.parse_args()
    if not 1 <= given.cases <= 40 or given.programs < 1:
        parser.error("1 to 40 cases, and at least one program")
    if not (given.plugin / "taktcc").is_file():
        parser.error(f"no taktcc in {given.plugin}")
    if shutil.which(given.clang) is None:
        parser.error(f"no {given.clang}")
    wrong = converted = left = 0
    for seed in range(given.seed, given.seed + given.programs):
        failed, done, stayed = check(given, seed)
        converted += done
        left += stayed
        wrong += failed != ""
        if failed and not given.twin:
            print(f"--seed {seed} --cases {given.cases}: {failed}", file=sys.stderr)
    print(f"{given.programs} programs of {given.cases} cases from seed {given.seed}: {wrong} wrong; {converted} regions converted, {left} left")
    sys.exit(0 if converted != 0 and wrong == (given.programs if given.twin else 0) else 1)


if __name__ == "__main__":
    main()
