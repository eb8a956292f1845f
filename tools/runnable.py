"""Find which examples of the documentation run in a browser, and write the list of them.

Usage: ``python -m tools.runnable [PAGE...]``, such as ``howto/show``; without a page all pages are
checked. Each page's examples run one after the other in a namespace of Pyodide under Node, as they
would in the page. An example that gives the shown output is listed as running; another one with a
reason, and later examples run without it. The list, ``docs/runnable.json``, has a digest of each
example: a test notices a changed one.

``--changed`` checks only the pages whose examples are not those of the list. With ``--check``
nothing is written: the command fails if the list is not what it finds.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1] / "docs"))

import blocks  # the path to it is set above
import playing  # the path to it is set above

ROOT: Final = Path(__file__).parents[1]
SECONDS: Final = 20
"""The maximum time of an example; a reader would not wait longer."""
MARK: Final = "@@"
"""The beginning of answers; other lines are warnings of Pyodide."""
START_SECONDS: Final = 120
NEEDS: Final = {
    "numpy": "numpy",
    "numba": "numpy",
    "rich": "rich",
    "click": "rich",
    "PIL": "pictures",
    "resvg_py": "pictures",
    "hypothesis": "hypothesis",
}
"""Packages that the page does not load, with the reasons that the pages give."""
FILES: Final = re.compile(r"examples/games|Path\(\)\.iterdir")
"""Code that reads files of the project and finds none in a browser."""
REASONS: Final = {
    r"can't start new thread|threads": "threads",
    r"processes|subprocess|fork|spawn": "processes",
    r"No such file or directory|FileNotFoundError": "files",
    r"NameError": "earlier",
    r"stack switching|event loop": "asyncio",
    r"socket|Connection": "network",
}
"""Patterns of outputs, with the reasons that they mean."""
SCRIPT: Final = r"""
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { loadPyodide } from "./pyodide.mjs";

const MARK = "@@";
const python = await loadPyodide({ indexURL: process.argv[2] });
const target = python.runPython("import site; site.getsitepackages()[0]");
python.unpackArchive(new Uint8Array(readFileSync("python.zip")), "zip", { extractDir: target });
for (const name of ["console.py", "check.py"]) python.runPython(readFileSync(name, "utf-8"));
const check = python.globals.get("check");
console.log(`${MARK}ready`);
for await (const line of createInterface({ input: process.stdin })) console.log(MARK + check(line));
process.exit(0);
"""
CHECK: Final = r"""
from doctest import DocTestParser, OutputChecker

checker = OutputChecker()
console = Console()


def same(example, output):
    if example.exc_msg is None:
        flags = sum(flag for flag, is_on in example.options.items() if is_on)
        return checker.check_output(example.want, output, flags)
    return output.endswith(example.exc_msg)


def check(line):
    kind, text, expected, is_new = json.loads(line)
    global console
    if is_new:
        console = Console()
    said = ""
    if kind == "doctest":
        for example in DocTestParser().get_examples(text):
            output = Output(LIMIT)
            console.run(kind, example.source, output)
            if not same(example, output.text):
                return json.dumps([False, output.text[-2000:]])
        return json.dumps([True, ""])
    output = Output(LIMIT)
    console.run(kind, text, output)
    wanted = expected.replace("<BLANKLINE>", "").strip()
    given = "\n".join(part.rstrip() for part in output.text.strip().splitlines())
    return json.dumps([given == wanted, output.text[-2000:]])


check
"""


class Browser:
    """Pyodide under Node, in place of a browser."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process = self._started()

    def _started(self) -> subprocess.Popen[str]:
        """Return Node with Pyodide loaded."""
        command = [shutil.which("node") or "node", "check.mjs", f"{self._folder}/"]
        process = subprocess.Popen(
            command,
            cwd=self._folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        if self._answer(process, START_SECONDS) != "ready":
            raise RuntimeError("Pyodide does not start under Node")
        return process

    def _answer(self, process: subprocess.Popen[str], seconds: float) -> str:
        """Return the next line, or an empty text if none came in time and Node was ended."""
        timer = threading.Timer(seconds, process.kill)
        timer.start()
        try:
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith(MARK):
                    return line.removeprefix(MARK).strip()
            return ""
        finally:
            timer.cancel()

    def check(self, block: blocks.Block, *, is_new: bool) -> tuple[bool, str] | None:
        """Return whether an example gives the shown output, and what it printed.

        Args:
            block: The example.
            is_new: Whether it runs in a new namespace.

        Returns:
            ``None`` if it takes too long; then Node has been started again.
        """
        assert self._process.stdin is not None
        print(
            json.dumps([block.kind, block.text, block.output, is_new]),
            file=self._process.stdin,
            flush=True,
        )
        found = self._answer(self._process, SECONDS)
        if not found:
            self.close()
            self._process = self._started()
            return None
        is_same, output = json.loads(found)
        return is_same, output

    def close(self) -> None:
        """End Node."""
        self._process.kill()
        self._process.wait()


def prepare(folder: Path) -> None:
    """Write what Node needs into a folder."""
    archive = playing.fetched(ROOT / "build")
    for name, content in playing.runtime_files(archive).items():
        (folder / name).write_bytes(content)
    (folder / "python.zip").write_bytes(playing.packed())
    shutil.copyfile(playing.HERE / "console.py", folder / "console.py")
    (folder / "check.py").write_text(CHECK, "utf-8")
    (folder / "check.mjs").write_text(SCRIPT, "utf-8")


def checked(browser: Browser, examples: list[blocks.Block]) -> dict[str, str]:
    """Return the reason of each example of a page by its digest; an empty one if it runs."""
    found: dict[str, str] = {}
    running: list[blocks.Block] = []
    is_new = True
    for block in examples:
        result = browser.check(block, is_new=is_new)
        is_new = False
        if result is not None and result[0]:
            found[block.digest] = ""
            running.append(block)
            continue
        found[block.digest] = "slow" if result is None else reason(block, result[1])
        # What the example has left behind is lost: only those before it have run.
        is_new = True
        for earlier in running:
            browser.check(earlier, is_new=is_new)
            is_new = False
    return found


def reason(block: blocks.Block, output: str) -> str:
    """Return the code of the reason why an example does not give the shown output."""
    package = re.search(r"No module named '(\w+)|pip install [^\n]*\[(\w+)", output)
    skipped = re.search(r'find_spec\("(\w+)"\) is None', block.options)
    if skipped:
        return "package"
    if FILES.search(block.text):
        return "files"
    if package:
        name = package[1] or package[2]
        return NEEDS.get(name, "package")
    for pattern, code in REASONS.items():
        if re.search(pattern, output):
            return code
    print(f"  {block.text[:300]}\n  gives\n{output}", file=sys.stderr)
    return "other"


def main() -> int:
    """Check pages, and write the list or compare it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pages", nargs="*", metavar="PAGE")
    parser.add_argument("--changed", action="store_true", help="check pages with other examples")
    parser.add_argument("--check", action="store_true", help="compare the list, write nothing")
    arguments = parser.parse_args()
    every = blocks.pages()
    unknown = sorted({*arguments.pages} - {*every})
    if unknown:
        parser.error(f"no examples in {', '.join(unknown)}")
    known = blocks.known()
    found = {name: reasons for name, reasons in known.items() if name in every}
    names = arguments.pages or [*every]
    if arguments.changed:
        names = [
            name
            for name in names
            if {*known.get(name, {})} != {each.digest for each in every[name]}
        ]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        prepare(folder)
        browser = Browser(folder)
        for name in names:
            found[name] = checked(browser, every[name])
            counts = Counter(found[name].values())
            others = ", ".join(f"{count} {code}" for code, count in counts.items() if code)
            if not arguments.check:
                store(found)
            print(f"{name}: {counts['']} of {len(found[name])} run; {others or 'all'}", flush=True)
        browser.close()
    total = Counter(code for reasons in found.values() for code in reasons.values())
    print(f"{total['']} of {total.total()} examples run:", dict(total))
    if arguments.check:
        return int(found != known)
    return 0


def store(found: dict[str, dict[str, str]]) -> None:
    """Write the list."""
    text = json.dumps(dict(sorted(found.items())), indent=1)
    blocks.LIST.write_text(f"{text}\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
