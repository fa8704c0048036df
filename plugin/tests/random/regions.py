"""Regions, and what stands in them."""
from tree import Node, header, text_of

# Variables of the case, or static ones of a function with constructs: the clause, and what an iteration does.
k_kept = {"total": ("reduction(+ : total)", "total += {0};"), "bits": ("reduction(^ : bits)", "bits ^= {0};"),
          "most": ("reduction(max : most)", "if (most < ({0}) % 1000) most = ({0}) % 1000;"),
          "low": ("reduction(min : low)", "if (low > ({0}) % 1000) low = ({0}) % 1000;"),
          "product": ("reduction(* : product)", "product *= ({0}) | 1;"), "final": ("lastprivate(final)", "final = {0};"),
          "seed": ("firstprivate(seed)", ""), "line": ("linear(line : 2)", "line += 2;"),
          # Classes, in C++.
          "boxed": ("firstprivate(boxed)", ""), "kept_box": ("private(kept_box)", ""), "ended": ("lastprivate(ended)", "ended.set({0});"),
          "scale": ("reduction(sum_of : scale)", "scale.sum += ({0}) * scale.by;")}
k_known = {"seed": "seed", "boxed": "boxed.of(2)", "kept_box": "kept_box.of(3)", "line": "line"}
k_schedules = [[], [], ["schedule(static, 3)"], ["schedule(static)"], ["schedule(dynamic)"], ["schedule(dynamic, 4)"], ["schedule(guided, 2)"],
               ["schedule(auto)"], ["schedule(runtime)"], ["schedule(nonmonotonic : dynamic, 2)"], ["schedule(monotonic : static, 2)"]]


def of_tasks(clause):
    """A reduction to which tasks add, too."""
    return clause.replace("reduction(", "reduction(task, ")


class RegionText:
    """Prints them."""

    def kept(self, node):
        """Of the names, those of variables. In a function there are some."""
        return [name for name in node.names if name in k_kept and not (self.away and name in ("line", "boxed", "kept_box", "ended", "scale"))]

    def worksharing(self, node, known):
        i, j, scratch = node.names[:3]
        kept = self.kept(node)
        ordered = any(each.kind == "in_order" for each in node.parts[0])
        pairs = "pairs" in node.names and not ordered and "line" not in kept
        by_tasks = "by_tasks" in node.names and not ordered
        clauses = [of_tasks(k_kept[name][0]) if by_tasks else k_kept[name][0] for name in kept] + (["collapse(2)"] if pairs else []) + (["ordered"] if ordered else [])
        inside = [*known, i, *(k_known[name] for name in kept if name in k_known)]
        if "scratch" in node.names:
            self.emit(f"unsigned long {scratch};")
            clauses.append(f"private({scratch})")
            inside.append(scratch)
        if not node.cell and not kept:
            clauses += [word for word in ("nowait",) if word in node.names]
        words = [word for word in node.words if not (ordered and "nonmonotonic" in word)]
        self.emit(f"#pragma omp {'parallel ' if node.cell % 2 else ''}for {' '.join(words)} {' '.join(clauses)}")
        self.emit(header(node.cell // 2 % 4, i, node.number))
        if pairs:
            self.emit(f"for (unsigned long {j} = 3; {j} > 0; --{j})")
            inside.append(j)
        self.emit("{")
        if "scratch" in node.names:
            self.emit(f"{scratch} = {text_of(node.values[0], [each for each in inside if each not in (scratch, 'kept_box.of(3)')])};")
        if "kept_box" in kept:
            self.emit(f"kept_box.set({text_of(node.values[1], [each for each in inside if each != 'kept_box.of(3)'])});")
        self.part(node, 0, inside)
        value = text_of(node.values[0], inside)
        for name in kept:
            self.put_into(name, value, by_tasks)
        if self.of_all and "of_all" in node.names:
            self.emit(f"all += {value};")
        self.emit("}")

    def put_into(self, name, value, by_tasks):
        if by_tasks and k_kept[name][0].startswith("reduction"):
            self.emit(f"#pragma omp task in_{k_kept[name][0]}")
            self.emit(f"{{ {k_kept[name][1].format(value)} }}")
        self.emit(k_kept[name][1].format(value))

    def in_order(self, node, known):
        self.emit("#pragma omp ordered")
        self.emit(f"v[{node.cell}] = v[{node.cell}] * 31 + {text_of(node.values[0], known)};")

    def vector(self, node, known):
        i = node.names[0]
        self.emit(f"#pragma omp for simd reduction(+ : total) {' '.join(node.words)}")
        self.emit(f"for (unsigned long {i} = 0; {i} < {node.number}; ++{i}) total += {text_of(node.values[0], [*known, i])};")

    def combined(self, node, known):
        """A region and a loop of tasks in one."""
        i = node.names[0]
        self.emit(f"#pragma omp parallel {node.names[1]} {'reduction(+ : total)' if 'total' in node.names else ''} {self.clauses(node, known)}")
        self.emit(header(node.cell, i, node.number))
        inside = [*known, i]
        self.emit("{")
        self.part(node, 0, inside)
        if "total" in node.names:
            self.emit(f"total += {text_of(node.values[0], inside)};")
        self.emit("}")

    def once(self, node, known):
        self.emit(f"#pragma omp {node.names[0]} {self.clauses(node, known)}")
        self.emit("{")
        self.part(node, 0, known)
        if self.of_all and "of_all" in node.names:
            if self.of_all == "by_tasks":
                self.emit("for (int k = 0; k < 4; ++k)\n#pragma omp task in_reduction(+ : all)")
            self.emit(f"all += {text_of(node.values[0], known)};")
        self.emit("}")

    def sent(self, node, known):
        """One thread settles what the others get."""
        name = node.names[0]
        self.emit(f"unsigned long {name};")
        self.emit(f"#pragma omp single copyprivate({name})")
        self.emit("{")
        self.part(node, 0, known)
        self.emit(f"{name} = {text_of(node.values[0], known)}; }}")
        known.append(name)

    def barrier(self, node, known):
        self.emit("#pragma omp barrier")

    def same(self, node, known):
        """All threads write the same."""
        self.emit(f"v[{node.cell}] = {text_of(node.values[0], known)};")

    def of_first(self, node, known):
        """What the first thread does."""
        self.emit(f"if (omp_get_thread_num() == 0) v[{node.cell}] += {text_of(node.values[0], known)};")

    def share(self, node, known):
        """Each thread adds what its iterations made, in turn."""
        i, name = node.names[:2]
        self.emit(f"unsigned long {name} = 0;")
        self.emit(f"#pragma omp for {' '.join(node.words)}")
        self.emit(header(node.cell % 4, i, node.number))
        self.emit(f"{name} += {text_of(node.values[0], [*known, i])};")
        self.emit("#pragma omp critical")
        self.emit(f"v[{node.cell}] += {name};")

    def counted(self, node, known):
        """An array that each thread's iterations count into, added up in turn."""
        i, k, name, form, begin, add = node.names[:6]
        at = f"{name}[{{0}} / 3][{{0}} % 3]" if form == "nested" else f"{name}[{{0}}]"
        size = "[2][3]" if form == "nested" else "[6]"
        value, other = (text_of(each, [*known, i]) for each in node.values[:2])
        if begin == "at once":
            self.emit(f"{{ unsigned long {name}{size} = {'{{0}}' if form == 'nested' else '{0}'};")
        else:
            self.emit(f"{{ unsigned long {name}{size};")
            self.emit(f"for (int {k} = 0; {k} < 6; ++{k}) {at.format(k)} = 0;")
        for turn in range(2 if "twice" in node.names else 1):
            self.emit(f"#pragma omp for {' '.join(node.words)} {'nowait' if 'nowait' in node.names else ''}")
            self.emit(header((node.cell + turn) % 4, i, node.number))
            self.emit("{")
            self.emit(f"{at.format(f'(({value}) % 6)')} += {other} + {turn};")
            self.emit(f"if (({other}) % 3 == 0) {at.format(2)} -= {i};")
            self.emit("}")
        self.emit("#pragma omp critical")
        adds = {"all": f"v[{node.cell} + {k}] += {at.format(k)};", "looks": f"if ({at.format(k)} != 0) v[{node.cell} + {k}] += {at.format(k)};",
                "some": f"if ({k} % 2 != 0) v[{node.cell} + {k}] += {at.format(k)};"}
        self.emit(f"for (int {k} = 5; {k} >= 0; --{k}) {{ {adds[add]} }} }}")

    def scratch(self, node, known):
        """An array that each thread has, and that loops fill before they read it."""
        name = node.names[0]
        self.emit(f"{{ unsigned long {name}{'[2][3]' if 'nested' in node.names else '[6]'};")
        self.part(node, 0, known)
        self.emit("}")

    def filling(self, node, known):
        i, k, name, form, how = node.names[:5]
        at = f"{name}[{{0}} / 3][{{0}} % 3]" if form == "nested" else f"{name}[{{0}}]"
        inside = [*known, i]
        value, other = (text_of(each, inside) for each in node.values[:2])
        up = f"for (int {k} = 0; {k} < 6; ++{k}) "
        fills = {"upwards": [f"{up}{at.format(k)} = {value} + {k} * {i};"],
                 "downwards": [f"for (int {k} = 5; {k} >= 0; --{k}) {at.format(k)} = {value} + {k};"],
                 "called": [f"fill_row(&{at.format(0)}, 6, {value});"],
                 "halves": [f"fill_row(&{at.format(3)}, 3, {value});", f"fill_row(&{at.format(0)}, 3, {other});"],
                 "turns": [f"for (int {k} = {first}; {k} < 6; {k} += 2) {at.format(k)} = {what};" for first, what in ((1, value), (0, other))],
                 "chosen": [f"if (({other}) % 3 != 0) {up}{at.format(k)} = {value};", f"else fill_row(&{at.format(0)}, 6, {other});"],
                 "short": [f"fill_row(&{at.format(0)}, 5, {value});"],
                 "some": [f"{at.format(1)} = {value};", f"{at.format(4)} = {other};"],
                 "bytes": [f"memset({name}, (int)({i} % 7), sizeof {name});", f"if (({other}) % 2 != 0) {at.format(2)} = {value};"]}
        read = {"some": f"{at.format(1)} + {at.format(4)} * 3", "short": at.format(f"(({other}) % 5)")}
        last = at.format(4)
        simple = node.cell % 2 == 0 and not node.words
        self.emit("#pragma omp single" if "once" in node.names else f"#pragma omp for {' '.join(node.words)}")
        self.emit(header(node.cell % 4, i, node.number))
        self.emit("{")
        for line in fills[how]:
            self.emit(line)
        self.part(node, 0, [*inside, last] if simple else inside)
        self.emit("#pragma omp atomic")
        self.emit(f"v[{node.cell}] += {read.get(how) or at.format(f'(({other}) % 6)')};")
        if how not in read:
            self.emit(f"{up}{{")
            self.emit("#pragma omp atomic")
            self.emit(f"v[{node.cell}] += {at.format(k)} * {k}; }}")
        self.emit("}")

    def choice(self, node, known):
        """All threads choose the same."""
        self.emit(f"if (({text_of(node.values[0], known)}) % 3 != 0)")
        self.block(node, 0, known)

    def variable(self, node, known):
        """Each thread has one, with the same value."""
        self.emit(f"unsigned long {node.names[0]} = {text_of(node.values[0], known)};")
        known.append(node.names[0])

    def again(self, node, known):
        i = node.names[0]
        self.emit(f"for (unsigned long {i} = 0; {i} < {node.number}; ++{i})")
        self.block(node, 0, [*known, i])

    def sections(self, node, known):
        kept = self.kept(node)
        clauses = [k_kept[name][0] for name in kept] or [word for word in ("nowait",) if word in node.names]
        self.emit(f"#pragma omp sections {' '.join(clauses)}")
        self.emit("{")
        known = [*known, *(k_known[name] for name in kept if name in k_known)]
        for each in node.parts[0]:
            self.emit("#pragma omp section")
            self.emit("{")
            self.part(each, 0, known)
            for name in kept:
                self.put_into(name, text_of(each.values[0], known), False)
            self.emit("}")
        self.emit("}")

    def section(self, node, known):
        self.emit("#pragma omp section")
        self.emit("{")
        self.part(node, 0, known)
        if self.of_all == "by_tasks":
            self.emit("#pragma omp task in_reduction(+ : all)")
            self.emit(f"all += {text_of(node.values[0], known)};")
        self.emit("}")

    def region(self, node, known):
        all_of, how = "of_all" in node.names, "task, +" if "by_tasks" in node.names else "+"
        self.emit(f"#pragma omp parallel {node.names[0]} {f'reduction({how} : all)' if all_of else ''} {self.clauses(node, known)}")
        self.of_all = all_of and ("by_tasks" if "by_tasks" in node.names else True)
        self.block(node, 0, known)
        self.of_all = False

    def pooled(self, node, known):
        """What a thread makes in front of its loop takes long: each that takes part has one."""
        name, k, form = node.names[:3]
        value = text_of(node.values[0], known)
        self.emit(f"#pragma omp parallel {self.clauses(node, known)}")
        self.emit("{")
        if form == "class":
            self.emit(f"std::vector<unsigned long> {name}({node.number}, {value});")
        else:
            self.emit(f"unsigned long {name}[{node.number}];")
            if form == "bytes":
                self.emit(f"memset({name}, (int)(({value}) % 7), sizeof {name});")
            else:
                self.emit(f"for (int {k} = 0; {k} < {node.number}; ++{k}) {name}[{k}] = {value};")
        if "called" not in node.names:
            self.part(node, 0, known)
            self.emit("}")
            return
        before = self.lines, self.away
        self.lines, self.away = [], True
        self.emit(f"static void with_{self.number}_{name}(unsigned long *{name}, unsigned long w) {{")
        self.emit("static unsigned long total = 1, bits = 2, most = 3, low = 900, product = 3, final = 4, seed = 5;")
        self.part(node, 0, ["w"])
        self.emit("}")
        self.functions += self.lines
        self.lines, self.away = before
        self.emit(f"with_{self.number}_{name}(&{name}[0], {value}); }}")

    def gathering(self, node, known):
        """Each thread puts what its iterations gathered into what all share, behind the loop."""
        i, k, name, form = node.names[:4]
        value = f"({text_of(node.values[0], [*known, i])}) % 1000"
        cell = f"v[{node.cell}]"
        begin, gather, behind = {
            "list": (f"unsigned long {name}[{node.number} + 1], {k} = 0;", f"{name}[{k}++] = {value};",
                     ["#pragma omp critical", f"while ({k} > 0) {cell} += {name}[--{k}] * 3;"]),
            "vector": (f"std::vector<unsigned long> {name};", f"if ({value} % 3 != 0) {name}.push_back({value});",
                       ["#pragma omp critical(gathered)", f"for (unsigned long {k} : {name}) {cell} += {k};"]),
            "most": (f"unsigned long {name} = 0, {k} = 0;", f"if ({value} > {name}) {name} = {value}, {k} = {name} + 1;",
                     ["#pragma omp critical(gathered)", f"if ({name} > {cell}) {cell} = {k} - 1;"]),
            "counts": (f"unsigned long {name}[6] = {{0}};", f"{name}[{value} % 6] += {i} + 1;",
                       [f"for (int {k} = 0; {k} < 6; ++{k}) {{", "#pragma omp atomic", f"{cell} += {name}[{k}] * ({k} + 1); }}"]),
            # Memory that it has before the loop begins.
            "heap": (f"unsigned long *{name} = (unsigned long *)malloc(({node.number} + 1) * sizeof *{name}), {k} = 0;", f"{name}[{k}++] = {value};",
                     ["#pragma omp critical", f"while ({k} > 0) {cell} += {name}[--{k}] * 5;", f"free({name});"]),
            "zeroed": (f"unsigned long *{name} = (unsigned long *)calloc(6, sizeof *{name});", f"{name}[{value} % 6] += {i} + 1;",
                       [f"for (int {k} = 0; {k} < 6; ++{k}) {{", "#pragma omp atomic", f"{cell} += {name}[{k}] * ({k} + 1); }}", f"free({name});"]),
            "set": (f"unsigned long *{name} = (unsigned long *)malloc(6 * sizeof *{name}); for (int {k} = 0; {k} < 6; ++{k}) {name}[{k}] = {k};",
                    f"if ({name}[{value} % 6] < {value}) {name}[{value} % 6] = {value};",
                    ["#pragma omp critical(gathered)", f"for (int {k} = 0; {k} < 6; ++{k}) if ({name}[{k}] > {cell}) {cell} = {name}[{k}];", f"free({name});"]),
            "new": (f"unsigned long *{name} = new unsigned long[6]();", f"{name}[{value} % 6] += {i} + 1;",
                    ["#pragma omp critical(gathered)", f"for (int {k} = 0; {k} < 6; ++{k}) {cell} += {name}[{k}] * ({k} + 1);", f"delete[] {name};"]),
            "reserved": (f"std::vector<unsigned long> {name}; {name}.reserve({node.number % 50});", f"if ({value} % 3 != 0) {name}.push_back({value});",
                         ["#pragma omp critical(gathered)", f"for (unsigned long {k} : {name}) {cell} += {k};"]),
            "bins": (f"std::vector<std::vector<unsigned long>> {name}(4); for (auto &{k} : {name}) {k}.reserve(2);",
                     f"{name}[{value} % 4].push_back({value});",
                     ["#pragma omp critical(gathered)", f"for (auto &{k} : {name}) for (unsigned long each : {k}) {cell} += each;"]),
            # Memory that nobody else knows of, also with a barrier.
            "own": (f"unsigned long *{name} = (unsigned long *)malloc(6 * sizeof *{name});",
                    f"for (int {k} = 0; {k} < 6; ++{k}) {name}[{k}] = {value} + {k}; __sync_fetch_and_add(&{cell}, {name}[{i} % 6]);", [f"free({name});"]),
            "made": (f"std::unique_ptr<unsigned long[]> {name}; try {{ {name}.reset(makes_row(6)); }} catch (...) {{ fails = true; }}",
                     f"if (!fails) {name}[{value} % 6] = {i}, __sync_fetch_and_add(&{cell}, {name}[{value} % 6]);", []),
            "found": (f"unsigned long {name} = 0, {k} = 0;", f"{name} |= {value}; {k} ^= {value};",
                      [f"if ({name} != 0) {{", "#pragma omp atomic", f"{cell} ^= {k}; }}"])}[form]
        self.emit(f"#pragma omp parallel {self.clauses(node, known)}")
        self.emit(f"{{ {begin}")
        self.emit(f"#pragma omp for {node.names[4]} {'' if 'waits' in node.names else 'nowait'}")
        self.emit(header(node.cell % 4, i, node.number))
        self.emit(f"{{ {gather}")
        self.part(node, 0, [*known, i])
        self.emit("}")
        for line in behind:
            self.emit(line)
        self.emit("}")

    def buffer(self, node, known):
        """An iteration fills a part of it, and reads that, and what nobody changes."""
        name, value = node.names[0], text_of(node.values[0], known)
        self.emit(f"for (int k = 0; k < 5; ++k) {name}[k] = {value} + k;")
        self.emit("#pragma omp atomic")
        self.emit(f"v[{node.cell}] += {name}[({value}) % 5] + {name}[5 + ({value}) % {node.number - 5}];")

    def orphan(self, node, known):
        """A function with the constructs in it."""
        name = f"part_{self.number}_{node.names[0]}"
        before = self.lines, self.away, self.of_all
        self.lines, self.away, self.of_all = [], True, False
        self.emit(f"static {'__attribute__((noinline)) ' if node.number else ''}void {name}(unsigned long w) {{")
        self.emit("static unsigned long total = 1, bits = 2, most = 3, low = 900, product = 3, final = 4, seed = 5;")
        self.part(node, 0, ["w"])
        self.emit("#pragma omp barrier")
        self.emit("#pragma omp single")
        self.emit(f"v[{node.cell}] = total + bits * 3 + most * 5 + low * 7 + product * 9 + final * 11 + seed; }}")
        self.functions += self.lines
        self.lines, self.away, self.of_all = before
        self.emit(f"{name}({text_of(node.values[0], known)});")

    def nest(self, node, known):
        """A region inside."""
        i, name = node.names[:2]
        self.emit(f"unsigned long {name} = {text_of(node.values[0], known)};")
        self.emit(f"#pragma omp parallel for reduction(+ : {name}) {self.clauses(node, known)}")
        self.emit(header(node.cell, i, node.number))
        self.emit("{")
        self.part(node, 0, [*known, i])
        self.emit(f"{name} += {text_of(node.values[1], [*known, i])}; }}")
        known.append(name)


class RegionMaker:
    """Makes them."""

    def kept_names(self, *but):
        shares = {"total": 0.4, "bits": 0.1, "most": 0.1, "low": 0.1, "product": 0.1, "final": 0.2, "seed": 0.2, "line": 0.07}
        if self.cxx:
            shares.update({"boxed": 0.15, "kept_box": 0.1, "ended": 0.1, "scale": 0.1})
        return [name for name, share in shares.items() if name not in but and self.chance.random() < share]

    def inside_loop(self, known, most=2):
        """The body of an iteration, or of a block that one thread runs."""
        if self.chance.random() < 0.06:
            return [self.nest(known)]
        return [self.statement(known, self.chance.randrange(0, most + 1)) for _ in range(self.chance.randrange(1, 3))]

    def worksharing(self, known, alone):
        names = [self.name(of) for of in ("i", "j", "t")]
        kept = self.kept_names(*(["line"] if alone else []))
        more = [word for word, share in (("pairs", 0.15), ("scratch", 0.15), ("nowait", 0.3), ("of_all", 0.4), ("by_tasks", 0.5 if alone else 0)) if self.chance.random() < share]
        form = self.chance.choice([0, 0, 1, 2, 3])
        inside = [*known, names[0], *(k_known[name] for name in kept if name in k_known), *([names[2]] if "scratch" in more else []),
                  *([names[1]] if "pairs" in more and "line" not in kept else [])]
        body = self.inside_loop(list(inside))
        if self.chance.random() < 0.06:
            body.append(Node("in_order", values=[self.value(inside)], cell=self.cell()))
        # Without iterations what is lastprivate has no value.
        number = self.chance.randrange(7 if {"final", "ended", "line"} & {*kept} else 0, 15 if "pairs" in more else 40)
        return Node("worksharing", [body], [self.value(inside), self.value(known)], names + kept + more, self.chance.choice(k_schedules),
                    cell=int(alone) + 2 * form, number=number)

    def nest(self, known):
        i, name = self.name("i"), self.name("n")
        inside = [*known, i]
        words = self.chance.choice([[], [], ["num_threads(2)"], ["schedule(dynamic)"], [("if", self.value(known), 2)]])
        made = Node("nest", [[self.leaf(inside)]], [self.value(known), self.value(inside)], [i, name], words, cell=self.chance.randrange(4),
                    number=self.chance.randrange(0, 12))
        known.append(name)
        return made

    def counted(self, known):
        if self.cells > 90:
            return Node("barrier")
        names = [self.name("i"), self.name("k"), self.name("c"), self.chance.choice(["flat", "nested"]), self.chance.choice(["at once", "one by one"]),
                 self.chance.choice(["all", "all", "all", "some", "looks"]), *(word for word in ("twice", "nowait") if self.chance.random() < 0.3)]
        first = [self.cell() for _ in range(6)][0]
        made = Node("counted", values=[self.value([*known, names[0]]), self.value([*known, names[0]])], names=names,
                    words=self.chance.choice(k_schedules), cell=first, number=self.chance.randrange(0, 40))
        return Node("again", [[made]], names=[self.name("k")], number=2) if self.chance.random() < 0.2 else made

    def scratch(self, known):
        name, form = self.name("s"), self.chance.choice(["flat", "nested"])
        hows = ["upwards", "downwards", "called", "halves", "turns", "chosen", "some", "bytes"] * 3 + ["short"]
        inside = []
        for _ in range(self.chance.randrange(1, 4)):
            i, k = self.name("i"), self.name("k")
            names = [i, k, name, form, self.chance.choice(hows), *(["once"] if self.chance.random() < 0.1 else [])]
            body = self.inside_loop([*known, i], 1) if self.chance.random() < 0.3 else []
            inside.append(Node("filling", [body], [self.value([*known, i]), self.value([*known, i])], names, self.chance.choice(k_schedules),
                               cell=self.cell(), number=self.chance.randrange(0, 30)))
        again = self.chance.random() < 0.2
        made = Node("scratch", [inside], names=[name, form])
        return Node("again", [[made]], names=[self.name("k")], number=2) if again else made

    def constructs(self, known, depth, most=5):
        """Of a region that has loops."""
        known = list(known)
        some = []
        for _ in range(self.chance.randrange(2, most)):
            kind = self.chance.random()
            if kind < 0.1:
                name = self.name("g")
                some.append(Node("variable", values=[self.value(known)], names=[name]))
                known.append(name)
            elif kind < 0.2 and depth > 0:
                i = self.name("k")
                some.append(Node("again", [self.constructs([*known, i], depth - 1, 4)], names=[i], number=self.chance.randrange(1, 4)))
            elif kind < 0.22:
                some.append(Node(self.chance.choice(["same", "of_first"]), values=[self.value(known)], cell=self.cell()))
            elif kind < 0.25:
                names = [self.name("i"), self.name("h")]
                some.append(Node("share", values=[self.value([*known, names[0]])], names=names, words=self.chance.choice(k_schedules),
                                 cell=self.cell(), number=self.chance.randrange(0, 40)))
            elif kind < 0.265:
                some.append(self.scratch(known))
            elif kind < 0.28:
                some.append(self.counted(known))
            elif kind < 0.30 and depth > 0:
                some.append(Node("choice", [self.constructs(known, depth - 1, 4)], [self.value(known)]))
            elif kind < 0.37 and depth > 0:
                some.append(Node("orphan", [self.constructs(["w"], 0, 4)], [self.value(known)], [self.name("")], cell=self.cell(),
                                 number=self.chance.randrange(2)))
            elif kind < 0.40:
                some.append(Node("barrier"))
            elif kind < 0.44:
                name = self.name("g")
                some.append(Node("sent", [self.statements(known, 1, 1)], [self.value(known)], [name]))
                known.append(name)
            elif kind < 0.48:
                i = self.name("i")
                some.append(Node("vector", values=[self.value([*known, i])], names=[i], words=self.chance.choice([[], ["safelen(8)"]]),
                                 number=self.chance.randrange(0, 60)))
            elif kind < 0.55:
                inside = [Node("section", [self.statements(known, 2, 2)], [self.value(known)]) for _ in range(self.chance.randrange(1, 4))]
                names = self.kept_names("line", "boxed", "kept_box")
                some.append(Node("sections", [inside], names=names or ["nowait"]))
            elif kind < 0.78:
                some.append(self.worksharing(known, False))
            else:
                name = self.chance.choice(["single", "single", "single", "master", "masked"])
                body = self.statements(known, 2) if self.chance.random() < 0.9 else [self.nest(list(known))]
                words = ["nowait"] if name == "single" and self.chance.random() < 0.4 else []
                if self.chance.random() < 0.3:
                    # One after another: its variable is there once.
                    words = []
                    body.append(self.elsewhere(list(known), 2, False))
                some.append(Node("once", [body], [self.value(known)], [name, *(["of_all"] if self.chance.random() < 0.3 else [])], words))
        return some

    def pooled(self, known):
        name, called = self.name("m"), self.chance.random() < 0.4
        inside = ["w"] if called else list(known)
        number = self.chance.choice([40, 700, 1000])
        loop = self.worksharing(inside, False)
        # The loop's own variable is the only one that both know.
        loop.parts[0].append(Node("buffer", values=[self.value([*inside, loop.names[0]])], names=[name], cell=self.cell(), number=number))
        loop.number += self.chance.choice([0, 0, 500])
        form = self.chance.choice(["bytes", "loop", *(["class", "class"] if self.cxx else [])])
        words = self.chance.choice([[], [], [], ["num_threads(2)"], ["num_threads(1)"]])
        return Node("pooled", [[loop]], [self.value(known)], [name, self.name("k"), form, *(["called"] if called else [])], words, number=number)

    def gathering(self, known):
        i = self.name("i")
        form = self.chance.choice(["list", "most", "counts", "found", "heap", "zeroed", "set", "own", "own",
                                   *(["vector", "new", "reserved", "bins", "made", "made"] if self.cxx else [])])
        inside = [self.leaf([*known, i])] if self.chance.random() < 0.3 else []
        words = self.chance.choice([[], [], [], [], ["num_threads(2)"], ["num_threads(1)"]])
        schedule = " ".join(self.chance.choice(k_schedules))
        return Node("gathering", [inside], [self.value([*known, i])],
                    [i, self.name("k"), self.name("m"), form, schedule, *(["waits"] if self.chance.random() < (0.6 if form in ("own", "made") else 0.2) else [])], words, cell=self.cell(),
                    number=self.chance.choice([0, 1, 30, 700, 2000]))

    def combined(self, known):
        i = self.name("i")
        inside = [*known, i]
        # Clang runs no iteration of `parallel masked taskloop`.
        names = [i, "master taskloop", *(["total"] if self.chance.random() < 0.7 else [])]
        words = self.chance.choice([[], ["grainsize(2)"], ["num_tasks(4)"], ["num_threads(2)"]])
        return Node("combined", [self.statements(inside, 2, 2)], [self.value(inside)], names, words, cell=self.chance.randrange(4),
                    number=self.chance.randrange(0, 20))
