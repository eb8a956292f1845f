"""The searches of openings that ``tools.opening_searches`` writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import pontedeldiavolo as pdd

pytest.importorskip("numba", reason="not installed: extra batch")

from tools.opening_searches import PLIES, TILE, extend

from pontedeldiavolo.batch.kernels.jit import JIT_DISABLED

SIMULATIONS = 1_000


@pytest.mark.skipif(JIT_DISABLED, reason="takes minutes")
def test_a_run_that_was_cut_ends_with_the_same_file(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    cut = tmp_path / "cut"
    extend(whole, PLIES + 4, SIMULATIONS)
    lines = whole.read_text("utf-8").splitlines(keepends=True)
    # The process was killed while it wrote a line of the second game.
    cut.write_text("".join(lines[: PLIES + 2]) + lines[PLIES + 2][:50], "utf-8")
    extend(cut, PLIES + 4, SIMULATIONS)
    assert cut.read_text("utf-8") == whole.read_text("utf-8")
    with pytest.raises(ValueError, match="another size"):
        extend(cut, PLIES + 4, 2 * SIMULATIONS)
    assert [json.loads(line)["ply"] for line in lines] == [*range(PLIES), *range(4)]


@pytest.mark.skipif(JIT_DISABLED, reason="takes minutes")
def test_a_line_has_the_visits_of_all_legal_steps(tmp_path: Path) -> None:
    path = tmp_path / "searches"
    extend(path, PLIES, SIMULATIONS)
    for text in path.read_text("utf-8").splitlines():
        line = json.loads(text)
        state = pdd.parse_state(line["state"])
        assert len(line["visits"]) == len(state.legal_steps)
        assert sum(line["visits"].values()) == SIMULATIONS
        assert -1 <= line["value"] <= 1
        for first, visits in line["second"].items():
            assert TILE.fullmatch(first)
            half_turn = state.step(pdd.PlaceTile(pdd.parse_cell(first)))
            assert len(visits) == len(half_turn.legal_steps)
            assert 0 < sum(visits.values()) <= line["visits"][first]
