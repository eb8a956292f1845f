"""Games of any format, written to paths and to files, and what is lost of them."""

from __future__ import annotations

import gzip
import io
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.records import Format, losses, read, write
from support.samples import BAD, GAMES, SUFFIXES, WRITTEN, page
from support.trees import annotated_games


@given(
    st.lists(annotated_games(), max_size=3), st.sampled_from([Format.PDD, Format.SGF, Format.JSON])
)
def test_what_is_written_is_read(games: list[pdd.Game], form: Format) -> None:
    octets = page(form, games)
    assert list(read(octets, format=form)) == games
    text = io.StringIO()
    write(games, text, form)
    assert text.getvalue().encode() == octets


@pytest.mark.parametrize("form", WRITTEN)
@pytest.mark.parametrize("as_text", [True, False])
def test_targets(form: Format, tmp_path: Path, *, as_text: bool) -> None:
    path = tmp_path / "there" / f"games{SUFFIXES[form]}"
    with pytest.raises(FileNotFoundError):
        write(GAMES, path, form)
    path.parent.mkdir()
    write(iter(GAMES), str(path) if as_text else path, form)
    assert path.read_bytes() == page(form)
    with tempfile.TemporaryFile(
        "w+" if as_text else "w+b", newline="" if as_text else None
    ) as file:
        write(GAMES, file, form)
        file.seek(0)
        assert file.read() in (page(form), page(form).decode())
    with gzip.open(tmp_path / "packed", "wt" if as_text else "wb") as packed:
        write(GAMES, cast("Any", packed), form)
    assert gzip.decompress((tmp_path / "packed").read_bytes()) == page(form)


def test_a_file_gets_its_name_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text("precious")
    path.chmod(0o600)

    def failing(error: BaseException) -> Iterator[pdd.Game]:
        yield GAMES[0]
        assert len(list(tmp_path.iterdir())) == 2
        raise error

    for error in (OSError("torn"), KeyboardInterrupt(), ZeroDivisionError()):
        with pytest.raises(type(error)):
            write(failing(error), path, Format.SGF)
        assert path.read_text() == "precious"
        assert list(tmp_path.iterdir()) == [path]
    write(GAMES, path, Format.SGF)
    assert path.read_bytes() == page(Format.SGF)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_games_that_cannot_be_written_leave_everything_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "games.json"
    path.write_text("precious")
    unfinished = pdd.Game.new()
    for games, form, message in (
        ([GAMES[0], unfinished], Format.ABSTRACT_PLAY, "finished games only"),
        (GAMES, Format.JSON, "a .json file holds one game"),
        (
            [pdd.Game.new(pdd.Rules(pdd.Board(3, 4)))],
            Format.MOVES,
            "no board of Abstract Play: 3x4",
        ),
        (GAMES, Format.BOARDSPACE, "nothing is written as boardspace"),
    ):
        with pytest.raises(pdd.PonteError, match=message):
            write(games, path, form)
        assert path.read_text() == "precious"
        assert list(tmp_path.iterdir()) == [path]


def test_an_error_among_the_games_is_raised(tmp_path: Path) -> None:
    source = page(Format.SGF, GAMES[:1]) + BAD[Format.SGF].encode()
    with pytest.raises(pdd.RecordError, match="game 2, "):
        write(read(source), tmp_path / "games.pdd", Format.PDD)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("games", [None, GAMES[0], 5, [GAMES[0], None], ["*"]])
def test_only_games_are_written(games: Any, tmp_path: Path) -> None:
    with pytest.raises((TypeError, AttributeError)):
        write(games, tmp_path / "games.pdd", Format.PDD)
    assert list(tmp_path.iterdir()) == []


def test_only_files_are_replaced(tmp_path: Path) -> None:
    queue, link, target = tmp_path / "queue", tmp_path / "link", tmp_path / "target"
    os.mkfifo(queue)
    for path in (queue, tmp_path):
        with pytest.raises(FileExistsError, match="Not a file that could be replaced"):
            write(GAMES, path, Format.PDD)
    target.write_text("old")
    link.symlink_to(target)
    write(GAMES, link, Format.PDD)
    assert link.is_symlink()
    assert target.read_bytes() == page(Format.PDD)
    write([], target, Format.PDD)
    assert target.read_bytes() == b""


def test_reports_are_a_list_or_a_line_each(tmp_path: Path) -> None:
    array, lines = tmp_path / "games.json", tmp_path / "games.JSONL"
    write(GAMES, array, Format.ABSTRACT_PLAY)
    write(GAMES, lines, Format.ABSTRACT_PLAY)
    assert array.read_text("utf-8").startswith("[\n{\n")
    assert len(lines.read_text("utf-8").splitlines()) == len(GAMES)
    assert list(read(array)) == list(read(lines)) == GAMES
    write(GAMES[:1], tmp_path / "one.json", Format.JSON)
    assert list(read(tmp_path / "one.json")) == GAMES[:1]


def test_losses_by_format() -> None:
    rich = pdd.Game.new(pdd.presets.ORIGINAL, {"First": "Ada"}).play("d4,g7").play("red")
    rich = rich.with_comment("so", (0,))
    for form in (Format.PDD, Format.SGF, Format.JSON):
        assert losses(rich, form) == ()
    assert losses(rich, Format.ABSTRACT_PLAY) == pdd.records.abstract_play.losses(rich)
    assert losses(rich, Format.MOVES) == (
        "comments",
        "the supply of tiles and bridges",
        "the tags",
        "the choice of red with nothing after it",
    )
    # What could not be written at all is said as well.
    other = pdd.Game.new(start=pdd.GameState.initial(pdd.Rules(pdd.Board(3, 4))))
    started = pdd.Game.new(start=pdd.GameState.initial().apply(pdd.parse_action("a1,b1")))
    assert losses(other, Format.MOVES) == ("the board of 3x4",)
    assert losses(started, Format.MOVES) == ("the start",)
    with pytest.raises(pdd.PonteError, match="nothing is written as boardspace"):
        losses(rich, Format.BOARDSPACE)
    for form in WRITTEN:
        with pytest.raises(TypeError, match="game must be Game"):
            losses(cast("pdd.Game", None), form)
