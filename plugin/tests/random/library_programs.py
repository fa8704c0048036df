#!/usr/bin/env python3
"""Random programs with forks, loops, groups and exceptions of the library, of which GCC, Clang and takt++ compile a part each. See README.md."""
import argparse
import pathlib
import random
import re
import subprocess
import sys

from library import LibraryMaker, k_compilers, k_most_calls, texts
from tree import reduce
from trial import Fault, compiled, differences, output

k_root = pathlib.Path(__file__).resolve().parents[3]
k_levels = ["-O1", "-O2", "-O2", "-O2", "-O3", "-Os", "-O2 -g -fno-omit-frame-pointer", "-O2 -fPIC"]
k_workers = [1, 2, 7]
# Calls of a program that is stepped through.
k_most_stepped = 60
# Statements that a program with a planted error may still have.
k_small = 12

# Errors that are planted in the library's header: a text, of which it has one, and what comes instead.
k_header = "takt/detail/fork.hpp"
k_planted = {
    "head": ("  set_head(s);\n  TAKT_TRY {\n    finish(s);", "  TAKT_TRY {\n    finish(s);"),
    "left": ("  TAKT_TRY {\n    finish(s);\n  } TAKT_CATCH_ALL {", "  TAKT_TRY {\n    (void)finish;\n  } TAKT_CATCH_ALL {"),
    "slot": ("    G branch = *detail::payload_of<G>(s);\n    return {static_cast", "    G& branch = *detail::payload_of<G>(s);\n    return {static_cast"),
}


def with_endless_bands(assembly, chance):
    """@returns the assembly with a band without end in some of the sites of forks, or all, and in how many."""
    share = chance.choice([1, 1, 0.5])
    parts = re.split(r"(7site_ofISt4pair[^\n]*:[^\n]*\n(?:[^\n]*\n){3}\s*\.quad\s+-1\b[^\n]*\n\s*\.quad\s+)0\b", assembly)
    count = 0
    for at in range(1, len(parts), 2):
        endless = chance.random() < share
        parts[at] += "-1" if endless else "0"
        count += endless
    return "".join(parts), count


class Trial:
    """A program, with some settings of workers and beat, with bands without end, and stepped through."""

    def __init__(self, given, seed):
        chance = random.Random(f"{seed}/library")
        self.given = given
        self.work = given.work
        self.flags = {compiler: chance.choice(k_levels).split() for compiler in k_compilers}
        self.runs = [(1, None), (chance.choice(k_workers), "0"), (chance.choice([2, 7]), chance.choice(["0", None]))]
        self.endless = chance.choice(k_workers), chance.choice(["0", None])
        self.stepped = chance.choice([1, 2]), "1000000"
        self.bands = chance.random()
        self.seed = seed
        # Functions that have two versions, sites with bands without end, signals that made something a task.
        self.asked_once = self.made_endless = self.interrupts = 0
        self.work.mkdir(parents=True, exist_ok=True)

    def includes(self, rules):
        planted = [] if rules or not self.given.twin else [f"-I{self.work}/planted"]
        return [*planted, *(f"-I{k_root / path}" for path in ("include", "abi", "tests", "plugin/tests/random"))]

    def command(self, compiler, rules=False):
        name = {"gcc": self.given.gxx, "clang": self.given.clangxx, "takt": str(self.given.plugin / "takt++")}[compiler]
        return [name, "-std=c++20", *self.includes(rules)]

    def plant(self):
        if self.given.twin:
            text = (k_root / "include" / k_header).read_text()
            there, instead = k_planted[self.given.twin]
            if text.count(there) != 1:
                sys.exit(f"{k_header}: the text in which '{self.given.twin}' is planted is not there once")
            to = self.work / "planted" / k_header
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_text(text.replace(there, instead))

    def make(self, root, names):
        """@returns what is wrong with the programs that the compilers make: `names` of them, and `rules`, which is right."""
        self.plant()
        stepped = [f"-I{k_root}/tests/steps", "-DSTEPS"] if self.given.steps else []
        written, depth = texts(root, k_most_stepped if stepped else k_most_calls)
        main = [*stepped, f"-DDEPTH={depth}", f"-DSEED={self.seed % 89 + 1}", str(k_root / "plugin/tests/random/library_main.cpp")]
        everything = self.work / "rules.cpp"
        everything.write_text("".join(written.values()))
        _, why = compiled([*self.command("clang", True), "-O1", "-DRULES", *main], everything, self.work / "rules")
        if why:
            return Fault(f"as plain loops: {why}")
        for compiler, text in written.items():
            source, assembly = self.work / f"{compiler}.cpp", self.work / f"{compiler}.takt.s"
            source.write_text(text)
            _, why = compiled([*self.command(compiler), *self.flags[compiler], "-S"], source, assembly)
            if why:
                return Fault(f"{compiler} {' '.join(self.flags[compiler])}: {why}")
            made = assembly.read_text()
            self.asked_once += len(re.findall(r"\.takt_pushing:", made))
            made, count = with_endless_bands(made, random.Random(f"{self.bands}/{compiler}"))
            (self.work / f"{compiler}.endless.s").write_text(made)
            self.made_endless += count
        for name in names:
            parts = []
            for compiler in k_compilers:
                parts.append(str(self.work / f"{compiler}.{name}.o"))
                _, why = compiled([*self.command(compiler)[:1], "-c"], self.work / f"{compiler}.{name}.s", parts[-1])
                if why:
                    return Fault(f"{compiler}: {why}")
            parts += [str(self.given.steps)] if stepped else []
            _, why = compiled([*self.command("takt"), "-O1", *main, *parts[:-1]], parts[-1], self.work / name)
            if why:
                return Fault(f"is not linked: {why}")
        return None

    def faults(self, root, names):
        """@returns what is wrong."""
        fault = self.make(root, names)
        if fault is not None:
            return [fault]
        wanted = output([str(self.work / "rules")], self.given.seconds)
        if wanted[1]:
            return [Fault(f"as plain loops: {wanted[1]}")]
        runs = {"takt": [self.stepped] if self.given.steps else self.runs, "endless": [self.endless]}
        return [fault for name in names for run in runs[name] for fault in self.fault(wanted, name, run)]

    def fault(self, wanted, name, run):
        text, why = output([str(self.work / name)], self.given.seconds, TAKT_WORKERS=str(run[0]), TAKT_BEAT_US=run[1],
                           TAKT_TRIGGER="beat" if self.given.steps else None)
        lines = [line for line in text.splitlines() if not line.startswith("interrupts: ")]
        self.interrupts += sum(int(line.split()[1]) for line in text.splitlines() if line not in lines)
        if why or lines != wanted[0].splitlines():
            return [Fault(what, name, run) for what in ([why] if why else differences(wanted[0], "\n".join(lines)))]
        return []


def make_small(trial, root, fault):
    """@returns how many statements are left of the program."""
    # An error of order does not show each time.
    def fails():
        return any(each.symptom == fault.symptom for _ in range(3) for each in trial.faults(root, [fault.name]))

    if not fails():
        return None
    reduce(root, fails)
    small = trial.work / f"small_{trial.seed}.cpp"
    small.write_text("".join(texts(root, k_most_calls)[0].values()))
    print(f"{small}: {root.size()} statements; {fault}", flush=True)
    return root.size()


class Parser(argparse.ArgumentParser):
    def error(self, message):
        print(f"library_programs.py: {message}", file=sys.stderr)
        sys.exit(2)


def main():
    parser = Parser(description=__doc__.splitlines()[0])
    parser.add_argument("plugin", type=pathlib.Path, help="the folder that has takt++")
    parser.add_argument("work", type=pathlib.Path, help="a folder for the programs")
    parser.add_argument("gxx")
    parser.add_argument("clangxx")
    parser.add_argument("--programs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1, help="of the first program; the next one has the next")
    parser.add_argument("--steps", type=pathlib.Path, metavar="LIBRARY", help="short programs, with a signal at each instruction: by the library of tests/steps")
    parser.add_argument("--seconds", type=int, default=240, help="within which a program ends")
    parser.add_argument("--twin", choices=sorted(k_planted), help="an error that is planted in the library's header, and must be found")
    parser.add_argument("--reduce", action="store_true", help="make a program that is wrong small; with --twin: it must become small")
    given = parser.parse_args()
    if given.programs < 1:
        parser.error("at least one program")
    if not (given.plugin / "takt++").is_file():
        parser.error(f"no takt++ in {given.plugin}")
    names = ["takt"] if given.steps else ["takt", "endless"]
    wrong = large = 0
    found = {"functions with two versions": 0, "sites with endless bands": 0, "signals that made a task": 0}
    for seed in range(given.seed, given.seed + given.programs):
        root = LibraryMaker(random.Random(seed)).make()
        trial = Trial(given, seed)
        faults = trial.faults(root, names)
        for what, count in zip(found, (trial.asked_once, trial.made_endless if "endless" in names else 0, trial.interrupts)):
            found[what] += count
        wrong += bool(faults)
        if faults and not given.twin:
            print(f"--seed {seed}: {'; '.join(str(fault) for fault in faults[:6])}", file=sys.stderr, flush=True)
        if faults and given.reduce:
            small = make_small(trial, root, faults[0])
            large += given.twin is not None and (small is None or small > k_small)
    print(f"{given.programs} programs from seed {given.seed}: {wrong} wrong; " + ", ".join(f"{count} {what}" for what, count in found.items()))
    # What is not there is not tested.
    tested = found["signals that made a task"] > 30 * given.programs if given.steps else found["functions with two versions"] and found["sites with endless bands"]
    sys.exit(0 if (wrong == given.programs and not large if given.twin else wrong == 0 and tested) else 1)


if __name__ == "__main__":
    main()
