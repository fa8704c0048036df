"""Loops of tasks, reductions over tasks by every operator, and tasks that depend on others."""
from tree import Node, header, text_of

# How a value goes into a variable that is reduced.
OPERATORS = {"+": "{0} += {1};", "*": "{0} *= ({1}) | 1;", "&": "{0} &= ({1}) | 3855;", "|": "{0} |= {1};", "^": "{0} ^= {1};",
             "min": "if (({1}) % 90 < {0}) {0} = ({1}) % 90;", "max": "if ({0} < ({1}) % 900) {0} = ({1}) % 900;",
             "&&": "{0} = {0} && ({1}) % 7 != 0;", "||": "{0} = {0} || ({1}) % 7 == 0;"}


def into(operator, variable, value):
    return OPERATORS[operator].format(variable, value)


def start_of(operator, text):
    return f"({text}) % 2" if operator in ("&&", "||") else text


class LoopText:
    """Prints them."""

    def rows(self, node, known):
        """A loop of tasks, of one or two loops, that counts in any way."""
        i, j, name, q = node.names[:4]
        how = next((each for each in node.names if each in OPERATORS), None)
        kept = "kept" in node.names
        self.emit(f"unsigned long {name} = {start_of(how, text_of(node.values[0], known))};")
        if "scratch" in node.names:
            self.emit(f"unsigned long {q} = 1;")
        clauses = [f"reduction({how} : {name})"] if how else [f"firstprivate({name})"] if kept else []
        clauses += ["collapse(2)"] if "pairs" in node.names else []
        clauses += [f"private({q})"] if "scratch" in node.names else []
        self.emit(f"#pragma omp taskloop {'simd' if 'simd' in node.names else ''} {' '.join(clauses)} {self.clauses(node, known)}")
        # Around a loop that counts without a sign an `int` does, too: see `header`.
        is_counted_with = "pairs" in node.names and node.cell // 4 % 4 == 3
        self.emit(header(node.cell % 4, i, max(node.number, 1) if is_counted_with else node.number))
        inside = [*known, i, *([name] if kept and not how else [])]
        if "pairs" in node.names:
            self.emit(header(node.cell // 4 % 4, j, 3))
            inside.append(j)
        self.emit("{")
        if "scratch" in node.names:
            self.emit(f"{q} = {text_of(node.values[1], inside)};")
            inside.append(q)
        if "simd" not in node.names:
            self.part(node, 0, inside)
            self.emit("#pragma omp atomic")
            self.emit(f"v[{node.cell}] += {text_of(node.values[2], inside)};")
        if how:
            self.emit(into(how, name, text_of(node.values[3], inside)))
        self.emit("}")
        if "nogroup" in node.words:
            self.emit("#pragma omp taskwait")
        if "scratch" in node.names:
            self.emit(f"{q} = 1;")
            known.append(q)
        known.append(name)

    def gathered(self, node, known):
        """Tasks, tasks inside and loops of tasks that take part in a reduction by some operator, of a number or of an array."""
        name, i, how = node.names[:3]
        sized = next((word for word in ("length", "section") if word in node.names), None)
        array = "array" in node.names or sized is not None
        # Clang 19 crashes on a task that does not mention the length of the section which it reduces.
        at = f"{name}[{i} % {f'many_{name}' if sized else 3}]" if array else name
        start = start_of(how, text_of(node.values[0], known))
        if sized:
            # Clang hands the length on in a thread-local variable, which each task sets: all groups have the same one, and the thread that ends
            # them runs a task of theirs.
            self.emit(f"unsigned long many_{name} = 3 + ({text_of(node.values[4], known)}) % {node.cell};")
            self.emit(f"unsigned long {name}[{f'many_{name}' if sized == 'length' else node.cell + 3}];")
            begin = start_of(how, f"{start} + {i} % 2")
            self.emit(f"for (unsigned long {i} = 0; {i} < many_{name}; ++{i}) {name}[{i}] = {begin};")
        else:
            self.emit(f"unsigned long {name}{'[3]' if array else ''} = {f'{{{start}, {start}, 1}}' if array else start};")
        variable, name = name, f"{name}[0 : many_{name}]" if sized == "section" else name
        self.emit(f"#pragma omp taskgroup task_reduction({how} : {name})")
        inside = [*known, i]
        self.emit("{")
        self.emit(f"for (unsigned long {i} = 0; {i} < {node.number}; ++{i}) {{")
        self.emit(f"#pragma omp task in_reduction({how} : {name}) {self.clauses(node, inside)}")
        self.emit("{")
        self.part(node, 0, inside)
        if "inner" in node.names:
            self.emit(f"#pragma omp task in_reduction({how} : {name})")
            self.emit(f"{{ {into(how, at, text_of(node.values[1], inside))} }}")
            self.emit("#pragma omp taskwait")
        self.emit(into(how, at, text_of(node.values[2], inside)))
        self.emit("} }")
        if "rows" in node.names:
            self.emit(f"#pragma omp taskloop in_reduction({how} : {name})")
            self.emit(f"for (unsigned long {i} = 0; {i} < {node.number + 2}; ++{i}) {{")
            self.emit(into(how, at, text_of(node.values[3], inside)))
            self.emit("}")
        if sized:
            self.emit(f"#pragma omp task in_reduction({how} : {name}) if (0)")
            self.emit(f"{{ unsigned long {i} = 1; {into(how, at, '1')} }}")
        self.emit("}")
        if sized:
            # A lambda could have no copy of an array of variable length.
            self.emit(f"unsigned long of_{variable} = {variable}[0] + {variable}[2] * 3 + {variable}[many_{variable} - 1];")
            known.append(f"of_{variable}")
            return
        known += [f"{name}[0]", f"{name}[2]"] if array else [name]

    def graph(self, node, known):
        """Tasks that depend on each other by the elements of an array."""
        name = node.names[0]
        self.emit(f"unsigned long {name}[4] = {{{', '.join(text_of(value, known) for value in node.values)}}};")
        self.part(node, 0, [*known, name])
        self.emit("#pragma omp taskwait")
        known += [f"{name}[{at}]" for at in range(4)]

    def node(self, node, known):
        name, kind, (read, write) = node.names[0], node.names[1], divmod(node.cell, 4)
        known = [each for each in known if each != name]
        value = text_of(node.values[0], known)
        if kind == "all":
            depend = f"iterator(unsigned long k = 0 : 4), in : {name}[k]"
            self.emit(f"#pragma omp task shared({name}) depend({depend}) {self.clauses(node, known)}")
            self.emit("{")
            self.emit("#pragma omp atomic")
            self.emit(f"v[{node.number}] += {name}[0] + {name}[1] * 3 + {name}[2] * 5 + {name}[3] * 7; }}")
        elif kind == "waits":
            self.emit(f"#pragma omp taskwait depend(in : {name}[{read}])")
            self.emit("#pragma omp atomic")
            self.emit(f"v[{node.number}] += {name}[{read}];")
        elif kind == "mutexinoutset":
            self.emit(f"#pragma omp task shared({name}) depend(mutexinoutset : {name}[{write}]) {self.clauses(node, known)}")
            self.emit(f"{name}[{write}] += {value};")
        elif kind == "inoutset":
            self.emit(f"#pragma omp task shared({name}) depend(inoutset : {name}[{write}]) {self.clauses(node, known)}")
            self.emit("{")
            self.emit("#pragma omp atomic")
            self.emit(f"{name}[{write}] += {value}; }}")
        else:
            first = f"depend(in : {name}[{read}])" if read != write else ""
            self.emit(f"#pragma omp task shared({name}) {first} depend({kind} : {name}[{write}]) {self.clauses(node, known)}")
            self.emit("{")
            self.part(node, 0, known)
            self.emit(f"{name}[{write}] = {name}[{read}] * 3 + {value}; }}")

    def own(self, node, known):
        """A variable that is private to a task."""
        name = node.names[0]
        self.emit(f"unsigned long {name} = {text_of(node.values[0], known)};")
        self.emit(f"#pragma omp task private({name}) {self.clauses(node, known)}")
        self.emit("{")
        self.emit(f"{name} = {text_of(node.values[1], known)};")
        self.part(node, 0, [*known, name])
        self.emit("#pragma omp atomic")
        self.emit(f"v[{node.cell}] += {name}; }}")
        # The serial program has changed the variable itself.
        self.emit(f"{name} = {text_of(node.values[0], known)};")
        known.append(name)


class LoopMaker:
    """Makes them."""

    def rows(self, known, depth):
        names = [self.name(of) for of in "ijsq"]
        simd = self.chance.random() < 0.15
        more = [self.chance.choice([*OPERATORS])] if simd or self.chance.random() < 0.5 else []
        more += [word for word, share in (("kept", 0.3), ("pairs", 0.3), ("scratch", 0 if simd else 0.3)) if self.chance.random() < share]
        more += ["simd"] if simd else []
        # Clang 19 crashes on `taskloop simd` with `reduction` and an `if` that reads what the loop does not (EmitLValueForLambdaField).
        words = [word for word in self.clauses(known) if not simd or word[0] != "if"]
        if self.chance.random() < 0.4:
            words.append(self.chance.choice(["grainsize(2)", "num_tasks(3)", "grainsize(strict : 3)", "num_tasks(strict : 2)"]))
        elif not any(each in OPERATORS for each in more) and self.chance.random() < 0.3:
            words.append("nogroup")
        inside = [*known, names[0]]
        made = Node("rows", [[self.statement(list(inside), depth - 1)]], [self.value(known), *(self.value(inside) for _ in range(3))],
                    names + more, words, cell=self.cell(), number=self.chance.randrange(0, 10))
        known += [names[2], *([names[3]] if "scratch" in more else [])]
        return made

    def gathered(self, known, depth):
        name, i = self.name("r"), self.name("i")
        inside = [*known, i]
        form = self.chance.random()
        array = form < 0.45
        # A length that is known at run time only: of the variable, or of a section of it.
        word = "array" if form < 0.2 else self.chance.choice(["length", "section"])
        names = [name, i, self.chance.choice([*OPERATORS]), *([word] if array else [])]
        names += [word for word in ("inner", "rows") if self.chance.random() < 0.4]
        made = Node("gathered", [[self.statement(list(inside), depth - 1)]], [self.value(known), *(self.value(inside) for _ in range(3)), self.value([])],
                    names, self.clauses(inside), cell=self.chance.choice([1, 5, 700]), number=self.chance.randrange(1, 8))
        known += [name] if not array else [f"{name}[0]", f"{name}[2]"] if word == "array" else [f"of_{name}"]
        return made

    def graph(self, known, depth):
        name = self.name("d")
        some = []
        for _ in range(self.chance.randrange(2, 9)):
            kind = self.chance.choice(["out", "inout", "inout", "mutexinoutset", "inoutset", "all", "waits"])
            inside = [[self.statement(list(known), depth - 1)] if self.chance.random() < 0.3 else []] if kind in ("out", "inout") else []
            some.append(Node("node", inside, [self.value(known)], [name, kind], self.clauses(known), cell=self.chance.randrange(16),
                             number=self.cell()))
        made = Node("graph", [some], [self.value(known) for _ in range(4)], [name])
        known += [f"{name}[{at}]" for at in range(4)]
        return made

    def own(self, known, depth):
        name = self.name("p")
        made = Node("own", [[self.statement([*known, name], depth - 1)]], [self.value(known) for _ in range(2)], [name], self.clauses(known),
                    cell=self.cell())
        known.append(name)
        return made
