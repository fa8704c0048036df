"""Statements that make tasks, wait for them, and add to numbers of their own."""
from tree import Node, header, text_of


k_turns = [
    ("#pragma omp critical", ""),
    ("#pragma omp critical(named)", ""),
    ("omp_set_lock(&plain_lock);", "omp_unset_lock(&plain_lock);"),
    ("while (!omp_test_lock(&plain_lock)) {}", "omp_unset_lock(&plain_lock);"),
    ("omp_set_nest_lock(&nested_lock); omp_set_nest_lock(&nested_lock);", "omp_unset_nest_lock(&nested_lock); omp_unset_nest_lock(&nested_lock);"),
    ("while (!omp_test_nest_lock(&nested_lock)) {} omp_set_lock(&plain_lock);",
     "omp_unset_lock(&plain_lock); omp_unset_nest_lock(&nested_lock);"),
]


class TaskText:
    """Prints them."""

    def add(self, node, known):
        self.emit("#pragma omp atomic")
        self.emit(f"v[{node.cell}] += {text_of(node.values[0], known)};")

    def lock(self, node, known):
        """Added in turn: each way sees what the others of it have added."""
        begin, end = k_turns[node.number]
        self.emit(begin)
        self.emit(f"v[{node.cell}] += {text_of(node.values[0], known)};")
        self.emit(end)

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

    def each(self, node, known):
        """A loop that only makes tasks, and is waited for: it may become a loop of tasks."""
        i = node.names[0]
        inside = [*known, i]
        if "grouped" in node.names:
            self.emit("#pragma omp taskgroup")
        self.emit(f"{header(node.cell, i, node.number)} {{")
        if "skips" in node.names:
            self.emit(f"if (({text_of(node.values[0], inside)}) % 3 == 1) continue;")
        self.emit(f"#pragma omp task {self.clauses(node, inside)}")
        self.block(node, 0, inside)
        self.emit("}")
        if "grouped" not in node.names:
            self.emit("#pragma omp taskwait")

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

    def elsewhere(self, node, known):
        """A group whose tasks are made by a function that calls itself."""
        name, i = node.names[:2]
        by_reference = "reference" in node.names
        sum_of = name if by_reference else f"sum_{self.number}_{name}"
        function, given = f"away_{self.number}_{name}", f"{name}, " if by_reference else ""
        lines, away, of_all = self.lines, self.away, self.of_all
        self.lines, self.away, self.of_all = [], True, False
        if not by_reference:
            self.emit(f"static unsigned long {sum_of};")
        self.emit(f"static void {function}({f'unsigned long &{name}, ' if by_reference else ''}unsigned long w, unsigned long x) {{")
        self.emit(f"#pragma omp task in_reduction(+ : {sum_of}) {self.clauses(node, ['w', 'x'])}")
        self.emit("{")
        self.part(node, 0, ["w", "x"])
        self.emit(f"{sum_of} += {text_of(node.values[1], ['w', 'x'])};")
        self.emit(f"if (x > 0) {function}({given}w * 3 + 1, x - 1);")
        if "handed" in node.names:
            # A task between that takes no part. It has the copy of the one around it, by reference, which must be there still.
            self.emit(f"if (x > 0) {{\n#pragma omp task {f'shared({name})' if by_reference else ''}")
            self.emit(f"{function}({given}w + x, x - 1);\n#pragma omp taskwait\n}}")
        if "inner" in node.names:
            self.emit(f"unsigned long own_{name} = 2;")
            self.emit(f"#pragma omp taskgroup task_reduction(+ : own_{name})")
            self.emit(f"{{\n#pragma omp task in_reduction(+ : own_{name})")
            self.emit(f"{{ own_{name} += w; }}\nif (x > 1) {function}({given}w, x - 2); }}")
            self.emit(f"{sum_of} += own_{name};")
        self.emit("} }")
        self.functions += self.lines
        self.lines, self.away, self.of_all = lines, away, of_all
        self.emit(f"{'unsigned long ' if by_reference else ''}{sum_of} = {text_of(node.values[0], known)};")
        self.emit(f"#pragma omp taskgroup task_reduction(+ : {sum_of})")
        self.emit(f"for (unsigned long {i} = 0; {i} < {node.number}; ++{i}) {function}({given}{i} + 1, {node.cell % 4});")
        if not by_reference:
            self.emit(f"unsigned long {name} = {sum_of};")
        known.append(name)

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


class TaskMaker:
    """Makes them."""

    def leaf(self, known):
        kind = self.chance.choice(["lock", "later", "call", "add", "add"] + ([] if self.in_function else ["grow"]))
        values = [self.value(known) for _ in range(2)]
        return Node(kind, cell=self.cell(), values=values, names=[self.name("f")], number=self.chance.randrange(len(k_turns)))

    def clauses(self, known):
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
        kinds = [self.leaf_only, self.task, self.shared, self.first, self.many, self.each, self.group, self.reduced, self.chain, self.loop, self.large,
                 self.chance.choice([self.wait, self.rest]), self.rows, self.gathered, self.graph, self.own]
        if self.cxx and self.chance.random() < 0.5:
            kinds = [self.object, self.reference, self.closure, self.guard, self.throws, self.spreads, self.makes, self.branches, self.elements,
                     self.object_loop, self.object_sum]
            if not self.in_function:
                kinds.append(self.elsewhere)
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
        inside, words = self.statements(known, depth - 1), self.clauses(known)
        if all(each.kind in ("add", "lock", "later", "call") for each in inside) and self.chance.random() < 0.2:
            # Of an untied task that makes tasks itself, Clang makes code that fails, or none; one that runs at once stops its runtime.
            if all(word[0] != "if" for word in words):
                words.append("untied")
        elif self.chance.random() < 0.15:
            word = self.chance.choice(["affinity(v[3])", "default(firstprivate) shared(v, plain_lock, nested_lock)"])
            # Inside a region of the same function Clang gives each thread a copy of what the task reads, which other tasks then share.
            if self.in_function or "default" not in word:
                words.append(word)
        return Node("task", [inside], words=words)

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

    def each(self, known, depth):
        i = self.name("i")
        inside = [*known, i]
        names = [i] + [word for word, share in (("grouped", 0.5), ("skips", 0.3)) if self.chance.random() < share]
        return Node("each", [[self.statement(list(inside), depth - 1)]], [self.value(inside)], names, self.clauses(inside),
                    cell=self.chance.randrange(4), number=self.chance.choice([0, 1, 2, 7, 40]))

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

    def elsewhere(self, known, depth, reference=True):
        name, inside, before = self.name("e"), ["w", "x"], self.in_function
        self.in_function = True
        body = self.statements(inside, min(depth - 1, 1), 2)
        self.in_function = before
        # Some of its tasks, Clang's code of untied tasks that make tasks being wrong, have other clauses.
        words = [word for word in self.clauses(inside) if word not in ("mergeable",)]
        names = [word for word, share in (("handed", 0.4), ("inner", 0.4)) if self.chance.random() < share] + (["reference"] if reference else [])
        made = Node("elsewhere", [body], [self.value(known), self.value(inside)], [name, self.name("i"), *names], words, cell=self.cell(),
                    number=self.chance.randrange(1, 5))
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
