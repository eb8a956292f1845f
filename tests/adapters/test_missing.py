"""Frameworks are loaded when they are touched, and what is missing is said."""

from __future__ import annotations

import importlib
import sys

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import adapters
from support.processes import run_python

FOREIGN = {
    "gymnasium": ("gymnasium", "Gymnasium"),
    "openspiel": ("pyspiel", "OpenSpiel"),
    "pettingzoo": ("pettingzoo", "PettingZoo"),
}
TOUCHED = """
import sys
sys.modules[{foreign!r}] = None
import pontedeldiavolo as pdd
def star():
    exec("from pontedeldiavolo.adapters.{framework} import *", {{}})
for touch in (lambda: pdd.adapters.{framework}, star):
    try:
        touch()
    except ImportError as error:
        print(error.name, error, isinstance(error.__cause__, ImportError))
"""


@pytest.mark.parametrize("framework", FOREIGN)
def test_what_is_missing_is_said(framework: str) -> None:
    foreign, name = FOREIGN[framework]
    done = run_python(TOUCHED.format(framework=framework, foreign=foreign))
    line = (
        f"{foreign} pontedeldiavolo.adapters.{framework} needs {name}: "
        f"pip install 'pontedeldiavolo[{framework}]' True\n"
    )
    assert (done.stdout, done.stderr) == (line * 2, "")


@pytest.mark.parametrize("framework", FOREIGN)
def test_what_is_missing_is_the_cause(framework: str, monkeypatch: pytest.MonkeyPatch) -> None:
    foreign, _ = FOREIGN[framework]
    monkeypatch.delitem(sys.modules, f"pontedeldiavolo.adapters.{framework}", raising=False)
    monkeypatch.setitem(sys.modules, foreign, None)
    with pytest.raises(
        ImportError, match=rf"pip install 'pontedeldiavolo\[{framework}\]'"
    ) as caught:
        importlib.import_module(f"pontedeldiavolo.adapters.{framework}")
    assert caught.value.name == foreign
    assert isinstance(caught.value.__cause__, ImportError)


def test_dir_has_what_is_installed() -> None:
    assert adapters.__all__ == sorted(FOREIGN)
    assert {*dir(adapters)} <= {*adapters.__all__}
    done = run_python(
        "import sys\n"
        "from importlib.machinery import PathFinder\n"
        "class Finder(PathFinder):\n"
        "    @classmethod\n"
        "    def find_spec(cls, name, path=None, target=None):\n"
        "        missing = name in ('gymnasium', 'pettingzoo', 'pyspiel')\n"
        "        return None if missing else super().find_spec(name, path, target)\n"
        "sys.meta_path[sys.meta_path.index(PathFinder)] = Finder\n"
        "import pontedeldiavolo as pdd\n"
        "print(dir(pdd.adapters), 'adapters' in dir(pdd))\n"
    )
    assert (done.stdout, done.stderr) == ("[] True\n", "")


def test_entering_the_room_loads_no_framework() -> None:
    done = run_python(
        "import sys, pontedeldiavolo as pdd\n"
        "pdd.adapters\n"
        "print(sorted({'gymnasium', 'numpy', 'pettingzoo', 'pyspiel'} & {*sys.modules}))\n"
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_nothing_else_is_there() -> None:
    with pytest.raises(AttributeError, match=r"'pontedeldiavolo\.adapters' has no attribute"):
        _ = pdd.adapters.no_such  # type: ignore[attr-defined]  # there is none
