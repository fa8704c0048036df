"""Programs with forks, loops and groups of the library, in files for several compilers."""
import math

from tree import Node, text_of

k_compilers = ("gcc", "clang", "takt")
k_types = {"number": "number", "void": "void", "wide": "wide", "object": "object", "unique": "std::unique_ptr<number>"}
# Calls of functions that a program makes, and what library.hpp has room for.
k_most_calls = 4000
k_most_cells = 4000
# What a branch, or a child of a group, has beside the names that it uses.
k_loads = {"pack": "pack<{1}>({0})", "held": "object({0})", "moved": "std::make_unique<number>({0})"}


class LibraryText:
    """The text of a program's functions. As in Printer, a statement is printed by the function that is named as its kind, and what it settles is
    added to `known`: a name with the number of its cell."""

    def __init__(self, count):
        self.count = count  # of functions
        self.lines = []
        self.apart = []  # functions of the function that is printed

    def emit(self, text):
        self.lines.append(text)

    def part(self, node, at, known):
        """@returns what is known behind it."""
        known = list(known)
        for each in node.parts[at]:
            getattr(self, each.kind)(each, known)
        return known

    def target(self, node):
        return node.number // 3 % self.count, 1 + node.number % 3

    def call(self, node, known):
        function, less = self.target(node)
        self.emit(f"const number s{node.cell} = f{function}(n - {less}, {text_of(node.values[0], known)});")
        known.append(f"s{node.cell}")

    def add(self, node, known):
        self.emit(f"v[{node.cell}] += {text_of(node.values[0], known)};")

    def fails(self, node, known):
        self.emit(f"if (({text_of(node.values[0], known)}) % {node.number + 1} == 0) throw thrown{{{text_of(node.values[1], known)}}};")

    def caught(self, node, known):
        name = f"s{node.cell}"
        self.emit(f"number {name} = 0;")
        self.emit("try {")
        self.emit(f"{name} = {text_of(node.values[0], self.part(node, 0, known))};")
        self.emit(f"}} catch (const thrown& error{node.cell}) {{")
        self.emit(f"const number e{node.cell} = error{node.cell}.value;")
        inside = self.part(node, 1, [*known, f"e{node.cell}"])
        # Forks of the handler leave the exception that it handles as it was.
        self.emit(f"{name} = {text_of(node.values[1], inside)} + error{node.cell}.value * 3;")
        self.emit("}")
        known.append(name)

    def load(self, node, known):
        """@returns what is captured besides, what the body begins with, and the name for what is in it."""
        for word in node.words:
            if word in k_loads:
                made = k_loads[word].format(text_of(node.values[1], known), node.number)
                # A number: what is inside may not be able to copy the rest.
                return f", {word}{node.cell} = {made}", f"const number load{node.cell} = value_of({word}{node.cell});", [f"load{node.cell}"]
        return "", "", []

    def branch(self, node, known):
        """@returns a branch as an expression, and the variable that it writes if it returns nothing."""
        capture, result = node.names
        out = f"o{node.cell}" if result == "void" else None
        load, begin, names = self.load(node, known)
        outer, self.lines = self.lines, [begin]
        value = text_of(node.values[0], self.part(node, 0, [*known, *names]))
        if out is not None:
            self.emit(f"{out} = {value};")
        elif result == "unique":
            self.emit(f"return std::make_unique<number>({value});")
        else:
            self.emit(f"return {k_types[result]}({value});")
        body, self.lines = " ".join(self.lines), outer
        captures = ("=" + (f", &{out}" if out is not None else "") if capture == "copies" else "&") + load
        return f"[{captures}]() -> {k_types[result]} {{ {body} }}", out

    def forked(self, node, known):
        name = f"s{node.cell}"
        self.emit(f"number {name} = 1;")
        self.emit("{")
        branches, values = [], []
        for each in node.parts[0]:
            text, out = self.branch(each, known)
            if out is not None:
                self.emit(f"number {out} = 0;")
            if each.names[0] == "named":
                self.emit(f"auto b{each.cell} = {text};")
                text = f"b{each.cell}"
            branches.append(text)
            values.append(out)
        made = f"made{node.cell}"
        if len(branches) == 1:
            self.emit(f"({branches[0]})();")
        elif branches:
            hint = f"HINT({text_of(node.values[0], known)}) " if "hint" in node.words else ""
            self.emit(("" if all(values) else f"const auto {made} = ") + f"lib::fork_join({hint}{', '.join(branches)});")
            for at, out in enumerate(values):
                self.emit(f"{name} = {name} * 3 + {out or f'value_of(std::get<{at}>({made}))'};")
        self.emit("}")
        known.append(name)

    def rounds(self, node, known):
        name, row, at = f"s{node.cell}", f"row{node.cell}", f"i{node.cell}"
        self.emit(f"number {name} = 2;")
        self.emit("{")
        self.emit(f"number {row}[{node.number}] = {{}};")
        self.emit(f"lib::parallel_for(0L, {node.number}L, [&](long {at}) {{")
        self.emit(f"{row}[{at}] = {text_of(node.values[0], self.part(node, 0, [*known, at]))};")
        self.emit("});")
        self.emit(f"for (const number each : {row}) {name} = {name} * 3 + each;")
        self.emit("}")
        known.append(name)

    def summed(self, node, known):
        name, at = f"s{node.cell}", f"i{node.cell}"
        self.emit(f"const affine sum{node.cell} = lib::parallel_reduce(0L, {node.number}L, affine{{}}, [&](long {at}) {{")
        self.emit(f"const number one = {text_of(node.values[0], self.part(node, 0, [*known, at]))};")
        self.emit("return affine{2 * one + 1, one >> 7};")
        self.emit("}, [](affine a, affine b) { return a * b; });")
        self.emit(f"const number {name} = sum{node.cell}.factor ^ sum{node.cell}.term;")
        known.append(name)

    def joined(self, node, known):
        """A group: children, what the function does itself meanwhile, and the wait."""
        name, row, group = f"s{node.cell}", f"row{node.cell}", f"group{node.cell}"
        self.emit(f"number {name} = 4;")
        self.emit("{")
        self.emit(f"number {row}[{max(1, len(node.parts[0]))}] = {{}};")
        self.emit(f"lib::task_group {group};")
        for at, each in enumerate(node.parts[0]):
            load, begin, names = self.load(each, known)
            self.emit(f"{group}.run([&{load}] {{ {begin}")
            if "again" in each.words:
                self.emit(f"{group}.run([&] {{ v[{each.cell}] += {text_of(each.values[1], known)}; }});")
            self.emit(f"{row}[{at}] = {text_of(each.values[0], self.part(each, 0, [*known, *names]))};")
            self.emit("});")
        inside = self.part(node, 1, known)
        self.emit(f"{group}.wait();")
        self.emit(f"{name} = {text_of(node.values[0], inside)};")
        self.emit(f"for (const number each : {row}) {name} = {name} * 3 + each;")
        self.emit("}")
        known.append(name)

    def sorted(self, node, known):
        """The C library's sort asks for keys: its frames know nothing of forks, and what is thrown passes them."""
        name, row, key = f"s{node.cell}", f"row{node.cell}", f"key{node.cell}"
        outer, self.lines = self.lines, []
        self.emit(f"static number {key}(const keyed& of) {{")
        self.emit("[[maybe_unused]] const long n = of.n; const number x = of.x;")
        self.emit("if (n <= 0) return x % 7;")
        self.emit(f"return {text_of(node.values[0], self.part(node, 0, ['x']))};")
        self.emit("}")
        self.emit(f"static int by_{key}(const void* a, const void* b) {{")
        self.emit(f"const number left = {key}(*static_cast<const keyed*>(a));")
        self.emit(f"const number right = {key}(*static_cast<const keyed*>(b));")
        self.emit("return left < right ? -1 : left > right; }")
        self.apart += self.lines
        self.lines = outer
        self.emit(f"number {name} = 5;")
        self.emit("{")
        self.emit(f"keyed {row}[{node.number}];")
        self.emit(f"for (long i = 0; i < {node.number}; ++i) {row}[i] = {{n, ({text_of(node.values[1], known)}) * number(i * 7919 % 31 + 1)}};")
        self.emit(f"std::qsort({row}, {node.number}, sizeof(keyed), &by_{key});")
        self.emit(f"for (const keyed& each : {row}) {name} = {name} * 3 + each.x;")
        self.emit("}")
        known.append(name)

    def function(self, node):
        self.lines, self.apart = [], []
        self.emit(("[[gnu::noinline]] " if "noinline" in node.words else "") + f"number f{node.cell}(long n, number x) {{")
        self.emit(f"if (n <= 0) return {text_of(node.values[1], ['x'])};")
        value = text_of(node.values[0], self.part(node, 0, ["x"]))
        self.emit(f"return {value};")
        self.emit("}")
        return "\n".join(self.apart + self.lines) + "\n"

    def cost(self, functions, most):
        """@returns the largest n with which the first function makes at most so many calls."""
        def calls(node):
            """Calls in it: (function, by how much n is less, how often)."""
            if node.kind == "call":
                yield (*self.target(node), 1)
            times = 1
            if node.kind in ("rounds", "summed"):
                times = node.number
            elif node.kind == "sorted":
                times = 2 * node.number * math.ceil(math.log2(node.number + 1))
            for part in node.parts:
                for each in part:
                    for function, less, often in calls(each):
                        yield function, less, often * times

        inside = [list(calls(each)) for each in functions]
        made = [[1] * len(functions)]  # for n = 0
        for n in range(1, 40):
            made.append([1 + sum(often * made[max(0, n - less)][function] for function, less, often in each) for each in inside])
            if made[n][0] > most:
                return n - 1
        return 39


def texts(root, most):
    """@returns the functions for each compiler, and how deep the first one is to be called."""
    functions = root.parts[0]
    printer = LibraryText(len(functions))
    head = '#include "library.hpp"\n' + "".join(f"number f{each.cell}(long n, number x);\n" for each in functions)
    made = {compiler: head for compiler in k_compilers}
    for each in functions:
        made[each.names[0]] += printer.function(each)
    made["gcc"] += "number program(long n, number x) { return f0(n, x); }\n"
    return made, printer.cost(functions, most)


class LibraryMaker:
    """Makes a program: functions that call themselves and each other with a smaller n."""

    def __init__(self, chance):
        self.chance = chance
        self.cells = 0
        self.count = chance.randrange(3, 6)
        self.own = 0  # the function that is made

    def cell(self):
        self.cells += 1
        return self.cells

    def value(self, known):
        return self.chance.randrange(1, 50), [(self.chance.choice(known), self.chance.randrange(1, 9)) for _ in range(2) if known]

    def functions(self):
        made = []
        for self.own in range(self.count):
            known = ["x"]
            inside = self.statements(known, 3, 2)
            inside.append(self.forked(known, 1, self.call))
            words = ["noinline"] if self.chance.random() < 0.5 else []
            values = [self.value(known), self.value(["x"])]
            made.append(Node("function", [inside], values, [k_compilers[self.own % 3]], words, self.own))
        return made

    def make(self):
        """One that comes to some calls inside each other."""
        while True:
            root = Node("case", [self.functions()])
            if texts(root, k_most_calls)[1] >= 4 and self.cells < k_most_cells:
                return root
            self.cells = 0

    def statements(self, known, depth, most=2):
        """Of a block of its own, where `known` is a copy."""
        made = []
        for _ in range(self.chance.randrange(1, most + 1)):
            kinds = [self.call, self.add, self.fails]
            if depth > 0:
                kinds += [self.forked, self.forked, self.rounds, self.summed, self.joined, self.caught, self.sorted]
            made.append(self.chance.choice(kinds)(known, depth))
        return made

    def settled(self, node, known):
        known.append(f"s{node.cell}")
        return node

    def call(self, known, _=0):
        function = self.own if self.chance.random() < 0.6 else self.chance.randrange(self.count)
        number = function * 3 + self.chance.randrange(3)
        return self.settled(Node("call", [], [self.value(known)], number=number, cell=self.cell()), known)

    def add(self, known, _):
        return Node("add", [], [self.value(known)], cell=self.cell())

    def fails(self, known, _):
        return Node("fails", [], [self.value(known), self.value(known)], number=self.chance.choice([4, 10, 40, 150]), cell=self.cell())

    def caught(self, known, depth):
        cell = self.cell()
        inside, handler = list(known), [*known, f"e{cell}"]
        parts = [self.statements(inside, depth - 1, 3), self.statements(handler, depth - 1, 1)]
        return self.settled(Node("caught", parts, [self.value(inside), self.value(handler)], cell=cell), known)

    def closed(self, kind, known, depth, loads, names, last=None):
        """A branch or a child."""
        cell = self.cell()
        words = [self.chance.choice(loads)] if self.chance.random() < 0.5 else []
        inside = known + [f"load{cell}" for word in words if word in k_loads]
        body = self.statements(inside, depth - 1) if last is None or self.chance.random() < 0.3 else []
        if last is not None:
            body.append(last(inside))
        values = [self.value(inside), self.value(known)]
        return Node(kind, [body], values, names, words, cell, self.chance.randrange(1, 13))

    def forked(self, known, depth, last=None):
        cell = self.cell()
        results = ["number", "void", "wide", "object", "unique"]
        alike = self.chance.choice([*results, None, "number"])
        branches = []
        for _ in range(self.chance.choice([2, 2, 2, 3, 4])):
            names = [self.chance.choice(["copies", "copies", "refers", "named"]), alike or self.chance.choice(results)]
            branches.append(self.closed("branch", list(known), depth, ["pack", "pack", "held", "moved"], names, last))
        words = ["hint"] if self.chance.random() < 0.2 else []
        return self.settled(Node("forked", [branches], [self.value(known)], [], words, cell), known)

    def over(self, kind, known, depth):
        cell = self.cell()
        inside = [*known, f"i{cell}"]
        body = self.statements(inside, depth - 1)
        return self.settled(Node(kind, [body], [self.value(inside)], number=self.chance.choice([1, 2, 3, 9, 30]), cell=cell), known)

    def rounds(self, known, depth):
        return self.over("rounds", known, depth)

    def summed(self, known, depth):
        return self.over("summed", known, depth)

    def joined(self, known, depth):
        cell = self.cell()
        members = [self.closed("member", list(known), depth, ["pack", "held", "again"], []) for _ in range(self.chance.randrange(1, 4))]
        beside = list(known)
        parts = [members, self.statements(beside, depth - 1, 1)]
        return self.settled(Node("joined", parts, [self.value(beside)], cell=cell), known)

    def sorted(self, known, depth):
        cell = self.cell()
        inside = ["x"]
        body = self.statements(inside, depth - 1, 1)
        values = [self.value(inside), self.value(known)]
        return self.settled(Node("sorted", [body], values, number=self.chance.choice([1, 2, 5, 12]), cell=cell), known)
