"""Each algorithm of the headers has its signatures in a page of docs/algorithms, and no table there has another.

A signature is `name(parameter, [those, that may be left out])`, with the names that the header gives them. That of a pair
of iterators, or with takt::deterministic in front, is not written out.
"""
import re
import sys
from pathlib import Path

root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2]
sys.path.insert(0, str(root / "site"))
sys.dont_write_bytecode = True
import api  # noqa: E402


def parameters(signature):
    """["a", "b", "[c", "d]"] of the last parentheses of a declaration."""
    flat = re.sub(r"\s+", " ", signature)
    inner = re.search(r"(\w+)\(((?:[^()]|\([^()]*\))*)\)$", flat.removesuffix(" const").strip())
    names, optional = [], []
    for one in re.split(r",\s*(?![^<]*>)", inner[2]) if inner[2] else []:
        name = re.match(r".*?(\w+)(\s*=.*)?$", one)
        (optional if name[2] else names).append(name[1])
    return inner[1], (*names, *(["["] + optional + ["]"] if optional else []))


declared = {}
for header in sorted((root / "include/takt/algorithms").glob("*.hpp")):
    for entry in api.entries_of(header):
        for signature in entry.signatures:
            if entry.member or "(" not in signature or re.search(r"\b(concept|struct) |\bclass \w+$", signature):
                continue
            name, names = parameters(signature)
            other_form = names[:1] == ("deterministic_t",) or {"first", "a_end"} & set(names) and name != "rotate"
            declared.setdefault(name, set())
            if not other_form or name == "reducing_for":
                declared[name].add(names)

written, wrong = {}, []
for page in sorted((root / "docs/algorithms").glob("*.md")):
    calls = [(line.startswith("|"), *call) for line in page.read_text().splitlines()
             for call in re.findall(r"`(\w+)\(([\w, \[\]]*)\)`", line)]
    for row, name, inner in calls:
        if name not in declared:
            continue
        names = tuple(re.findall(r"\w+|\[|\]", inner))
        written.setdefault(name, set()).add(names)
        if row and names not in declared[name]:
            wrong.append(f"{page.name}: `{name}({inner})` is in no header")
for name, forms in declared.items():
    for names in sorted(forms - written.get(name, set())):
        wrong.append(f"no page has {name}({', '.join(names)})")
if len(declared) < 30:
    wrong.append(f"only {len(declared)} algorithms found")
print("\n".join(wrong) or f"{len(declared)} algorithms, {sum(map(len, declared.values()))} signatures")
sys.exit(1 if wrong else 0)
