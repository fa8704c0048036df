#!/usr/bin/env python3
"""Compares what a compiler says of each misuse in a file with the comments behind them; the file says how.

usage: first_errors.py FILE COMPILER ARGUMENT...
"""
import re
import subprocess
import sys

ERROR = re.compile(r"^(?P<file>[^\s:][^:]*):(?P<line>\d+):\d+: (?:fatal )?error: (?P<text>.*)$")
# GCC names the places on the way to an instantiation before the error, Clang behind it.
BEFORE = re.compile(r"^(?P<file>[^\s:][^:]*):(?P<line>\d+):\d+:\s+(?:recursively )?required (?:from|by)")
BEHIND = re.compile(r"^(?P<file>[^\s:][^:]*):(?P<line>\d+):\d+: note: (?:in instantiation|while)")
FAILED = re.compile(r"^static assertion failed(?: due to requirement '.*?')?: ")


def expectations(name):
    """{line of the call: (kind, text)}"""
    wanted, call = {}, 0
    for number, line in enumerate(open(name, encoding="utf-8"), 1):
        found = re.match(r"\s*// (error|first error|says): (.*\S)\s*$", line)
        if found and call:
            wanted[call] = found.groups()
            call = 0
        elif not line.lstrip().startswith("//"):
            call = number
    return wanted


def said(name, output):
    """{line of the call: [(first line of an error, all that is said of it), ...]}"""
    errors, at, before, waiting = {}, None, 0, []
    block = None

    def place(line, error):
        errors.setdefault(line, []).append(error)

    for line in output.split("\n"):
        if found := BEFORE.match(line):
            if found["file"] == name:
                before = int(found["line"])
            continue
        if " In " in line[:400] and line.endswith(":") and "error:" not in line:
            before = before if line.startswith(" ") else 0
        if found := ERROR.match(line):
            block = [FAILED.sub("", found["text"]), line]
            if found["file"] == name:
                place(int(found["line"]), block)
                waiting = []
            elif before:
                place(before, block)
                waiting = []
            else:
                waiting = [block]
            before = 0
            continue
        if block is None:
            continue
        block.append(line)
        if waiting and (found := BEHIND.match(line)) and found["file"] == name:
            place(int(found["line"]), waiting.pop())
    for lost in waiting:
        place(0, lost)
    return errors


def main():
    name, command = sys.argv[1], sys.argv[2:]
    done = subprocess.run(command + [name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                          errors="replace", env={"LC_ALL": "C", "PATH": "/usr/local/bin:/usr/bin:/bin"})
    wanted, errors, bad = expectations(name), said(name, done.stdout), []
    for line in sorted(wanted.keys() | errors.keys()):
        kind, text = wanted.get(line, (None, None))
        seen = errors.get(line, [])
        if kind is None:
            bad.append(f"{name}:{line}: not expected: {seen[0][0]}")
        elif not seen:
            bad.append(f"{name}:{line}: no error, and this was expected: {text}")
        elif kind == "says":
            if not any(re.search(text, "\n".join(one)) for one in seen):
                bad.append(f"{name}:{line}: nowhere '{text}': {seen[0][0]}")
        elif not seen[0][0].startswith(text):
            bad.append(f"{name}:{line}: {seen[0][0]}\n  expected: {text}")
        elif kind == "error" and len(seen) > 1:
            bad.append(f"{name}:{line}: a second error: {seen[1][0]}")
    print("\n".join(bad) or f"{len(wanted)} misuses, each with its message")
    if bad:
        sys.exit(1)
    if not wanted:
        sys.exit("no expectation")


if __name__ == "__main__":
    main()
