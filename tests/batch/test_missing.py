"""The package without NumPy or Numba."""

from __future__ import annotations

import importlib
import sys

import pytest

from pontedeldiavolo import batch
from support.processes import run_python

TOUCHED = """
import sys
sys.modules[{missing!r}] = None
import pontedeldiavolo as pdd
def tried(touch):
    try:
        touch()
    except ImportError as error:
        print(error.name, error)
def star():
    exec("from pontedeldiavolo.batch import *", {{}})
def from_room():
    from pontedeldiavolo.batch import GameBatch
for touch in (
    lambda: pdd.batch,
    from_room,
    lambda: pdd.batch.GameBatch.initial(),
    lambda: pdd.batch.replay([]),
    lambda: pdd.batch.Replays,
    star,
):
    tried(touch)
print("batch" in dir(pdd))
print(pdd.perft(pdd.GameState.initial(), 1))
"""


def said(missing: str, *names: str) -> str:
    """Return what is said when these are touched."""
    return "".join(
        f"{missing} pontedeldiavolo.batch{name} needs NumPy and Numba: "
        "pip install 'pontedeldiavolo[batch]'\n"
        for name in names
    )


def test_without_numpy_the_room_cannot_be_entered() -> None:
    done = run_python(TOUCHED.format(missing="numpy"))
    assert (done.stdout, done.stderr) == (said("numpy", *[""] * 6) + "False\n4950\n", "")


def test_without_numba_nothing_compiled_is_there() -> None:
    done = run_python(TOUCHED.format(missing="numba"))
    names = (".GameBatch", ".GameBatch", ".replay", ".Replays", ".GameBatch")
    assert (done.stdout, done.stderr) == (said("numba", *names) + "True\n4950\n", "")


def test_without_numba_single_games_have_planes_and_codes() -> None:
    done = run_python(
        "import sys; sys.modules['numba'] = None\n"
        "import inspect\n"
        "import pontedeldiavolo as pdd\n"
        "print([name for name, _ in inspect.getmembers(pdd.batch)])\n"
        "state = pdd.GameState.initial(pdd.Rules(pdd.Board(3, 3)))\n"
        "symmetry = pdd.symmetries(state.rules.board)[5]\n"
        "planes = pdd.batch.planes(state)\n"
        "print(planes.shape, (pdd.batch.transform_planes(planes, symmetry) == planes).all())\n"
        "print(pdd.batch.permutation(pdd.StepSpace(state.rules.board), symmetry)[:9])\n"
        "print(pdd.batch.step_codes(pdd.ActionSpace(state.rules.board))[[0, -1]].tolist())\n"
    )
    names = ["PLANES", "PLANES_VERSION", "RowError", "permutation", "planes"]
    lines = (
        [*names, "step_codes", "transform_planes"],
        "(27, 3, 3) True",
        "[6 3 0 7 4 1 8 5 2]",
        [[0, 1], [9 + 16 + 2, -1]],
    )
    assert (done.stdout, done.stderr) == ("".join(f"{line}\n" for line in lines), "")


def test_importing_the_package_loads_no_numba() -> None:
    done = run_python(
        "import sys, pontedeldiavolo.batch as batch\n"
        "batch.PLANES, batch.planes, batch.RowError\n"
        "print('numba' in sys.modules)\n"
        "batch.GameBatch\n"
        "print('numba' in sys.modules)"
    )
    assert (done.stdout, done.stderr) == ("False\nTrue\n", "")


def test_missing_numpy_is_the_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "pontedeldiavolo.batch")
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(ImportError, match=r"pip install 'pontedeldiavolo\[batch\]'") as caught:
        importlib.import_module("pontedeldiavolo.batch")
    assert caught.value.name == "numpy"
    assert isinstance(caught.value.__cause__, ImportError)


def test_missing_numba_is_the_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(vars(batch), "GameBatch", raising=False)
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(ImportError, match=r"pip install 'pontedeldiavolo\[batch\]'") as caught:
        _ = batch.GameBatch
    assert caught.value.name == "numba"
    assert isinstance(caught.value.__cause__, ImportError)


def test_nothing_else_is_there() -> None:
    with pytest.raises(
        AttributeError, match=r"'pontedeldiavolo\.batch' has no attribute 'no_such'"
    ):
        _ = batch.no_such  # type: ignore[attr-defined]  # there is none


def test_the_package_alone_needs_neither() -> None:
    done = run_python(
        "import sys, pontedeldiavolo as pdd\n"
        "pdd.GameState.initial().apply(pdd.parse_action('a1,b1'))\n"
        "print(sorted({'numba', 'numpy', 'pontedeldiavolo.batch'} & set(sys.modules)))"
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")
