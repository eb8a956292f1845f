"""Errors that name a missing package, and the examples of the page about adapters."""

from __future__ import annotations

import doctest
import re
import sys
from importlib import import_module

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import adapters, batch, players
from pontedeldiavolo.base import lazy
from pontedeldiavolo.base.install import PLACE, install_command
from support.paths import ROOT
from support.processes import run_python

FRAMEWORKS = {"gymnasium": "gymnasium", "openspiel": "pyspiel", "pettingzoo": "pettingzoo"}
NEEDED = {"gymnasium": "Gymnasium", "openspiel": "OpenSpiel", "pettingzoo": "PettingZoo"}
NEEDED |= {"batch": "NumPy and Numba", "png": "Pillow and resvg-py", "testing": "Hypothesis"}


@pytest.mark.parametrize(
    ("module", "name", "missing", "extra"),
    [
        ("batch", "", "numpy", "batch"),
        ("testing.strategies", "", "hypothesis", "testing"),
        ("batch", "GameBatch", "numba", "batch"),
        ("players", "load_weights", "numpy", "batch"),
        ("players", "MctsPlayer", "numpy", "batch"),
        ("players", "MctsPlayer", "numba", "batch"),
        *((f"adapters.{each}", "", missing, each) for each, missing in FRAMEWORKS.items()),
        *(("raster", "", missing, "png") for missing in ("PIL", "resvg_py")),
    ],
)
def test_a_missing_package_is_the_cause(
    module: str, name: str, missing: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = f"pontedeldiavolo.{module}"
    for needed in ("PIL", "resvg_py") if extra == "png" else ():
        pytest.importorskip(needed)
    if name:
        monkeypatch.delitem(vars(import_module(full)), name, raising=False)
    else:
        for loaded in [each for each in sys.modules if f"{each}.".startswith(f"{full}.")]:
            monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError) as caught:
        getattr(import_module(full), name) if name else import_module(full)
    subject = f"{full}.{name}" if name else full
    said = f"{subject} needs {NEEDED[extra]}: {install_command(extra)}{PLACE}"
    assert str(caught.value) == said
    assert caught.value.name == missing
    assert isinstance(caught.value.__cause__, ImportError)


@pytest.mark.parametrize("missing", ["numpy", "numba"])
def test_dir_hides_players_that_are_missing(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "MctsPlayer" in dir(players)
    monkeypatch.setattr(lazy, "find_spec", lambda name: None if name == missing else True)
    assert "MctsPlayer" not in dir(players)
    assert ("load_weights" in dir(players)) == (missing == "numba")
    assert "GreedyPlayer" in dir(players)


@pytest.mark.parametrize("module", [batch, players, adapters])
def test_other_attributes_do_not_exist(module: object) -> None:
    with pytest.raises(AttributeError, match="has no attribute 'no_such'"):
        getattr(module, "no_such")  # noqa: B009  # it is asked for


# A program for a new interpreter, and the output that it must print.
PROGRAMS = {
    "without Numba single games have planes and codes": (
        """
import sys; sys.modules['numba'] = None
import inspect
import pontedeldiavolo as pdd
print([name for name, _ in inspect.getmembers(pdd.batch)])
state = pdd.GameState.initial(pdd.Rules(pdd.Board(3, 3)))
symmetry = state.rules.board.symmetries[5]
planes = pdd.batch.planes(state)
print(planes.shape, (pdd.batch.transform_planes(planes, symmetry) == planes).all())
print(pdd.batch.permutation(pdd.StepSpace(state.rules.board), symmetry)[:9])
print(pdd.batch.step_codes(pdd.ActionSpace(state.rules.board))[[0, -1]].tolist())
""",
        """\
['PLANES', 'PLANES_VERSION', 'RowError', 'permutation', 'planes', 'step_codes', 'transform_planes']
(27, 3, 3) True
[6 3 0 7 4 1 8 5 2]
[[0, 1], [27, -1]]
""",
    ),
    "trained networks need no Numba": (
        f"""
import sys; sys.modules['numba'] = None
import runpy
import pontedeldiavolo as pdd
from pathlib import Path
learn = runpy.run_path({str(ROOT / "examples" / "learn.py")!r})
player = learn["LearnedPlayer"](Path({str(ROOT / "examples" / "7x7.npz")!r}))
state = pdd.GameState.initial(player.rules)
print(state.is_legal(player.choose(state)))
""",
        "True\n",
    ),
    "planes load no Numba": (
        """
import sys, pontedeldiavolo.batch as batch
batch.PLANES, batch.planes, batch.RowError
print('numba' in sys.modules)
batch.GameBatch
print('numba' in sys.modules)
""",
        "False\nTrue\n",
    ),
    "adapters load no framework, and pictures are drawn without pixels": (
        """
import sys, pontedeldiavolo as pdd
pdd.adapters
pdd.svg.render(pdd.GameState.initial())
print(sorted({'PIL', 'gymnasium', 'numpy', 'pettingzoo', 'pyspiel', 'resvg_py'} & {*sys.modules}))
""",
        "[]\n",
    ),
    "dir has what is installed": (
        """
import sys
from importlib.machinery import PathFinder
class Finder(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        missing = name in ('gymnasium', 'pettingzoo', 'pyspiel')
        return None if missing else super().find_spec(name, path, target)
sys.meta_path[sys.meta_path.index(PathFinder)] = Finder
import pontedeldiavolo as pdd
print(dir(pdd.adapters), 'adapters' in dir(pdd))
""",
        "[] True\n",
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_imports_load_only_what_is_used(name: str) -> None:
    program, printed = PROGRAMS[name]
    done = run_python(program)
    assert (done.stdout, done.stderr) == (printed, "")


def test_adapters_are_named() -> None:
    assert pdd.adapters.__all__ == sorted(FRAMEWORKS)
    assert {*dir(adapters)} <= {*adapters.__all__}


PAGE = ROOT / "docs" / "howto" / "train.md"
EXAMPLE = re.compile(r'(?ms)^```\{doctest\}\n:skipif: find_spec\("(\w+)"\) is None\n\n(.*?)^```$')
EXAMPLES: dict[str, str] = {}
for needed, lines in EXAMPLE.findall(PAGE.read_text("utf-8")):
    # The examples of one framework continue each other.
    EXAMPLES[needed] = f"{EXAMPLES.get(needed, '')}{lines}\n"


def test_every_example_of_the_page_is_found() -> None:
    assert sorted(EXAMPLES) == ["gymnasium", "pettingzoo", "pyspiel"]
    text = PAGE.read_text("utf-8")
    # Examples without a framework run when the documentation is built.
    assert text.count("```{doctest}\n:skipif:") == len(EXAMPLE.findall(text)) >= 5


@pytest.mark.parametrize("needed", EXAMPLES)
def test_examples(needed: str) -> None:
    pytest.importorskip(needed, reason="not installed: nox -s adapters")
    test = doctest.DocTestParser().get_doctest(EXAMPLES[needed], {}, PAGE.name, str(PAGE), 0)
    result = doctest.DocTestRunner().run(test)
    assert result.attempted > 3
    assert result.failed == 0


@pytest.mark.parametrize("framework", ["gymnasium", "openspiel", "pettingzoo"])
def test_dir_shows_the_public_names(framework: str) -> None:
    pytest.importorskip("pyspiel" if framework == "openspiel" else framework)
    module = import_module(f"pontedeldiavolo.adapters.{framework}")
    assert dir(module) == sorted(module.__all__)
