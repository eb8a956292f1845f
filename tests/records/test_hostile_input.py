"""Hostile inputs: endless files, every limit at every line end, and texts that grow."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import Limits, records
from pontedeldiavolo.records import Format, read
from pontedeldiavolo.records.atomic_file import atomic_write
from pontedeldiavolo.testing.strategies import states
from support.checks import refused
from support.samples import GAMES, MODULES, WRITTEN, page
from support.sources import SOURCES, Endless
from support.strategies import SMALL_RULES

HUGE = [
    *(Limits.NONE, Limits(characters=sys.maxsize), Limits(characters=10**90)),
    *(
        pytest.param(Limits(characters=each), marks=pytest.mark.slow)
        for each in (None, 2**31, 2**63 - 1, 2**64)
    ),
]


def long_text(form: Format) -> str:
    """Return a game with more lines than a block, or as many as its format has."""
    game = GAMES[0]
    if form not in (Format.ABSTRACT_PLAY, Format.MOVES):
        game = game.with_comment("word " * 20_000)
    return page(form, [game]).decode()


@pytest.mark.parametrize("limits", HUGE, ids=str)
@pytest.mark.parametrize(
    "name", [each for each in SOURCES if "line ends" in each or " " not in each]
)
def test_limits_may_be_as_large_as_anybody_likes(name: str, limits: Limits) -> None:
    source = SOURCES[name]
    for form in WRITTEN:
        text = long_text(form)
        (wanted,) = read(text, format=form)
        assert list(read(source(text.encode()), format=form, limits=limits)) == [wanted]
    text = long_text(Format.PDD)
    assert records.load(source(text.encode()), limits=limits) == records.loads(text)


ENDLESS = {
    Format.PDD: ("1. a1,b1 {", "x"),
    Format.SGF: ("(;FF[4]C[", "x\n"),
    Format.BOARDSPACE: ("(;GM[PonteDelDiavolo]C[", "x"),
    Format.ABSTRACT_PLAY: ('{"header": "', "x"),
    Format.MOVES: ("a1,b1 ", "x"),
    Format.JSON: ('{"format": "', "x\n"),
}


@pytest.mark.parametrize("form", ENDLESS)
def test_a_game_without_an_end_is_refused_at_the_limit(form: Format) -> None:
    limits = Limits(characters=10_000)

    def source() -> Any:
        # The file ends eventually, in case that a reader does not stop.
        start, rest = ENDLESS[form]
        return io.BufferedReader(Endless(rest.encode() * 100, 5_000, start.encode()))

    error = next(read(source(), format=form, limits=limits))
    assert isinstance(error, pdd.RecordError)
    assert (error.code, error.number) == ("limit-characters", 1)
    if form in MODULES:
        assert refused(MODULES[form].load, source(), limits=limits).code == "limit-characters"


def test_a_second_game_without_an_end_is_refused_at_the_limit() -> None:
    start = b'1. a1,b1 *\n\n[Event "x"]\n1. a1,b1 {'
    source = io.BufferedReader(Endless(b"x" * 100, 5_000, start))
    error = refused(records.load, source, limits=Limits(characters=10_000))
    assert (error.code, error.number) == ("limit-characters", 2)


def test_a_limit_counts_all_lines_of_a_list_of_moves() -> None:
    lines = ["size-8", "a1,b1", "", "size-8", *["a1,b1"] * 20, "", "size-8"]
    found = [*read(lines, format=Format.MOVES, limits=Limits(characters=20))]
    assert [type(each) for each in found] == [pdd.Game, pdd.RecordError, pdd.Game]


def compact(game: pdd.Game, form: Format) -> str:
    """Return the shortest valid text of a game."""
    if form is Format.PDD:
        start = f'[Start "{pdd.format_state(game.start)}"]'
        tags = "".join(f'[{name} "{game.tags[name]}"]' for name in game.tags)
        return f"{start}{tags}{_moves(game.line)}"
    text = page(form, [game]).decode()
    if form in (Format.JSON, Format.ABSTRACT_PLAY):
        return json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":"))
    return re.sub(r"\n(?=[;()])", "", text).strip() if form is Format.SGF else text.strip()


_SUFFIXES: dict[tuple[int, ...], str] = {(1,): "!", (2,): "?", (3,): "!!"}


def _moves(line: pdd.Line) -> str:
    text = f"{{{line.comment}}}" if line.comment else ""
    for place, move in enumerate(line.moves):
        blank = " " if place and text[-1] not in ")}" else ""
        text += blank + pdd.format_action(move.action)
        text += _SUFFIXES.get(move.nags) or "".join(f"${nag}" for nag in move.nags)
        text += f";{move.comment}\n" if move.comment else ""
        text += "".join(f"({_moves(each)})" for each in move.variations)
    return text


@st.composite
def trees(draw: st.DrawFn) -> pdd.Game:
    """Return games with short actions and many other texts."""
    tags = {"A": "::}}" * draw(st.sampled_from([0, 9]))}
    game = pdd.Game.new(start=draw(states(SMALL_RULES)), tags=tags)
    for _ in range(draw(st.integers(1, 4))):
        legal = game.state.legal_actions
        if game.ending is not None or not legal:
            break
        before = game.state
        action = legal[draw(st.integers(0, len(legal) - 1))]
        path = (len(game.line.moves),)
        game = game.play(action)
        game = game.with_nags(draw(st.sampled_from([(), (1,), (3,), (6,) * 9])), path)
        game = game.with_comment(draw(st.sampled_from(["", "x", "}}}}", "a:b]\\"])), path)
        other = before.legal_actions[draw(st.integers(0, len(legal) - 1))]
        for _ in range(draw(st.sampled_from([0, 1, 60]))):
            game = game.with_variation(path, [other])
            inner = (*path, len(game.move_at(path).variations) - 1, 0)
            game = game.with_nags(draw(st.sampled_from([(), (2,)])), inner)
    return game


def assert_read_again(game: pdd.Game, form: Format, factor: float) -> None:
    text = compact(game, form)
    limits = Limits(characters=len(text))
    (found,) = read(text, format=form, limits=limits)
    assert isinstance(found, pdd.Game), (text, found)
    written = page(form, [found]).decode()
    assert len(written) <= factor * len(text) + 1_000
    again = read(written, format=form, limits=limits.for_rereading())
    assert list(again) == [found]


@pytest.mark.parametrize("form", [Format.PDD, Format.SGF, Format.JSON])
@given(game=trees())
def test_what_was_read_and_written_is_read_again(form: Format, game: pdd.Game) -> None:
    assert_read_again(game, form, 2)


@pytest.mark.parametrize("form", WRITTEN)
def test_games_that_every_format_holds_are_read_again(form: Format) -> None:
    for game in GAMES:
        assert_read_again(game, form, 2)


@pytest.mark.parametrize(("side", "factor"), [(8, 2.0), (15, 2.5), (64, 2.5)])
def test_no_text_grows_by_more_than_limits_for_rereading_allow(side: int, factor: float) -> None:
    # The shortest action with a mark and a long number grows most.
    board = pdd.Board(side, side)
    white = {each for each in board.cells if (each.row + each.column) % 2 == 0}
    red = {*board.cells} - white
    last = pdd.Phase.LAST_TURN
    position = pdd.Position.from_pieces(board, white, red)
    start = pdd.GameState.from_position(position, to_move=pdd.Color.RED, phase=last)
    text = f'[Start "{pdd.format_state(start)}"]pass' + "(pass!)" * 5_000
    limits = Limits(characters=len(text))
    game = records.loads(text, limits=limits)
    written = records.dumps(game)
    assert len(written) <= factor * len(text) + 1_000
    assert records.loads(written, limits=limits.for_rereading()) == game
    if side > 8:
        assert len(written) > 2 * len(text) + 1_000


def test_no_limit_needs_no_other_for_rereading() -> None:
    limits = Limits(side=8, characters=None)
    assert limits.for_rereading() is limits
    assert Limits(side=8, depth=3).for_rereading() == Limits(8, 2_501_000, depth=3)


def test_a_file_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.pdd"
    synced = []

    def fsync(number: int) -> None:
        synced.append((os.fstat(number).st_size > 0, path.exists()))

    monkeypatch.setattr(os, "fsync", fsync)
    records.write(GAMES, path, Format.PDD)
    assert synced[0] == (True, False)
    assert [there for _, there in synced[1:]] == [True] * (os.name == "posix")


def test_files_are_written_even_if_folders_cannot_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*_: object) -> int:
        raise PermissionError

    monkeypatch.setattr(os, "open", forbidden)
    with atomic_write(tmp_path / "a") as file:
        file.write("b")
    monkeypatch.undo()
    assert (tmp_path / "a").read_text() == "b"


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    path = tmp_path / "games.pdd"
    path.write_text("old")
    with pytest.raises(OSError, match="No space left"):
        records.write(GAMES, path, Format.PDD)
    assert {each.name: each.read_text() for each in tmp_path.iterdir()} == {"games.pdd": "old"}
