"""What C++ adds: objects in clauses and captures, exceptions that are caught where they are thrown, references, lambdas, templates, virtual
functions."""
from tree import Node, header, text_of

HEAD = """#include <memory>
#include <vector>
using number = unsigned long;
// An object that was moved byte by byte, or is no longer alive, gives wrong numbers; so does one that is destroyed twice, or never.
inline unsigned long alive;
struct small {
  unsigned long value;
  const small *self;
  small(unsigned long of = 7) : value(of), self(this) {}
  small(const small &other) : value(other.value + other.wrong()), self(this) {}
  small &operator=(const small &other) {
    value = other.value + other.wrong();
    return *this;
  }
  ~small() { self = nullptr; }
  unsigned long wrong() const { return self == this ? 0 : 1000003; }
  unsigned long of(unsigned long x) const { return value * x + wrong(); }
  void set(unsigned long x) { value = x + wrong(); }
};
struct box {
  unsigned long value;
  unsigned long *more;
  const box *self;
  box(unsigned long of = 7) : value(of), more(new unsigned long(of)), self(this) { count(1); }
  box(const box &other) : value(other.value + other.wrong()), more(new unsigned long(*other.more)), self(this) { count(1); }
  box &operator=(const box &other) {
    value = other.value + other.wrong();
    *more = *other.more;
    return *this;
  }
  virtual ~box() {
    count(wrong() - 1);
    delete more;
    self = nullptr;
  }
  static void count(unsigned long by) {
#pragma omp atomic
    alive += by;
  }
  unsigned long wrong() const { return self == this ? 0 : 1000003; }
  virtual unsigned long of(unsigned long x) const { return value * x + *more * 3 + wrong(); }
  void set(unsigned long x) { value = *more = x + wrong(); }
  // Tasks that know `this`.
  virtual unsigned long spread(unsigned long cell, unsigned long x) {
    unsigned long one = 1;
#pragma omp task shared(one)
    one = of(x) + fib(x % 5);
#pragma omp task
    {
#pragma omp atomic
      v[cell] += value;
    }
#pragma omp taskwait
    return one;
  }
};
struct odd : box {
  using box::box;
  unsigned long of(unsigned long x) const override { return box::of(x) * 5 + 1; }
  unsigned long spread(unsigned long cell, unsigned long x) override {
    unsigned long sum = x;
#pragma omp taskgroup task_reduction(+ : sum)
    for (unsigned long i = 0; i < x % 4; ++i) {
#pragma omp task in_reduction(+ : sum)
      sum += box::of(i);
    }
    return box::spread(cell, sum % 7);
  }
};
template <class T, int N>
struct row {
  T all[N];
  row(unsigned long x = 3) { set(x); }
  unsigned long of(unsigned long x) const {
    unsigned long sum = x;
    for (const T &each : all) sum = sum * 3 + each.of(x);
    return sum;
  }
  void set(unsigned long x) {
    for (T &each : all) each.set(x++);
  }
};
#pragma omp declare reduction(sum_of : small : omp_out.value += omp_in.value) initializer(omp_priv = small(0))
#pragma omp declare reduction(sum_of : box : omp_out.value += omp_in.value) initializer(omp_priv = box(0))
// Its tasks are over before it is.
struct maker {
  unsigned long a, b, cell;
  maker(unsigned long to, unsigned long x) : a(x), b(x), cell(to) {
#pragma omp task
    a = fib(x % 6);
    b += 5;
#pragma omp taskwait
  }
  ~maker() {
#pragma omp task
    {
#pragma omp atomic
      v[cell] += a * 3 + b;
    }
#pragma omp taskwait
  }
};
struct thrown {
  unsigned long value;
};
static bool fails;
static unsigned long *row_of(int many) { return new unsigned long[many](); }
inline unsigned long *(*makes_row)(int) = row_of;
static unsigned long throwing(unsigned long cell, unsigned long x) {
#pragma omp task
  {
#pragma omp atomic
    v[cell] += fib(x % 6) + x;
  }
  if (x % 3 == 0) throw thrown{x * 7};
#pragma omp taskwait
  return x;
}
template <int N>
static unsigned long tree(unsigned long x) {
  if constexpr (N == 0) {
    return x;
  } else {
    unsigned long one = 0;
#pragma omp task shared(one)
    one = tree<N - 1>(x + 1);
    const unsigned long two = tree<N - 1>(x * 3);
#pragma omp taskwait
    return one + two * 5;
  }
}
template <class F>
static void apply(F f, unsigned long x) {
#pragma omp task
  f(x);
}
"""

k_classes = ["small", "box", "odd", "row<small, 3>", "row<box, 2>", "row<small, 9>"]


class ObjectText:
    """Prints them."""

    def object(self, node, known):
        """A task has a copy of an object, or one of its own, or the object."""
        name, kind, how = node.names[:3]
        value, other = text_of(node.values[0], known), text_of(node.values[1], known)
        self.emit(f"{kind} {name}({value});")
        clause = f"{how}({name})" if how != "implicit" else ""
        self.emit(f"#pragma omp task {clause} {self.clauses(node, known)}")
        self.emit("{")
        inside = [*known, f"{name}.of(1)"]
        if how != "implicit":
            self.emit(f"{name}.set({other});")
        if how != "shared":
            self.part(node, 0, inside)
        self.emit("#pragma omp atomic")
        self.emit(f"v[{node.cell}] += {name}.of({node.number}); }}")
        if how == "shared" or "kept" in node.names:
            self.emit("#pragma omp taskwait")
        self.emit(f"{name}.set({value});")
        known.append(f"{name}.of(2)")

    def reference(self, node, known):
        name = node.names[0]
        self.emit(f"unsigned long to_{name} = {text_of(node.values[0], known)}; unsigned long &{name} = to_{name};")
        self.emit(f"#pragma omp task shared({name}) {self.clauses(node, known)}")
        self.emit("{")
        self.part(node, 0, known)
        self.emit(f"{name} += {text_of(node.values[1], known)}; }}")
        self.emit("#pragma omp taskwait")
        self.emit(f"#pragma omp task firstprivate({name})")
        self.emit("{")
        self.emit("#pragma omp atomic")
        self.emit(f"v[{node.cell}] += {name}; }}")
        known.append(name)

    def lambda_body(self, node, known):
        """Tasks in it use what it has captured, and must not outlive it."""
        self.emit("#pragma omp taskgroup")
        self.block(node, 0, [*known, "y"])

    def closure(self, node, known):
        name, by = node.names[:2]
        if by == "=":
            self.emit(f"auto {name} = [=](unsigned long y) {{ return y * 3 + {text_of(node.values[0], known)}; }};")
            if "kept" in node.names:
                self.emit("apply([=](unsigned long y) {")
                self.lambda_body(node, known)
                self.emit("#pragma omp atomic")
                self.emit(f"v[{node.cell}] += y; }}, {text_of(node.values[1], known)});")
            else:
                self.emit(f"#pragma omp task {self.clauses(node, known)}")
                self.emit("{")
                self.part(node, 0, [*known, f"{name}(5)"])
                self.emit("#pragma omp atomic")
                self.emit(f"v[{node.cell}] += {name}({text_of(node.values[1], known)}); }}")
            known.append(f"{name}(2)")
            return
        # By reference: it may make tasks, and is called by one.
        self.emit(f"unsigned long by_{name} = {text_of(node.values[0], known)};")
        self.emit(f"auto {name} = [&](unsigned long y) {{")
        self.lambda_body(node, known)
        self.emit(f"by_{name} += y; }};")
        self.emit(f"#pragma omp task {'shared(' + name + ')' if 'kept' in node.names else ''} {self.clauses(node, known)}")
        self.emit(f"{name}({text_of(node.values[1], known)});")
        self.emit("#pragma omp taskwait")
        known.append(f"by_{name}")

    def guard(self, node, known):
        """What is thrown in a task, or beside tasks, is caught there."""
        name = node.names[0]
        if "task" in node.names:
            self.emit(f"#pragma omp task {self.clauses(node, known)}")
        self.emit("{ try {")
        inside = list(known)
        if "kept" in node.names:
            self.emit(f"box {name}({text_of(node.values[1], known)});")
            inside.append(f"{name}.of(1)")
        for each in node.parts[0]:
            getattr(self, each.kind)(each, inside)
        self.emit(f"if (({text_of(node.values[0], inside)}) % 3 == 0) throw thrown{{{text_of(node.values[1], inside)}}};")
        self.part(node, 1, inside)
        self.emit(f"}} catch (const thrown &e_{name}) {{")
        self.emit("#pragma omp atomic")
        self.emit(f"v[{node.cell}] += e_{name}.value; }} }}")

    def throws(self, node, known):
        name = node.names[0]
        self.emit(f"{{ unsigned long {name} = 1; try {{ {name} = throwing({node.number}, {text_of(node.values[0], known)}); }} "
                  f"catch (const thrown &e_{name}) {{ {name} = e_{name}.value; }}")
        self.emit("#pragma omp atomic")
        self.emit(f"v[{node.cell}] += {name}; }}")

    def spreads(self, node, known):
        """Of this class or of that: a virtual function makes tasks."""
        name = node.names[0]
        self.emit(f"box one_{name}({text_of(node.values[0], known)}); odd two_{name}({text_of(node.values[1], known)});")
        self.emit(f"box *{name} = ({text_of(node.values[1], known)}) % 2 ? &one_{name} : &two_{name};")
        if "task" in node.names:
            self.emit(f"#pragma omp task {self.clauses(node, known)}")
        self.emit(f"{{ unsigned long of_{name} = {name}->spread({node.number}, {text_of(node.values[0], known)} % 9);")
        self.emit("#pragma omp atomic")
        self.emit(f"v[{node.cell}] += of_{name}; }}")
        self.part(node, 0, known)
        self.emit("#pragma omp taskwait")

    def makes(self, node, known):
        name = node.names[0]
        self.emit(f"{{ maker {name}({node.cell}, {text_of(node.values[0], known)});")
        self.part(node, 0, known)
        self.emit("}")

    def branches(self, node, known):
        name = node.names[0]
        self.emit(f"unsigned long {name} = tree<{node.number}>({text_of(node.values[0], known)});")
        known.append(name)

    def elements(self, node, known):
        """Tasks, or a loop of tasks, for the elements of a vector."""
        name, x, how = node.names[:3]
        self.emit(f"std::vector<{how}> {name}({node.number}, {how}({text_of(node.values[0], known)}));")
        if "rows" in node.names:
            self.emit(f"#pragma omp taskloop shared({name}) {self.clauses(node, known)}")
            self.emit(f"for ({how} &{x} : {name}) {{")
        else:
            self.emit(f"for ({how} &{x} : {name}) {{")
            self.emit(f"#pragma omp task shared({x}) {self.clauses(node, known)}")
            self.emit("{")
        self.part(node, 0, known)
        if how == "number":
            self.emit(f"{x} += {text_of(node.values[1], known)};")
        else:
            self.emit(f"{x}.set({text_of(node.values[1], known)} + {x}.of(1));")
        self.emit("}" if "rows" in node.names else "} }")
        self.emit("#pragma omp taskwait")
        last = f"{name}[{node.number - 1}]"
        known.append(last if how == "number" else f"{last}.of(2)")

    def object_loop(self, node, known):
        """A loop of tasks with objects in its clauses."""
        name, kind, i, how = node.names[:4]
        self.emit(f"{kind} {name}({text_of(node.values[0], known)});")
        self.emit(f"#pragma omp taskloop {how}({name}) {self.clauses(node, known)}")
        self.emit(header(node.number % 4, i, node.number))
        inside = [*known, i]
        self.emit("{")
        if how == "firstprivate":
            inside.append(f"{name}.of(2)")
        else:
            self.emit(f"{name}.set({text_of(node.values[1], inside)});")
        self.part(node, 0, inside)
        self.emit("#pragma omp atomic")
        self.emit(f"v[{node.cell}] += {name}.of(1); }}")
        if how == "private":
            self.emit(f"{name}.set(5);")
        known.append(f"{name}.of(3)")

    def object_sum(self, node, known):
        """A reduction of objects over tasks."""
        name, kind, i = node.names[:3]
        self.emit(f"{kind} {name}({text_of(node.values[0], known)});")
        inside = [*known, i]
        if "rows" in node.names:
            self.emit(f"#pragma omp taskloop reduction(sum_of : {name}) {self.clauses(node, known)}")
            self.emit(f"for (unsigned long {i} = 0; {i} < {node.number}; ++{i}) {{")
        else:
            self.emit(f"#pragma omp taskgroup task_reduction(sum_of : {name})")
            self.emit(f"for (unsigned long {i} = 0; {i} < {node.number}; ++{i}) {{")
            self.emit(f"#pragma omp task in_reduction(sum_of : {name}) {self.clauses(node, inside)}")
            self.emit("{")
        self.part(node, 0, inside)
        self.emit(f"{name}.value += {text_of(node.values[1], inside)};")
        self.emit("}" if "rows" in node.names else "} }")
        known.append(f"{name}.value")

    def given(self, node, known):
        """Before the region, which only reads it."""
        name, kind = node.names[:2]
        if kind == "lambda":
            self.emit(f"auto {name} = [=](unsigned long y) {{ return y * 3 + {text_of(node.values[0], known)}; }};")
            known.append(f"{name}(4)")
        elif kind == "reference":
            self.emit(f"unsigned long to_{name} = {text_of(node.values[0], known)}; unsigned long &{name} = to_{name};")
            known.append(name)
        elif kind == "number":
            self.emit(f"unsigned long {name} = {text_of(node.values[0], known)};")
            known.append(name)
        else:
            self.emit(f"{kind} {name}({text_of(node.values[0], known)});")
            known.append(f"{name}.of(1)")


class ObjectMaker:
    """Makes them."""

    def inside(self, known, depth):
        return [self.statement(list(known), depth - 1)]

    def two(self, known):
        return [self.value(known), self.value(known)]

    def object(self, known, depth):
        name = self.name("o")
        how = self.chance.choice(["firstprivate", "firstprivate", "implicit", "private", "shared"])
        names = [name, self.chance.choice(k_classes), how] + (["kept"] if self.chance.random() < 0.3 else [])
        made = Node("object", [self.inside([*known, f"{name}.of(1)"], depth)], self.two(known), names, self.clauses(known), cell=self.cell(),
                    number=self.chance.randrange(1, 6))
        known.append(f"{name}.of(2)")
        return made

    def reference(self, known, depth):
        name = self.name("r")
        made = Node("reference", [self.inside(known, depth)], self.two(known), [name], self.clauses(known), cell=self.cell())
        known.append(name)
        return made

    def closure(self, known, depth):
        name, by = self.name("f"), self.chance.choice("=&")
        names = [name, by] + (["kept"] if self.chance.random() < 0.4 else [])
        made = Node("closure", [self.inside([*known, *(["y"] if by == "&" or "kept" in names else [f"{name}(5)"])], depth)], self.two(known),
                    names, self.clauses(known), cell=self.cell())
        known.append(f"{name}(2)" if by == "=" else f"by_{name}")
        return made

    def guard(self, known, depth):
        name = self.name("e")
        names = [name] + [word for word, share in (("task", 0.6), ("kept", 0.4)) if self.chance.random() < share]
        inside = [*known, f"{name}.of(1)"] if "kept" in names else list(known)
        return Node("guard", [self.inside(inside, depth), self.inside(inside, depth)], [self.value(known), self.value(inside)], names,
                    self.clauses(known), cell=self.cell())

    def throws(self, known, _):
        return Node("throws", values=[self.value(known)], names=[self.name("e")], cell=self.cell(), number=self.cell())

    def spreads(self, known, depth):
        name = self.name("p")
        made = Node("spreads", [self.inside(known, depth)], self.two(known), [name] + (["task"] if self.chance.random() < 0.5 else []),
                    self.clauses(known), cell=self.cell(), number=self.cell())
        return made

    def makes(self, known, depth):
        name = self.name("m")
        return Node("makes", [self.inside(known, depth)], [self.value(known)], [name], cell=self.cell())

    def branches(self, known, _):
        name = self.name("t")
        made = Node("branches", values=[self.value(known)], names=[name], number=self.chance.randrange(2, 6))
        known.append(name)
        return made

    def elements(self, known, depth):
        name, x, how = self.name("x"), self.name("x"), self.chance.choice(["number", "small", "box"])
        number = self.chance.randrange(2, 12)
        names = [name, x, how] + (["rows"] if self.chance.random() < 0.5 else [])
        made = Node("elements", [self.inside(known, depth)], self.two(known), names, self.clauses(known), number=number)
        last = f"{name}[{number - 1}]"
        known.append(last if how == "number" else f"{last}.of(2)")
        return made

    def object_loop(self, known, depth):
        name, kind, i = self.name("o"), self.chance.choice(k_classes), self.name("i")
        how = self.chance.choice(["firstprivate", "private", "lastprivate"])
        inside = [*known, i, *([f"{name}.of(2)"] if how == "firstprivate" else [])]
        made = Node("object_loop", [self.inside(inside, depth)], [self.value(known), self.value(inside)], [name, kind, i, how],
                    self.clauses(known), cell=self.cell(), number=self.chance.randrange(4, 12))
        known.append(f"{name}.of(3)")
        return made

    def object_sum(self, known, depth):
        name, i = self.name("o"), self.name("i")
        inside = [*known, i]
        made = Node("object_sum", [self.inside(inside, depth)], [self.value(known), self.value(inside)],
                    [name, self.chance.choice(["small", "box"]), i] + (["rows"] if self.chance.random() < 0.5 else []),
                    self.clauses(known), number=self.chance.randrange(1, 9))
        known.append(f"{name}.value")
        return made

    def given(self, known):
        name = self.name("c")
        kind = self.chance.choice(["number", "lambda", "reference", *k_classes] if self.cxx else ["number"])
        made = Node("given", values=[self.value(known)], names=[name, kind])
        known.append(f"{name}(4)" if kind == "lambda" else name if kind in ("number", "reference") else f"{name}.of(1)")
        return made
