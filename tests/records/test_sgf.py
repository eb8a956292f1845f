"""Games become SGF files and come back, also when other programs have been at them."""

from __future__ import annotations

import re
from io import StringIO
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from sgfmill import sgf_grammar  # type: ignore[import-untyped]

import pontedeldiavolo as pdd
from pontedeldiavolo.records import sgf
from support.paths import DATA
from support.strategies import (
    Player,
    play_out,
    share,
    tag_values,
)
from support.trees import annotated_games

FOLDER = DATA / "sgf"
WRITTEN = ["annotated", "last-turns"]
RULES = "RU[8x8 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges]"


def without_version(text: str) -> str:
    """Return an SGF text without the version of the library that wrote it."""
    return re.sub(r"AP\[[^]]*\]", "AP[]", text)


def moves(*actions: str, root: str = "", rest: str = "") -> str:
    """Return a tree of one line."""
    return f"(;{root}" + "".join(f";PD[{action}]" for action in actions) + f"{rest})"


def names(line: pdd.Line) -> list[str]:
    return [pdd.format_action(action) for action in line.actions]


def refused(text: str) -> pdd.RecordError:
    with pytest.raises(pdd.RecordError) as caught:
        sgf.loads(text)
    return caught.value


# Files


@pytest.mark.parametrize("name", WRITTEN)
def test_games_are_written_as_the_files_have_them(name: str) -> None:
    game = pdd.records.loads((FOLDER / f"{name}.pdd").read_text("utf-8"))
    text = (FOLDER / f"{name}.sgf").read_text("utf-8")
    assert without_version(sgf.dumps(game)) == without_version(text)
    assert pdd.__version__ in sgf.dumps(game).splitlines()[0]


def test_saving_in_another_program_loses_nothing() -> None:
    original = pdd.records.loads((FOLDER / "annotated.pdd").read_text("utf-8"))
    resaved = sgf.loads((FOLDER / "resaved.sgf").read_text("utf-8"))
    assert resaved == original.with_tags({**original.tags, "SGF_KM": "[0.00]"})
    assert "\nKM[0.00]\n" in sgf.dumps(resaved)


def test_collections() -> None:
    texts = [(FOLDER / f"{name}.sgf").read_text("utf-8") for name in WRITTEN]
    text = "\n".join([texts[0], "(;PD[a1])", "between", texts[1], "(;C["])
    results = list(sgf.iter_results(StringIO(text)))
    assert [isinstance(each, pdd.Game) for each in results] == [True, False, True, False]
    games = list(sgf.iter_games(StringIO(text), on_error="skip"))
    file = StringIO()
    for game in games:
        sgf.dump(game, file)
    assert without_version(file.getvalue()) == without_version("".join(texts))
    with pytest.raises(pdd.RecordError, match="game 2, line 28, column 8: expected ',' or '-'"):
        list(sgf.iter_games(StringIO(text)))
    with pytest.raises(pdd.RecordError, match="one game was asked for"):
        sgf.load(StringIO(file.getvalue()))
    with pytest.raises(pdd.RecordError, match="expected ',' or '-'"):
        sgf.loads(text)


# Every game


def tags() -> SearchStrategy[dict[str, str]]:
    days = st.sampled_from(["2026.05.17", "2026.05.??", "2026.??.??", "????.??.??", "a day"])
    known = ["First", "Second", "Event", "Site", "Round", "GameName", "Annotator", "Source"]
    foreign = st.dictionaries(
        st.sampled_from(["SGF_KM", "SGF_ABCD", "SGF_PD", "SGF_x", "SGF_"]),
        st.sampled_from(["[6.5]", "[a][b\\]]", "[", "[a]b", "[\\\\]", "", "[]"]),
    )
    free = st.dictionaries(st.sampled_from(known) | st.just("Odd_1"), tag_values())
    dated = st.fixed_dictionaries({}, optional={"Date": days})
    return st.builds(lambda *parts: parts[0] | parts[1] | parts[2], foreign, free, dated)


@st.composite
def games(draw: DrawFn) -> pdd.Game:
    """Return games of every kind: with trees, with other starts, ended in every way."""
    game = draw(annotated_games()).with_tags(draw(tags()))
    ending = draw(st.none() | st.sampled_from([*pdd.Ending][1:]))
    if ending is None or game.ending is not None:
        return game
    seats = st.sampled_from(pdd.Seat)
    return game.end(ending, draw(seats if ending is pdd.Ending.RESIGNATION else st.none() | seats))


@given(games())
def test_texts_round_trip(game: pdd.Game) -> None:
    text = sgf.dumps(game)
    assert sgf.loads(text) == game
    assert sgf.losses(game) == ()
    # What is read and written again is written the same way.
    assert sgf.dumps(sgf.loads(text)) == text


@share(0.5)
@given(games())
def test_another_parser_reads_the_same_tree(game: pdd.Game) -> None:
    text = sgf.dumps(game)
    tree = sgf_grammar.parse_sgf_game(text.encode())
    found = list(sgf_grammar.main_sequence_iter(tree))
    assert [each["PD"][0].decode() for each in found if "PD" in each] == names(game.line)
    # Saved by that other program, with everything on other lines, it is the same game.
    again = sgf_grammar.serialise_game_tree(tree).decode()
    assert sgf.loads(again) == game
    ours = [name for each in found for name in each]
    assert all(sgf_grammar.is_valid_property_identifier(name) for name in ours)


# Where things stand


def test_a_variation_is_a_sibling_of_the_move_it_replaces() -> None:
    game = pdd.Game.new(pdd.presets.ABSTRACT_PLAY_8)
    for action in ("a1,b1", "red", "h8,h7"):
        game = game.play(action)
    game = game.with_variation((1,), ["white", "g8,g7"]).with_variation((1, 0, 0), ["red"])
    game = game.with_variation((0,), ["c1,c2"], "quiet").with_variation((2,), ["d1,d2"])
    assert sgf.dumps(game).splitlines()[2:] == [
        "(;PD[a1,b1]",
        "(;PD[red]",
        "(;PD[h7,h8])",
        "(;PD[d1,d2]))",
        "(;",
        "(;PD[white]",
        ";PD[g7,g8])",
        "(;PD[red])))",
        "(;C[quiet]",
        ";PD[c1,c2]))",
    ]
    assert sgf.loads(sgf.dumps(game)) == game


def test_nodes_without_an_action_belong_to_what_is_before_them() -> None:
    text = moves("a1,b1", rest="(;C[said](;PD[red]N[one];;C[two])(;PD[white]))(;C[instead];;)(;;)")
    line = sgf.loads(text).line
    assert names(line) == ["a1,b1", "red"]
    assert [move.comment for move in line.moves] == ["said", "instead\none\ntwo"]
    assert [names(each) for each in line.moves[1].variations] == [["white"]]
    # A line that goes on only beside a node without an action goes on there.
    line = sgf.loads(moves("a1,b1", rest="(;C[nothing])(;PD[red];PD[c3,c4])(;PD[white])")).line
    assert names(line) == ["a1,b1", "red", "c3,c4"]
    assert [names(each) for each in line.moves[1].variations] == [["white"]]
    # The root, too, may have an action.
    line = sgf.loads("(;PD[a1,b1]C[here](;PD[red])(;PD[white]))").line
    assert (names(line), line.comment, line.moves[0].comment) == (["a1,b1", "red"], "", "here")
    # Notes before the first move are about the game.
    assert sgf.loads("(;C[a];N[b]PDGLYPHS[1];PD[a1,b1])").line.comment == "a\nb"


def test_judgements_of_other_programs_are_glyphs() -> None:
    rest = "TE[1];PD[red]BM[2]PDGLYPHS[14];PD[c3,c4]DO[]IT[];PD[e5,e6]TE[9]BM[1]"
    line = sgf.loads(moves("a1,b1", rest=rest)).line
    assert [move.glyphs for move in line.moves] == [(1,), (14, 4), (5, 6), (2,)]


def test_depth() -> None:
    def nested(depth: int) -> str:
        text = moves("a1,b1", "red")
        for _ in range(depth):
            text = f"(;(;PD[a1,b1];PD[red]){text.replace('(;', '(;', 1)})"
        return text

    assert sgf.loads(nested(50)).line.depth == 50
    error = refused(nested(51))
    assert error.expected == "variations at most 50 deep in each other"


# What the root says


@pytest.mark.parametrize(
    ("root", "ending", "winner", "result"),
    [
        ("", None, None, "*"),
        ("RE[?]", None, None, "*"),
        ("RE[Void]", None, None, "*"),
        ("RE[]", None, None, "*"),
        ("RE[W+R]", "resignation", "second", "white"),
        ("RE[b+resign]", "resignation", "first", "red"),
        ("RE[W+Time]", "time", "second", "white"),
        ("RE[B+F]", "adjudication", "first", "red"),
        ("RE[0]", "agreement", None, "draw"),
        ("RE[Draw]PDENDING[adjudication]", "adjudication", None, "draw"),
        ("RE[W+]PDENDING[agreement]", "agreement", "second", "white"),
        ("RE[W+R]PDENDING[time]", "time", "second", "white"),
    ],
)
def test_results(root: str, ending: str | None, winner: str | None, result: str) -> None:
    game = sgf.loads(moves("a1,b1", "white", root=root))
    found = game.ending and game.ending.value, game.winning_seat and game.winning_seat.value
    assert (*found, game.result) == (ending, winner, result)


def test_players_are_written_by_colour() -> None:
    tags = {"First": "Ada", "Second": "Bo"}
    for actions, white in (((), "Ada"), (("a1,b1", "red"), "Ada"), (("a1,b1", "white"), "Bo")):
        game = pdd.Game.new(tags=tags)
        for action in actions:
            game = game.play(action)
        assert f"\nPW[{white}]\n" in sgf.dumps(game)
        assert sgf.loads(sgf.dumps(game)) == game
    undecided = sgf.loads(moves("a1,b1", root="PW[Ada]PB[Bo]RE[B+T]"))
    assert undecided.tags == tags
    assert undecided.winning_seat is pdd.Seat.SECOND


def played_out() -> pdd.Game:
    play = play_out(pdd.presets.ABSTRACT_PLAY_8, Player(Random(5), builder=True, settler=True))
    game = pdd.Game.new(pdd.presets.ABSTRACT_PLAY_8)
    for action in play.actions:
        game = game.play(action)
    return game


def test_a_played_out_board_has_its_own_result() -> None:
    game = played_out()
    text = sgf.dumps(game)
    found = re.search(r"RE\[(W|B)\+[0-9]+\]", text)
    assert found
    assert sgf.loads(text.replace(found.group(), "")) == game
    assert sgf.loads(text.replace(found.group(), "PDENDING[scored]")) == game
    error = refused(text.replace(found.group(), "RE[0]"))
    assert error.expected == f"the result '{game.result}', as the board has it"
    error = refused(text.replace(found.group(), "RE[W+T]PDENDING[time]"))
    assert error.expected == "no ending but 'scored': the game is played out"


def decided_by_bridges(state: pdd.GameState) -> bool:
    return state.outcome is not None and state.outcome.decided_by is pdd.DecidedBy.BRIDGES


def test_the_result_of_a_tie_break_has_no_margin() -> None:
    of = pdd.Rules(pdd.Board(4, 4))
    plays = (play_out(of, Player(Random(seed), builder=True)) for seed in range(200))
    play = next(play for play in plays if decided_by_bridges(play.last))
    game = pdd.Game.new(of)
    for action in play.actions:
        game = game.play(action)
    assert re.search(r"\nRE\[[WB]\+\]\n", sgf.dumps(game))
    assert "PDENDING" not in sgf.dumps(game)
    assert sgf.loads(sgf.dumps(game)) == game


@pytest.mark.parametrize(
    ("value", "date", "written"),
    [
        ("2026-11-05", "2026.11.05", "2026-11-05"),
        ("2026-11", "2026.11.??", "2026-11"),
        ("2026", "2026.??.??", "2026"),
        ("2026-11-05,06", "2026.11.05", "2026-11-05"),
        ("autumn", "autumn", None),
        ("2026-11-31", "2026-11-31", None),
    ],
)
def test_dates(value: str, date: str, written: str | None) -> None:
    game = sgf.loads(f"(;DT[{value}])")
    assert game.tags == {"Date": date}
    expected = f"PDTAGS[Date:{date}]" if written is None else f"DT[{written}]"
    assert f"\n{expected})\n" in sgf.dumps(game)


def test_older_files_and_other_layouts() -> None:
    text = "\ufeffmail header\r\n( ;FF[3]GaMe[1]\r\nEVent[A\r\nB\tC]KM[6.5]KM[x]foo[bar]P0[x]\r\n"
    text += "Comment[one\r\ntwo \\\r\nthree\x07];PD[a1\\, b1 ] )\r\nmail footer"
    game = sgf.loads(text.replace("GaMe", "GM"))
    assert game.tags == {"Event": "A B C", "SGF_KM": "[6.5][x]"}
    assert game.line.comment == "one\ntwo three"
    assert names(game.line) == ["a1,b1"]


# What is refused


@pytest.mark.parametrize(
    ("text", "expected", "column"),
    [
        ("", "a game", 1),
        ("no game", "a game", 1),
        ("(;C[a]C", "a value in brackets", 8),
        ("(;C[a", "']' to end the value", 4),
        ("(;C[a]", "';', '(' or ')'", 7),
        ("(;C[a]x[b]!)", "';', '(' or ')'", 11),
        ("(;(", "';'", 4),
        ("(;(;);)", "'(' or ')'", 6),
        ("(;C[a](;FF[4])", "')': here another game begins", 7),
        ("(;GM[3])", "no GM: Ponte del Diavolo has no number", 6),
        ("(;GM[1];B[dd])", "an action in PD, not B", 11),
        ("(;W[dd])", "an action in PD, not W", 5),
        ("(;RU[Japanese])", "a board size", 6),
        ("(;RU[8x8 tiles=1])", "a blank and then 'bridges='", 17),
        ("(;PDSTART[8x8])", "a blank and then 'tiles='", 14),
        ("(;PD[a1,b1][a2,b2])", "one value of PD", 13),
        ("(;PD[a1,b1]PD[a2,b2])", "one value of PD", 15),
        ("(;EV[a][b])", "one value of EV", 9),
        ("(;PD[a1,])", "a cell such as 'c4'", 9),
        ("(;PD[a1,a1])", "a legal action: A pair needs two different cells", 6),
        ("(;PD[a1,b1](;PD[red])(;PD[a1,b1]))", "a legal action: This cannot", 27),
        ("(;PD[a1,b1]PDGLYPHS[256])", "a glyph from 0 to 255", 21),
        ("(;PD[a1,b1]PDGLYPHS[])", "a glyph from 0 to 255", 21),
        ("(;PD[a1,b1]PDGLYPHS[\u0661])", "a glyph from 0 to 255", 21),
        ("(;RE[White won])", "a result such as 'W+3', 'B+R', '0' or '?'", 6),
        ("(;RE[W+3])", "how it ended, as in 'W+R', or PDENDING", 6),
        ("(;PDENDING[time])", "a result in RE, to go with PDENDING", 12),
        ("(;PDENDING[boredom])", "one of scored, resignation", 12),
        ("(;RE[0]PDENDING[resignation])", "another result: a resignation has a winner", 6),
        ("(;RE[W+]PDENDING[scored])", "another result: a game is scored", 6),
        ("(;PDTAGS[Event])", "the name of a tag, ':' and its value", 10),
        ("(;PDTAGS[:x])", "the name of a tag, ':' and its value", 10),
        ("(;PDTAGS[Rules:x])", "the name of a tag, ':' and its value", 10),
        ("(;PDTAGS[A:x][A:y])", "no second tag A", 15),
        (f"({';PD[a1,b1]' * 105})", "the end: no game on this board has over 104 actions", 1046),
    ],
)
def test_texts_that_are_refused(text: str, expected: str, column: int) -> None:
    error = refused(text)
    assert error.expected.startswith(expected)
    assert (error.line, error.column, error.number) == (1, column, 1)


def test_starts_that_are_refused() -> None:
    text = (FOLDER / "last-turns.sgf").read_text("utf-8")
    error = refused(text.replace("phase=play", "phase=opening"))
    assert error.expected.startswith("a state that the rules allow: ")
    assert isinstance(error.__cause__, pdd.NotationError)
    error = refused(re.sub(r"\nRU\[[^]]*\]", f"\n{RULES}", text))
    assert error.expected == "a state with the rules that RU has"
    assert sgf.loads(re.sub(r"\nRU\[[^]]*\]", "", text)) == sgf.loads(text)
