"""The public names of the package: which exist, when they are imported, and what they need."""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
import tomllib
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules, walk_packages
from types import FunctionType, ModuleType
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import adapters, records
from pontedeldiavolo.base.install import install_command
from support.processes import run_python

WITH_ATTRS_ALONE = """
import sys
from importlib.machinery import PathFinder

OURS = {"attr", "attrs", "pontedeldiavolo", *sys.stdlib_module_names}

class Finder(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return super().find_spec(name, path, target) if name.partition(".")[0] in OURS else None

sys.meta_path[sys.meta_path.index(PathFinder)] = Finder
before = set(sys.modules)

def loaded():
    return sorted(name for name in set(sys.modules) - before)

def touched(name):
    try:
        getattr(pdd, name)
    except ImportError as error:
        return str(error)
    return None
"""
"""The first lines of a program that can import no package except attrs."""


def outcome_of(code: str) -> Any:
    """Run *code* in a new process with only attrs; return its variable ``found``."""
    lines = (WITH_ATTRS_ALONE, code, "import json", "print(json.dumps(found))")
    done = run_python("\n".join(lines))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def submodules_for_type_checkers() -> set[str]:
    """Return the submodules that the package imports only for type checkers."""
    tree = ast.parse(inspect.getsource(pdd))
    conditions = (node for node in tree.body if isinstance(node, ast.If))
    (block,) = (node for node in conditions if ast.unparse(node.test) == "TYPE_CHECKING")
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    found = {alias.name for node in imports for alias in node.names}
    return found - {*pdd.__all__}


SUBMODULES = submodules_for_type_checkers()


def formats() -> set[str]:
    """Return the public packages below ``records``, which define ``__all__``."""
    below = {each.name for each in iter_modules(records.__path__) if each.ispkg}
    modules = {name: import_module(f"pontedeldiavolo.records.{name}") for name in below}
    return {name for name, module in modules.items() if hasattr(module, "__all__")}


def packages() -> dict[str, ModuleType]:
    """Return the package, its subpackages, and its public modules.

    Adapters for frameworks that are not installed are omitted.
    """
    away = {*adapters.__all__} - {*dir(adapters)}
    closed = tuple(f"{adapters.__name__}.{name}" for name in away)
    found = [each.name for each in walk_packages(pdd.__path__, "pontedeldiavolo.") if each.ispkg]
    below = [name for name in found if not name.startswith(closed)]
    lazy = (f"pontedeldiavolo.{submodule}" for submodule in SUBMODULES)
    names = {"pontedeldiavolo", *below, *lazy}
    return {name: import_module(name) for name in sorted(names)}


PACKAGES = packages()
LISTING = [name for name, module in PACKAGES.items() if hasattr(module, "__all__")]


def test_dir_is_what_is_there_at_once_and_the_lazy_submodules() -> None:
    assert dir(pdd) == sorted({*pdd.__all__, *SUBMODULES})
    assert not SUBMODULES & {*pdd.__all__}


@pytest.mark.parametrize("name", pdd.testing.__all__)
def test_dir_is_what_is_public_in_modules_for_tests(name: str) -> None:
    module = getattr(pdd.testing, name)
    assert dir(module) == sorted(module.__all__)


def test_the_docstring_names_the_lazy_submodules() -> None:
    assert pdd.__doc__ is not None
    _, _, after = pdd.__doc__.partition("Lazy submodules")
    assert set(re.findall(r"``pdd\.(\w+)``", after)) == SUBMODULES


@pytest.mark.parametrize("submodule", sorted(SUBMODULES))
def test_a_submodule_is_the_module_of_its_name(submodule: str) -> None:
    assert getattr(pdd, submodule) is import_module(f"pontedeldiavolo.{submodule}")


def test_every_member_is_there() -> None:
    assert [name for name, _ in inspect.getmembers(pdd)] == dir(pdd)


def test_a_star_import_imports_the_eager_names() -> None:
    space: dict[str, object] = {}
    exec("from pontedeldiavolo import *", space)  # noqa: S102  # no other way to import so
    assert {*space} - {"__builtins__"} == {*pdd.__all__}


def test_nothing_else_is_there() -> None:
    with pytest.raises(AttributeError, match=r"'pontedeldiavolo' has no attribute 'no_such'"):
        _ = pdd.no_such  # type: ignore[attr-defined]  # it must not exist
    assert not hasattr(pdd, "__wrapped__")


@pytest.fixture(scope="module")
def alone() -> Mapping[str, Any]:
    """Run a process that has only attrs, and report what it imports at each step."""
    found: Mapping[str, Any] = outcome_of(
        f"""
import pontedeldiavolo as pdd
from pontedeldiavolo.base.catalogs import catalog_of
found = {{"imported": loaded(), "dir": dir(pdd)}}
found["languages"] = [code for code in ("en", "de") if "_texts" in vars(catalog_of(code))]
from pontedeldiavolo import *
found["star"] = loaded()
import inspect
found["members"] = [name for name, _ in inspect.getmembers(pdd)]
found["touched"] = {{submodule: touched(submodule) for submodule in {sorted(SUBMODULES)}}}
found["loaded"] = loaded()
"""
    )
    return found


def test_importing_the_package_loads_no_submodule(alone: Mapping[str, Any]) -> None:
    # The core finds presets by name and writes sentences about errors.
    inner = {"messages", "presets"}
    for step in ("imported", "star"):
        ours = {name for name in alone[step] if name.startswith("pontedeldiavolo.")}
        assert {name.split(".")[1] for name in ours} & SUBMODULES <= inner


def test_importing_the_package_reads_no_language(alone: Mapping[str, Any]) -> None:
    assert alone["languages"] == []


def test_everything_works_with_attrs_alone(alone: Mapping[str, Any]) -> None:
    assert alone["members"] == alone["dir"]
    foreign = {name.partition(".")[0] for name in alone["loaded"]} - sys.stdlib_module_names
    assert foreign == {"attr", "attrs", "pontedeldiavolo"}


CLICKS = """
from pontedeldiavolo.web.requests import Request
from pontedeldiavolo.web.routes import dispatch
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.store import MemoryStore

site = Site(MemoryStore())
body = b'{"rules": "abstract-play-8", "opponent": "level-4", "seat": "second"}'
answer = dispatch(site, "POST", "/games", Request({"lang": "de"}, body))
found = {"status": answer.status, "loaded": loaded()}
"""


def test_a_game_is_played_in_the_browser_with_attrs_alone() -> None:
    found = outcome_of(CLICKS)
    assert found["status"] == 201
    foreign = {name.partition(".")[0] for name in found["loaded"]} - sys.stdlib_module_names
    assert foreign == {"attr", "attrs", "pontedeldiavolo"}
    # In the worker of a browser these modules are missing, or are loaded on demand.
    assert not {"sqlite3", "socket", "subprocess"} & {*found["loaded"]}


def test_dir_has_the_lazy_submodules_that_can_be_entered(alone: Mapping[str, Any]) -> None:
    entered = {submodule for submodule, error in alone["touched"].items() if error is None}
    assert alone["dir"] == sorted({*pdd.__all__, *entered})
    assert {"adapters", "html", "presets", "messages", "records", "svg", "text"} <= entered
    assert "batch" not in entered


def test_a_submodule_without_its_extra_says_what_to_install(alone: Mapping[str, Any]) -> None:
    with (Path(__file__).parents[2] / "pyproject.toml").open("rb") as file:
        extras = tomllib.load(file)["project"]["optional-dependencies"]
    refused = {name: error for name, error in alone["touched"].items() if error is not None}
    assert "batch" in refused
    for submodule, error in refused.items():
        said = re.fullmatch(r"(\S+) needs .+: pip install '\S+\[(\w+)\]'.*", error)
        assert said is not None, error
        assert said[1] == f"pontedeldiavolo.{submodule}"
        assert said[2] in extras
        assert install_command(said[2]) in error


def test_formats_are_loaded_when_they_are_asked_for() -> None:
    assert formats() == {"abstract_play", "boardspace", "sgf"}
    found = outcome_of("import pontedeldiavolo as pdd\npdd.records.loads\nfound = loaded()")
    assert "pontedeldiavolo.records" in found
    assert not {f"pontedeldiavolo.records.{name}" for name in formats()} & {*found}
    for name in formats():
        code = f"import pontedeldiavolo as pdd\npdd.records.{name}.loads\nfound = loaded()"
        found = outcome_of(code)
        assert f"pontedeldiavolo.records.{name}" in found
        # Importing the JSON documents takes a tenth of the start of the command line.
        assert not {"pontedeldiavolo.json", "pontedeldiavolo.records.formats"} & {*found}


@pytest.mark.parametrize("name", pdd.__all__)
def test_every_class_and_function_of_the_front_has_an_example(name: str) -> None:
    shown = getattr(pdd, name)
    if inspect.isclass(shown) or inspect.isfunction(shown):
        assert ">>> " in (shown.__doc__ or "")


@pytest.mark.parametrize("name", LISTING)
def test_every_public_name_exists_and_comes_once(name: str) -> None:
    module = PACKAGES[name]
    assert module.__all__
    assert len({*module.__all__}) == len(module.__all__)
    for each in module.__all__:
        assert not each.startswith("_")
        if module is adapters and each not in dir(adapters):
            with pytest.raises(ImportError, match=re.escape(install_command(each))):
                getattr(adapters, each)
        else:
            assert hasattr(module, each), each


@pytest.mark.parametrize("name", LISTING)
def test_no_module_hides_a_public_function(name: str) -> None:
    module = PACKAGES[name]
    below = {each.name for each in iter_modules(getattr(module, "__path__", ()))}
    there = {*module.__all__} & {*dir(module)}
    public = {each for each in there if isinstance(getattr(module, each), FunctionType)}
    assert not below & public


def test_submodules_say_what_is_public_in_them() -> None:
    assert {f"pontedeldiavolo.{submodule}" for submodule in SUBMODULES} <= {*LISTING}
    assert {f"pontedeldiavolo.records.{name}" for name in formats()} <= {*LISTING}
