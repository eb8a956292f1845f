"""The package without Pillow or resvg-py."""

from __future__ import annotations

import importlib
import sys

import pytest

from support.processes import run_python

LINE = "pontedeldiavolo.raster needs Pillow and resvg-py: pip install 'pontedeldiavolo[png]'"


@pytest.mark.parametrize("missing", ["PIL", "resvg_py"])
def test_what_is_missing_is_said(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("pontedeldiavolo.raster")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError) as caught:
        importlib.import_module("pontedeldiavolo.raster")
    assert str(caught.value) == LINE
    assert caught.value.name == missing
    assert isinstance(caught.value.__cause__, ImportError)


def test_the_package_alone_needs_neither() -> None:
    done = run_python(
        "import sys, pontedeldiavolo as pdd\n"
        "pdd.svg.render(pdd.GameState.initial())\n"
        "print('raster' in dir(pdd))\n"
        "print(sorted({'PIL', 'resvg_py', 'pontedeldiavolo.raster'} & {*sys.modules}))\n"
        "pdd.raster.png(pdd.GameState.initial())\n"
        "print(sorted({'PIL', 'resvg_py', 'pontedeldiavolo.raster'} & {*sys.modules}))\n"
    )
    assert done.stderr == ""
    assert done.stdout == "True\n[]\n['PIL', 'pontedeldiavolo.raster', 'resvg_py']\n"
