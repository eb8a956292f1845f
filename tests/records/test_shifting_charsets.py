"""Encodings in which ASCII is not ASCII, and tags that are there twice."""

from __future__ import annotations

import pytest

import pontedeldiavolo as pdd

GAME = "(;CA[{}]EV[{}])"


@pytest.mark.parametrize("name", ["ISO-2022-JP", "iso2022_kr", "HZ-GB-2312", "UTF-7", "utf-16"])
def test_letters_that_look_like_ascii_are_not_taken_for_it(name: str) -> None:
    with pytest.raises(pdd.RecordError) as caught:
        pdd.records.sgf.loads(GAME.format(name, "$B;3ED").encode())
    assert caught.value.code == "sgf-encoding"
    # A text has been decoded already.
    assert pdd.records.sgf.loads(GAME.format(name, "a")).tags["Event"] == "a"


@pytest.mark.parametrize("name", ["UTF-8", "Shift_JIS", "who-knows"])
def test_plain_ascii_needs_no_name(name: str) -> None:
    assert pdd.records.sgf.loads(GAME.format(name, r"a\]b").encode()).tags["Event"] == "a]b"


def test_no_tag_is_there_twice() -> None:
    with pytest.raises(pdd.RecordError, match="expected no second tag A"):
        pdd.records.sgf.loads("(;PDTAGS[A:x][A:y])")
