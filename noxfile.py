"""All checks of the project: ``nox -l`` lists them, ``nox`` runs those for everyday work.

Every session installs its requirements with pip, from the dependency groups of ``pyproject.toml``.
``.ci/run`` runs the sessions tagged ``ci`` for every commit, and ``.ci/nightly`` those tagged
``nightly`` every night. The host's workflows select sessions by the same tags; one workflow runs
those tagged ``weekly``. Sessions tagged ``one-core`` hardly use a second core, so ``.ci/run`` runs
two of them at a time.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import sys
from itertools import chain
from pathlib import Path

import nox
from packaging.requirements import Requirement

TYPED = "tests/static"
"""Calls that type checkers must accept, and calls that they must reject."""
WITHOUT_ASSERTIONS = (
    "tests/rules/test_examples.py",
    "tests/rules/test_traps.py",
    "tests/state/test_refusals.py",
    "tests/values",
)
"""Tests that also run under ``python -O``, because errors must not depend on assertions."""
TREE_SEARCH = "tests/players/test_tree_search.py"
COMPILED = ("tests/batch", TREE_SEARCH)
"""Tests of compiled functions."""
UNCOMPILED = (
    TREE_SEARCH,
    "tests/players/test_batched_search.py",
    "tests/players/test_solver.py",
    "tests/batch/test_construction.py",
    "tests/batch/test_outputs.py",
    "tests/batch/test_playouts.py",
    "tests/batch/test_pools.py",
    "tests/batch/test_steps.py",
    "tests/batch/test_symmetries.py",
)
"""Tests that reach every line of the kernels when Numba's compilation is off."""
SLOW_UNCOMPILED = (
    *("wide_board", "a_reset_at", "a_reset_during", "often", "fair", "no_play", "as_long"),
    *("alike", "by_weights", "threads", "nothing_can_be_drawn"),
    *("26x26", "x40", "40x", "x64", "64x", "63x"),
)
"""Parts of names of tests that take too long without compilation."""
IN_BROWSERS = ("--quiet", "-n", "2", "--dist", "loadfile")
"""Options of pytest for tests that share a browser and, in one file, a server."""
FEW_EXAMPLES = "--hypothesis-profile=quick"
"""The option of pytest for 10 examples per property instead of 25."""
UNTYPED = ("pontedeldiavolo.adapters.openspiel", "pontedeldiavolo.adapters.pettingzoo")
"""Modules whose base classes come from frameworks without types."""
SCRIPTS = ".scripts"
"""The folder with the settings of tsc and eslint, and the list of their npm packages."""
DOCUMENTATION_TESTS = (
    "tests/browser/test_documentation.py",
    "tests/browser/test_exercises.py",
    "tests/browser/test_run.py",
)
"""Tests that open the documentation in a browser."""
CLUSTER_TESTS = ("tests/examples/test_match_ray.py", "tests/examples/test_selfplay_ray.py")
"""Tests that start a Ray cluster of two workers on this machine."""
GAMES = "examples/games"
BROWSERS = (
    *("chromium-headless-shell", "chromium", "chromium-browser"),
    *("google-chrome", "google-chrome-stable"),
)
FIREFOXES = ("firefox-esr", "firefox")

PROJECT = nox.project.load_toml("pyproject.toml")
PYTHONS = nox.project.python_versions(PROJECT)
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]
FRAMEWORKS = ("gymnasium", "openspiel", "pettingzoo")
"""Extras that install large frameworks; the session `adapters` tests them."""
CLUSTER = "ray"
"""The extra for Ray clusters; the session `nightly` tests it."""
INSTALL_LINE = re.compile(
    r"pip install '?(?:pontedeldiavolo|\.)(\[[\w,]+\])?'?(?=$|`)", re.MULTILINE
)
"""A command in the pages that installs the package, with or without extras."""
ALL_EXTRAS = f"[{','.join(name for name in EXTRAS if name not in (*FRAMEWORKS, CLUSTER))}]"
ACCEPTED_LICENCES = re.compile(r"MIT|BSD|Apache|ISC|PSF|HPND|MPL|Mozilla|Zlib|CC0")
"""Licences that packages of the extras may have; NumPy bundles code under Zlib and CC0."""
WITHOUT_LICENCE_METADATA = ("resvg_py",)
"""Packages whose metadata name no licence; they install the text of the MIT licence."""
MAX_WHEEL_BYTES = 1_500_000

WITHOUT_EXTRAS = """
import sys
from importlib.resources import files

import pontedeldiavolo as pdd

assert "site-packages" in pdd.__file__, pdd.__file__
assert pdd.perft(pdd.GameState.initial(pdd.Rules(pdd.Board(3, 3))), 4) == 15520
forbidden = {"PIL", "cattrs", "click", "numba", "numpy", "resvg_py", "rich", "starlette", "uvicorn"}
forbidden |= {"gymnasium", "hypothesis", "open_spiel", "pettingzoo", "pyspiel"}
foreign = forbidden & set(sys.modules)
assert not foreign, foreign
assert files("pontedeldiavolo.web").joinpath("static", "index.html").is_file()
"""
WITH_EXTRAS = """
import pontedeldiavolo
from pontedeldiavolo.batch import GameBatch

assert "site-packages" in pontedeldiavolo.__file__, pontedeldiavolo.__file__
# This code is compiled; the session `coverage` runs it uncompiled.
turns = GameBatch.initial(size=1000).playout(seed=1, threads=2).turns
assert 48 < turns.mean() < 52, turns.mean()
"""

nox.needs_version = ">=2025.5.1"
nox.options.default_venv_backend = "virtualenv"
nox.options.reuse_venv = "yes"
nox.options.sessions = ["lint", "types"]
nox.options.sessions.append(f"quick-{HERE if HERE in PYTHONS else PYTHONS[-1]}")


def install(session: nox.Session, *arguments: str, env: dict[str, str] | None = None) -> None:
    """Install packages with a pip that supports dependency groups."""
    session.install("pip>=25.1")
    session.install(*arguments, env=env)


def install_for_tests(session: nox.Session, env: dict[str, str] | None = None) -> None:
    """Install the package with its extras, and what its tests need."""
    install(session, "--group", "test", "--editable", f".{ALL_EXTRAS}", env=env)


def run_tests(session: nox.Session, *arguments: str, env: dict[str, str] | None = None) -> None:
    """Run pytest on all cores."""
    session.run("python", "-m", "pytest", "--quiet", "-n", "auto", *arguments, env=env)


def has_browser() -> bool:
    """Return whether Chromium or Chrome is installed."""
    return any(map(shutil.which, BROWSERS))


@nox.session(tags=["ci", "one-core"])
def lint(session: nox.Session) -> None:
    """Check format, style, spelling, packed assignments, workflows, layers and public names."""
    install(session, "--group", "lint")
    session.run("ruff", "format", "--check", ".")
    session.run("ruff", "check", ".")
    session.run("codespell")
    session.run("python", "tools/code_counts.py")
    session.run("zizmor", "--offline", "--no-progress", "--pedantic", ".")
    session.run("lint-imports", env={"PYTHONPATH": "src"})
    session.run("python", "tools/public_api.py")


@nox.session(tags=["ci", "one-core"])
def types(session: nox.Session) -> None:
    """Check types with mypy and pyright, and that every public name has a type."""
    # Check the types of the installed package, as users see them; so it is not editable.
    install(session, "--group", "types", f".{ALL_EXTRAS}")
    session.run("mypy")
    session.run("mypy", TYPED)
    session.run("pyright", "src", TYPED)
    verify = ("pyright", "--outputjson", "--verifytypes", "pontedeldiavolo", "--ignoreexternal")
    found = json.loads(str(session.run(*verify, silent=True, success_codes=[0, 1])))
    unknown = [
        each["name"]
        for each in found["typeCompleteness"]["symbols"]
        if each["isExported"] and not each["isTypeKnown"] and not each["name"].startswith(UNTYPED)
    ]
    if unknown:
        session.error(f"the types of these public names are unknown: {', '.join(unknown)}")


@nox.session(python=PYTHONS, tags=["ci", "nightly"])
def quick(session: nox.Session) -> None:
    """Run the tests that need neither NumPy nor a subprocess; takes about a minute."""
    install(session, "--group", "dev", "--editable", ".")
    run_tests(session, "--quick", *session.posargs)


@nox.session(python=PYTHONS, tags=["nightly"])
def tests(session: nox.Session) -> None:
    """Run the tests that are not slow; arguments after "--" go to pytest."""
    install_for_tests(session)
    run_tests(session, *session.posargs)


@nox.session(tags=["nightly"])
def slow(session: nox.Session) -> None:
    """Run the slow tests, and count the files of the journeys through the code."""
    install_for_tests(session)
    run_tests(session, "-m", "slow and not nightly", *session.posargs)
    session.run("python", "tools/journeys.py")


@nox.session(python=PYTHONS[0], tags=["nightly"])
def nightly(session: nox.Session) -> None:
    """Run all tests with forty times as many examples, for all processors, and on a Ray cluster."""
    install_for_tests(session)
    env = {"HYPOTHESIS_PROFILE": "nightly", "PONTE_PROCESSORS": "all"}
    run_tests(session, "-m", "", *session.posargs, env=env)
    session.install("--editable", f".[{CLUSTER}]")
    run_tests(session, "-m", "", *CLUSTER_TESTS)


@nox.session(tags=["nightly"])
def coverage(session: nox.Session) -> None:
    """Require that the tests reach every branch, and that they notice 200 small changes."""
    install(session, "--group", "test")
    # Test an installed wheel, which must be complete.
    built = Path(session.create_tmp()) / "wheel"
    shutil.rmtree(built, ignore_errors=True)
    session.run("python", "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(built), ".")
    [found] = built.glob("*.whl")
    session.install("--force-reinstall", "--no-deps", str(found))
    session.install(f"{found}{ALL_EXTRAS}")
    ignored = [f"--ignore={path}" for path in COMPILED]
    counted = ("--cov", "--cov-fail-under=0", "--cov-report=", FEW_EXAMPLES)
    run_tests(session, *counted, *ignored)
    more = ("--cov", "--cov-append", FEW_EXAMPLES)
    run_tests(session, *more, "--cov-report=", "--cov-fail-under=0", *COMPILED)
    # Coverage cannot see compiled code, so these tests run uncompiled, about 100 times slower.
    fast = " and ".join(f"not {name}" for name in SLOW_UNCOMPILED)
    uncompiled = (*more, "--cov-report=term", "-k", fast, *UNCOMPILED)
    run_tests(session, *uncompiled, env={"NUMBA_DISABLE_JIT": "1"})
    # Each night another group of packages is changed.
    session.run("python", "tools/mutants.py", *(session.posargs or ["--tonight"]))


@nox.session(python=PYTHONS[0])
@nox.parametrize(
    "kind",
    [
        nox.param("lowest-quick", id="lowest-quick", tags=["ci"]),
        nox.param("lowest", id="lowest", tags=["nightly"]),
        nox.param("lowest-adapters", id="lowest-adapters", tags=["nightly"]),
        nox.param("newest-numba", id="newest-numba", tags=["nightly"]),
    ],
)
def versions(session: nox.Session, kind: str) -> None:
    """Run tests with the lowest versions of what users install, or with the newest Numba."""
    match kind:
        case "lowest-quick":
            install(session, "--group", "dev", "--editable", ".", env=lowest_versions(session))
            run_tests(session, "--quick", FEW_EXAMPLES, *session.posargs)
        case "lowest":
            install_for_tests(session, lowest_versions(session))
            run_tests(session, FEW_EXAMPLES, *session.posargs)
        case "lowest-adapters":
            check_adapters(session, lowest_versions(session))
        case "newest-numba":
            install_for_tests(session)
            # The extra has an upper bound for Numba, which the newest version may exceed.
            session.install("--upgrade", "numba")
            run_tests(session, "tests/batch", "tests/players", *session.posargs)


def lowest_versions(session: nox.Session) -> dict[str, str]:
    """Return the environment variable that makes pip install the lowest versions."""
    pins = []
    for text in chain(PROJECT["project"]["dependencies"], *EXTRAS.values()):
        requirement = Requirement(text)
        bounds = [part.version for part in requirement.specifier if part.operator == ">="]
        if len(bounds) != 1:
            session.error(f"{text} has no lower bound")
        pins.append(f"{requirement.name}=={bounds[0]}")
    session.log(" ".join(pins))
    constraints = Path(session.create_tmp()).resolve() / "lowest.txt"
    constraints.write_text("\n".join(pins) + "\n", encoding="utf-8")
    return {"PIP_CONSTRAINT": str(constraints)}


@nox.session(python=PYTHONS[0], tags=["ci"])
def adapters(session: nox.Session) -> None:
    """Test the adapters for PettingZoo, Gymnasium and OpenSpiel with our checks and theirs."""
    check_adapters(session)


def check_adapters(session: nox.Session, env: dict[str, str] | None = None) -> None:
    """Run the tests of the adapters; they must reach every branch."""
    extras = ",".join(FRAMEWORKS)
    install(session, "--group", "test", "--editable", f".[{extras}]", env=env)
    counted = ("--cov=pontedeldiavolo.adapters", "--cov-report=term")
    env = {"PONTE_COVERAGE_OMITS": "nothing"}
    run_tests(session, "tests/adapters", *counted, *session.posargs, env=env)


@nox.session
@nox.parametrize(
    "kind",
    [
        nox.param("build", id="build", tags=["ci", "one-core"]),
        nox.param("pages", id="pages", tags=["nightly"]),
        nox.param("runnable", id="runnable", tags=["nightly"]),
        nox.param("links", id="links", tags=["weekly"]),
    ],
)
def docs(session: nox.Session, kind: str) -> None:
    """Build and test the documentation; open every page; run examples in Pyodide; check links."""
    install(session, "--group", "docs", "--group", "browser")
    match kind:
        case "build":
            check_site(session)
        case "pages":
            check_every_page(session)
        case "runnable":
            # The list of the examples with a button must be what Pyodide gives today.
            if not shutil.which("npm"):
                session.skip("npm is not installed")
            env = {"PYTHONPATH": "src"}
            session.run("python", "-m", "tools.runnable", "--check", *session.posargs, env=env)
        case "links":
            target = str(Path("docs", "_build", "links"))
            session.run("sphinx-build", "-q", "-b", "linkcheck", "docs", target, *session.posargs)


def check_site(session: nox.Session) -> None:
    """Build the documentation without warnings, run its examples, test one page of each kind."""
    built = Path("docs", "_build")
    # Only a full build makes a complete search index.
    shutil.rmtree(built / "html", ignore_errors=True)
    trees = ("-d", str(built / "doctrees"), "docs")
    session.run("sphinx-build", "-q", "-E", "-n", "-W", *trees, str(built / "html"))
    # Some examples start programs that import the package.
    env = {"PYTHONPATH": str(Path("src").resolve())}
    doctest = ("sphinx-build", "-q", "-W", "-b", "doctest")
    session.run(*doctest, *trees, str(built / "doctest"), env=env)
    tests = ("tests/docs/test_extensions.py", "tests/docs/test_site.py")
    env["PONTE_SITE"] = str((built / "html").resolve())
    session.run("python", "-m", "pytest", "-q", *tests, env=env)
    if has_browser():
        env["PONTE_BROWSER"] = "required"
    in_browsers = (*IN_BROWSERS, *DOCUMENTATION_TESTS)
    session.run("python", "-m", "pytest", *in_browsers, *session.posargs, env=env)


def check_every_page(session: nox.Session) -> None:
    """Test the accessibility of every page of the documentation; needs Chromium."""
    if not has_browser():
        session.skip("Chromium is not installed")
    built = Path(session.create_tmp()).resolve() / "html"
    shutil.rmtree(built, ignore_errors=True)
    session.run("sphinx-build", "-q", "-E", "docs", str(built))
    env = {"PYTHONPATH": "src", "PONTE_SITE": str(built), "PONTE_BROWSER": "required"}
    slow_tests = ("-m", "slow", *DOCUMENTATION_TESTS)
    session.run("python", "-m", "pytest", "-q", *slow_tests, *session.posargs, env=env)


@nox.session(tags=["ci"])
def browser(session: nox.Session) -> None:
    """Check the scripts of the pages with tsc and eslint, and the pages in Chromium."""
    has_npm = shutil.which("npm") is not None
    if has_npm:
        npm = ("npm", "--prefix", SCRIPTS)
        session.run(*npm, "ci", "--no-audit", "--no-fund", external=True)
        session.run(*npm, "run", "check", external=True)
    if has_browser():
        install(session, "--group", "browser", "--editable", f".{ALL_EXTRAS}")
        test_pages(session, *session.posargs)
    if not has_npm or not has_browser():
        missing = "Chromium" if has_npm else "npm"
        session.skip(f"{missing} is not installed: what needs it was not checked")


def test_pages(session: nox.Session, *options: str) -> None:
    """Run the tests of pages in Chromium, but for those of the documentation."""
    # The session `docs` runs the tests of the documentation.
    others = ("tests/browser", *(f"--ignore={each}" for each in DOCUMENTATION_TESTS))
    env = {"PONTE_BROWSER": "required"}
    session.run("python", "-m", "pytest", *IN_BROWSERS, *others, *options, env=env)


@nox.session(tags=["nightly"])
def looks(session: nox.Session) -> None:
    """Test the pages in Chromium in all languages, themes and sizes of windows."""
    if not has_browser():
        session.skip("Chromium is not installed")
    install(session, "--group", "browser", "--editable", f".{ALL_EXTRAS}")
    test_pages(session, "-m", "slow", *session.posargs)


@nox.session(python=PYTHONS[0], tags=["nightly"])
def firefox(session: nox.Session) -> None:
    """Play on the page and use the documentation in Firefox, step by step."""
    if not any(map(shutil.which, FIREFOXES)):
        session.skip("Firefox is not installed")
    if not shutil.which("npm"):
        session.skip("npm is not installed: the documentation's board needs Pyodide from there")
    install(session, "--group", "docs", "--group", "firefox", "--editable", f".{ALL_EXTRAS}")
    built = Path(session.create_tmp()).resolve() / "html"
    shutil.rmtree(built, ignore_errors=True)
    session.run("sphinx-build", "-q", "-E", "docs", str(built))
    env = {"PONTE_SITE": str(built), "PONTE_FIREFOX": "required"}
    line = ("--quiet", "-m", "nightly", "tests/firefox")
    session.run("python", "-m", "pytest", *line, *session.posargs, env=env)


@nox.session(tags=["ci", "one-core"])
def wheel(session: nox.Session) -> None:
    """Build sdist and wheel; use the wheel without extras, then with extras."""
    install(session, "--group", "package")
    _, built = build(session, Path("dist"))
    python = bare_python(session, "bare")
    session.run(python, "-m", "pip", "install", "--quiet", str(built), external=True)
    session.run(python, "-W", "error", "-c", WITHOUT_EXTRAS, external=True)
    command = str(Path(python).with_name("pontedeldiavolo"))
    said = session.run(command, "--help", external=True, silent=True, success_codes=[2])
    if "pip install '" not in str(said) or "[cli]'" not in str(said):
        session.error(f"the command without its extra says: {said}")
    # The install commands of the pages must work with the wheel; other sessions install
    # frameworks and Ray.
    for extras in install_lines():
        line = ("-m", "pip", "install", "--quiet", "--dry-run", f"{built}{extras}")
        session.run(python, *line, external=True)
    session.install("--group", "test")
    session.install("--force-reinstall", "--no-deps", str(built))
    session.install(f"{built}{ALL_EXTRAS}")
    session.run("python", "-c", WITH_EXTRAS)
    games = sorted(map(str, Path(GAMES).glob("*.pdd")))
    session.run("pontedeldiavolo", "validate", *games)
    # With -O, Python ignores assertions; the library must still refuse invalid arguments.
    quiet = ("-W", "ignore:assertions not in test modules:pytest.PytestConfigWarning")
    cores = ("-n", "auto", "-p", "no:cacheprovider")
    session.run("python", "-O", "-m", "pytest", "-q", *cores, *quiet, *WITHOUT_ASSERTIONS)


@nox.session(tags=["nightly"])
def release(session: nox.Session) -> None:
    """Do everything for a release except the upload; writes ``dist`` and ``build/release``."""
    install(session, "--group", "package")
    first = build(session, Path("dist"))
    second = build(session, Path(session.create_tmp()).resolve() / "again")
    for one, other in zip(first, second, strict=True):
        if one.read_bytes() != other.read_bytes():
            session.error(f"{one.name} differs when it is built twice")
    sdist, built = (path.resolve() for path in first)
    version = built.name.split("-")[1]
    changelog = Path("CHANGELOG.md").read_text(encoding="utf-8")
    if f"## [{version}]" not in changelog:
        session.error(f"CHANGELOG.md has no section of {version}")
    # Only a version with a date is about to be released.
    strict = ("--strict",) if f"## [{version}] - 2" in changelog else ()
    session.run("python", "tools/release_text.py", *strict, str(built))
    for extra in EXTRAS:
        python = bare_python(session, "bare")
        session.run(python, "-m", "pip", "install", "-q", f"{built}[{extra}]", external=True)
        session.run(python, "-m", "pip", "check", external=True)
    python = bare_python(session, "extras")
    extras = f"{built}[{','.join(EXTRAS)}]"
    session.run(python, "-m", "pip", "install", "--quiet", extras, external=True)
    check_licences(session, python)
    listed = Path("build", "release", f"pontedeldiavolo-{version}.cdx.json")
    listed.parent.mkdir(parents=True, exist_ok=True)
    about = ("--pyproject", "pyproject.toml", "--mc-type", "library", "--output-reproducible")
    session.run("cyclonedx-py", "environment", *about, "--output-file", str(listed), python)
    # Run the sdist's tests against the wheel and against the sdist.
    unpacked = Path(session.create_tmp()).resolve() / "sdist"
    shutil.rmtree(unpacked, ignore_errors=True)
    shutil.unpack_archive(sdist, unpacked, filter="data")
    install(session, "--group", "dev")
    for package in (built, sdist):
        session.install("--force-reinstall", "--no-deps", str(package))
        with session.chdir(next(unpacked.iterdir())):
            shutil.rmtree("src", ignore_errors=True)
            run_tests(session, "--quick", FEW_EXAMPLES)


def build(session: nox.Session, target: Path) -> tuple[Path, Path]:
    """Build sdist and wheel, and check them as PyPI does."""
    shutil.rmtree(target, ignore_errors=True)
    session.run("python", "-m", "build", "--outdir", str(target))
    [sdist] = target.glob("*.tar.gz")
    [built] = target.glob("*.whl")
    session.run("twine", "check", "--strict", str(sdist), str(built))
    session.run("check-wheel-contents", str(built))
    if built.stat().st_size > MAX_WHEEL_BYTES:
        session.error(f"the wheel has more than {MAX_WHEEL_BYTES:,} bytes")
    return sdist, built


def bare_python(session: nox.Session, name: str) -> str:
    """Return the path of Python in a new, empty environment."""
    folder = Path(session.create_tmp()).resolve() / name
    session.run("python", "-m", "venv", "--clear", str(folder))
    return str(folder / ("Scripts" if sys.platform == "win32" else "bin") / "python")


def install_lines() -> list[str]:
    """Return the extras in the install commands of the pages, such as "[batch]" or ""."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(Path("docs").rglob("*.md"))]
    found = {extras for text in texts for extras in INSTALL_LINE.findall(text)}
    large = {*FRAMEWORKS, CLUSTER}
    return sorted(each for each in found if not large & set(re.findall(r"\w+", each)))


def check_licences(session: nox.Session, python: str) -> None:
    """Fail if an installed package has a licence that is not accepted."""
    listing = ("pip-licenses", "--from=mixed", "--format=json", f"--python={python}")
    found = json.loads(str(session.run(*listing, silent=True)))
    for each in found:
        session.log(f"{each['Name']} {each['Version']}: {each['License']}")
    refused = [
        each["Name"]
        for each in found
        if each["Name"] not in WITHOUT_LICENCE_METADATA
        and not all(map(ACCEPTED_LICENCES.search, re.split(" AND |; ", each["License"])))
    ]
    if refused:
        session.error(f"these packages have licences that are not accepted: {', '.join(refused)}")


@nox.session(python=PYTHONS[0])
@nox.parametrize(
    "kind",
    [
        nox.param("instructions", id="instructions", tags=["ci"]),
        nox.param("speed", id="speed", tags=["nightly"]),
    ],
)
def benchmarks(session: nox.Session, kind: str) -> None:
    """Compare instruction counts with the committed ones; or measure speed on this machine."""
    if kind == "instructions":
        if not shutil.which("valgrind"):
            session.skip("valgrind is not installed")
        install(session, "--editable", ".")
        session.run("python", "-m", "benchmarks.instructions", "--check", *session.posargs)
        return
    extras = ("--editable", f".{ALL_EXTRAS}", "--editable", ".[gymnasium,pettingzoo]")
    install(session, "--group", "test", "--group", "bench", *extras)
    session.run("python", "-m", "benchmarks.kernels", "--check")
    session.run("python", "-m", "pytest", "benchmarks", *session.posargs)


@nox.session(python=PYTHONS[0], tags=["ci", "nightly", "one-core"])
def fuzz(session: nox.Session) -> None:
    """Fuzz all readers for ``FUZZ_SECONDS`` in total; arguments after "--" go to tests.fuzz."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        session.skip("the fuzzer, atheris, has wheels for Linux on x86-64 only")
    install(session, "--group", "fuzz", "--editable", ".[cli]")
    seconds = os.environ.get("FUZZ_SECONDS", "30")
    session.run("python", "-m", "tests.fuzz", "--seconds", seconds, *session.posargs)
