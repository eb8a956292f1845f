"""``warm-up``: compilation ahead of the first use."""

from __future__ import annotations

from logging import WARNING

import pytest

from pontedeldiavolo.batch.kernels import jit
from support.commands import invoke, lines_of
from support.games import SMALL


def test_all_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "TOLD", {})
    limit = "64x64" if jit.JIT_DISABLED else "16x16"
    assert lines_of(invoke("warm-up", "--rules", SMALL)) == [
        f"Compiled for boards of up to {limit}."
    ]


def test_code_that_cannot_be_kept_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "TOLD", {WARNING: "compiled code cannot be kept"})
    result = invoke("warm-up", "--rules", SMALL)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "Error: compiled code cannot be kept\n"
