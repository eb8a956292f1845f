"""Games of any format, written to paths and to files, and their losses."""

from __future__ import annotations

import gzip
import io
import os
import stat
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.records import Format, abstract_play, losses, read, sgf, write
from pontedeldiavolo.records import pdd as native
from support.samples import BAD, GAMES, SUFFIXES, WRITTEN, page
from support.trees import annotated_games


@given(
    st.lists(annotated_games(), max_size=3), st.sampled_from([Format.PDD, Format.SGF, Format.JSON])
)
def test_written_games_are_read_back(games: list[pdd.Game], form: Format) -> None:
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


OTHER_BOARD = pdd.Game.new(pdd.Rules(pdd.Board(3, 4)))
FAULTY = page(Format.SGF, GAMES[:1]) + BAD[Format.SGF].encode()


@pytest.mark.parametrize(
    ("games", "form", "error", "message"),
    [
        ([GAMES[0], pdd.Game.new()], Format.ABSTRACT_PLAY, pdd.PonteError, "finished games only"),
        (GAMES, Format.JSON, pdd.PonteError, "a .json file holds one game"),
        ([OTHER_BOARD], Format.MOVES, pdd.PonteError, "no board of Abstract Play: 3x4"),
        (GAMES, Format.BOARDSPACE, pdd.PonteError, "nothing is written as boardspace"),
        (read(FAULTY), Format.PDD, pdd.RecordError, "game 2, "),
        *((games, Format.PDD, TypeError, "not iterable") for games in (None, GAMES[0], 5)),
        (["*"], Format.PDD, AttributeError, "'str' object"),
    ],
)
def test_games_that_cannot_be_written_leave_everything_as_it_was(
    games: Any, form: Format, error: type[Exception], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "games.json"
    path.write_text("precious")
    with pytest.raises(error, match=message):
        write(games, path, form)
    assert path.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [path]


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
    assert losses(rich, Format.ABSTRACT_PLAY) == abstract_play.losses(rich)
    assert losses(rich, Format.MOVES) == (
        *("comments", "the supply of tiles and bridges", "the tags"),
        "the choice of red with nothing after it",
    )
    # What could not be written at all is said as well.
    started = pdd.Game.new(start=pdd.GameState.initial().apply(pdd.parse_action("a1,b1")))
    assert losses(OTHER_BOARD, Format.MOVES) == ("the board of 3x4",)
    assert losses(started, Format.MOVES) == ("the start",)
    with pytest.raises(pdd.PonteError, match="nothing is written as boardspace"):
        losses(rich, Format.BOARDSPACE)
    modules: tuple[Any, ...] = (native, sgf, abstract_play)
    for call in (
        *(partial(losses, format=form) for form in WRITTEN),
        *(each.losses for each in modules),
    ):
        for wrong in (None, "d4,g7", rich.state):
            with pytest.raises(TypeError, match="game must be Game"):
                call(cast("pdd.Game", wrong))
