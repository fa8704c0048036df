"""python -m takt ARGUMENTS...: what `python ARGUMENTS...` does, with all OpenMP regions on takt's workers."""
import os
import sys

from . import LIBRARIES

USAGE = """usage: python -m takt PROGRAM.py|-m MODULE|-c CODE [ARGUMENTS...]
Runs it with the OpenMP regions of all libraries that it loads on takt's workers (TAKT_WORKERS: how many)."""


def main():
    arguments = sys.argv[1:]
    if arguments[:1] in (["-h"], ["--help"]):
        print(USAGE)
        return 0
    if not arguments:
        print("takt: no program (see python -m takt --help)", file=sys.stderr)
        return 2
    library = os.path.join(LIBRARIES, "libtakt-omp.so")
    if not os.path.exists(library):
        print(f"takt: {library} is not there: this is no installed package", file=sys.stderr)
        return 2
    # The loader takes the list apart at colons and spaces.
    if ":" in library or " " in library:
        print(f"takt: {library}: a path with a colon or a space cannot be preloaded", file=sys.stderr)
        return 2
    before = os.environ.get("LD_PRELOAD")
    os.environ["LD_PRELOAD"] = library + (":" + before if before else "")
    os.execv(sys.executable, [sys.executable, *arguments])


if __name__ == "__main__":
    sys.exit(main())
