"""Mutation testing: make small changes to the package, and list those that no test detects.

``python tools/mutants.py --json FILE`` samples changes ("mutants") from all folders of the package,
in proportion to the number of possible changes in each. ``--group core`` samples from a group of
folders. With ``--tonight`` the groups take turns, and the seed depends on the day. A mutant is
*killed* if a test fails. Otherwise it *survives*: a test is missing, or the mutant is equivalent.
``tools/equivalent_mutants.json`` lists mutants known to be equivalent. The run fails if the kill
rate of the others is significantly lower than ``LEAST``.

pytest collects the tests once. For each mutant the process forks, the changed function gets its
new code, and the tests that call it run until one fails. Mutants outside of functions, and those
that survive, are tried again in a new interpreter, which imports the changed file. Nothing is
written to the checkout. Before the first mutant each test runs once without a change, to measure
how long it takes and which functions it calls.

Mutants of kernels are tried uncompiled (``NUMBA_DISABLE_JIT=1``), with fewer games per test;
survivors are tried again compiled. The program omits modules that generate LLVM instructions,
adapters, slow tests, and tests that start programs. It needs ``os.fork``.
"""

from __future__ import annotations

import argparse
import ast
import copy
import gc
import inspect
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from cProfile import Profile
from functools import _lru_cache_wrapper
from importlib.machinery import SourceFileLoader
from itertools import islice
from math import inf
from pathlib import Path
from random import Random
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

CORE = ("rules", "position", "state", "board", "values", "game", "notation", "properties")
NEAR: dict[str, tuple[str, ...]] = {
    "": (*CORE, "text", "api"),
    "base": (*CORE, "api", "players", "records"),
    "batch": ("batch",),
    "board": CORE,
    "cli": ("cli",),
    "game": ("game", "notation", "rules", "records", "json_values", "svg", "text"),
    "html": ("pages",),
    "json": ("json_values",),
    "notation": ("notation", "rules"),
    "players": ("players", "game", "cli"),
    "position": CORE,
    "raster": ("raster", "cli"),
    "records": ("records", "game", "fuzz"),
    "rules": (*CORE, "records"),
    "state": (*CORE, "json_values"),
    "svg": ("svg", "pages", "raster"),
    "testing": ("api", "properties"),
    "web": ("web",),
}
"""The folders of tests to run first, by the folder of the package."""
GROUPS: dict[str, tuple[str, ...]] = {
    "core": ("base", "board", "position", "rules", "state"),
    "text": ("game", "json", "notation", "records"),
    "kernels": ("batch",),
    "search": ("players",),
    "surface": ("", "cli", "html", "raster", "svg", "testing", "web"),
}
"""Groups of folders of the package; each night tests one group."""
EQUIVALENT = Path(__file__).with_name("equivalent_mutants.json")
LEAST = 0.94
"""The minimum share of mutants that tests must kill."""
LEFT_OUT = (
    *("adapters", "browser", "docs", "examples", "api/test_contracts.py"),
    *("cli/test_process.py", "cli/test_serve.py", "cli/test_signals.py"),
    "records/test_linear.py",
)
"""Tests that take long, or that start programs, which run without the change."""
FOREIGN = {"gymnasium", "llvmlite", "numba", "open_spiel", "pettingzoo", "pyspiel"}
"""Files that import one of these packages are not changed."""
OF_KERNELS = ("tests/batch", "tests/players/test_solver.py", "tests/players/test_tree_search.py")
PARTS = {"rest": 10.0, "kernels": 3.0}
"""Parts of the package that are tried separately, and the maximum seconds of a test for each."""
ENOUGH = 60.0
AGAIN = 30.0
COMPILED = 180.0
"""The seconds of tests per mutant: in a fork, in a new interpreter, and compiled."""
HANG = 30.0
STALL = 300.0
"""A test hangs if it takes so many seconds of CPU time more than usual, or of wall-clock time."""
MEMORY = 12 << 30

PAIRS: tuple[tuple[type[ast.AST], type[ast.AST]], ...] = (
    *((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn)),
    *((ast.Add, ast.Sub), (ast.BitAnd, ast.BitOr), (ast.And, ast.Or), (ast.Break, ast.Continue)),
)
SWAPS = dict([*PAIRS, *((b, a) for a, b in PAIRS)])
"""Operators and statements that are swapped."""
NEVER = {"TYPE_CHECKING", "__name__ == '__main__'"}
NOT_CODE = {"bases", "decorator_list", "keywords", "returns"}
"""Parts of definitions that are not changed."""
TEXTS = (ast.JoinedStr, ast.List, ast.ListComp, ast.Tuple)
"""Operands that "+" concatenates, so "-" would be a type error."""


class Change(NamedTuple):
    """The replacement of a node of a syntax tree."""

    parent: Any
    field: str
    place: int | None
    old: ast.AST
    new: ast.AST
    operator: str

    def apply(self) -> None:
        """Change the tree."""
        ast.copy_location(self.new, self.old)
        if self.place is None:
            setattr(self.parent, self.field, self.new)
        else:
            getattr(self.parent, self.field)[self.place] = self.new


def variants(parent: ast.AST, field: str, node: Any) -> Iterator[tuple[str, ast.AST]]:
    """Yield the replacements of a node, each with the name of its operator."""
    if field in {"test", "ifs", "guard"} and not isinstance(node, ast.Constant):
        yield "condition", ast.Constant(value=False)
        if not isinstance(parent, ast.While):
            yield "condition", ast.Constant(value=True)
    if isinstance(parent, ast.BoolOp) and not isinstance(node, ast.Constant | ast.boolop):
        yield "clause", ast.Constant(value=isinstance(parent.op, ast.And))
    if isinstance(node, ast.Compare):
        for index, op in enumerate(node.ops):
            if type(op) in SWAPS:
                new: Any = copy.copy(node)
                new.ops = [*node.ops[:index], SWAPS[type(op)](), *node.ops[index + 1 :]]
                yield "comparison", new
    elif isinstance(node, ast.BoolOp | ast.BinOp | ast.AugAssign) and type(node.op) in SWAPS:
        sides = [getattr(node, name, None) for name in ("left", "right", "value")]
        if not any(isinstance(side, TEXTS) or constant(side, str) for side in sides):
            new = copy.copy(node)
            new.op = SWAPS[type(node.op)]()
            yield "and/or" if isinstance(node, ast.BoolOp) else "arithmetic", new
    else:
        yield from small_variants(parent, node)


def small_variants(parent: ast.AST, node: Any) -> Iterator[tuple[str, ast.AST]]:
    """Yield the replacements of a node that is not a binary operator."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not", node.operand
    elif isinstance(node, ast.Break | ast.Continue):
        yield "loop", SWAPS[type(node)]()
    elif constant(node, int):
        yield "number", ast.Constant(value=node.value + 1)
    elif isinstance(parent, ast.Return) and constant(node, bool):
        yield "return", ast.Constant(value=not node.value)


def constant(node: object, kind: type) -> bool:
    """Return whether a node is a constant of a type."""
    return isinstance(node, ast.Constant) and type(node.value) is kind


def changes(tree: ast.AST, *, inside: bool = False) -> Iterator[Change]:
    """Yield all changes to a tree; *inside* is true within a function."""
    is_class = isinstance(tree, ast.ClassDef)
    defines = is_class or isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef)
    for field, value in ast.iter_fields(tree):
        if field == "annotation" or (defines and field in NOT_CODE):
            continue
        within = inside or (defines and not is_class and field == "body")
        for index, node in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(node, ast.AST) or isinstance(node, ast.Assert):
                continue
            if isinstance(node, ast.If) and ast.unparse(node.test) in NEVER:
                continue
            # Outside of functions, "|" is mostly a union of types.
            if within or not isinstance(getattr(node, "op", None), ast.BitAnd | ast.BitOr):
                for operator, new in variants(tree, field, node):
                    place = index if isinstance(value, list) else None
                    yield Change(tree, field, place, node, new, operator)
            yield from changes(node, inside=within)


class Site(NamedTuple):
    """The place of a change: a file, the number of the change in the file, and its line."""

    path: str
    number: int
    line: int

    @property
    def folder(self) -> str:
        """The folder within the package."""
        return "/".join(Path(self.path).parts[2:-1])

    @property
    def part(self) -> str:
        """The part of the package that it belongs to."""
        return "kernels" if "kernels" in self.path else "rest"


def all_sites(root: Path) -> Iterator[Site]:
    """Yield all changes to the package."""
    for file in sorted((root / "src").rglob("*.py")):
        tree = ast.parse(file.read_bytes())
        path = file.relative_to(root)
        imports = {
            name.split(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in [*(each.name for each in node.names), getattr(node, "module", "") or ""]
        }
        if "adapters" not in path.parts and not imports & FOREIGN:
            for number, change in enumerate(changes(tree)):
                yield Site(path.as_posix(), number, getattr(change.old, "lineno", 0))


def tests_of(group: Sequence[str]) -> list[str]:
    """Return the folders of tests for some folders of the package."""
    return sorted({f"tests/{each}" for folder in group for each in NEAR[folder]}) or ["tests"]


def draw(sites: Sequence[Site], count: int, seed: int) -> list[Site]:
    """Sample from each folder in proportion to its changes, using largest remainders."""
    folders = defaultdict(list)
    for site in sites:
        folders[site.folder].append(site)
    wanted = min(count, len(sites))
    shares = {folder: wanted * len(some) / len(sites) for folder, some in folders.items()}
    sizes = {folder: int(share) for folder, share in shares.items()}
    for folder in sorted(shares, key=lambda each: sizes[each] - shares[each]):
        sizes[folder] += sum(sizes.values()) < wanted
    random = Random(seed)
    return [site for each in sorted(sizes) for site in random.sample(folders[each], sizes[each])]


class Mutant:
    """A file with one change; number -1 stands for no change."""

    def __init__(self, root: Path, path: str, number: int) -> None:
        """Change the file in memory."""
        self.file = str(root / path)
        tree = ast.parse(Path(self.file).read_bytes())
        before = compile(tree, self.file, "exec", dont_inherit=True)
        self.about = dict.fromkeys(("operator", "before", "after", "within", "text"), "")
        if number >= 0:
            change = next(islice(changes(tree), number, None))
            nodes = (change.old, change.new, change.parent)
            texts = [ast.unparse(node).split("\n")[0] for node in nodes]
            lines = Path(self.file).read_text("utf-8").split("\n")
            texts.append(lines[getattr(change.old, "lineno", 1) - 1].strip())
            self.about = dict(zip(self.about, (change.operator, *texts), strict=True))
            change.apply()
        self.code = compile(ast.fix_missing_locations(tree), self.file, "exec", dont_inherit=True)
        new = dict(functions(self.code))
        both = ((name, old, new.get(name, old)) for name, old in functions(before))
        self.changed = [(name, old, code) for name, old, code in both if old != code]
        """The functions around the change, outermost first: name, old and new code."""

    def put_into(self, live: dict[str, list[FunctionType]]) -> None:
        """Give functions their new code."""
        for name, old, new in self.changed:
            for function in live.get(name, []):
                if function.__code__ == old and old.co_freevars == new.co_freevars:
                    function.__code__ = new

    def put_before_import(self) -> None:
        """Make an import of the file load the change."""
        usual = SourceFileLoader.get_code

        def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
            return self.code if loader.path == self.file else usual(loader, name)

        SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]  # here


def functions(code: CodeType) -> Iterator[tuple[str, CodeType]]:
    """Yield the names and code objects of all functions in a code object, outer before inner."""
    for each in code.co_consts:
        if isinstance(each, CodeType):
            if each.co_flags & inspect.CO_OPTIMIZED:
                yield name_of(each), each
            yield from functions(each)


def name_of(code: CodeType) -> str:
    """Return the name of a function: file, name and line."""
    return f"{code.co_filename}:{code.co_qualname}:{code.co_firstlineno}"


class TooLong(BaseException):
    """A test takes too long."""


class Tests:
    """A pytest plugin that passes the collected tests to *work* instead of running them."""

    def __init__(self, root: Path, paths: Iterable[str], work: Callable[[Tests], None]) -> None:
        """Collect the tests, and call *work*."""
        self.source = str(root / "src")
        self.work = work
        self.failed = False
        self.items: dict[str, pytest.Item] = {}
        without = ("benchmark", "cacheprovider", "faulthandler", "pytest_cov", "timeout", "xdist")
        with tempfile.TemporaryDirectory() as folder:
            options = ["-qs", f"--rootdir={root}", f"--basetemp={folder}/tests"]
            # Hypothesis has been imported before.
            options += ["-Wignore::pytest.PytestAssertRewriteWarning"]
            options += [f"-pno:{name}" for name in without]
            options += [f"--ignore={root / 'tests' / path}" for path in LEFT_OUT]
            pytest.main([*options, *paths], plugins=[self])

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Set few examples, and register the mark of an omitted plugin."""
        config.addinivalue_line("markers", "timeout: there is another limit here")
        few = settings(max_examples=20, derandomize=True, database=None, deadline=None)
        phases = [Phase.explicit, Phase.generate]
        checks = list(HealthCheck)
        few = settings(few, phases=phases, suppress_health_check=checks)
        settings.register_profile("mutants", few)
        settings.load_profile("mutants")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember a failure."""
        self.failed = self.failed or report.failed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Call *work* in place of the usual loop."""
        if not session.testsfailed:
            quick = (each for each in session.items if not each.get_closest_marker("slow"))
            self.items = {each.nodeid: each for each in quick}
            self.work(self)
        return True

    def passes(self, name: str, following: str | None, limit: float) -> bool:
        """Run a test, with a limit on its CPU time."""
        self.failed = False
        item = self.items[name]
        after = self.items[following] if following else None
        signal.setitimer(signal.ITIMER_PROF, limit)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        signal.setitimer(signal.ITIMER_PROF, 0)
        return not self.failed

    def run(self, limits: dict[str, float], log: Path) -> None:
        """Run tests until one fails or the time is over, and log their names."""
        confine()
        end = seconds() + COMPILED
        caching: Any = sys.modules.get("numba.core.caching")
        if caching:  # Code that is compiled with a change must not be cached.
            caching.Cache.save_overload = lambda *_: None
        # With a change, a property may get other examples.
        lost = {name.split("[")[0] for name in limits.keys() - self.items.keys()}
        names = [name for name in limits if name in self.items]
        names += [each for each in self.items if each.split("[")[0] in lost and each not in limits]
        with log.open("w", buffering=1, encoding="utf-8") as file:
            for name, following in zip(names, [*names[1:], None], strict=True):
                file.write(f"{name}\n")
                if seconds() > end:
                    break
                if not self.passes(name, following, limits.get(name, HANG)):
                    file.write("killed\n")
                    return
            file.write("survived\n")

    def measure(self, longest: float, caches: Sequence[Any], file: Path) -> None:
        """Run all tests without a change; write their times and the functions they call."""

        def stop(_: int, __: FrameType | None) -> None:
            raise TooLong

        confine()
        signal.signal(signal.SIGPROF, stop)
        found: dict[str, Any] = {"times": [], "calls": {}, "failed": [], "long": []}
        names = list(self.items)
        long = Counter[str]()
        for name, following in zip(names, [*names[1:], None], strict=True):
            if long[name.split("[")[0]] > 1:  # so are its other cases
                found["long"].append(name)
                continue
            for cached in caches:
                cached.cache_clear()
            begin = seconds()
            profile = Profile(subcalls=False, builtins=False)
            profile.enable()
            passed = self.passes(name, following, longest)
            profile.disable()
            taken = seconds() - begin
            if not passed:
                long[name.split("[")[0]] += taken > longest
                found["long" if taken > longest else "failed"].append(name)
                continue
            for entry in profile.getstats():
                if isinstance(entry.code, CodeType) and is_in(self.source, entry.code):
                    some = found["calls"].setdefault(name_of(entry.code), [])
                    some.append(len(found["times"]))
            found["times"].append((name, taken))
        file.write_text(json.dumps(found), encoding="utf-8")


def is_in(source: str, code: CodeType) -> bool:
    """Return whether a function is defined in a file of a folder."""
    return code.co_filename.startswith(source)


def confine() -> None:
    """Redirect the output of this process to nowhere, and limit its memory."""
    os.setsid()
    for number in range(3):
        os.dup2(os.open(os.devnull, os.O_RDWR), number)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def seconds() -> float:
    """Return the CPU time so far, including processes that have ended."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def forked(work: Callable[[], object]) -> int:
    """Do some work in a fork of this process; return its process ID."""
    process = os.fork()
    if not process:
        try:
            work()
        finally:
            os._exit(0)
    return process


def outcome(process: int, log: Path) -> tuple[str, str]:
    """Wait for a process that runs tests; return the outcome and the last test."""
    size = -1
    since = time.monotonic()
    while (ended := os.waitpid(process, os.WNOHANG))[0] == 0:
        time.sleep(0.01)
        if log.stat().st_size != size:
            size = log.stat().st_size
            since = time.monotonic()
        elif time.monotonic() - since > STALL:
            os.kill(process, signal.SIGPROF)
    with suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)  # processes that it has started
    *names, last = ["import", *log.read_text("utf-8").splitlines()]
    if last in {"killed", "survived"}:
        return last, names[-1] if last == "killed" else ""
    # A crash or a failed import kills the mutant as well.
    hangs = os.waitstatus_to_exitcode(ended[1]) == -signal.SIGPROF
    return "timeout" if hangs else "killed", last


class Trials:
    """Trials of changes, one after another."""

    def __init__(self, task: dict[str, Any]) -> None:
        """Prepare a task; no times and calls are known yet."""
        self.task = task
        self.root = Path(task["root"])
        self.log = Path(task["log"])
        self.live = defaultdict[str, list[FunctionType]](list)
        self.times: list[tuple[str, float]] = []
        self.calls: dict[str, list[int]] = {}
        self.long: list[str] = []

    def work(self, tests: Tests) -> None:
        """Try all changes with the collected tests."""
        self.prepare(tests)
        sites = [Site(*each) for each in self.task["sites"]]
        # Without a change, the last test of each file must pass in a new interpreter.
        some = {name.split("::")[0]: name for name, _ in self.times}
        unchanged = self.alone(sites[0]._replace(number=-1), dict.fromkeys(some.values(), HANG))
        if unchanged[0] != "survived":
            raise SystemExit(f"without a change: {unchanged}")
        with Path(self.task["results"]).open("a", buffering=1, encoding="utf-8") as results:
            for site in sites:
                result = self.attempt(site, tests)
                results.write(json.dumps(result) + "\n")
                sys.stderr.write(" ".join(map(str, result.values())) + "\n")

    def prepare(self, tests: Tests) -> None:
        """Find all functions, and measure the tests unless a file has their times."""
        settings(max_examples=1)(given(st.integers())(lambda _: None))()  # initialises Hypothesis
        gc.unfreeze()  # tests/conftest.py freezes all objects, which hides them
        objects = gc.get_objects()
        for each in objects:
            if type(each) is FunctionType and is_in(tests.source, each.__code__):
                self.live[name_of(each.__code__)].append(each)
        package = {each.__module__ for some in self.live.values() for each in some}
        caches = [each for each in objects if type(each) is _lru_cache_wrapper]
        caches = [each for each in caches if each.__module__ in package]
        del objects
        gc.freeze()
        file = Path(self.task["times"])
        if not file.exists():
            longest = PARTS[self.task["part"]]
            os.waitpid(forked(lambda: tests.measure(longest, caches, file)), 0)
        found = json.loads(file.read_text("utf-8"))
        self.times = found["times"]
        self.calls = found["calls"]
        self.long = found["long"]
        sys.stderr.write(f"{self.task['part']}: {len(self.times)} tests, ")
        sys.stderr.write(f"{len(found['long'])} too long, failing unchanged: {found['failed']}\n")

    def attempt(self, site: Site, tests: Tests) -> dict[str, object]:
        """Try a change in a fork; if it survives there, try it in a new interpreter."""
        begin = seconds()
        mutant = Mutant(self.root, site.path, site.number)
        limits = self.choose(site, mutant, ENOUGH)

        def try_here() -> None:
            mutant.put_into(self.live)
            tests.run(limits, self.log)

        found = ("survived", "")
        if limits and mutant.changed and mutant.changed[0][0] in self.live:
            self.log.write_text("")
            found = outcome(forked(try_here), self.log)
        if found[0] == "survived":
            found = self.alone(site, self.choose(site, mutant, AGAIN, wide=True))
        if found[0] == "survived" and self.task["part"] == "kernels":
            names = [*self.choose(site, mutant, inf, wide=True), *self.long]
            found = self.alone(site, dict.fromkeys(names, 4 * HANG), compiled=True)
        where = {"file": site.path, "line": site.line, "number": site.number}
        how = {"test": found[1], "seconds": round(seconds() - begin, 1)}
        return {"outcome": found[0], **where, **mutant.about, **how}

    def alone(
        self, site: Site, limits: dict[str, float], *, compiled: bool = False
    ) -> tuple[str, str]:
        """Try a change in a new interpreter."""
        self.log.write_text("")
        file = self.log.with_name("alone.json")
        environment = {**os.environ}
        file.write_text(json.dumps({**self.task, "sites": [site], "limits": limits}))
        with tempfile.TemporaryDirectory() as folder:
            if compiled:  # with an empty cache
                environment |= {"NUMBA_DISABLE_JIT": "0", "NUMBA_CACHE_DIR": folder}
            command = (sys.executable, [sys.executable, __file__, "--task", str(file)])
            process = os.spawnve(os.P_NOWAIT, *command, environment)  # noqa: S606 - this program
            return outcome(process, self.log)

    def choose(
        self, site: Site, mutant: Mutant, most: float, *, wide: bool = False
    ) -> dict[str, float]:
        """Return tests and their time limits: first callers, then tests in related folders."""
        name = mutant.changed[-1][0] if mutant.changed else f"{mutant.file}:"
        callers = {i for each, some in self.calls.items() if each.startswith(name) for i in some}
        folders = NEAR.get(site.folder.split("/")[0], ())
        near = {i for i, (test, _) in enumerate(self.times) if test.split("/")[1] in folders}
        chosen = callers | (near or set(range(len(self.times)))) if wide else callers
        limits = {}
        total = 0.0
        for i in sorted(chosen, key=lambda i: (i not in callers, i not in near, self.times[i][1])):
            test, taken = self.times[i]
            limits[test] = HANG + 5 * taken
            total += taken
            if total > most:
                break
        return limits


def do(task: dict[str, Any]) -> None:
    """Do the task of a subprocess: try many changes in forks, or import one."""
    root = Path(task["root"])
    sites = [Site(*each) for each in task["sites"]]
    if "limits" in task:
        limits = task["limits"]
        log = Path(task["log"])
        Mutant(root, sites[0].path, sites[0].number).put_before_import()
        paths = dict.fromkeys(name.split("::")[0] for name in limits)
        Tests(root, paths, lambda tests: tests.run(limits, log))
    else:
        collected: list[str] = task["tests"]
        if task["part"] == "kernels":
            collected = [path for path in OF_KERNELS if path.startswith(tuple(collected))]
        Tests(root, collected, Trials(task).work)


def known_equivalents() -> set[tuple[str, ...]]:
    """Return the known equivalent mutants, without line numbers, because these change."""
    return {key_of(each) for each in json.loads(EQUIVALENT.read_text("utf-8"))}


def key_of(result: dict[str, Any]) -> tuple[str, ...]:
    """Return the parts of a result that identify the change."""
    names = ("file", "operator", "before", "after", "within", "text")
    return tuple(result[name] for name in names)


def interval(killed: int, count: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval for a proportion."""
    if not count:
        return 0.0, 1.0
    z = 1.96
    part = killed / count
    middle = part + z * z / (2 * count)
    width = 1 + z * z / count
    deviation = z * (part * (1 - part) / count + (z / (2 * count)) ** 2) ** 0.5
    return (middle - deviation) / width, (middle + deviation) / width


def summary(sites: Sequence[Site], results: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of a table of folders and of a list of survivors."""
    outcomes = ("killed", "timeout", "equivalent", "survived")
    columns = ("changes", "drawn", *outcomes)
    yield f"{'folder':24}" + "".join(f"{each:>11}" for each in columns) + "   part killed"
    for folder in [*sorted({site.folder for site in sites}), None]:
        there = Counter(folder in {None, site.folder} for site in sites)[True]
        some = [each for each in results if folder in {None, Site(each["file"], 0, 0).folder}]
        found = Counter(each["outcome"] for each in some)
        counts = (there, len(some), *map(found.__getitem__, outcomes))
        low, high = interval(found["killed"] + found["timeout"], len(some) - found["equivalent"])
        name = "all" if folder is None else folder or "."
        yield f"{name:24}{''.join(f'{each:11}' for each in counts)}   {low:.1%} to {high:.1%}"
    for each in results:
        if each["outcome"] == "survived":
            change = f"{each['operator']}: {each['before']} -> {each['after']}"
            yield f"{each['file']}:{each['line']}: {change}"


def drawn_and_all(wanted: argparse.Namespace, root: Path) -> tuple[list[Site], list[Site]]:
    """Return the sampled changes, and all changes of the group."""
    sites = list(all_sites(root))
    seed = wanted.seed
    if wanted.tonight:
        day = int(time.time()) // 86400
        wanted.group = list(GROUPS)[day % len(GROUPS)]
        seed = seed + day
        sys.stderr.write(f"--group {wanted.group} --seed {seed}\n")
    if wanted.group:
        sites = [each for each in sites if each.folder.split("/")[0] in GROUPS[wanted.group]]
    if wanted.at:
        named = (each for each in sites if f"{each.path}:{each.line}".endswith(tuple(wanted.at)))
        return list(named), sites
    return draw(sites, wanted.count, seed), sites


def arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--group", choices=GROUPS, help="draw from these folders alone")
    parser.add_argument("--tonight", action="store_true", help="draw from another group each day")
    parser.add_argument("--json", type=Path, help="a file for results, continued if it exists")
    parser.add_argument("--times", type=Path, help="a folder for the times and calls of tests")
    parser.add_argument("--at", nargs="*", help="all changes at FILE:LINE, and no others")
    parser.add_argument("--task", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    """Sample changes, try them, and print the survivors."""
    wanted = arguments()
    if wanted.task:
        do(json.loads(wanted.task.read_text("utf-8")))
        return
    root = wanted.root.resolve()
    drawn, sites = drawn_and_all(wanted, root)
    found = tried(wanted, root, drawn)
    known = known_equivalents()
    for each in found:
        if each["outcome"] == "survived" and key_of(each) in known:
            each["outcome"] = "equivalent"
    sys.stdout.write("\n".join(summary(sites, found)) + "\n")
    outcomes = Counter(each["outcome"] for each in found)
    killed = outcomes["killed"] + outcomes["timeout"]
    sys.exit(int(interval(killed, len(found) - outcomes["equivalent"])[1] < LEAST))


def tried(wanted: argparse.Namespace, root: Path, drawn: list[Site]) -> list[dict[str, Any]]:
    """Try changes; return the results of all, with those of earlier runs."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        results = (wanted.json or folder / "results").resolve()
        results.touch()
        found = [json.loads(line) for line in results.read_text("utf-8").splitlines()]
        done = {(each["file"], each["number"]) for each in found}
        for part in PARTS:
            left = (site for site in drawn if (site.path, site.number) not in done)
            some = [site for site in left if site.part == part]
            times = (wanted.times or folder).resolve() / f"{wanted.group}-{part}.json"
            task: dict[str, Any] = {"part": part, "root": str(root), "sites": some}
            task |= {"times": str(times), "tests": tests_of(GROUPS.get(wanted.group, ()))}
            task |= {"log": str(folder / "log"), "results": str(results)}
            (folder / "task").write_text(json.dumps(task))
            environment = {**os.environ, "PYTHONPATH": str(root / "src"), "PYTHONHASHSEED": "0"}
            environment["NUMBA_DISABLE_JIT"] = str(int(part == "kernels"))
            if some:
                command = [sys.executable, __file__, "--task", str(folder / "task")]
                subprocess.run(command, cwd=root, env=environment, stdout=sys.stderr, check=True)
        return [json.loads(line) for line in results.read_text("utf-8").splitlines()]


if __name__ == "__main__":
    main()
