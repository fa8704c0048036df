"""Compiles a program, runs it in some ways, and tells what is wrong."""
import os
import random
import re
import subprocess

from cancels import hangs_with_clang
from generated import program

# Workers and beats of which each program gets some.
k_workers = [1, 2, 3, 7, 64]
k_beats = ["0", None]


def output(command, seconds, **settings):
    """@returns what the program says, and how it ended, where that is not well."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("TAKT_", "OMP_"))}
    # Where libomp steals chunks, lastprivate of its dynamic schedule may be lost.
    environment.update({"OMP_NUM_THREADS": "3", "KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE": "true"})
    environment.update({name: value for name, value in settings.items() if value is not None})
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=seconds)
    except subprocess.TimeoutExpired:
        return "", f"nothing within {seconds} s"
    return done.stdout, "" if done.returncode == 0 else f"exit code {done.returncode}: {first_line(done.stderr)}"


def first_line(text):
    return next((line for line in text.splitlines() if line.strip()), "")


def without_numbers(text):
    """What is the same in two programs that are stopped by the same fault: no places, addresses and names that the program gives."""
    text = re.sub(r"[^\s:]*\.(cpp|c|s|o):", "", text)
    return re.sub(r"0x[0-9a-f]+|[0-9]+", "N", re.sub(r"'[^']*'", "''", text))


def said(text):
    """What a compiler says against a program: its error, or the assertion and the functions of the plugin where it crashed."""
    lines = text.splitlines()
    told = [line for line in lines if re.search(r"error:|Assertion|assert", line)][:1]
    frames = re.findall(r"#\d+ 0x[0-9a-f]+ ([\w:~]+)\(.*libtakt-plugin", text) or re.findall(r"#\d+ 0x[0-9a-f]+ (llvm::[\w:]+)", text)
    return " ".join(told + frames[:2]) or first_line(text) or "no program, and no word"


def compiled(command, source, to):
    """@returns the compiler's remarks, and what it says against the program."""
    made = subprocess.run([*command, "-w", str(source), "-o", str(to)], capture_output=True, text=True)
    return made.stderr, "" if made.returncode == 0 else said(made.stderr)


def differences(wanted, got):
    """The lines that are not what they should be."""
    wanted, got = wanted.splitlines(), got.splitlines()
    missing = {line.split(":")[0] for line in wanted} - {line.split(":")[0] for line in got}
    return [line for line in got if line not in wanted] + [f"{name}: missing" for name in sorted(missing)] or ["lines in another order"]


def with_endless_bands(assembly, chance):
    """Some sites, or all, have a band without end, so that what asks there is told that its tasks are free. @returns None: there are none."""
    share = chance.choice([1, 1, 0.5])
    parts = re.split(r"(takt_site[.0-9]*:\n(?:[^\n]*\n){3}\s*\.quad\s+-1\b[^\n]*\n\s*\.quad\s+)0\b", assembly)
    for at in range(1, len(parts), 2):
        parts[at] += "-1" if chance.random() < share else "0"
    return "".join(parts) if len(parts) > 1 else None


class Fault:
    """What is wrong, and in which way of running: `symptom` is the same for programs that are wrong in the same way."""

    def __init__(self, what, name="", run=None):
        self.what = what
        self.name = name  # of the program; none: it does not compile
        self.run = run
        # A line that the program prints begins with the number that is wrong.
        self.symptom = what.split(":")[0] if what.startswith("case ") else without_numbers(what)

    def __str__(self):
        if self.run is None:
            return self.what
        workers, beat = self.run
        return f"{self.name}, {workers} workers, beat {beat or 'by default'}: {self.what}"


class Trial:
    """A program at a level, with some settings of workers and beat, and one with bands without end."""

    def __init__(self, given, seed, work, cxx):
        chance = random.Random(f"{seed}/settings")
        self.given = given
        self.work = work
        self.cxx = cxx
        self.level = f"-O{chance.randrange(4)}"
        self.runs = [(chance.choice(k_workers), beat) for beat in ("0", None, chance.choice(k_beats))]
        self.endless = chance.choice(k_workers), chance.choice(k_beats)
        self.bands = chance.random()
        # Fewer of them, where many programs are to be tried: then every other one has bands without end.
        self.runs = chance.sample(self.runs, given.runs)
        self.may_be_endless = given.runs == 3 or chance.random() < 0.5
        self.remarks = ""
        self.has_endless = False
        self.source = work / f"random.{'cpp' if cxx else 'c'}"
        self.takt = str(given.plugin / ("takt++" if cxx else "taktcc"))
        self.clang = given.clangxx if cxx else given.clang
        # takt's OpenMP runtime, in place of the plugin: nothing is converted.
        self.runtime = str(given.runtime.absolute()) if given.runtime else None
        # The half of the program that is not converted.
        self.stays, self.stays_first = (chance.randrange(2), chance.randrange(2)) if given.half else (None, 0)
        # What may be cancelled is right either way.
        self.may_cancel = chance.random() < (1 if given.runtime else 0.7)
        self.cancels = None
        work.mkdir(parents=True, exist_ok=True)

    def make(self, cases, endless=True):
        """@returns what is wrong with the program that the compiler makes, and the names of the programs."""
        self.source.write_text(program(cases, self.cxx))
        hangs = (self.given.runtime or self.given.half) and any(hangs_with_clang(case) for case in cases)
        self.cancels = "true" if self.may_cancel and not hangs else None
        _, why = compiled([self.clang, "-O0"], self.source, self.work / "serial")
        if why:
            return Fault(f"without OpenMP: {why}"), []
        twin = ["-DTWIN"] if self.given.twin else []
        if self.stays is not None:
            return self.make_halves(), ["takt"]
        if self.runtime is not None:
            self.remarks, why = compiled([self.clang, self.level, "-fopenmp", *twin], self.source, self.work / "takt")
            return (Fault(f"does not compile: {why}"), []) if why else (None, ["takt"])
        assembly = self.work / "takt.s"
        remarks = ["-Rpass=takt", "-Rpass-missed=takt"]
        self.remarks, why = compiled([self.takt, self.level, "-fopenmp", *remarks, "-S", *twin], self.source, assembly)
        if why:
            return Fault(f"does not compile: {why}"), []
        _, why = compiled([self.takt, "-fopenmp"], assembly, self.work / "takt")
        if why:
            return Fault(f"is not linked: {why}"), []
        made = assembly.read_text()
        endless = endless and self.may_be_endless
        other = with_endless_bands(made, random.Random(self.bands)) if endless and self.level != "-O0" else None
        if endless and other is None and ".takt_pushing:" in made:
            return Fault("no band is found, where functions have two versions"), []
        self.has_endless = other is not None
        if other is None:
            return None, ["takt"]
        assembly.write_text(other)
        _, why = compiled([self.takt, "-fopenmp"], assembly, self.work / "endless")
        return (Fault(f"is not linked: {why}"), []) if why else (None, ["takt", "endless"])

    def make_halves(self):
        """Of two files, of which the plugin converts one. @returns what is wrong."""
        objects = []
        for half, compiler in ((self.stays, self.clang), (1 - self.stays, self.takt)):
            objects.append(str(self.work / f"half_{half}.o"))
            remarks, why = compiled([compiler, self.level, "-fopenmp", f"-DHALF={half}", "-c"] +
                                    ["-Rpass=takt", "-Rpass-missed=takt"] * (half != self.stays), self.source, objects[-1])
            if why:
                return Fault(f"does not compile: {why}")
        self.remarks = remarks
        # Of what both have, such as members of classes, the program has the first one's.
        _, why = compiled([self.takt, "-fopenmp", objects[1 - self.stays_first]], objects[self.stays_first], self.work / "takt")
        return Fault(f"is not linked: {why}") if why else None

    def faults(self, cases, seconds=240):
        """@returns what is wrong."""
        fault, programs = self.make(cases)
        if fault is not None:
            return [fault]
        wanted = output([str(self.work / "serial")], seconds)
        found = []
        if wanted[1]:
            return [Fault(f"without OpenMP: {wanted[1]}")]
        for name, run in [("takt", run) for run in self.runs] + [("endless", self.endless)] * ("endless" in programs):
            found += self.fault(wanted, name, run, seconds)
        return found

    def fault(self, wanted, name, run, seconds):
        runtime = self.runtime if name == "takt" else None
        got = output([str(self.work / name)], seconds, TAKT_WORKERS=str(run[0]), TAKT_BEAT_US=run[1], LD_LIBRARY_PATH=runtime,
                     OMP_CANCELLATION=self.cancels)
        if got == wanted:
            return []
        return [Fault(what, name, run) for what in ([got[1]] if got[1] else differences(wanted[0], got[0]))]

    def has(self, cases, fault, turns, seconds=40):
        """Whether the program has this very fault, in the way of running in which it was found."""
        other, programs = self.make(cases, fault.name == "endless")
        if other is not None or fault.run is None:
            return other is not None and other.symptom == fault.symptom
        if fault.name not in programs:
            return False
        wanted = output([str(self.work / "serial")], seconds)
        return not wanted[1] and any(each.symptom == fault.symptom for _ in range(turns)
                                     for each in self.fault(wanted, fault.name, fault.run, seconds))

    def faults_of_clang(self, turns=5):
        """@returns the symptoms of the program that was made last, without the plugin."""
        _, why = compiled([self.clang, self.level, "-fopenmp"], self.source, self.work / "omp")
        if why:
            return {Fault(f"does not compile: {why}").symptom}
        wanted = output([str(self.work / "serial")], 120)
        return {fault.symptom for _ in range(turns) for fault in self.fault(wanted, "omp", (1, None), 240)}
