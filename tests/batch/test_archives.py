"""Records in batches: what is taken for a record."""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import replay
from pontedeldiavolo.records import Record
from support.batch_rows import ODD_RULES
from support.batches import NONE


def test_no_records_at_all() -> None:
    nothing: list[pdd.Game] = []
    for none in (nothing, (), iter(nothing)):
        found = replay(none)
        assert found.points.shape == (0, 2)
        assert found.winner.shape == found.is_over.shape == found.illegal_at.shape == (0,)
        kinds = [each.dtype for each in (found.points, found.winner, found.is_over)]
        assert kinds == [np.int32, np.int8, np.bool_]


def test_records_without_actions() -> None:
    found = replay([pdd.Game.new(rules) for rules in ODD_RULES])
    assert not found.points.any()
    assert found.winner.tolist() == found.illegal_at.tolist() == [NONE] * 4
    assert not found.is_over.any()


@pytest.mark.parametrize("wrong", ["game", None, 1, pdd.GameState.initial(), pdd.Rules()])
def test_records_are_records_or_games(wrong: object) -> None:
    with pytest.raises(TypeError, match="record 1 must be Record or Game"):
        replay([pdd.Game.new(), wrong])  # type: ignore[list-item]  # the point of the test
    said = "record 0 must be Record or Game" if isinstance(wrong, str) else "must be Iterable"
    with pytest.raises(TypeError, match=said):
        replay(wrong)  # type: ignore[arg-type]  # as above
    with pytest.raises(TypeError, match="records must be Iterable, not Game"):
        replay(pdd.Game.new())  # type: ignore[arg-type]  # as above


def test_archives_are_read_as_they_come() -> None:
    head = '[Rules "{} tiles=unlimited bridges=unlimited tiebreaks=none"]\n'
    text = f"{head.format('5x5')}1. a1,b2 red 2. c3,d4 *\n\n"
    text += f"{head.format('4x4')}1. a1,b2 red 2. b2,d4 *\n"
    read = pdd.records.iter_records(text.splitlines(keepends=True))
    found = replay(record for record in read if isinstance(record, Record))
    assert found.illegal_at.tolist() == [NONE, 2]
    games = list(pdd.records.iter_games(text.replace(" 2. b2,d4", "").splitlines(keepends=True)))
    assert replay(chain(games, games)).illegal_at.tolist() == [NONE] * 4
