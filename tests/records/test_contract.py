"""Reading games of every format: functions, sources, streams, bad games and arguments."""

from __future__ import annotations

import inspect
import io
import os
import pickle
import weakref
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice, pairwise
from operator import attrgetter
from pathlib import Path
from typing import Any, final, get_type_hints

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import records
from pontedeldiavolo.records import Format, boardspace, detect, read, unsupported, write
from pontedeldiavolo.records.reading import LineReader
from pontedeldiavolo.testing.strategies import damaged
from support.checks import assert_games_or_errors, refused, told, wrong_type
from support.oracle_row import GOLDEN, MANY, ROW_TEXT
from support.samples import BAD, BOARDSPACE, FILES, GAMES, MODULES, WRITTEN, page
from support.sources import SOURCES, Pipe, Slow

READING = ("iter_games", "load", "loads")
every_format = pytest.mark.parametrize("form", Format)
every_module = pytest.mark.parametrize("form", MODULES)
BAD_GAMES = {**BAD, Format.BOARDSPACE: "(;GM[PonteDelDiavolo];P0[0 Start P0];P0[1 Dropb D 4])\n"}


def one(form: Format) -> bytes:
    """Return a file of one game in a format."""
    return BOARDSPACE if form is Format.BOARDSPACE else page(form, GAMES[:1])


def listed(function: Callable[..., Iterator[object]], **more: Any) -> Callable[[Any], list[object]]:
    return lambda source: list(function(source, **more))


def headers_of(source: Any) -> list[object]:
    """Return the records of headers; the text of each ends like its source."""
    headers = [each for each in records.iter_headers(source) if isinstance(each, records.Header)]
    return [(each.tags, each.number, each.line, each.record()) for each in headers]


def functions_of(form: Format) -> dict[str, Callable[[Any], list[object]]]:
    """Return all functions that read a format, each from a source to a list."""
    found = {"read": listed(read, format=form), "read, detected": listed(read)}
    if form in MODULES:
        module = MODULES[form]
        found["load"] = lambda source: [module.load(source)]
        found["iter_games"] = listed(module.iter_games)
        found["games and errors"] = listed(module.iter_games, on_error="yield")
    if form is Format.PDD:
        found |= {"iter_records": listed(records.iter_records), "iter_headers": headers_of}
    return found


FUNCTIONS = {
    f"{form.value}.{name}": (form, function)
    for form in Format
    for name, function in functions_of(form).items()
}
every_function = pytest.mark.parametrize("name", FUNCTIONS)
STREAMS = [(form, name) for form in MODULES for name in functions_of(form) if name[:4] == "iter"]


@every_module
def test_functions_of_a_module(form: Format) -> None:
    module = MODULES[form]
    names = {*READING, *(() if module is boardspace else ("dump", "dumps"))}
    if module is not records:
        assert dir(module) == sorted(module.__all__) == sorted(names)
    for name in names:
        function = getattr(module, name)
        assert function.__name__ == name
        assert "self" not in inspect.signature(function).parameters
        # Functions that other processes run
        assert pickle.loads(pickle.dumps(function)).__name__ == name
    for function in (read, detect, unsupported, write, *(getattr(module, each) for each in names)):
        assert {*inspect.signature(function).parameters, "return"} == {*get_type_hints(function)}


def test_the_package_itself_has_the_functions_of_its_own_format() -> None:
    assert {*READING, "dump", "dumps", "iter_headers", "iter_records"} <= {*dir(records)}
    assert not hasattr(records, "pdd")
    assert dir(records) == records.__all__ == sorted(records.__all__)
    with pytest.raises(AttributeError, match=r"'pontedeldiavolo.records' has no attribute 'form'"):
        attrgetter("form")(records)


@every_function
def test_every_function_reads_every_source(name: str) -> None:
    form, function = FUNCTIONS[name]
    (expected,) = function(io.StringIO(one(form).decode()))
    assert not isinstance(expected, pdd.RecordError)
    for source, opened in SOURCES.items():
        assert function(opened(one(form))) == [expected], source
        if name.endswith(".load"):
            with pytest.raises(pdd.RecordError, match="game 1, line 1, column 1: expected a game"):
                function(opened(b""))
        else:
            assert function(opened(b"")) == [], source


@every_function
def test_every_function_reads_paths(name: str, tmp_path: Path) -> None:
    form, function = FUNCTIONS[name]
    path = tmp_path / "game"
    with pytest.raises(FileNotFoundError):
        function(path)
    path.write_bytes(one(form))

    @final
    class Named:
        def __fspath__(self) -> str:
            return str(path)

    expected = function(io.StringIO(one(form).decode()))
    assert function(path) == function(Named()) == expected
    with os.scandir(tmp_path) as entries:
        assert [function(entry) for entry in entries] == [expected]
    with path.open("rb") as octets, path.open(encoding="utf-8") as text:
        assert function(octets) == function(text) == expected
        # A file that the caller has opened stays open.
        assert (octets.read(), text.read()) == (b"", "")
    for file in (octets, text):
        with pytest.raises(ValueError, match="closed file"):
            function(file)
    with path.open("rb", buffering=0) as raw:
        assert function(raw) == expected
    # A string is text, even if it looks like a path.
    with suppress(pdd.RecordError):
        assert function(str(path)) != expected


@every_module
def test_one_game_of_a_text(form: Format) -> None:
    loads = MODULES[form].loads
    text = one(form).decode()
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32"):
        assert loads(text.encode(encoding)) == loads(text)
    for nothing in ("", "\n \n", "\ufeff"):
        assert str(refused(loads, nothing)) == "game 1, line 1, column 1: expected a game"
    error = refused(loads, f"{text.rstrip()}\n\n{text}")
    assert error.expected == "the end: one game was asked for"
    assert (error.number, error.line) == (2, text.rstrip().count("\n") + 3)
    assert refused(loads, f"{text.rstrip()}\n\n{BAD_GAMES[form]}").number == 2


@every_module
def test_a_path_is_opened_when_the_first_game_is_asked_for(form: Format, tmp_path: Path) -> None:
    results = MODULES[form].iter_games(tmp_path / "late")
    (tmp_path / "late").write_bytes(one(form))
    assert len(list(results)) == 1


@pytest.mark.parametrize(("form", "name"), STREAMS)
@pytest.mark.parametrize("how", ["ended", "closed", "failed"])
def test_an_opened_file_is_closed(
    form: Format, name: str, how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games"
    more = BAD_GAMES[form].encode() if how == "failed" else one(form)
    path.write_bytes(one(form) + b"\n" + more)
    files: list[Any] = []
    really = Path.open

    def opening(self: Path, *mode: Any, **options: Any) -> Any:
        files.append(really(self, *mode, **options))
        return files[-1]

    monkeypatch.setattr(Path, "open", opening)
    stream: Any = getattr(MODULES[form], name)(path)
    next(stream)
    (file,) = files
    assert not file.closed
    if how == "closed":
        stream.close()
    else:
        with suppress(pdd.RecordError):
            list(stream)
    assert file.closed


@every_module
def test_files_are_read_no_further_than_needed(form: Format) -> None:
    module = MODULES[form]
    octets = one(form)
    text = (octets.decode() + "\n") * 3
    file = io.StringIO(text)
    next(module.iter_games(file))
    # A record may continue until the next one begins.
    is_native = form is Format.PDD
    longest = len(text) // 3 + (len(text.splitlines(keepends=True)[0]) if is_native else 0)
    assert file.tell() <= longest
    pipe = Pipe((octets + b"\n") * 50)
    next(module.iter_games(pipe))
    assert len(pipe.rest) > 40 * len(octets)
    # Reading begins at the current position of a file.
    for there in (io.BytesIO(b"[(;{" + octets), io.StringIO("[(;{" + octets.decode())):
        there.seek(4)
        assert module.load(there) == module.loads(octets)


@every_format
def test_a_stream_takes_no_more_lines_than_it_needs(form: Format) -> None:
    lines = f"{one(form).decode()}\n".splitlines()
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            for line in lines:
                taken += 1
                yield line

    (game,) = read(one(form), format=form)
    results = read(endless(), format=form)
    for number in range(1, 6):
        assert next(results) == game
        # The reader may need another line to know that the game is over.
        assert taken <= number * len(lines) + 1
    assert list(islice(read(endless()), 3)) == [game] * 3
    if form in MODULES:
        assert list(islice(MODULES[form].iter_games(endless()), 2)) == [game] * 2


@every_function
@pytest.mark.parametrize(
    ("octets", "place"),
    [
        (b"\xff\xfe[\x00A", "after line 0"),
        (b"\xff\xfe\x00\xd8", "in line 1"),
        (b"\xfe\xff\xd8\x00\x00*", "in line 1"),
        (b"\x00\x00\xfe\xff\0\0\0", "after line 0"),
    ],
)
def test_bytes_that_are_not_in_the_encoding_of_their_mark(
    name: str, octets: bytes, place: str
) -> None:
    with pytest.raises(UnicodeDecodeError) as caught:
        FUNCTIONS[name][1](octets)
    # Python 3.13 adds a note to the error, and `match` would search that as well.
    assert str(caught.value).endswith(place)


@pytest.mark.parametrize("form", [Format.PDD, Format.ABSTRACT_PLAY, Format.MOVES, Format.JSON])
def test_bytes_without_a_mark_are_utf_8(form: Format) -> None:
    octets = page(form) + b'\n\n[Event "\xff"]'
    for source in (octets, io.BytesIO(octets)):
        results = read(source, format=form)
        assert next(results) == GAMES[0]
        with pytest.raises(UnicodeDecodeError, match=f"in line {octets.count(10) + 1}"):
            list(results)


@pytest.mark.parametrize("start", [b"\xff", b"\xfe", b"\0\0\xfe", b"\xff\xff\xfe"])
def test_an_incomplete_byte_order_mark_is_no_mark(start: bytes) -> None:
    for octets in (start, start + b"\n*"):
        with pytest.raises(UnicodeDecodeError, match=r"in line 1$"):
            records.loads(octets)


MARKS = {
    "utf-8": BOM_UTF8,
    "utf-16-le": BOM_UTF16_LE,
    "utf-16-be": BOM_UTF16_BE,
    "utf-32-le": BOM_UTF32_LE,
    "utf-32-be": BOM_UTF32_BE,
}


def lost_games(
    octets: bytes, count: int, form: Format | None, opened: Callable[[bytes], Any]
) -> int:
    """Return how many games of a file are neither read nor refused."""
    try:
        found = list(read(opened(octets), format=form))
    except UnicodeDecodeError:
        return 0
    if any(isinstance(each, pdd.RecordError) for each in found):
        return 0
    return count - len(found)


@every_format
@pytest.mark.parametrize("encoding", MARKS)
def test_no_cut_or_foreign_byte_order_mark_loses_games(form: Format, encoding: str) -> None:
    text = one(form).decode().rstrip() + "\n\n"
    mark = MARKS[encoding]
    octets = text.encode(encoding)
    files = {f"cut at {end}": (mark[:end] + octets, 1) for end in range(len(mark) + 1)}
    files |= {f"from {start}": (mark[start:] + octets, 1) for start in range(1, len(mark))}
    files["twice"] = (2 * (mark + octets), 2)
    files["after UTF-8"] = (text.encode() + mark + octets, 2)
    files["before UTF-8"] = (mark + octets + text.encode(), 2)
    for name, (content, count) in files.items():
        for opened in (bytes, io.BytesIO, Pipe):
            for known in (form, None):
                if known is None and form is Format.BOARDSPACE:
                    continue
                assert lost_games(content, count, known, opened) <= 0, (name, opened, known)


@every_format
def test_a_byte_order_mark_anywhere_loses_no_game(form: Format) -> None:
    game = one(form).decode().rstrip() + "\n\n"
    # At the beginning of a game, and between two games
    for place in (*range(12), *range(len(game) - 6, len(game) + 12)):
        text = game * 2
        marked = f"{text[:place]}\ufeff{text[place:]}"
        assert lost_games(marked.encode(), 2, form, bytes) <= 0, text[:place]


@pytest.mark.parametrize("size", range(1, 12))
def test_a_character_may_be_split_between_blocks(size: int) -> None:
    slow: Any = Slow('[First "Zoë \U0001f309"]\r\n\r\n1. d4,g7 *\r\n'.encode(), size)
    assert records.load(slow).tags == {"First": "Zoë \U0001f309"}


def test_a_line_end_is_never_split_between_blocks() -> None:
    # Between two blocks, "\r\n" is one line end, and a single "\r" is one as well.
    for end in (b"\r\n", b"\r", b"\n"):
        for length in range(1, 9):
            pipe: Any = Pipe(b"%" + b"x" * length + end + b"[Event" + end + b"*")
            (error,) = records.iter_games(pipe, "yield")
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


@given(text=st.text("\r\n ab", max_size=30), most=st.integers(0, 12), data=st.data())
def test_every_line_end_becomes_a_line_feed(text: str, most: int, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)))) | {0, len(text)})
    items = [text[start:end] for start, end in pairwise(cuts)]
    octets = text.encode()
    files: list[Any] = [io.StringIO(text, newline=""), io.BytesIO(octets), Pipe(octets)]
    encoded = [text.encode("utf-16"), text.encode("utf-32"), octets]
    for source in (text, items, *encoded, *files):
        lines = LineReader(source, pdd.Limits(characters=most))
        lines.peek_nonblank()
        assert not any("\r" in line for line in lines)
    whole = "".join(LineReader(text))
    assert whole == text.replace("\r\n", "\n").replace("\r", "\n")


@given(
    parts=st.lists(st.tuples(st.text("ab", max_size=3), st.sampled_from(["\n", "\r", "\r\n"]))),
    most=st.integers(1, 12),
)
def test_offsets_in_lines_are_those_in_the_joined_text(
    parts: list[tuple[str, str]], most: int
) -> None:
    items = [line + end for line, end in parts]
    # These two would be one line end in the joined text.
    assume(not any(one[-1:] + other[:1] == "\r\n" for one, other in pairwise(items)))
    text = "".join(items)
    limits = pdd.Limits(characters=most)
    of_items, of_text, of_bytes = (
        [(lines.line_number, lines.offset, line) for line in lines]
        for lines in (
            LineReader(items, limits),
            LineReader(text, limits),
            LineReader(text.encode(), limits),
        )
    )
    assert of_items == of_text == of_bytes
    # An end that is missing counts as one character.
    bare = LineReader([line for line, _ in parts], limits)
    with_ends = LineReader("".join(f"{line}\n" for line, _ in parts), limits)
    assert [(bare.offset, line[:1]) for line in bare if line != "\n"] == [
        (with_ends.offset, line[:1]) for line in with_ends if line != "\n"
    ]


LINES = st.lists(st.tuples(st.text("ab", max_size=3), st.sampled_from(["", "\n", "\r", "\r\n"])))


@given(parts=LINES.filter(lambda parts: all(line or end for line, end in parts)))
@example(parts=[("a", "\r"), ("", "\n"), ("b", "")])
def test_an_item_of_an_iterable_is_a_line(parts: list[tuple[str, str]]) -> None:
    lines = LineReader([line + end for line, end in parts])
    found = {(lines.line_number, line.rstrip("\n")) for line in lines if line != "\n"}
    assert found == {(number, line) for number, (line, _) in enumerate(parts, 1) if line}


def test_the_line_of_an_error_does_not_depend_on_the_line_ends() -> None:
    for ends in (("", "", ""), ("\n", "\n", ""), ("\r", "\n", ""), ("\r", "\r", "\r")):
        lines = [line + end for line, end in zip(("1. d4,g7", "", "xx *"), ends, strict=True)]
        for function in (records.iter_records, partial(records.iter_games, on_error="yield")):
            assert [told(each)[:3] for each in function(lines)] == [(1, 3, 1)]


def test_a_file_that_does_not_wait_is_not_at_its_end() -> None:
    class Late(io.BytesIO):
        """A file without data yet, which returns ``None`` as non-blocking files do."""

        def read(self, most: int | None = -1, /) -> Any:
            return None if most else b""

    with pytest.raises(BlockingIOError, match="nothing is there yet"):
        records.load(Late())


@pytest.mark.parametrize("form", [Format.PDD, Format.ABSTRACT_PLAY, Format.MOVES])
def test_skipped_games_are_told_even_if_an_error_ends_the_stream(form: Format) -> None:
    octets = 3 * (BAD_GAMES[form].encode() + b"\n\n")

    class Torn(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            return super().read1(size) or self.tear()

        @staticmethod
        def tear() -> bytes:
            raise OSError("torn")

    for source, error in ((octets + b"\n\n\xff", UnicodeDecodeError), (Torn(octets), OSError)):
        games = MODULES[form].iter_games(source, "skip")
        with (
            pytest.warns(UserWarning, match="^[23] bad games skipped$") as caught,
            pytest.raises(error),
        ):
            next(games)
        assert [each.filename for each in caught] == [__file__]


@pytest.mark.parametrize(
    ("form", "stream"),
    [
        *((form, partial(read, format=form)) for form in Format),
        *((Format.PDD, stream) for stream in (records.iter_records, records.iter_headers)),
    ],
)
@pytest.mark.parametrize("kind", ["good", "bad"])
def test_no_game_stays_in_memory_while_the_next_one_is_read(
    form: Format, stream: Callable[..., Iterator[object]], kind: str
) -> None:
    text = one(form).decode() if kind == "good" else BAD_GAMES[form]
    last: list[weakref.ref[Any]] = []
    alive: list[bool] = []

    def lines() -> Iterator[str]:
        for line in f"{text}\n\n".splitlines(keepends=True) * 3:
            alive.extend(ref() is not None for ref in last)
            yield line

    for result in stream(lines()):
        last[:] = [weakref.ref(result)]
        del result
    assert last
    assert alive
    assert not any(alive)


@every_format
def test_a_bad_game_does_not_end_the_stream(form: Format) -> None:
    good = one(form).decode()
    (game,) = read(good, format=form)
    text = f"{good}\n{BAD_GAMES[form]}{good}"
    first, bad, last = read(text, format=form)
    assert first == last == game
    assert isinstance(bad, pdd.RecordError)
    assert bad.number == 2
    assert text.splitlines()[bad.line - 1].strip()
    assert good.count("\n") < bad.line <= (good + "\n" + BAD_GAMES[form]).count("\n")
    assert bad.__cause__ is not None
    functions: list[Any] = [partial(read, format=form), read]
    if form in MODULES:
        functions.append(MODULES[form].iter_games)
    for function in functions:
        found = function(text, "yield")
        assert [getattr(each, "number", each) for each in found] == [game, 2, game]
        skipping = function(text + BAD_GAMES[form], on_error="skip")
        with pytest.warns(UserWarning, match="^2 bad games skipped$") as caught:
            assert list(skipping) == [game, game]
        assert [each.filename for each in caught] == [__file__]
        games = function(text, "raise")
        assert next(games) == game
        assert refused(next, games).number == 2
        # An iterator that is closed before its end does not warn.
        function(BAD_GAMES[form] + text, "skip").close()


LONG = {
    Format.PDD: '[Event "{}"]\n1. a1,b1 *\n\n',
    Format.SGF: "(;FF[4]C[{}];PD[a1,b1])\n",
    Format.BOARDSPACE: "(;GM[PonteDelDiavolo]C[{}])\n",
    Format.ABSTRACT_PLAY: '{{"header": {{"a": "{}"}}}}\n',
    Format.MOVES: "a1,b1 {}\n\n",
    Format.JSON: '{{"format": "{}"}}\n',
}


@every_format
@pytest.mark.parametrize(
    "filler", ["x" * 1_100_000, "xxxxxxxxx\n" * 110_000, " " * 1_100_000 + "x"]
)
def test_a_game_that_is_too_long_is_one_error(form: Format, filler: str) -> None:
    good = one(form).decode()
    before = list(read(good, format=form))
    first, error, last = read(f"{good}\n{LONG[form].format(filler)}{good}", format=form)
    assert [first, last] == before * 2
    assert isinstance(error, pdd.RecordError)
    assert error.number == 2
    assert error.expected.endswith(" of at most 1,000,000 characters")


NO_SOURCES: tuple[Any, ...] = (5, None, 1.5, GAMES[0], memoryview(b"*"), bytearray(b"*"))
NO_LINES: tuple[Any, ...] = ([b"*"], [None], ["*\n", 5])


@every_function
def test_sources_are_checked(name: str) -> None:
    _, function = FUNCTIONS[name]
    for wrong in NO_SOURCES:
        said = rf"^source must be bytes, str, .*, not {type(wrong).__name__}$"
        with pytest.raises(TypeError, match=said):
            function(wrong)
    for wrong in NO_LINES:
        with wrong_type("a line of the file"):
            function(wrong)


@every_module
def test_arguments_are_checked(form: Format) -> None:
    module = MODULES[form]
    text = one(form).decode()
    for wrong in (None, [text], io.StringIO(text), memoryview(text.encode())):
        with pytest.raises(TypeError, match=r"^text must be str or bytes, not"):
            module.loads(wrong)
    for on_error in ("never", "", "SKIP"):
        readers: list[Any] = [module.iter_games, read]
        for function in readers:
            with pytest.raises(
                pdd.PonteError, match="on_error must be 'raise' or 'skip' or 'yield', not "
            ):
                function([], on_error)
    with wrong_type("on_error"):
        module.iter_games([], None)
    streams: list[Any] = [module.loads, module.load, module.iter_games]
    for function in streams:
        wanted = (
            "errors must be list" if module is records else "unexpected keyword argument 'errors'"
        )
        with pytest.raises(TypeError, match=wanted):
            function("", errors=())
    streams += [records.iter_headers, records.iter_records, read, pdd.json.loads]
    streams.append(pdd.json.from_json)
    for limits in (5, "NONE", [None]):
        for function in streams:
            with pytest.raises(TypeError, match="limits must be Limits"):
                function("", limits=limits)


@pytest.mark.parametrize("form", ["pdd", 5, True])
def test_a_format_is_a_format(form: Any) -> None:
    calls: list[tuple[Callable[..., object], tuple[object, ...]]] = [
        *((read, ("*",)), (write, ([], io.StringIO())), (unsupported, (GAMES[0],)))
    ]
    for call, arguments in calls:
        with wrong_type("format"):
            call(*arguments, format=form)


TEXTS = {form: [path.read_text("utf-8") for of, path in FILES if of is form] for form in Format}
for form in WRITTEN:
    TEXTS[form].append(page(form).decode())
TEXTS[Format.PDD] += [GOLDEN, MANY, ROW_TEXT]
PIECES = {
    Format.PDD: '[]{}();%$*"\\ \n1.a,b-x!?',
    Format.SGF: "(;)[]\\ PDa1,b2:ECR0W+\n",
    Format.BOARDSPACE: "(;)[]P0 5\n",
    Format.ABSTRACT_PLAY: '{}[]",:0-ew \n',
    Format.MOVES: "a1,b2-c3 \n;psred.4",
    Format.JSON: '{}[]",:0-ew \n',
}


@given(st.data())
def test_no_two_errors_of_a_game_have_the_same_place(data: st.DataObject) -> None:
    text = data.draw(damaged(TEXTS[Format.PDD], PIECES[Format.PDD]))
    for function in (records.iter_games, records.iter_records):
        errors: list[pdd.RecordError] = []
        more: dict[str, Any] = {"on_error": "yield"} if function is records.iter_games else {}
        results = [*function(text, errors=errors, **more)]
        errors += [each for each in results if isinstance(each, pdd.RecordError)]
        places = [(each.number, each.line, each.column) for each in errors]
        assert len({*places}) == len(places), errors


@every_format
@given(st.data())
def test_any_text_gives_games_or_record_errors(form: Format, data: st.DataObject) -> None:
    alphabet = PIECES[form]
    text = data.draw(st.text() | st.text(alphabet) | damaged(TEXTS[form], alphabet))
    found = [*read(text, format=form)]
    if form in MODULES:
        found += MODULES[form].iter_games(text, "yield")
    if form is Format.PDD:
        lenient = [*records.iter_games(text, "yield", [])]
        assert_games_or_errors(lenient, text)
        found += lenient
    assert_games_or_errors(found, text)
    for game in found:
        if isinstance(game, pdd.Game):
            assert records.loads(records.dumps(game)) == game
