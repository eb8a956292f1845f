"""Run code of the documentation: in the worker of a page, and in the check that it runs there.

Pyodide loads this file in a browser; ``tools/runnable.py`` loads it in Node.
"""

from __future__ import annotations

import ast
import io
import json
import sys
import traceback
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

LIMIT = 10_000
"""The maximum number of characters of output that a page shows."""
FILENAME = "<block>"
SETUP = """
from importlib.util import find_spec

import pontedeldiavolo as pdd
"""
"""The imports of every example, as in ``doctest_global_setup`` of ``conf.py``."""


class Output(io.TextIOBase):
    """A file that keeps the beginning of what is written to it."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.text = ""
        self.is_cut = False
        self._limit = limit

    def writable(self) -> bool:
        """Return that one can write to it."""
        return True

    def write(self, text: str) -> int:
        """Keep a text, up to the limit."""
        characters_left = self._limit - len(self.text)
        self.text += text[:characters_left]
        self.is_cut |= len(text) > characters_left
        return len(text)


class Console:
    """A namespace in which the blocks of a page run one after the other."""

    def __init__(self) -> None:
        self.namespace: dict[str, Any] = {"__name__": "__main__"}
        exec(SETUP, self.namespace)  # noqa: S102 - the code of the page, in the reader's browser

    def run(self, kind: str, source: str, output: Output) -> bool:
        """Run a block and return whether no exception ended it.

        Args:
            kind: ``doctest`` for statements as at Python's prompt, which shows the values of
                expressions and goes on after an exception; another text for a program.
            source: The code.
            output: The file for what the code prints.
        """
        with redirect_stdout(output), redirect_stderr(output):
            try:
                tree = ast.parse(source, FILENAME)
            except SyntaxError as error:
                output.write("".join(traceback.format_exception_only(error)))
                return False
            if kind != "doctest":
                return self._execute(compile(tree, FILENAME, "exec"), is_program=True)
            sys.displayhook = sys.__displayhook__
            done = [
                self._execute(compile(ast.Interactive([each]), FILENAME, "single"))
                for each in tree.body
            ]
            return all(done)

    def _execute(self, code: Any, *, is_program: bool = False) -> bool:
        """Run compiled code, and print the traceback of an exception."""
        try:
            exec(code, self.namespace)  # noqa: S102 - the code of the page, in the reader's browser
        except BaseException as error:  # noqa: BLE001 - also SystemExit ends only the block
            places = [
                each.lineno
                for each in traceback.extract_tb(error.__traceback__)
                if each.filename == FILENAME
            ]
            lines = ["Traceback (most recent call last):\n"]
            if is_program and places:
                lines += [f"  line {line}\n" for line in places]
            else:
                lines.append("  ...\n")
            sys.stdout.writelines([*lines, *traceback.format_exception_only(error)])
            return False
        return True


class Notebook:
    """The blocks that have run in this worker, in one namespace."""

    def __init__(self) -> None:
        self._console = Console()
        self._done: list[list[str]] = []

    def run(self, blocks: str) -> str:
        """Run the last of some blocks after the others, and return its output as JSON.

        Blocks that have run already do not run again, unless a block has run that is not among
        them, or that is another one now. Then all run in a new namespace.

        Args:
            blocks: A JSON list of blocks, each a list of its kind and its source.
        """
        wanted: list[list[str]] = json.loads(blocks)
        before = wanted[:-1]
        if self._done != before[: len(self._done)]:
            self._console = Console()
            self._done = []
        for block in before[len(self._done) :]:
            earlier = Output(LIMIT)
            self._done.append(block)
            if not self._console.run(*block, earlier) and block[0] != "doctest":
                self._done = [["", ""]]
                return self._answer(earlier, is_earlier=True)
        output = Output(LIMIT)
        self._done.append(wanted[-1])
        self._console.run(*wanted[-1], output)
        return self._answer(output, is_earlier=False)

    def _answer(self, output: Output, *, is_earlier: bool) -> str:
        found = {"output": output.text, "isCut": output.is_cut, "isEarlier": is_earlier}
        return json.dumps(found)
