"""Every verb of every format reads from whatever holds a game, and leaves it as it should be."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, final

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import records
from pontedeldiavolo.records import Format, abstract_play, boardspace, sgf
from pontedeldiavolo.records import pdd as native
from support.samples import BOARDSPACE, GAMES, page
from support.sources import SOURCES, Pipe

MODULES = {
    "pdd": native,
    "sgf": sgf,
    "boardspace": boardspace,
    "abstract-play": abstract_play,
    "moves": abstract_play,
}


def one(name: str) -> bytes:
    """Return a file of one game in a format."""
    return BOARDSPACE if name == "boardspace" else page(Format(name), GAMES[:1])


def listed(verb: Callable[..., Iterator[object]]) -> Callable[[Any], list[object]]:
    return lambda source: list(verb(source))


def whole(source: Any) -> list[object]:
    """Return the records behind headers: the text of one ends as its source does."""
    headers = [each for each in native.iter_headers(source) if isinstance(each, records.Header)]
    return [(each.tags, each.number, each.line, each.record()) for each in headers]


def verbs_of(name: str) -> dict[str, Callable[[Any], list[object]]]:
    module = MODULES[name]
    found: dict[str, Callable[[Any], list[object]]] = {
        "load": lambda source: [module.load(source)],
        "iter_games": listed(module.iter_games),
        "iter_results": listed(module.iter_results),
    }
    if name == "pdd":
        found["iter_records"] = listed(native.iter_records)
        found["iter_headers"] = whole
    return found


VERBS = {
    f"{name}.{verb}": (name, read) for name in MODULES for verb, read in verbs_of(name).items()
}
every_verb = pytest.mark.parametrize("verb", VERBS)


def expected_of(verb: str) -> list[object]:
    """Return what a verb gives for text."""
    name, read = VERBS[verb]
    return read(io.StringIO(one(name).decode()))


@every_verb
@pytest.mark.parametrize("source", SOURCES)
def test_every_verb_reads_every_source(verb: str, source: str) -> None:
    name, read = VERBS[verb]
    (expected,) = expected_of(verb)
    assert not isinstance(expected, pdd.RecordError)
    assert read(SOURCES[source](one(name))) == [expected]


@every_verb
def test_every_verb_reads_paths(verb: str, tmp_path: Path) -> None:
    name, read = VERBS[verb]
    path = tmp_path / "game"
    path.write_bytes(one(name))

    @final
    class Named:
        def __fspath__(self) -> str:
            return str(path)

    expected = expected_of(verb)
    assert read(path) == read(Named()) == expected
    with os.scandir(tmp_path) as entries:
        assert [read(entry) for entry in entries] == [expected]
    with path.open("rb") as octets, path.open(encoding="utf-8") as text:
        assert read(octets) == read(text) == expected
        # What somebody else has opened stays open.
        assert (octets.read(), text.read()) == (b"", "")
    with path.open("rb", buffering=0) as raw:
        assert read(raw) == expected
    # A string is text, whatever lies at the path that it looks like.
    with suppress(pdd.RecordError):
        assert read(str(path)) != expected


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_loads_takes_bytes(name: str, encoding: str) -> None:
    text = one(name).decode()
    assert MODULES[name].loads(text.encode(encoding)) == MODULES[name].loads(text)


@every_verb
@pytest.mark.parametrize("source", SOURCES)
def test_empty_sources(verb: str, source: str) -> None:
    _, read = VERBS[verb]
    empty = SOURCES[source](b"")
    if verb.endswith(".load"):
        with pytest.raises(pdd.RecordError, match="line 1, column 1: expected a game"):
            read(empty)
    else:
        assert read(empty) == []


@every_verb
def test_closed_files(verb: str) -> None:
    name, read = VERBS[verb]
    for file in (io.BytesIO(one(name)), io.StringIO(one(name).decode())):
        file.close()
        with pytest.raises(ValueError, match="closed file"):
            read(file)


@every_verb
def test_a_missing_file_is_seen_when_something_is_asked_for(verb: str, tmp_path: Path) -> None:
    _, read = VERBS[verb]
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "missing")


@pytest.mark.parametrize("name", MODULES)
def test_a_path_is_opened_when_the_first_game_is_asked_for(name: str, tmp_path: Path) -> None:
    results = MODULES[name].iter_results(tmp_path / "late")
    (tmp_path / "late").write_bytes(one(name))
    assert len(list(results)) == 1


BAD = {
    "pdd": b'[Event "x]\n*',
    "sgf": b"(;GM[7])",
    "boardspace": b"(;GM[Go])",
    "abstract-play": b"{}",
    "moves": b"x",
}
STREAMS = [verb for verb in VERBS if not verb.endswith(".load")]


@pytest.mark.parametrize("verb", STREAMS)
@pytest.mark.parametrize("how", ["ended", "closed", "failed"])
def test_what_was_opened_is_closed(
    verb: str, how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, _ = VERBS[verb]
    path = tmp_path / "games"
    more = BAD[name] if how == "failed" else one(name)
    path.write_bytes(one(name) + b"\n" + more)
    files: list[Any] = []
    really = Path.open

    def opening(self: Path, *mode: Any, **options: Any) -> Any:
        files.append(really(self, *mode, **options))
        return files[-1]

    monkeypatch.setattr(Path, "open", opening)
    stream: Any = getattr(MODULES[name], verb.partition(".")[2])(path)
    next(stream)
    (file,) = files
    assert not file.closed
    if how == "closed":
        stream.close()
    else:
        with suppress(pdd.RecordError):
            list(stream)
    assert file.closed


@pytest.mark.parametrize("name", MODULES)
def test_a_text_file_is_left_behind_the_games_that_were_asked_for(name: str) -> None:
    text = (one(name).decode() + "\n") * 3
    file = io.StringIO(text)
    games = MODULES[name].iter_games(file)
    next(games)
    # A record may go on, until the next one begins.
    longest = len(text) // 3 + (len(text.splitlines(keepends=True)[0]) if name == "pdd" else 0)
    assert file.tell() <= longest


@pytest.mark.parametrize("name", MODULES)
def test_reading_begins_where_a_file_stands(name: str) -> None:
    octets = one(name)
    for file in (io.BytesIO(b"[(;{" + octets), io.StringIO("[(;{" + octets.decode())):
        file.seek(4)
        assert MODULES[name].load(file) == MODULES[name].loads(octets)


@pytest.mark.parametrize("name", MODULES)
def test_bytes_come_no_sooner_than_they_are_asked_for(name: str) -> None:
    pipe = Pipe((one(name) + b"\n") * 50)
    next(MODULES[name].iter_games(pipe))
    assert len(pipe.rest) > 40 * len(one(name))


@pytest.mark.parametrize(
    "octets",
    [b"\xff\xfe[\x00A", b"\xff\xfe\x00\xd8", b"\xfe\xff\xd8\x00\x00*", b"\x00\x00\xfe\xff\0\0\0"],
)
@every_verb
def test_what_is_not_in_the_encoding_that_its_mark_says(verb: str, octets: bytes) -> None:
    _, read = VERBS[verb]
    with pytest.raises(UnicodeDecodeError, match=r"after line 0$"):
        read(octets)


@pytest.mark.parametrize("start", [b"\xff", b"\xfe", b"\0\0\xfe", b"\xff\xff\xfe"])
def test_half_a_mark_is_none(start: bytes) -> None:
    with pytest.raises(UnicodeDecodeError, match=r"in line 1$"):
        records.loads(start)
    with pytest.raises(UnicodeDecodeError, match=r"in line 1$"):
        records.loads(start + b"\n*")


def test_a_line_end_is_never_torn() -> None:
    # Whatever lies between two blocks: "\\r\\n" is one line end, and "\\r" alone as well.
    for end in (b"\r\n", b"\r", b"\n"):
        for length in range(1, 9):
            pipe: Any = Pipe(b"%" + b"x" * length + end + b"[Event" + end + b"*")
            (error,) = records.iter_results(pipe)
            assert isinstance(error, pdd.RecordError)
            assert (error.line, error.column) == (2, 7)


def test_a_very_long_line_is_cut_where_it_may_be() -> None:
    limits = pdd.Limits(characters=10)
    for end in ("\n", "\r\n", "\r"):
        for length in range(7, 14):
            text = f'% {"x" * length}{end}[A "b"]{end}*{end}[C "d"]{end}*'
            for source in (text, text.encode(), io.StringIO(text, newline="")):
                first, last = records.iter_headers(source, limits=limits)
                assert isinstance(first, pdd.RecordError)
                assert isinstance(last, records.Header)
                assert (last.line, last.offset) == (4, text.index("[C"))


def test_a_file_that_does_not_wait_is_not_at_its_end() -> None:
    class Slow:
        """Has nothing yet, and says so as non-blocking files do."""

        def read(self, most: int = -1) -> bytes | None:
            return None if most else b""

    slow: Any = Slow()
    with pytest.raises(BlockingIOError, match="nothing is there yet"):
        records.load(slow)
