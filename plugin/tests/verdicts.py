"""verdicts.py PLUGIN CLANG CLANGXX FILE...: what the plugin decides of each construct of these programs, one line each,
for comparing two versions of the plugin with diff. With --folders, FILE are folders."""
import concurrent.futures
import pathlib
import re
import subprocess
import sys

plugin, clang, clangxx, *paths = sys.argv[1:]
root = pathlib.Path(__file__).resolve().parents[2]


def sources():
    for path in map(pathlib.Path, paths):
        yield from sorted(p for p in path.rglob("*.c*") if p.suffix in (".c", ".cpp")) if path.is_dir() else [path]


def verdicts(source):
    compiler = [clangxx, "-std=c++20"] if source.suffix == ".cpp" else [clang]
    command = compiler + ["-O1", "-fopenmp", "-fopenmp-version=51", "-w", "-S", "-emit-llvm", "-o", "-", f"-I{root}/include",
                          f"-I{root}/abi", f"-fpass-plugin={plugin}", "-Rpass=takt", "-Rpass-missed=takt", str(source)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    lines = re.findall(r"^(.*?:\d+:\d+): remark: (.*?) \[-R", done.stderr, re.MULTILINE)
    found = [f"{pathlib.Path(place.split(':')[0]).name}:{place.split(':', 1)[1]}: {what}" for place, what in lines]
    return found + ([f"{source.name}: the compiler failed: {done.returncode}"] if done.returncode else [])


with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for found in pool.map(verdicts, sources()):
        print("\n".join(sorted(found)), end="\n" if found else "")
