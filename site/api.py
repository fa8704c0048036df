"""The API reference: pages of Markdown from the comments `///` of the public headers.

Usage: api.py INCLUDE_FOLDER OUTPUT_FOLDER

Signatures are quoted as the headers have them, without what is for the compiler alone. A declaration without a comment
is another form of the one before it, if it has the same name, and is left out otherwise.
"""
import re
import sys
from pathlib import Path

PAGES = [
    ("calls", "Forks, loops and groups", "All but touches is in `<takt/takt.hpp>`, and each header can be included alone.",
     ["fork_join", "parallel_for", "subranges", "parallel_for_each", "parallel_reduce", "task_group", "hints", "spawn", "stay",
      "stop", "with_policy", "workers"]),
    ("settings", "Settings and statistics", "[Settings](../docs/guide/settings.md) explains each.",
     ["config"]),
    ("algorithms", "Algorithms", "`<takt/algorithms.hpp>` has these alone. The pages under "
     "[algorithms](../docs/algorithms/README.md) have examples.", None),
    ("async", "Futures", "`<takt/async.hpp>`; the [guide](../docs/guide.md#task-groups) has an example.", ["async"]),
    ("pipeline", "Pipelines", "`<takt/pipeline.hpp>`, with [an example](../docs/algorithms/pipeline.md).", ["pipeline"]),
    ("memory", "Memory", "`<takt/memory.hpp>`. The [guide](../docs/guide/memory.md) says when a report waits.", ["memory"]),
    ("cluster", "Beyond one machine", "`<takt/cluster.hpp>`: the namespace `takt::cluster`. The [page](../docs/cluster.md) says "
     "what it needs.", ["cluster"]),
    ("touch", "Touches", "For [simulated caches](../docs/tools/scale.md#caches).", ["touch"]),
]
# Headers that have something for users, and those that include them.
INSIDE = {"stop": ["detail/stop"]}
WORDS = """Some words in signatures are names of constraints (concepts):

| word | what fits |
|---|---|
| `branch` | a callable without arguments; what it returns can be returned by value, or is nothing |
| `index` | any integer type but `bool` |
| `sequence` | a range with random access and a size |
| `writable_sequence`, `output` | the same, or an iterator of it, whose elements several workers can write: not `std::vector<bool>` |
| `separate_elements` | an iterator of elements that several workers can write |
| `takes_elements`, `tests_elements`, `compares_elements`, `orders_elements` | a function, a predicate, a comparison of elements, or of what the projection makes of them |
| `size_like` | a number |
| `child` | a callable without arguments that can be moved or copied into a group |
| `reducer` | has `identity()` and `combine(left, right)` |
"""
NAME = re.compile(r"(?:concept|struct|class|enum class)\s+(\w+)|(\w+|operator\S+)\s*\(|(\w+)(?:\{[^{}]*\}| =[^=].*)?;?\s*$")


class Entry:
    def __init__(self, name, text, signature, member):
        self.name, self.text, self.signatures, self.member, self.notes = name, text, [signature], member, []


def declaration(lines, at):
    """The declaration that begins in line `at`, without its body, and the line behind it."""
    first = lines[at].strip()
    kind = next((l for l in lines[at:at + 4] if re.search(r"\b(concept|enum class)\b", l)), "")
    text, depth, n = [], 0, at
    if first.startswith("inline constexpr"):
        return first, at + 1
    if kind and (kind is lines[at] or first.startswith("template")):
        # Whole: what a concept asks for and what an enumeration has are their meaning.
        while True:
            text.append(lines[n])
            depth += lines[n].count("{") - lines[n].count("}")
            n += 1
            if depth == 0 and text[-1].rstrip().endswith(";"):
                return "\n".join(text), n
    while n < len(lines):
        out = ""
        for k, c in enumerate(lines[n]):
            depth += (c in "([") - (c in ")]")
            after_name = "".join(text) + out
            if depth == 0 and (c == ";" or c == "{" or (c == ":" and re.search(r"\)[^:<>]*$|^\s*$", out)
                               and lines[n][k:k + 2] == ": " and "(" in after_name)):
                brace = c == "{" and re.match(r"\{[^{}]*\};", lines[n][k:])
                text.append(out + (lines[n][k:] if brace else ";" if c == ";" else ""))
                return "\n".join(text), n + 1
            out += c
        text.append(out)
        n += 1
    raise SystemExit(f"api.py: no end of the declaration in line {at + 1}")


def cleaned(signature):
    signature = re.sub(r"\b(TAKT_INLINE|TAKT_COLD|TAKT_OUTLINE|TAKT_EXPORT)\s+", "", signature)
    signature = signature.replace("detail::", "")
    lines = [l.rstrip() for l in signature.split("\n") if l.strip()]
    margin = min(len(l) - len(l.lstrip()) for l in lines)
    return "\n".join(l[margin:] for l in lines)


def name_of(signature):
    flat = re.sub(r"//.*|\bTAKT_EXPORT\b|\[\[\w+\]\]", "", signature).replace("decltype(auto)", "auto")
    called = re.search(r"\boperator\s*(\(\)|\[\])", flat)
    if called:
        return "operator" + called.group(1)
    flat = re.sub(r"^\s*template <(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>", "", flat.replace("\n", " "))
    if re.search(r"\brequires\b", flat):
        # The constraint has parentheses, too: those of the parameters come last.
        calls = [m for m in re.finditer(r"(\w+)\s*\(", flat.split(" -> ")[0])
                 if flat[:m.start()].count("(") == flat[:m.start()].count(")")]
        if calls and not re.match(r"\s*(concept|struct|class)\b", flat):
            return calls[-1][1]
    found = NAME.search(flat)
    return next((g for g in found.groups() if g), "") if found else ""


def entries_of(path):
    lines, out = path.read_text().split("\n"), []
    hidden, in_class, public, n = None, None, True, 0
    while n < len(lines):
        line = lines[n]
        stripped = line.strip()
        if hidden:
            hidden = None if stripped.startswith(hidden) else hidden
            n += 1
            continue
        if re.match(r"namespace (\w+::)*detail \{", stripped):
            hidden = "}  // namespace " + stripped.split()[1]
        elif stripped == "#ifdef TAKT_ELISION":
            hidden = "#else"
        elif line.startswith("};"):
            in_class, public = None, True
        elif re.match(r"struct \w+ \{$", line):
            in_class, public = line.split()[1], True
            out.append(Entry(in_class, [], line[:-2], False))
        elif in_class and re.match(r" (private|protected):", line):
            public = False
        elif in_class and line == " public:":
            public = True
        elif stripped.startswith("///") and public:
            text = []
            while lines[n].strip().startswith("///"):
                text.append(lines[n].strip()[3:].removeprefix(" "))
                n += 1
            member = in_class is not None
            is_macro = False
            while lines[n].startswith("#"):
                is_macro |= lines[n].startswith("#define")
                n += 1
            if is_macro:
                continue
            signature, n = declaration(lines, n)
            name = name_of(signature)
            if "abi::" in signature:
                # Between the headers and the library.
                continue
            out.append(Entry(f"{in_class}::{name}" if member else name, text, cleaned(signature), member))
            opened = re.search(r"\b(?:class|struct) (?:\[\[\w+\]\] |TAKT_EXPORT )?(\w+)$", signature.strip())
            if opened and not member and "{" in lines[n - 1] and not lines[n - 1].rstrip().endswith("};"):
                in_class, public = opened.group(1), True
            continue
        elif re.match(r"(  )?template <", line) and public and not out[-1:] == [] and (in_class or not line.startswith(" ")):
            signature, after = declaration(lines, n)
            if re.search(r"const (Arguments|F)&\.\.\.\)", signature):
                # Takes anything, to say what is wrong with it.
                n = after
                continue
            name = name_of(signature)
            last = out[-1].name.split("::")[-1]
            if name == last and not re.search(r"\b(class|struct|concept) \w+$", signature):
                if cleaned(signature) not in out[-1].signatures:
                    out[-1].signatures.append(cleaned(signature))
                n = after
                continue
        elif line.startswith("inline constexpr") and out:
            # A constant, beside the one or the type that the comment is about.
            out[-1].signatures.append(cleaned(line))
        elif in_class and public and re.match(r"  [\w:<>]+ \w+(\{.*\}| = .*)?;$", line) and out:
            # A field whose name says it all.
            signature, after = declaration(lines, n)
            out.append(Entry(f"{in_class}::{name_of(signature)}", [], cleaned(signature), True))
            n = after
            continue
        n += 1
    return out


def left_out(path, entries):
    """What a header declares for its users, and no entry is of."""
    known = {entry.name.split("::")[0] for entry in entries} | {"plain", "of", "from_environment"}
    known |= set(re.findall(r"inline constexpr \S+ (\w+)", "\n".join(s for e in entries for s in e.signatures)))
    missing, hidden = [], True
    for line in path.read_text().split("\n"):
        if opened := re.match(r"namespace ([\w:]+) \{", line):
            hidden = re.search(r"detail|abi", opened[1]) or "{}" in line
        elif closed := re.match(r"\}  // namespace (\S+)", line):
            hidden = "::" in closed[1] or closed[1] != "detail"
        if hidden or not re.match(r"(?!TAKT_\w+\()\w", line) or line.startswith(("template", "namespace", "using std::")):
            continue
        flat = re.sub(r"\b(decltype|noexcept|requires) *\(", "", line)
        found = (re.match(r"(?:class|struct|enum class|concept|using) (?:\[\[\w+\]\] |TAKT_EXPORT )?(\w+)", flat)
                 or re.match(r"inline constexpr \S+ (\w+)", flat) or re.search(r"\b(\w+)\(", flat))
        if found and found[1] not in known:
            missing.append(found[1])
    return missing


def prose(text):
    out, code = [], False
    for line in text:
        if line.startswith("    ") and (code or not out or out[-1] == ""):
            code = True
            out.append(line)
            continue
        if line and code:
            code = False
            out.append("")
        line = re.sub(r"(`[^`]*`)|([<*>])", lambda m: m.group(1) or ("&lt;" if m.group(2) == "<" else "&gt;" if m.group(2) == ">"
                                                                      else "\\" + m.group(2)), line)
        tag = re.match(r"@(returns|throws)\s+|(Cost): ", line)
        if tag:
            word = {"returns": "Returns", "throws": "Throws", None: "Cost:"}[tag.group(1)]
            line = f"**{word}** " + line[tag.end():]
            if out and out[-1] != "":
                out.append("")
        if re.match(r"  \w.*\)", line):
            # A line of its own in the comment, as in a list of functions.
            line = "- `" + re.sub(r"\s{2,}", "`: ", line.strip().replace("\\", "").replace("&gt;", ">"), count=1)
            line = line if "`:" in line else line + "`"
            if out and out[-1] != "" and not out[-1].startswith("- "):
                out.append("")
        out.append(line)
    return "\n".join(out)


def main():
    include, output = Path(sys.argv[1]), Path(sys.argv[2])
    output.mkdir(parents=True, exist_ok=True)
    index = ["# API reference", "", "What the headers declare, and what their comments say of it. Everything is in the "
             "namespace `takt`. The words *beat*, *promotion* and so on are those of the [guide](../docs/guide.md).", "", WORDS]
    total = 0
    named = {stem for _, _, _, stems in PAGES for stem in stems or []} | {"algorithms", "takt"}
    # takt-cluster has a folder of its own.
    folders = [include, include.parent / "cluster/include"]
    if missing := sorted({h.stem for folder in folders for h in folder.glob("takt/*.hpp")} ^ named):
        raise SystemExit(f"api.py: on no page, or not there: {', '.join(missing)}")
    headers = "\n".join(h.read_text() for folder in folders for h in folder.glob("takt/**/*.hpp"))
    for word in re.findall(r"`(\w+)`", re.sub(r"(?m)^\| ([^|]*)\|.*", r"\1", WORDS)):
        if not re.search(rf"\bconcept {word}\b", headers):
            raise SystemExit(f"api.py: there is no concept {word}")
    for file, title, about, stems in PAGES:
        if stems is None:
            headers = sorted((include / "takt/algorithms").glob("*.hpp"))
        else:
            headers = [folder / f"takt/{name}.hpp" for stem in stems for name in (stem, *INSIDE.get(stem, []))
                       for folder in folders if (folder / f"takt/{name}.hpp").exists()]
        page = [f"# {title}", "", about, ""]
        index += [f"## [{title}]({file}.md)", ""]
        for header in headers:
            entries = entries_of(header)
            if missing := left_out(header, entries):
                raise SystemExit(f"api.py: {header}: no comment `///`: {', '.join(missing)}")
            if not entries:
                continue
            total += len(entries)
            # What such a header has for users belongs to the one before it, which includes it.
            if header.parent.name != "detail":
                shown = f"<takt/{header.parts[-1]}>" if header.parent.name == "takt" else f"<{header.relative_to(include)}>"
                page += [f"## {shown}".replace("<", "&lt;").replace(">", "&gt;"), ""]
            names = []
            previous = None
            for entry in entries:
                if entry.name != previous:
                    page += [f"### {entry.name}", ""]
                    if not entry.member:
                        names.append(f"`{entry.name}`")
                previous = entry.name
                page += ["```cpp", "\n\n".join(entry.signatures), "```", ""]
                if entry.text:
                    page += [prose(entry.text), ""]
            index.append(f"- `{shown}`: {', '.join(dict.fromkeys(names))}")
        index.append("")
        (output / f"{file}.md").write_text("\n".join(page))
    (output / "index.md").write_text("\n".join(index))
    if total < 50:
        raise SystemExit(f"api.py: only {total} documented names in {include}; the headers have another form")


if __name__ == "__main__":
    main()
