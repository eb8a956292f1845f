"""Tags that begin a record, whatever letters are in them."""

from __future__ import annotations

import pytest

import pontedeldiavolo as pdd

NAMES = ("Anna", "Ada", 'a \\"quoted\\" n', "\\\\n")


@pytest.mark.parametrize("name", NAMES)
def test_records_may_have_one_line_each(name: str) -> None:
    text = f'[First "{name}"] 1. d4,g7 *\n' * 2
    assert [len(each.actions) for each in pdd.records.iter_games(text)] == [1, 1]


@pytest.mark.parametrize("name", NAMES)
def test_an_open_comment_ends_before_tags(name: str) -> None:
    text = f'1. d4,g7 {{open\n\n[First "{name}"]\n1. a1,b1 *\n'
    bad, good = pdd.records.iter_results(text)
    assert isinstance(bad, pdd.RecordError)
    assert isinstance(good, pdd.Game)
