"""Damaged files: a fault loses no whole game that is before it or after it."""

from __future__ import annotations

import io
import json
import warnings
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import records
from pontedeldiavolo.records import Format, detect, read
from support.samples import BOARDSPACE, GAMES, page

MEMBERS = [
    *((Format.JSON, name) for name in ("format", "version", "kind", "value")),
    *((Format.ABSTRACT_PLAY, name) for name in ("header", "moves")),
]


def object_first(form: Format, name: str) -> str:
    """Return a game as an object in one line, whose first member is the one with a name."""
    members = json.loads(page(form, GAMES[:1]))
    return json.dumps({name: members[name]} | members)


@pytest.mark.parametrize(("form", "name"), MEMBERS)
def test_an_object_is_detected_by_any_first_member(form: Format, name: str) -> None:
    text = object_first(form, name)
    for source in (text, f"[{text}]", f" [\n {text},\n{text}]", f"\ufeff{text}".encode()):
        assert detect(source) is form
        assert {*read(source)} == {*GAMES[:1]}


@pytest.mark.parametrize(("form", "name"), MEMBERS)
@pytest.mark.parametrize("before", ["", "[", ",", "\ufeff"])
def test_an_object_that_is_cut_off_hides_no_later_one(form: Format, name: str, before: str) -> None:
    text = object_first(form, name)
    source = f"{text[:-9]}\n{before}{text}\n{text}\n"
    bad, *games = read(source, format=form)
    assert isinstance(bad, pdd.RecordError)
    assert games == GAMES[:1] * 2
    assert [*read(source)][1:] == games


def whole_before(form: Format) -> list[tuple[bytes, bytes]]:
    """Return texts of two whole games, each with the beginning of a third one."""
    one = page(form, GAMES[:1])
    if form is Format.PDD:
        # The line of the third game is the end of the second one.
        return [(one * 2, b'[First "Jos'), (one.rstrip() + b"\n" + one, b"[")]
    if form is Format.MOVES:
        return [(one * 2, b"d4,g7 ")]
    if form is Format.ABSTRACT_PLAY:
        line = json.dumps(json.loads(one)).encode()
        return [(line + b"\n" + one, b'{"header"'), (b"[" + line + b"," + line, b',{"')]
    line = one.rstrip()
    return [(line + b"\n" + one, b"{"), (line + b" " + line, b'{"format": "')]


@pytest.mark.parametrize("form", [Format.PDD, Format.MOVES, Format.ABSTRACT_PLAY, Format.JSON])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_whole_games_before_bytes_that_are_not_text_are_read(form: Format, encoding: str) -> None:
    mark = {"utf-16-le": BOM_UTF16_LE, "utf-16-be": BOM_UTF16_BE}.get(encoding, b"")
    bad = b"\xe9" if encoding == "utf-8" else "\udc80".encode(encoding, "surrogatepass")
    for whole, beginning in whole_before(form):
        text = (whole + beginning).decode()
        octets = mark + text.encode(encoding) + bad + "\n[A]".encode(encoding)
        games = read(octets, format=form)
        assert [next(games), next(games)] == GAMES[:1] * 2
        with pytest.raises(UnicodeDecodeError) as caught:
            next(games)
        # Python 3.13 adds a note to the error, and `match` would search that as well.
        assert str(caught.value).endswith(f"in line {text.count(chr(10)) + 1}")


def test_a_game_that_goes_on_in_bytes_that_are_not_text_is_not_read() -> None:
    for text in (b"1. d4,g7\n2. \xe9", b"1. d4,g7\n\xe9", b"1. d4,g7 *\n\n  \xe9\n"):
        for source in (text, text + b'\n[First "Ada"]\n1. a1,b1 *'):
            with pytest.raises(UnicodeDecodeError):
                next(records.iter_games(source))
    with pytest.raises(UnicodeDecodeError):
        next(read(b"d4,g7\n \xe9", format=Format.MOVES))


def skipped_then_failing() -> Iterator[str]:
    yield "1. a1,a1 *\n"
    yield "[First"
    raise OSError("gone")


@pytest.mark.parametrize("source", [b"1. a1,a1 *\n[\xe9", skipped_then_failing()])
def test_a_warning_never_replaces_the_error_that_ends_reading(source: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises((UnicodeDecodeError, OSError)) as caught:
            list(records.iter_games(source, "skip"))
    assert caught.value.__notes__ == ["1 bad game skipped"]


def test_a_warning_that_is_an_error_comes_out_after_the_last_game() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match=r"^1 bad game skipped$"):
            list(records.iter_games(io.StringIO("1. a1,a1 *"), "skip"))


ESCAPED = [
    # The text of a game, and the beginning of the rest of it from its fault.
    (r"(;FF[4];PD[d4\,g99])", "99])"),
    ("(;FF[4];PD[d4,\\\ng99])", "99])"),
    ("(;FF[4];PD[\\d\\4\\,g7!])", "!"),
    (r"(;FF[4]RU[10x10\ tiles=\unlimited bridges=many])", "many"),
    (r"(;FF[4]RU[10x10 tiles=unlimited bridges=unlimited tiebreaks\=islands,\x])", r"\x]"),
    ("(;FF[4]PDSTART[10x10 \\\ntiles=1\\0 bridges=1 tiebreaks=none rows=?])", "?]"),
    (r'[Rules "10x10 \"tiles=x"]', r"\"tiles"),
    (r'[Start "10x10 tiles=1 bridges=1 tiebreaks=none \\rows"]', r"\\rows"),
]


@pytest.mark.parametrize(("text", "fault"), ESCAPED)
def test_the_column_of_an_error_counts_escapes_before_it(text: str, fault: str) -> None:
    (error,) = read(text + "\n*" if text.startswith("[") else text)
    assert isinstance(error, pdd.RecordError)
    before = text[: text.index(fault)]
    place = (before.count("\n") + 1, len(before) - before.rfind("\n"))
    assert (error.line, error.column) == place


def without_end_of_comment(game: pdd.Game) -> str:
    text = pdd.records.sgf.dumps(game)
    assert text.count("note]") == 1
    return text.replace("note]", "note")


@pytest.mark.parametrize("path", [None, (2,)])
def test_an_unclosed_value_hides_no_game(path: tuple[int, ...] | None) -> None:
    damaged = without_end_of_comment(GAMES[0].with_comment("a (note", path))
    text = f"{damaged}{page(Format.SGF).decode()}"
    for source in (text, damaged.rstrip() + page(Format.SGF).decode()):
        bad, *games = read(source)
        assert isinstance(bad, pdd.RecordError)
        assert games == GAMES
        line = next(each for each in damaged.splitlines() if "C[a (note" in each)
        assert (bad.code, bad.line, bad.column) == (
            "sgf-end-of-value",
            damaged.splitlines().index(line) + 1,
            line.index("[a (") + 1,
        )


def test_an_unclosed_value_of_boardspace_hides_no_game() -> None:
    whole = BOARDSPACE.decode()
    start = whole.index(";", 2)
    damaged = f"{whole[:start]}C[note\n"
    bad, game = read(damaged + whole)
    assert isinstance(bad, pdd.RecordError)
    assert (bad.code, bad.line) == ("sgf-end-of-value", damaged.count("\n"))
    assert [game] == list(read(whole))


def test_a_comment_may_contain_the_beginning_of_a_game() -> None:
    for comment in ("(;FF[4]", "like this:\n(;FF[4]CA[UTF-8]", "(;GM[1", "(;FF[4] (;FF[4"):
        for path in (None, (0,), (2,)):
            game = GAMES[0].with_comment(comment, path).with_nags([1], (0,))
            text = pdd.records.sgf.dumps(game)
            assert list(read(text)) == [game]
    # This is valid SGF: nothing shows that the comment was meant to end earlier.
    [unclosed] = read("(;FF[4]C[unclosed\n(;FF[4];PD[d4,g7])", "raise")
    assert unclosed.line.comment == "unclosed\n(;FF[4"


@pytest.mark.parametrize("form", [Format.ABSTRACT_PLAY, Format.JSON, Format.MOVES])
def test_looking_for_the_format_loses_no_game_before_bytes_that_are_not_text(form: Format) -> None:
    # The file ends within a character, which the decoder finds while the format is looked for.
    whole = page(form, GAMES[:1]).decode()
    octets = BOM_UTF16_LE + f"{whole}\n[A".encode("utf-16-le")[:-1]
    for games in (read(octets), read(octets, format=form)):
        assert next(games) == GAMES[0]
        with pytest.raises(UnicodeDecodeError, match=f"after line {whole.count(chr(10)) + 1}$"):
            next(games)
