"""The record format with comments, glyphs, variations and other starts; lenient reading."""

from __future__ import annotations

import io
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.game.line import MAX_DEPTH
from support.checks import wrong_type
from support.trees import annotated_games

GOLDEN = """\
[Event "A comment's life"]
[Rules "6x6 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"]
[Result "*"]

{Start of it} 1. a1,b2 $1 $14 red 2. c3,d4 {after} ({before} 2. c4,d4 3. e5,f5
(3. e1,f1 {inner})) 3. e5,f6 4. a3,b6 {A \\} and a \\\\ in a comment\\nof two
lines, the second of which is broken where there is a blank, so that no line of
the file is too long} *
"""


def test_golden_text() -> None:
    game = pdd.records.loads(GOLDEN)
    assert pdd.records.dumps(game) == GOLDEN
    assert game.line.comment == "Start of it"
    assert game.line.moves[0].glyphs == (1, 14)
    assert game.line.moves[2].comment == "after"
    assert game.line_at((2, 0)).comment == "before"
    assert game.move_at((2, 0, 1, 0, 0)).comment == "inner"
    assert game.line.moves[-1].comment.startswith("A } and a \\ in a comment\nof two")


@given(annotated_games())
def test_what_is_written_is_read_back(game: pdd.Game) -> None:
    text = pdd.records.dumps(game)
    again = pdd.records.loads(text)
    assert again == game
    assert again.state == game.state
    assert pdd.records.dumps(again) == text
    errors: list[pdd.RecordError] = []
    assert pdd.records.loads(text, errors) == game
    assert errors == []
    movetext = text.split("\n\n", 1)[1]
    assert all(len(line) < 80 or " " not in line for line in movetext.splitlines())


@given(st.lists(annotated_games(), max_size=4))
def test_files_of_several_games(games: list[pdd.Game]) -> None:
    file = io.StringIO()
    for game in games:
        pdd.records.dump(game, file)
    text = file.getvalue()
    assert list(pdd.records.iter_games(io.StringIO(text))) == games
    headers = list(pdd.records.iter_headers(io.StringIO(text)))
    assert len(headers) == len(games)
    for number, (header, game) in enumerate(zip(headers, games, strict=True), 1):
        assert isinstance(header, pdd.records.Header)
        assert header.number == number
        assert header.tags["Result"] == game.result
        assert {name: header.tags[name] for name in game.tags} == game.tags
        assert text.splitlines()[header.line - 1].startswith("[")
        assert header.record().game() == game


FREE = """\
\ufeff; a line for people
% a line for programs [and brackets
[Event "A {brace in a tag"] {a comment [over
[two lines] with brackets} ; and more
[First "Ada"] [Second "Bob"]

1... a1,b2!! ; to the end of the line
red?! 2. c3 , d4 $5 ( 2. c4,d4!? ; another
   ) {and} {more} 3. e5 , f6 draw

[Event "next"]
1. a1,b2
"""


def test_free_layout() -> None:
    first, second = pdd.records.iter_records(io.StringIO(FREE))
    assert isinstance(first, pdd.records.Record)
    assert isinstance(second, pdd.records.Record)
    assert first.line.comment == (
        "a line for people\na comment [over [two lines] with brackets\nand more"
    )
    assert first.tags == {"Event": "A {brace in a tag", "First": "Ada", "Second": "Bob"}
    moves = first.line.moves
    assert [move.glyphs for move in moves] == [(3,), (6,), (5,), ()]
    assert [move.comment for move in moves] == ["to the end of the line", "", "and\nmore", ""]
    assert moves[2].variations[0].moves[0].glyphs == (5,)
    assert moves[2].variations[0].moves[0].comment == "another"
    assert first.result == "draw"
    assert (second.number, second.actions) == (2, (pdd.parse_action("a1,b2"),))


START = "5x5 tiles=unlimited bridges=unlimited tiebreaks=none rows=5/5/w4/5/5 built=- phase=play"


def test_other_starts() -> None:
    text = f'[Start "{START} to-move=red white=first"]\n2. a1,b1 3. c3,d3'
    game = pdd.records.loads(text)
    assert [turn.number for turn in game.turns] == [2, 3]
    assert pdd.records.loads(pdd.records.dumps(game)) == game
    assert f'[Start "{START} to-move=red white=first"]' in pdd.records.dumps(game)


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [
        ("$1 1. a1,b1", (1, 1), "an action first"),
        ("(1. a1,b1)", (1, 1), "an action first"),
        ("1. a1,b1 $256", (1, 11), "a glyph from 0 to 255"),
        ("1. a1,b1 $x", (1, 11), "a glyph from 0 to 255"),
        ("1. a1,b1 (", (1, 11), "')'"),
        ("1. a1,b1 ()", (1, 11), "an action in the variation"),
        ("1. a1,b1 (1. c1,d1 *)", (1, 20), "')'"),
        ("1. a1,b1 )", (1, 10), "the end"),
        ("1. a1,b1 {never", (1, 10), "a comment that ends with '}'"),
        ("1. a1,b1 {\x07}", (1, 10), "a comment without control characters"),
        ("1. a1,b1{}red", (1, 1), None),
        ("1. a1,b1red", (1, 9), "a blank after the action"),
        ("1. a1,b1 red (1. c1,d1)", (1, 18), "a legal action"),
        ("1. a1,b1 red 2. c1,d1\n (2. e1,f1 3. e1,e1)", (2, 15), "a legal action"),
        ("1. a1,b1 * {but} more", (1, 18), "the end"),
        (f'[Start "{START} to-move=red white=first"]\n1. a1,b1', (2, 1), "turn number 2"),
        (f'[Start "{START} to-move=blue white=first"]', (1, 105), "one of 'white', 'red', '-'"),
        (f'[Start "{START} to-move=- white=first"]', (1, 9), "a state that the rules allow"),
        (
            f'[Rules "original"]\n[Start "{START} to-move=red white=first"]',
            (2, 9),
            "a state with the rules of the Rules tag",
        ),
        ("1. a1,b1 " + "(1. c1,d1 " * (MAX_DEPTH + 1), (1, 10 + 10 * MAX_DEPTH), "variations at"),
        (
            '[Rules "2x2 tiles=9 bridges=9 tiebreaks=none"]\n' + "a1,b1 " * 12,
            (2, 49),
            "the end: no",
        ),
    ],
)
def test_errors(text: str, place: tuple[int, int], expected: str | None) -> None:
    if expected is None:
        assert len(pdd.records.loads(text).actions) == 2
        return
    with pytest.raises(pdd.RecordError) as caught:
        pdd.records.loads(text)
    assert (caught.value.line, caught.value.column) == place
    assert expected in caught.value.expected


LENIENT = """\
[Event "good"]
[Bad tag]
[Event "again"]
[Result "won"]
[Termination "boredom"]

1. a1,b2 7. red 2. c3,d4 (2. nonsense (2. c4,d4 {deep) brace}) and more) 3. e5,f6 {so
far} 4. z9,a1 5. a6,b6 white-wins trailing
"""


def test_lenient_reading() -> None:
    errors: list[pdd.RecordError] = []
    game = pdd.records.loads(LENIENT, errors)
    assert game.tags == {"Event": "good"}
    texts = [pdd.format_action(action) for action in game.actions]
    assert texts == ["a1,b2", "red", "c3,d4", "e5,f6"]
    assert game.line.moves[2].variations == ()
    assert game.line.moves[3].comment == "so far"
    assert [(error.line, error.column) for error in errors] == [
        (2, 6),  # a tag without quotes
        (3, 2),  # a second tag of the same name
        (5, 15),  # no such termination
        (7, 10),  # a wrong number, which costs nothing
        (7, 30),  # nonsense, which costs its variation
        (8, 35),  # something after the result
        (4, 10),  # no such result
        (8, 9),  # an illegal action, which costs the rest
        (4, 10),  # a result that the board does not bear out
    ]


def test_lenient_reading_of_illegal_actions() -> None:
    errors: list[pdd.RecordError] = []
    text = "1. a1,b2 red 2. c3,d4 (2. a1,a2 3. e5,e6) 3. c3,e5 4. a9,b9 white-wins"
    game = pdd.records.loads(text, errors)
    assert len(game.actions) == 3
    assert [(error.line, error.column) for error in errors] == [(1, 27), (1, 46), (1, 61)]
    assert isinstance(errors[0].__cause__, pdd.IllegalActionError)
    # What is left is a game that can be written and read.
    assert pdd.records.loads(pdd.records.dumps(game)) == game


def test_what_even_a_lenient_reader_refuses() -> None:
    for text in ('[Rules "chess"]\n1. a1,b1', "", '[Event "one"]\n*\n[Event "two"]\n*'):
        with pytest.raises(pdd.RecordError):
            pdd.records.loads(text, [])


def test_headers_of_bad_records() -> None:
    text = '[Event "one"]\n1. nonsense\n\n[Event nothing]\n*\n[Event "three"]\n*'
    one, two, three = pdd.records.iter_headers(io.StringIO(text))
    assert isinstance(one, pdd.records.Header)
    assert isinstance(two, pdd.RecordError)
    assert isinstance(three, pdd.records.Header)
    assert (two.number, two.line) == (2, 4)
    assert (three.number, three.line, three.tags["Event"]) == (3, 6, "three")
    with pytest.raises(pdd.RecordError) as caught:
        one.record()
    assert (caught.value.line, caught.value.column) == (2, 4)
    errors: list[pdd.RecordError] = []
    assert one.record(errors).actions == ()
    assert len(errors) == 1


@given(
    st.integers(0, 2**32), st.lists(st.sampled_from(list('[]{}();%$*"\\ \n1.a,b-x!?')), max_size=4)
)
def test_damaged_records_give_record_errors_and_nothing_else(seed: int, junk: list[str]) -> None:
    rng = Random(seed)
    text = list(GOLDEN)
    for character in junk:
        place = rng.randrange(len(text))
        text[place : place + rng.randrange(3)] = character
    damaged = "".join(text)
    try:
        game = pdd.records.loads(damaged)
    except pdd.RecordError as error:
        assert (error.line, error.column) >= (1, 1)  # noqa: PT017  # damage may be harmless
    else:
        assert pdd.records.loads(pdd.records.dumps(game)) == game
    errors: list[pdd.RecordError] = []
    for record in pdd.records.iter_records(io.StringIO(damaged), errors):
        if isinstance(record, pdd.records.Record):
            kept = record.game(errors)
            assert pdd.records.loads(pdd.records.dumps(kept)) == kept


def test_a_record_has_a_longest_size_and_the_next_one_is_read_all_the_same() -> None:
    lines = ["1. a1,b1 {\n", *(["much to say\n"] * 100_000), "}\n", '[Event "next"]\n', "*\n"]
    long, after = pdd.records.iter_records(lines)
    assert isinstance(long, pdd.RecordError)
    assert "1,000,000 characters" in long.expected
    assert isinstance(after, pdd.records.Record)
    assert after.tags == {"Event": "next"}


def test_a_comment_that_never_ends_does_not_swallow_the_next_game() -> None:
    text = '[Event "one"]\n1. a1,b2 {oops\n*\n\n[Event "two"]\n1. a1,b1 {fine\n\n} *\n'
    one, two = pdd.records.iter_records(io.StringIO(text))
    assert isinstance(one, pdd.RecordError)
    assert (one.line, one.column, one.number) == (2, 10, 1)
    assert isinstance(two, pdd.records.Record)
    assert two.line.moves[0].comment == "fine"


def test_what_is_said_behind_the_result() -> None:
    game = pdd.records.loads("1. a1,b1 {a} * {b} ; c")
    assert game.line.moves[0].comment == "a\nb\nc"
    assert pdd.records.loads("* {nothing yet}").line.comment == "nothing yet"


def test_what_hangs_on_an_illegal_action_is_not_judged() -> None:
    errors: list[pdd.RecordError] = []
    text = "1. a1,b1 red 2. a1,c1 (2. c1,d1) 3. e1,f1 (3. a1-c1 (3. z9,z9)) 4. e1,f1 *"
    game = pdd.records.loads(text, errors)
    assert len(game.actions) == 2
    assert [(error.line, error.column) for error in errors] == [(1, 17)]


def test_one_suffix_and_no_more() -> None:
    for text in ("1. a1,b1!!?", "1. a1,b1???", "1. a1,b1?!?!"):
        with pytest.raises(pdd.RecordError, match="a blank after the action"):
            pdd.records.loads(text)


def test_lenient_reading_past_what_cannot_be_read() -> None:
    errors: list[pdd.RecordError] = []
    game = pdd.records.loads("1. a1,b1 () red ; a draw :)\n2. what ; a draw (\n 3. c1,d1 *", errors)
    assert len(game.actions) == 2
    assert [(error.line, error.column) for error in errors] == [(1, 11), (2, 4)]
    with pytest.raises(pdd.RecordError, match="double quotes"):
        pdd.records.loads("[Rules 8x8]\n1. a1,b1", [])


def test_errors_go_on_a_list() -> None:
    (record,) = pdd.records.iter_records(["1. a1,b1"])
    (header,) = pdd.records.iter_headers(["1. a1,b1"])
    assert isinstance(record, pdd.records.Record)
    assert isinstance(header, pdd.records.Header)
    for read in (
        lambda: pdd.records.loads("*", ()),  # type: ignore[arg-type]  # the point of the test
        lambda: pdd.records.iter_records(["*"], ()),  # type: ignore[arg-type]  # as above
        lambda: pdd.records.iter_games(["*"], errors=()),  # type: ignore[arg-type]  # as above
        lambda: record.game(()),  # type: ignore[arg-type]  # as above
        lambda: header.record(()),  # type: ignore[arg-type]  # as above
    ):
        with wrong_type("errors"):
            read()


def test_headers_whose_rules_cannot_be_read() -> None:
    bad, good = pdd.records.iter_headers(['[Rules "1x1" x]\n', "*\n", '[Event "next"]\n', "*\n"])
    assert isinstance(bad, pdd.RecordError)
    assert (bad.line, bad.column) == (1, 14)
    assert isinstance(good, pdd.records.Header)


def test_what_is_long_is_written_and_read_with_limits_that_allow_it() -> None:
    game = pdd.Game.new().with_comment("x" * 1_000_000)
    text = pdd.records.dumps(game)
    with pytest.raises(pdd.RecordError, match="a game of at most 1,000,000 characters"):
        pdd.records.loads(text)
    assert pdd.records.loads(text, limits=pdd.Limits.NONE) == game


def test_tags_are_plain_text() -> None:
    class Liar(str):
        __slots__ = ()

        def replace(self, *_: object) -> str:
            return "lie"

    game = pdd.Game.new(tags={"First": Liar('"Ada"')})
    assert type(game.tags["First"]) is str
    assert pdd.records.loads(pdd.records.dumps(game)) == game
