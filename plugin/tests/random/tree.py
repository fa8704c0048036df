"""Programs as trees of statements, and how they are made smaller."""


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
        return sum(1 for _ in self.inside())

    def inside(self):
        for part in self.parts:
            for each in part:
                yield each
                yield from each.inside()


def text_of(value, known):
    constant, factors = value
    return " + ".join([str(constant)] + [f"{name} * {factor}ul" for name, factor in factors if name in known])


def header(form, name, number):
    """Of a loop with so many iterations, or about as many. (Clang takes a taskloop over 32 bits without a sign that is empty for one of
    2^32 iterations.)"""
    return (f"for (unsigned long {name} = 0; {name} < {number}; ++{name})", f"for (long {name} = {number}; {name} > 0; {name} -= 2)",
            f"for (int {name} = -3; {name} <= {number} - 4; {name} += 3)", f"for (unsigned {name} = {max(number, 1)}; {name} > 0; --{name})")[form]


# What stands directly in a region, in its loops, or only in one kind of statement.
k_constructs = ("worksharing", "vector", "once", "variable", "again", "sections", "sent", "barrier", "choice", "orphan", "same", "of_first", "share", "scratch",
                "counted", "cancelled")
REGIONS = {"case": ("region", "worksharing", "combined", "given", "cancelled", "ended_region"), "region": (*k_constructs, "section"), "again": k_constructs, "choice": k_constructs,
           "orphan": k_constructs, "sections": ("section",), "scratch": ("filling",), "forked": ("branch",), "joined": ("member",)}
k_elsewhere = {*k_constructs, "region", "combined", "given", "ended_region", "section", "function", "chain_read", "chain_write", "node", "in_order", "branch", "member", "filling"}

# Names of what a statement has besides, which may be left out.
k_optional = {"total", "bits", "most", "low", "product", "final", "seed", "line", "scratch", "pairs", "boxed", "kept_box", "ended", "scale",
              "last", "declared", "beside", "plain", "inner", "kept", "before", "after", "rows", "task", "nowait", "array", "of_all", "once", "twice",
              "grouped", "skips", "object", "clause", "point", "sum", "down"}


def may_hold(parent, child):
    if parent.kind in REGIONS:
        return child.kind in REGIONS[parent.kind]
    return child.kind not in k_elsewhere


def smaller(root):
    """Programs that are a step smaller, those that are much smaller first: each a function that takes the step and returns one that takes it
    back."""
    def setting(holder, at, value):
        def step():
            before = holder[at]
            holder[at] = value

            def back():
                holder[at] = before
            return back
        return step

    steps = []
    for node in (root, *root.inside()):
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
        if node.kind not in ("case", "node", "throws", "spreads") and node.number > 2:  # of the last ones it is a cell
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
