"""Runners of `takt bench`, driven one run at a time by scripts."""
import argparse
import json
import os
import subprocess
import sys


def fail(message):
    print(f"{os.path.basename(sys.argv[0])}: {message}", file=sys.stderr)
    sys.exit(2)


class Parser(argparse.ArgumentParser):
    def error(self, message):
        fail(message)


def positive(text):
    number = int(text)
    if number < 1:
        raise ValueError
    return number


class Process:
    """One runner that is told when to run."""

    def __init__(self, command, environment=None):
        self.name = os.path.basename(command[0])
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            text=True, env=environment)
        except OSError as error:
            fail(f"{command[0]}: {error.strerror}")
        self._answer()

    def _answer(self):
        line = self.process.stdout.readline()
        if not line:
            fail(f"{self.name} ended early")
        answer = json.loads(line)
        if "error" in answer:
            fail(answer["error"])
        return answer

    def begin(self):
        try:
            self.process.stdin.write("run\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            fail(f"{self.name} ended early")

    def finish(self):
        """What the runner says of the run: `seconds`, `tasks` and so on."""
        answer = self._answer()
        if not answer["ok"]:
            fail(f"{self.name}: wrong answer")
        return answer

    def run(self):
        self.begin()
        return self.finish()

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def command_for(runner, problem):
    """`problem` is NAME[:SIZE[:INPUT]]."""
    name, _, rest = problem.partition(":")
    size, _, matrix = rest.partition(":")
    return ([runner, "--problem", name] + (["--size", size] if size else []) +
            (["--input", matrix] if matrix else []))


HYBRID = "TAKT_HYBRID=1"


def under_takt_run(takt, how, command):
    """`how`: settings, NAME=VALUE, and options of `takt run`."""
    settings = [each for each in how if "=" in each]
    return ["env", *settings, takt, "run", *(each for each in how if each not in settings), "--", *command]
