"""Constructs that are cancelled. What they print is whether that is so which holds with and without cancellation: see `is_right`."""
from tree import Node

HEAD = """#ifndef _OPENMP
static int omp_get_cancellation(void) { return 0; }
#endif
#define NO_SUM ~0ul
struct cancelled { unsigned long runs, begun[200], ended[200], later; };
/* Each construct was run `runs` times; of its `many` iterations, sections or tasks those cancel that are `first` modulo `of`. */
static int is_right(const struct cancelled *c, int many, int of, int first, unsigned long sum, int in_order) {
  const int on = omp_get_cancellation(), any = first < many;
  unsigned long begun = 0;
  for (int k = 0; k < many; ++k) {
    const int cancels = k % of == first;
    begun += c->begun[k];
    if (c->begun[k] > c->runs || c->ended[k] > c->begun[k]) return 0;
    if ((!on || !any) && c->ended[k] != c->runs) return 0;
    if (on && cancels && c->ended[k] != 0) return 0;
    /* One thread has run what is before the first that cancels, and nothing behind it. */
    if (on && in_order && any && (c->ended[k] != (k < first ? c->runs : 0) || (k > first && c->begun[k] != 0))) return 0;
  }
  if (many > 0 && begun < c->runs) return 0;
  if (c->later != (on && any ? 0 : c->runs)) return 0;
  return sum == NO_SUM || (sum <= begun && (on || sum == begun));
}
"""


class CancelText:
    """Prints them."""

    def counted_by(self, node, many, sum_of="NO_SUM", in_order=False):
        """@returns the variable that counts what has run. It is printed at the end of the case whether that is right."""
        name = f"c_{self.number}_{node.names[0]}"
        self.functions.append(f"static struct cancelled {name};")
        of, first = divmod(node.cell, 100)
        self.checks.append(f"is_right(&{name}, {many}, {of}, {first}, {sum_of}, {int(in_order)})")
        return name

    def atomic(self, text):
        self.emit("#pragma omp atomic")
        self.emit(f"{text};")

    def iteration(self, node, name, at, construct):
        """Of a loop, a section or a task: `at` is its number."""
        of, first = divmod(node.cell, 100)
        self.atomic(f"{name}.begun[{at}]++")
        if self.cxx and "object" in node.names:
            self.emit("small outer(7);")
        if "inner" in node.names:
            self.emit("for (int inner = 0; inner < 3; ++inner)")
        condition = f"({at}) % {of} == {first}"
        if "clause" in node.names:
            self.emit("{")
            self.emit(f"#pragma omp cancel {construct} if ({condition})")
        else:
            self.emit(f"if ({condition}) {{")
            if self.cxx and "object" in node.names:
                self.emit("small inside(8);")
            self.emit(f"#pragma omp cancel {construct}")
        self.emit("}")
        if "point" in node.names:
            self.emit(f"#pragma omp cancellation point {construct}")
        if self.cxx and "object" in node.names:
            self.emit("small behind(9);")
        self.atomic(f"{name}.ended[{at}]++")

    def cancelled(self, node, known):
        """A loop or sections."""
        alone, sections = "alone" in node.names, "sections" in node.names
        pairs = "pairs" in node.names and not sections
        many = max(node.number, 1) if sections else node.number * (3 if pairs else 1)
        sum_of = f"sum_{self.number}_{node.names[0]}" if "sum" in node.names and not sections else "NO_SUM"
        words = [] if sections else [word for word in node.words if alone or not word.startswith(("num_threads", "if"))]
        name = self.counted_by(node, many, sum_of, any(word.startswith(("num_threads(1)", "if")) for word in words))
        if not alone:
            self.emit("#pragma omp single")
        self.emit(f"{{ {name}.runs++; if (omp_get_cancellation() == 0 || {node.cell % 100} >= {many}) {name}.later++; }}")
        if sections:
            self.emit(f"#pragma omp {'parallel ' if alone else ''}sections")
            self.emit("{")
            for at in range(many):
                self.emit("#pragma omp section")
                self.emit("{")
                self.iteration(node, name, at, "sections")
                self.emit("}")
            self.emit("}")
            return
        if sum_of != "NO_SUM":
            self.functions.append(f"static unsigned long {sum_of};")
            words = [*words, f"reduction(+ : {sum_of})"]
        self.emit(f"#pragma omp {'parallel ' if alone else ''}for {'collapse(2)' if pairs else ''} {' '.join(words)}")
        i = node.names[0]
        self.emit(f"for (long {i} = {node.number}; {i} > 0; --{i})" if "down" in node.names else f"for (int {i} = 0; {i} < {node.number}; ++{i})")
        at = f"({node.number} - {i})" if "down" in node.names else i
        if pairs:
            self.emit(f"for (int second = 0; second < 3; ++second)")
            at = f"({at} * 3 + second)"
        self.emit("{")
        if sum_of != "NO_SUM":
            self.emit(f"{sum_of} += 1;")
        self.iteration(node, name, at, "for")
        self.emit("}")

    def ended_region(self, node, known):
        """A region that is cancelled between two loops, by a condition that is the same for all threads."""
        i, cancels = node.names[0], node.cell % 100 == 0
        name = self.counted_by(Node("", names=node.names, cell=100 * 100 + 99), node.number)
        self.emit(f"{name}.runs = {name}.later = 1;")
        self.emit("#pragma omp parallel")
        self.emit("{")
        self.emit("#pragma omp for")
        self.emit(f"for (int {i} = 0; {i} < {node.number}; ++{i}) {{ {name}.begun[{i}]++; {name}.ended[{i}]++; }}")
        self.emit(f"if ({name}.runs == {int(cancels)}) {{")
        self.emit("#pragma omp cancel parallel")
        self.emit("}")
        self.emit("#pragma omp cancellation point parallel")
        self.emit("#pragma omp for")
        self.emit(f"for (int {i} = 0; {i} < {node.number}; ++{i}) {{")
        self.atomic(f"{name}.later++")
        self.emit("}")
        self.emit("}")
        # Either all of the second loop has run, or nothing.
        self.emit(f"if ({name}.later == 1 + (omp_get_cancellation() && {int(cancels)} ? 0 : {node.number}ul)) {name}.later = 1;")

    def dropped(self, node, known):
        """A taskgroup some of whose tasks cancel it."""
        i, of = node.names[0], f"of_{node.names[0]}"
        sum_of = f"sum_{self.number}_{i}" if "sum" in node.names else "NO_SUM"
        name = self.counted_by(node, node.number, sum_of)
        self.atomic(f"{name}.runs++")
        if sum_of != "NO_SUM":
            self.functions.append(f"static unsigned long {sum_of};")
            self.emit(f"unsigned long {of} = 0;")
        self.emit(f"#pragma omp taskgroup {f'task_reduction(+ : {of})' if sum_of != 'NO_SUM' else ''}")
        self.emit("{")
        self.emit(f"for (int {i} = 0; {i} < {node.number}; ++{i}) {{")
        self.emit(f"#pragma omp task {f'in_reduction(+ : {of})' if sum_of != 'NO_SUM' else ''} {self.clauses(node, known)}")
        self.emit("{")
        if sum_of != "NO_SUM":
            self.emit(f"{of} += 1;")
        self.iteration(node, name, i, "taskgroup")
        self.emit("} }")
        self.emit("#pragma omp taskwait")
        self.emit("#pragma omp task")
        self.emit("{")
        self.atomic(f"{name}.later++")
        self.emit("} }")
        if sum_of != "NO_SUM":
            self.atomic(f"{sum_of} += {of}")


def hangs_with_clang(case):
    """Members that cancel a loop with a reduction skip its barrier, at which the others wait: so does Clang's code, where nothing is converted."""
    return any(node.kind == "cancelled" and "sum" in node.names and not {"alone", "sections"} & set(node.names) for node in case.inside())


class CancelMaker:
    """Makes them, in a case that is there."""

    def cancelling(self, kind, words, names):
        of = self.chance.choice([1, 2, 5, 50])
        names = [self.name("z"), *names, *(word for word in ("object", "inner", "clause", "point", "sum", "down", "pairs") if self.chance.random() < 0.3)]
        return Node(kind, names=names, words=words, cell=100 * of + self.chance.randrange(min(of, 15)), number=self.chance.choice([0, 1, 3, 12, 60]))

    def add_cancelled(self, root, schedules):
        """Some, somewhere."""
        for _ in range(self.chance.choice([0, 0, 1, 1, 2])):
            around = [node for top in root.parts[0] for node in (top, *top.inside())]
            regions = [node for node in around if node.kind == "region" and node.names[0] == "" or node.kind == "orphan"]
            with_tasks = [node for node in around if node.kind in ("once", "section", "task", "group", "each", "many") and "untied" not in node.words]
            kind = self.chance.random()
            words = self.chance.choice(schedules)
            shape = ["sections"] if self.chance.random() < 0.2 else []
            if kind < 0.3 or kind < 0.6 and not regions or kind < 0.85 and not with_tasks:
                if self.chance.random() < 0.2:
                    # One whose loops are empty stays with libomp, which hangs.
                    made = Node("ended_region", names=[self.name("z")], cell=self.chance.randrange(2), number=self.chance.choice([1, 7, 60]))
                else:
                    words = [*words, *self.chance.choice([[], [], ["num_threads(1)"], ["if (0)"], ["num_threads(2)"]])]
                    made = self.cancelling("cancelled", words, ["alone", *shape])
                into = root
            elif kind < 0.6:
                into, made = self.chance.choice(regions), self.cancelling("cancelled", words, shape)
            elif with_tasks:
                into, made = self.chance.choice(with_tasks), self.cancelling("dropped", self.clauses([]), [])
            else:
                continue
            part = into.parts[0]
            part.insert(self.chance.randrange(len(part) + 1), made)
