"""Games become SGF files and come back, also when other programs have been at them."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from sgfmill import sgf_grammar  # type: ignore[import-untyped]

import pontedeldiavolo as pdd
from pontedeldiavolo.records import sgf
from pontedeldiavolo.testing.strategies import perhaps_ended
from support.checks import refused
from support.games import actions_of
from support.paths import STORED
from support.strategies import Player, play_out, share, tag_values
from support.trees import annotated_games

FOLDER = STORED / "sgf"
WRITTEN = ["annotated", "last-turns"]


def without_version(text: str) -> str:
    """Return an SGF text without the version of the library that wrote it."""
    return re.sub(r"AP\[[^]]*\]", "AP[]", text)


def moves(*actions: str, root: str = "", rest: str = "") -> str:
    """Return a tree of one line."""
    return f"(;{root}" + "".join(f";PD[{action}]" for action in actions) + f"{rest})"


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


# Every game


def tags() -> SearchStrategy[dict[str, str]]:
    days = st.sampled_from(["2026.05.17", "2026.05.??", "2026.??.??", "????.??.??", "a day"])
    known = ["First", "Second", "Event", "Site", "Round", "GameName", "Annotator", "Source"]
    foreign = st.dictionaries(
        st.sampled_from(["SGF_KM", "SGF_ABCD", "SGF_PD", "SGF_x", "SGF_"]),
        st.sampled_from(["[6.5]", "[a][b\\]]", "[", "[a]b", "[\\\\]", "", "[]"]),
    )
    free = st.dictionaries(st.sampled_from([*known, "Odd_1"]), tag_values())
    dated = st.fixed_dictionaries({}, optional={"Date": days})
    return st.builds(lambda *parts: parts[0] | parts[1] | parts[2], foreign, free, dated)


def games() -> SearchStrategy[pdd.Game]:
    """Return games of every kind: with trees, with other starts, ended in every way."""
    return st.builds(pdd.Game.with_tags, annotated_games(), tags()).flatmap(perhaps_ended)


@given(games())
def test_texts_round_trip(game: pdd.Game) -> None:
    text = sgf.dumps(game)
    assert sgf.loads(text) == game
    assert sgf.losses(game) == ()
    assert sgf.dumps(sgf.loads(text)) == text


@share(0.5)
@given(games())
def test_another_parser_reads_the_same_tree(game: pdd.Game) -> None:
    tree = sgf_grammar.parse_sgf_game(sgf.dumps(game).encode())
    found = list(sgf_grammar.main_sequence_iter(tree))
    assert [each["PD"][0].decode() for each in found if "PD" in each] == actions_of(game)
    # Saved by that other program, with everything on other lines, it is the same game.
    assert sgf.loads(sgf_grammar.serialise_game_tree(tree).decode()) == game
    names = (name for each in found for name in each)
    assert all(sgf_grammar.is_valid_property_identifier(name) for name in names)


# Trees


def test_a_variation_is_a_sibling_of_the_move_it_replaces() -> None:
    game = pdd.Game.from_actions(pdd.presets.ABSTRACT_PLAY_8, ("a1,b1", "red", "h8,h7"))
    game = game.with_variation((1,), ["white", "g8,g7"]).with_variation((1, 0, 0), ["red"])
    game = game.with_variation((0,), ["c1,c2"], "quiet").with_variation((2,), ["d1,d2"])
    assert sgf.dumps(game).splitlines()[2:] == [
        *("(;PD[a1,b1]", "(;PD[red]", "(;PD[h7,h8])", "(;PD[d1,d2]))", "(;", "(;PD[white]"),
        *(";PD[g7,g8])", "(;PD[red])))", "(;C[quiet]", ";PD[c1,c2]))"),
    ]
    assert sgf.loads(sgf.dumps(game)) == game


def test_nodes_without_an_action_belong_to_the_action_before_them() -> None:
    text = moves("a1,b1", rest="(;C[said](;PD[red]N[one];;C[two])(;PD[white]))(;C[instead];;)(;;)")
    line = sgf.loads(text).line
    assert actions_of(line) == ["a1,b1", "red"]
    assert [move.comment for move in line.moves] == ["said", "instead\none\ntwo"]
    assert [actions_of(each) for each in line.moves[1].variations] == [["white"]]
    # A line that goes on only beside a node without an action goes on there.
    line = sgf.loads(moves("a1,b1", rest="(;C[nothing])(;PD[red];PD[c3,c4])(;PD[white])")).line
    assert actions_of(line) == ["a1,b1", "red", "c3,c4"]
    assert [actions_of(each) for each in line.moves[1].variations] == [["white"]]
    # The root, too, may have an action.
    line = sgf.loads("(;PD[a1,b1]C[here](;PD[red])(;PD[white]))").line
    assert (actions_of(line), line.comment) == (["a1,b1", "red"], "")
    assert line.moves[0].comment == "here"
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
    assert refused(sgf.loads, nested(51)).expected == "variations at most 50 deep in each other"


# The root


@pytest.mark.parametrize(
    ("root", "ending", "winner", "result"),
    [
        *((root, None, None, "*") for root in ("", "RE[?]", "RE[Void]", "RE[]")),
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
        game = pdd.Game.from_actions(None, actions, tags=tags)
        assert f"\nPW[{white}]\n" in sgf.dumps(game)
        assert sgf.loads(sgf.dumps(game)) == game
    undecided = sgf.loads(moves("a1,b1", root="PW[Ada]PB[Bo]RE[B+T]"))
    assert (dict(undecided.tags), undecided.winning_seat) == (tags, pdd.Seat.SECOND)


def test_a_played_out_board_has_its_own_result() -> None:
    rules = pdd.presets.ABSTRACT_PLAY_8
    game = play_out(rules, Player(Random(5), builder=True, settler=True))
    text = sgf.dumps(game)
    found = re.search(r"RE\[(W|B)\+[0-9]+\]", text)
    assert found
    for same in ("", "PDENDING[scored]"):
        assert sgf.loads(text.replace(found.group(), same)) == game
    for other, expected in (
        ("RE[0]", f"the result '{game.result}', as the board has it"),
        ("RE[W+T]PDENDING[time]", "no ending but 'scored': the game is played out"),
    ):
        assert refused(sgf.loads, text.replace(found.group(), other)).expected == expected


def decided_by_bridges(state: pdd.GameState) -> bool:
    return state.outcome is not None and state.outcome.decided_by is pdd.DecidedBy.BRIDGES


def test_the_result_of_a_tie_break_has_no_margin() -> None:
    rules = pdd.Rules(pdd.Board(4, 4))
    games = (play_out(rules, Player(Random(seed), builder=True)) for seed in range(200))
    game = next(game for game in games if decided_by_bridges(game.state))
    assert re.search(r"\nRE\[[WB]\+\]\n", sgf.dumps(game))
    assert "PDENDING" not in sgf.dumps(game)
    assert sgf.loads(sgf.dumps(game)) == game


@pytest.mark.parametrize(
    ("value", "date", "written"),
    [
        ("2026-11-05", "2026.11.05", "DT[2026-11-05]"),
        ("2026-11", "2026.11.??", "DT[2026-11]"),
        ("2026", "2026.??.??", "DT[2026]"),
        ("2026-11-05,06", "2026.11.05", "DT[2026-11-05]"),
        ("autumn", "autumn", "PDTAGS[Date:autumn]"),
        ("2026-11-31", "2026-11-31", "PDTAGS[Date:2026-11-31]"),
    ],
)
def test_dates(value: str, date: str, written: str) -> None:
    game = sgf.loads(f"(;DT[{value}])")
    assert game.tags == {"Date": date}
    assert f"\n{written})\n" in sgf.dumps(game)


def test_older_files_and_other_layouts() -> None:
    text = "\ufeffmail header\r\n( ;FF[3]GM[1]\r\nEVent[A\r\nB\tC]KM[6.5]KM[x]foo[bar]P0[x]\r\n"
    text += "Comment[one\r\ntwo \\\r\nthree\x07];PD[a1\\, b1 ] )\r\nmail footer"
    game = sgf.loads(text)
    assert game.tags == {"Event": "A B C", "SGF_KM": "[6.5][x]"}
    assert game.line.comment == "one\ntwo three"
    assert actions_of(game) == ["a1,b1"]


def test_text_without_a_tree_is_passed_over() -> None:
    game = pdd.Game.from_actions(pdd.presets.ABSTRACT_PLAY_8, ("a1,b1", "red"))
    good, old = sgf.dumps(game), "(\n;\nPD[a1,b1])"
    for text in (
        f"Dear Bo :( how are you?\n{good}(see\nbelow) {good}",
        f"((({good}{good}",
        f"a (b (c\n{good}) {good}",
    ):
        assert list(sgf.iter_games(text)) == [game] * 2
    (found,) = sgf.iter_games(f"a :( b\n{old}")
    assert actions_of(found) == ["a1,b1"]
    # Several games in a broken piece are numbered through.
    text = "(;FF[4];PD[a1,b1]\n" * 2 + good
    *errors, last = sgf.iter_results(f"(;FF[4](;FF[4];PD[a1] {text}")
    assert [getattr(each, "number", 0) for each in errors] == [1, 2, 3, 4]
    assert last == game
