"""How much is read of what nobody vouches for."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import Limits, records
from pontedeldiavolo.records import Format, abstract_play, read, sgf
from support.samples import BAD, BOARDSPACE, GAMES, page

MODULES: list[Any] = [records, sgf, abstract_play]


def errors_of(source: Any, limits: Limits | None = None, **more: Any) -> list[str]:
    """Return what is expected where it goes wrong."""
    found = read(source, limits=limits, **more)
    return [each.expected for each in found if isinstance(each, pdd.RecordError)]


def test_what_limits_are() -> None:
    assert Limits() == Limits(64, 1_000_000, None, 1_000, 50)
    assert Limits(None, None, None, None, None) == Limits.NONE
    assert type(Limits(games=cast("Any", Number())).games) is int
    for name in ("side", "characters", "games", "errors", "depth"):
        lowest = 1 if name == "side" else 0
        assert getattr(Limits(**{name: lowest}), name) == lowest
        with pytest.raises(pdd.PonteError, match=f"^{name} is {lowest} or more, not"):
            Limits(**{name: lowest - 1})
        for wrong in (True, 1.0, "1"):
            with pytest.raises(TypeError, match=f"^{name} must be a whole number"):
                Limits(**{name: cast("Any", wrong)})


class Number:
    def __index__(self) -> int:
        return 5


def test_limits_are_limits() -> None:
    functions: list[Any] = [records.iter_headers, records.iter_records, read]
    for function in functions:
        with pytest.raises(TypeError, match="limits must be Limits"):
            function([], limits=5)
    with pytest.raises(TypeError, match="limits must be Limits"):
        pdd.json.loads("", limits=cast("Any", 5))


# Each limit


@pytest.mark.parametrize("form", BAD)
def test_boards_have_no_larger_side(form: Format) -> None:
    text = page(form, GAMES[:1])
    assert list(read(text, format=form, limits=Limits(side=8))) == GAMES[:1]
    (said,) = errors_of(text, Limits(side=7), format=form)
    assert "a board of at most 7x7" in said


def test_boards_of_boardspace_and_without_a_word_are_ten_cells_wide() -> None:
    for source in (BOARDSPACE, "1. a1,b1 *", "(;PD[a1,b1])"):
        assert errors_of(source, Limits(side=10)) == []
        assert errors_of(source, Limits(side=9)) == ["a board of at most 9x9"]


def test_the_board_of_a_start_counts_before_the_state_is_read() -> None:
    # What follows the rules is wrong, and not looked at.
    rules = "64x64 tiles=unlimited bridges=unlimited tiebreaks=none"
    for text in (f'[Start "{rules} rows=?"]\n*', f"(;PDSTART[{rules} rows=?])"):
        assert errors_of(text, Limits(side=63)) == ["a board of at most 63x63"]
        assert errors_of(text) != ["a board of at most 63x63"]


@pytest.mark.parametrize("form", BAD)
def test_games_have_no_more_characters(form: Format) -> None:
    one, two = page(form, GAMES[:1]).decode().rstrip(), page(form, GAMES[:1]).decode()
    text = f"{one}\n\n{two}"
    assert list(read(text, format=form, limits=Limits(characters=len(two)))) == GAMES[:1] * 2
    said = errors_of(text, Limits(characters=len(one) - 1), format=form)
    assert len(said) == 2
    assert all(each.endswith(f" of at most {len(one) - 1} characters") for each in said)


@pytest.mark.parametrize("form", BAD)
def test_no_more_games_are_read(form: Format) -> None:
    texts = [page(form, [game]).decode() for game in GAMES]
    text = "\n".join(texts)
    assert list(read(text, format=form, limits=Limits(games=3))) == GAMES
    *games, last = read(text, format=form, limits=Limits(games=2))
    assert games == GAMES[:2]
    assert isinstance(last, pdd.RecordError)
    assert (last.number, last.expected) == (3, "the end: at most 2 games are read")
    assert text.splitlines()[last.line - 1].strip()


@pytest.mark.parametrize("form", BAD)
def test_after_so_many_errors_nothing_is_read(form: Format) -> None:
    good = page(form, GAMES[:1]).decode()
    text = "\n".join([BAD[form]] * 4 + [good])
    assert len(list(read(text, format=form, limits=Limits(errors=4)))) == 5
    found = list(read(text, format=form, limits=Limits(errors=2)))
    assert len(found) == 3
    last = found[-1]
    assert isinstance(last, pdd.RecordError)
    assert (last.number, last.expected) == (3, "at most 2 errors: nothing more is read")
    assert last.__cause__ is None


def endless() -> Iterator[str]:
    while True:
        yield '[Event "x"]\n'
        yield "?\n"


def test_an_endless_file_of_errors_ends() -> None:
    for stream in (records.iter_results, records.iter_records, read):
        assert len(list(stream(endless()))) == 1_001
    assert len(list(records.iter_headers(endless(), limits=Limits(games=7)))) == 8


def test_streams_of_games_raise_what_ends_them_early() -> None:
    for module in MODULES:
        text = "\n".join(module.dumps(game) for game in GAMES)
        games = module.iter_games(io.StringIO(text), "skip", limits=Limits(games=2))
        assert [next(games), next(games)] == GAMES[:2]
        with pytest.raises(pdd.RecordError, match="at most 2 games are read"):
            next(games)
    # Bad games that are left out are not counted.
    text = '[Event "x"]\n?\n' * 5 + '[Event "y"]\n1. a1,b1 *'
    assert len(list(records.iter_games(io.StringIO(text), "skip", limits=Limits(errors=0)))) == 1


@pytest.mark.parametrize(
    "read_one", [records.loads, lambda text, *a, **k: records.load(io.StringIO(text), *a, **k)]
)
def test_a_lenient_list_has_no_more_errors(read_one: Callable[..., pdd.Game]) -> None:
    text = "1. a1,b1 " + "(a1,a1) " * 5 + "(?) " * 5 + "*"
    errors: list[pdd.RecordError] = []
    assert len(read_one(text, errors, limits=Limits(errors=10)).actions) == 1
    assert len(errors) == 10
    for most in (0, 3, 7, 9):
        errors = []
        with pytest.raises(pdd.RecordError, match=f"at most {most} errors: nothing more is read"):
            read_one(text, errors, limits=Limits(errors=most))
        assert len(errors) == most


def test_a_lenient_stream_ends_with_its_list() -> None:
    text = '[Event "x"]\n1. a1,b1 (?) (?) *\n\n' * 3
    errors: list[pdd.RecordError] = []
    for stream in (records.iter_results, records.iter_records):
        errors.clear()
        one, last = stream(io.StringIO(text), errors, limits=Limits(errors=3))
        assert not isinstance(one, pdd.RecordError)
        assert isinstance(last, pdd.RecordError)
        assert (last.number, last.expected) == (2, "at most 3 errors: nothing more is read")
        assert len(errors) == 3
    errors.clear()
    games = records.iter_games(io.StringIO(text), "skip", errors, limits=Limits(errors=3))
    next(games)
    with pytest.raises(pdd.RecordError, match="at most 3 errors"):
        next(games)
    (header, *_) = records.iter_headers(io.StringIO(text), limits=Limits(errors=1))
    assert isinstance(header, records.Header)
    with pytest.raises(pdd.RecordError, match="at most 1 errors"):
        header.record([])
    (record, *_) = records.iter_records(
        io.StringIO("1. a1,b1 (a1,a1) (a1,a1) *"), limits=Limits(errors=1)
    )
    assert isinstance(record, records.Record)
    with pytest.raises(pdd.RecordError, match="at most 1 errors"):
        record.game([])


@pytest.mark.parametrize("form", [Format.PDD, Format.SGF, Format.JSON])
def test_variations_lie_no_deeper(form: Format) -> None:
    game = GAMES[0].with_variation((0,), ["a1,b1"]).with_variation((0, 0, 0), ["a1,b2"])
    text = page(form, [game])
    assert list(read(text, format=form, limits=Limits(depth=2))) == [game]
    for depth in (0, 1):
        (said,) = errors_of(text, Limits(depth=depth), format=form)
        assert f"variations at most {depth} deep in each other" in said


def test_documents_have_limits_if_one_says_so() -> None:
    text = pdd.json.dumps(pdd.Board(12, 9))
    assert pdd.json.loads(text, limits=Limits(side=12)) == pdd.Board(12, 9)
    with pytest.raises(pdd.json.JsonError, match="a board of at most 11x11"):
        pdd.json.loads(text, limits=Limits(side=11))
    with pytest.raises(pdd.json.JsonError, match="a text of at most 10 characters"):
        pdd.json.loads(text, limits=Limits(characters=10))
    line = GAMES[0].with_variation((0,), ["a1,b1"]).line
    for value in (line, line.moves[0]):
        with pytest.raises(pdd.json.JsonError, match="variations at most 0 deep"):
            pdd.json.loads(pdd.json.dumps(value), limits=Limits(depth=0))


# What errors keep


def chain(error: BaseException | None) -> Iterator[BaseException]:
    """Iterate over an error and what is behind it."""
    while error is not None:
        yield error
        assert error.__context__ is None
        error = error.__cause__


LONG = "x" * 5_000
FAULTY = {
    Format.PDD: [
        f'[Event "{LONG}"]\n1. a1,b1 ? {{{LONG}}} *',
        f'[Event "{LONG}\n1. a1,b1 *',
        f"1. a1,b1 {{{LONG}}} (a1,a1) *",
        f'[Rules "{LONG}"]\n*',
    ],
    Format.SGF: [f"(;C[{LONG}];PD[a1,a1]C[{LONG}])", f"(;C[{LONG}];PD[{LONG}])", f"(;RU[{LONG}])"],
    Format.BOARDSPACE: [BOARDSPACE.decode().replace("Start", LONG)],
    Format.ABSTRACT_PLAY: [f'{{"header": {{"a": "{LONG}"}}}}', f'{{"header": {LONG}'],
    Format.MOVES: [f"size-8 a1,b1 {LONG}", f"a1,b1 a1,a1 {LONG}"],
    Format.JSON: [
        f'{{"format": {LONG}}}',
        page(Format.JSON, GAMES[:1]).decode().replace("{}", json.dumps({"A": LONG + "\n" + LONG})),
    ],
}


@pytest.mark.parametrize(
    ("form", "text"), [(form, each) for form in FAULTY for each in FAULTY[form]]
)
def test_errors_hold_neither_tracebacks_nor_texts(form: Format, text: str) -> None:
    found = [each for each in read(text, format=form) if isinstance(each, pdd.RecordError)]
    if form is Format.PDD:
        records.load(io.StringIO(text.replace("Rules", "Site")), found)
        found += [
            each
            for each in records.iter_records(io.StringIO(text))
            if isinstance(each, pdd.RecordError)
        ]
    assert found
    for error in found:
        for each in chain(error):
            assert each.__traceback__ is None
            assert not hasattr(each, "doc")
            if isinstance(each, pdd.NotationError):
                assert len(each.text) <= 200
                assert 0 <= each.offset <= len(each.text)
            assert len(str(each)) < 500


def test_an_excerpt_is_what_is_around_the_fault() -> None:
    for before, after in ((0, 500), (50, 500), (500, 500), (500, 50), (500, 0), (10, 10)):
        text = f"1. a1,b1 {{{'x' * before}}} ? {{{'y' * after}}} *"
        with pytest.raises(pdd.RecordError) as caught:
            records.loads(text)
        cause = caught.value.__cause__
        assert isinstance(cause, pdd.NotationError)
        assert cause.text in text
        assert cause.text[cause.offset] == "?"
        assert len(cause.text) == min(200, len(text))


# What can be made is written, and what is written is read


@given(data=st.data())
@settings(max_examples=5)
def test_what_can_be_made_is_written_and_read_back(data: st.DataObject) -> None:
    length = st.sampled_from([0, 3, 200, 400_000, 999_999, 1_000_000])
    text = st.builds(lambda one, times: (one * times)[:times], st.sampled_from(PIECES), length)
    game = GAMES[0].with_tags({f"T{place}": data.draw(text) for place in range(2)})
    for path in ((), (0,)):
        game = game.with_comment(data.draw(text), path)
    game = game.with_variation((0,), ["a1,b1"], data.draw(text))
    for form in (Format.PDD, Format.SGF, Format.JSON):
        (found,) = read(page(form, [game]), format=form, limits=Limits.NONE)
        assert found == game


PIECES = ["x", "a b ", "\\", "]", "}", '"', "é", "\U0001f309", ":;"]


def test_texts_that_nobody_reads_are_not_made() -> None:
    long = "x" * 1_000_001
    said = "has 1,000,001 characters, and 1,000,000 are the most"
    with pytest.raises(pdd.PonteError, match=f"^the tag A {said}"):
        GAMES[0].with_tags({"A": long})
    with pytest.raises(pdd.PonteError, match=f"^a comment {said}"):
        GAMES[0].with_comment(long)
    for form, text in {
        Format.PDD: f'[A "{long}"]\n*',
        Format.SGF: f"(;C[{long}])",
        Format.BOARDSPACE: f"(;GM[pontedeldiavolo]P0[id a];P0[Start P0]C[{long}])",
        Format.ABSTRACT_PLAY: page(Format.ABSTRACT_PLAY)
        .decode()
        .replace('"site": {"name": ""}', '"site": {"name": "' + long + '"}'),
        Format.JSON: page(Format.JSON, GAMES[:1])
        .decode()
        .replace('"tags": {}', '"tags": {"A": "' + long + '"}'),
    }.items():
        said = next(iter(errors_of(text, Limits.NONE, format=form)))
        assert "1,000,000 are the most" in said
    assert "1,000,000 are the most" in errors_of(f"1. a1,b1 {{{long}}} *", Limits.NONE)[0]
    (header,) = records.iter_headers(io.StringIO(f'[A "{long}"]\n*'), limits=Limits.NONE)
    assert isinstance(header, records.Header)
    with pytest.raises(pdd.RecordError, match="are the most"):
        header.record()


# Joined files


def test_a_byte_order_mark_begins_a_record() -> None:
    one = '\ufeff[First "Ada"]\n1. a1,b1 *\n'
    found = list(records.iter_headers(io.StringIO(one * 3)))
    assert [each.number for each in found] == [1, 2, 3]
    assert len(list(records.iter_games(io.StringIO(one * 3)))) == 3
    for form in BAD:
        text = "\ufeff" + page(form).decode().rstrip() + "\n\n"
        for source in (text * 3, text.encode() * 3):
            assert list(read(source, format=form)) == GAMES * 3
    for form in (Format.SGF, Format.JSON):
        text = page(form, GAMES[:1]).decode().rstrip()
        assert list(read(f"{text}\ufeff{text}", format=form)) == GAMES[:1] * 2
        # What follows a game that is cut off is read all the same.
        bad, good = read(f"{text[:-1]}\n\ufeff{text}", format=form)
        assert isinstance(bad, pdd.RecordError)
        assert good == GAMES[0]
    # In a comment it is a character as any other.
    game = records.loads("1. a1,b1 {a\n\ufeffb} *")
    assert game.line.moves[0].comment == "a \ufeffb"


# The main line alone


def test_variations_may_be_left_out() -> None:
    text = "1. a1,b1 (1. c1,d1 (1. a1,a1) white) red (white 2. d4,d4) 2. {} *"
    (record,) = records.iter_records(io.StringIO(text.format("c3,c5")))
    assert isinstance(record, records.Record)
    with pytest.raises(pdd.RecordError, match="column 24: expected a legal action"):
        record.game()
    game = record.game(variations=False)
    assert game == records.loads("1. a1,b1 red 2. c3,c5 *")
    (record,) = records.iter_records(io.StringIO(text.format("a1,c3 (2. a1,a1)")))
    assert isinstance(record, records.Record)
    errors: list[pdd.RecordError] = []
    assert len(record.game(errors, variations=False).actions) == 2
    assert [error.column for error in errors] == [text.index("2. {}") + 4]
    with pytest.raises(TypeError, match="variations must be bool"):
        record.game(variations=cast("Any", None))


@pytest.mark.parametrize("text", [",", ";", " , ;", "resign", "timeout", "pied", "pied resign"])
def test_nothing_is_no_list_of_moves(text: str) -> None:
    with pytest.raises(pdd.RecordError, match="a move, or the size of the board"):
        abstract_play.loads(text)


def test_a_size_is_a_game() -> None:
    assert abstract_play.loads("size-10").actions == ()
    assert abstract_play.loads("size-8 resign").ending is pdd.Ending.RESIGNATION
