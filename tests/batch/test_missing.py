"""The package without NumPy or Numba."""

from __future__ import annotations

import importlib
import sys

import pytest

from support.processes import run_python


@pytest.mark.parametrize("missing", ["numba", "numpy"])
def test_what_is_missing_is_said(missing: str) -> None:
    done = run_python(
        f"import sys; sys.modules[{missing!r}] = None; import pontedeldiavolo\n"
        "try:\n"
        "    import pontedeldiavolo.batch\n"
        "except ImportError as error:\n"
        "    print(error)\n"
        "try:\n"
        "    from pontedeldiavolo.batch import GameBatch\n"
        "except ImportError as error:\n"
        "    print(error)\n"
        "print(pontedeldiavolo.perft(pontedeldiavolo.GameState.initial(), 1))\n"
    )
    line = "pontedeldiavolo.batch needs NumPy and Numba: pip install 'pontedeldiavolo[batch]'\n"
    assert (done.stdout, done.stderr) == (2 * line + "4950\n", "")


def test_numba_is_asked_for_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "pontedeldiavolo.batch", raising=False)
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(ImportError, match=r"pip install 'pontedeldiavolo\[batch\]'") as caught:
        importlib.import_module("pontedeldiavolo.batch")
    assert caught.value.name == "numba"
    assert isinstance(caught.value.__cause__, ImportError)


def test_the_package_alone_needs_neither() -> None:
    done = run_python(
        "import sys, pontedeldiavolo as pdd\n"
        "pdd.GameState.initial().apply(pdd.parse_action('a1,b1'))\n"
        "print(sorted({'numba', 'numpy', 'pontedeldiavolo.batch'} & set(sys.modules)))"
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")
