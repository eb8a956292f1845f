"""Boardspace's records become games: those of people, of robots, and of older versions."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

import pontedeldiavolo as pdd
from pontedeldiavolo.game.tags import times
from pontedeldiavolo.records import boardspace
from support.boardspace_writer import DIRECTIONS, Writer, record, tiles
from support.games import actions_of
from support.paths import DATA
from support.strategies import play_out, players, share

FOLDER = DATA / "boardspace"
FILES = sorted(FOLDER.glob("*.sgf"), key=lambda path: path.stem)


OPENING = tiles(0, "W", "d5", "e7")


def refused(text: str) -> pdd.RecordError:
    with pytest.raises(pdd.RecordError) as caught:
        boardspace.loads(text)
    return caught.value


# Files


# Every game


@st.composite
def games(draw: DrawFn) -> pdd.Game:
    """Return games of which a record says everything."""
    rules = pdd.presets.BOARDSPACE
    longest = draw(st.none() | st.integers(0, 30))
    game = pdd.Game.new(rules)
    for action in play_out(rules, draw(players()), longest).actions:
        game = game.play(action)
    if game.actions[-1:] == (pdd.ChooseColor(pdd.Color.RED),):
        # Red is chosen by playing it.
        game = game.undo()
    mover = game.state.seat_to_move
    ending = draw(st.none() | st.sampled_from([pdd.Ending.RESIGNATION, pdd.Ending.TIME]))
    if mover is None or ending is None or not game.actions:
        return game
    return game.end(ending, mover if ending is pdd.Ending.TIME else mover.opponent)


@share(0.7)
@given(games(), st.integers(0, 2**32 - 1), st.sampled_from(["robot", "person", "fickle", "old"]))
def test_records_of_any_game_give_it_back(game: pdd.Game, seed: int, style: str) -> None:
    writer = Writer(
        Random(seed), robot=style == "robot", fickle=style == "fickle", old=style == "old"
    )
    found = boardspace.loads(writer.text(game))
    for place, time in enumerate(writer.times):
        if time is not None:
            game = game.with_annotations(times(None, time / 1000), (place,))
    assert found.with_tags({}) == game
    assert found.rules == pdd.presets.BOARDSPACE
    assert (found.tags["First"], found.tags["Second"]) == ("alice", "bob")
    assert found.tags["Date"] == "2014.11.18"


# Bridges


def test_a_bridge_takes_the_last_legal_direction_until_it_is_turned() -> None:
    # From e7, d5 is direction 60 and f5 is 120.
    tokens = [*tiles(0, "W", "e7", "d5"), *tiles(1, "R", "j1", "j9"), *tiles(0, "W", "f5", "a1")]
    tokens += tiles(1, "R", "j3", "h9")
    drop = ["0 Pick X_30", "0 Dropb E 7"]
    for then, bridge in (
        (["0 Done"], "f5-e7"),
        (["0 BridgeEnd D 5", "0 Done"], "d5-e7"),
        (["0 BridgeEnd D 5", "0 BridgeEnd F 5", "0 Done"], "f5-e7"),
        (["0 Pickb E 7", "0 Dropb E 7", "0 Done"], "f5-e7"),
    ):
        assert actions_of(boardspace.loads(record(*tokens, *drop, *then)))[-1] == bridge
    for end in ("E 7", "C 6"):
        error = refused(record(*tokens, *drop, f"0 BridgeEnd {end}", "0 Done"))
        assert error.expected == "the other end of the bridge just put down"
    # Of two ends in one row the right one is the anchor.
    game = boardspace.loads(record(*tokens, "0 Pick X_30", "0 Dropb F 5", "0 Done"))
    assert actions_of(game)[-1] == "d5-f5"
    # The lower end is no anchor.
    error = refused(record(*tokens, "0 Pick X_30", "0 Dropb D 5"))
    assert error.expected == "the upper end of a legal bridge"


@pytest.mark.parametrize("name", sorted(DIRECTIONS))
def test_robots_name_the_direction(name: int) -> None:
    columns, rows = DIRECTIONS[name]
    far = pdd.Cell(4 + columns, 4 + rows)
    tokens = [
        *tiles(0, "W", "e5", str(far)),
        *tiles(1, "R", "j9", "j7"),
        f"0 Bridge Bridge_{name} E 5",
        "0 Done",
    ]
    game = boardspace.loads(record(*tokens))
    assert game.actions[-1] == pdd.BuildBridge(pdd.Cell(4, 4), far)


def test_a_robots_bridge_that_leaves_the_board_or_breaks_a_rule() -> None:
    tokens = [*OPENING, *tiles(1, "R", "j9", "j7")]
    error = refused(record(*tokens, "0 Bridge Bridge_30 A 1", "0 Done"))
    assert error.expected == "a bridge with both ends on the board"
    error = refused(record(*tokens, "0 Bridge Bridge_90 D 5", "0 Done"))
    assert error.expected.startswith("a legal action: No tile of yours to rest a bridge on: d3.")
    assert isinstance(error.__cause__, pdd.NotationError)
    assert isinstance(error.__cause__.__cause__, pdd.IllegalActionError)


# Turns


def test_undone_things_leave_no_trace() -> None:
    tokens = ["0 Pick W", "0 Drop W", "0 Pick W", "0 Dropb A 1", "0 Reset", *OPENING]
    tokens += ["1 Pick R", "1 Undo", "1 Swap", "1 Swap", *tiles(1, "R", "c3", "c5")]
    tokens += ["0 Pick W", "0 Dropb A 1", "0 Pick W", "0 Dropb B 2", "0 Pickb A 1 0"]
    tokens += ["0 Dropb H 8", "0 Done"]
    game = boardspace.loads(record(*tokens))
    assert actions_of(game) == ["d5,e7", "red", "c3,c5", "b2,h8"]


def test_after_a_swap_the_other_player_goes_on_with_red() -> None:
    game = boardspace.loads(record(*OPENING, "1 Swap", "1 Done", *tiles(0, "R", "c3", "c5")))
    assert actions_of(game) == ["d5,e7", "white", "c3,c5"]
    assert game.turns[-1].seat is pdd.Seat.FIRST


def test_who_starts_sits_first() -> None:
    game = boardspace.loads(record(*tiles(1, "W", "d5", "e7"), start=1))
    assert (game.tags["First"], game.tags["Second"]) == ("bob", "alice")


def test_a_complete_turn_is_over_where_the_other_player_goes_on() -> None:
    tokens = OPENING[:-1]
    game = boardspace.loads(record(*tokens, *tiles(1, "R", "c3", "c5")))
    assert actions_of(game) == ["d5,e7", "red", "c3,c5"]
    game = boardspace.loads(record(*tokens, "1 Swap", *tiles(0, "R", "c3", "c5")))
    assert actions_of(game) == ["d5,e7", "white", "c3,c5"]


def played_out(seed: int) -> pdd.Game:
    game = pdd.Game.new(pdd.presets.BOARDSPACE)
    rng = Random(seed)
    while game.ending is None:
        game = game.play(game.state.legal_actions.sample(rng))
    return game


def late_game(color: pdd.Color) -> tuple[pdd.Game, list[str]]:
    """Return a game in which a colour can pass and do something else, and its tokens."""
    for seed in range(100):
        game = played_out(seed)
        for length, state in enumerate(game.states()):
            may_pass = state.is_legal(pdd.Pass()) and len(state.legal_actions) > 1
            if state.to_move is color and may_pass:
                writer = Writer(Random(0), robot=True)
                part = game.undo(len(game.actions) - length)
                starter = 0
                tokens = [f"{player} {token}" for player, token in writer.tokens(part, starter)]
                return part, tokens
    raise AssertionError("no such game")


@pytest.mark.parametrize("color", pdd.Color)
@pytest.mark.parametrize("words", [("Pass", "Done"), ("Done",), ("pass", "done")])
def test_passing_with_and_without_a_word(color: pdd.Color, words: tuple[str, ...]) -> None:
    game, tokens = late_game(color)
    mover = 0 if game.state.seat_to_move is pdd.Seat.FIRST else 1
    found = boardspace.loads(record(*tokens, *(f"{mover} {word}" for word in words)))
    assert found.actions[: len(game.actions) + 1] == (*game.actions, pdd.Pass())
    if color is pdd.Color.RED:
        assert found.ending is pdd.Ending.SCORED


def ends_by_itself(game: pdd.Game) -> bool:
    """Tell whether red, who is to move, can do nothing but pass at the end of a game."""
    *_, before, _ = game.states()
    return before.to_move is pdd.Color.RED and len(before.legal_actions) == 1


def test_where_red_can_do_nothing_the_game_is_over_without_a_word() -> None:
    game = next(game for game in map(played_out, range(100)) if ends_by_itself(game))
    tokens = [
        f"{player} {token}" for player, token in Writer(Random(0), robot=True).tokens(game, 0)
    ]
    for more in (
        (),
        ("0 GameOver",),
        ("0 Done", "1 Pass", "0 Resign", "1 WinOnTime", "0 Start P0"),
    ):
        found = boardspace.loads(record(*tokens, *more))
        assert found.actions == game.actions
        assert found.result == game.result
    error = refused(record(*tokens, "0 Pick W"))
    assert error.expected == "the end: the game is over"
    assert boardspace.loads(record(*tokens, "0 Edit", "0 Pick W")).actions == game.actions


# Endings


@pytest.mark.parametrize(
    ("tokens", "ending", "winner"),
    [
        (["1 Resign", "1 Done"], pdd.Ending.RESIGNATION, pdd.Seat.FIRST),
        (["1 Resign"], pdd.Ending.RESIGNATION, pdd.Seat.FIRST),
        (["1 Resign", "1 Resign"], None, None),
        (["1 Swap", "1 Done", "0 Resign", "0 Done"], pdd.Ending.RESIGNATION, pdd.Seat.SECOND),
        (["1 WinOnTime"], pdd.Ending.TIME, pdd.Seat.SECOND),
        (["1 Pick R", "1 WinOnTime"], pdd.Ending.TIME, pdd.Seat.SECOND),
    ],
)
def test_games_that_end_early(
    tokens: list[str], ending: pdd.Ending | None, winner: pdd.Seat | None
) -> None:
    game = boardspace.loads(record(*OPENING, *tokens))
    assert (game.ending, game.winning_seat) == (ending, winner)


def test_a_robot_ends_the_game() -> None:
    game, tokens = late_game(pdd.Color.RED)
    found = boardspace.loads(record(*tokens, "0 GameOver"))
    assert found.actions == (*game.actions, pdd.Pass())
    assert found.ending is pdd.Ending.SCORED
    # White's pass gives red one more turn, which the robot does not take either.
    game, tokens = late_game(pdd.Color.WHITE)
    found = boardspace.loads(record(*tokens, "1 GameOver"))
    assert found.actions[: len(game.actions) + 1] == (*game.actions, pdd.Pass())
    assert found.ending is not None


def test_a_robot_ends_the_game_too_early() -> None:
    tokens = [*OPENING, *tiles(1, "R", "c3", "c5")]
    game = boardspace.loads(record(*tokens, "0 GameOver"))
    assert (game.ending, game.winning_seat) == (pdd.Ending.ADJUDICATION, None)
    game = boardspace.loads(record(*tokens[:-1], "1 GameOver"))
    assert len(game.actions) == 3
    island = [
        *OPENING,
        *tiles(1, "R", "a1", "a2"),
        *tiles(0, "W", "h1", "h3"),
        *tiles(1, "R", "a3", "a4"),
    ]
    game = boardspace.loads(record(*island, "0 GameOver"))
    assert (game.ending, game.winning_seat) == (pdd.Ending.ADJUDICATION, pdd.Seat.SECOND)
    error = refused(record(*tokens, "0 Tile White_Chip_Pool A 1", "0 GameOver"))
    assert error.expected == "a second tile: there is room for one"


# Results in words


@pytest.mark.parametrize(
    ("words", "ending", "winner"),
    [
        ("Game won by bob", pdd.Ending.ADJUDICATION, pdd.Seat.SECOND),
        ("Gewonnen hat Alice.", pdd.Ending.ADJUDICATION, pdd.Seat.FIRST),
        ("The game is a draw", pdd.Ending.ADJUDICATION, None),
        ("Game won by bobby", None, None),
        ("alice and bob", None, None),
        ("", None, None),
    ],
)
def test_a_result_that_no_token_tells(
    words: str, ending: pdd.Ending | None, winner: pdd.Seat | None
) -> None:
    game = boardspace.loads(record(*OPENING, header=f"RE[{words}]"))
    assert (game.ending, game.winning_seat) == (ending, winner)


@pytest.mark.parametrize(
    ("first", "second", "words", "winner"),
    [
        ("guest", "Dumbot", "Game won by guest1492", pdd.Seat.FIRST),
        ("Dumbot", "Guest", "Game won by guest1492", pdd.Seat.SECOND),
        ("guest", "Dumbot", "Game won by guest", pdd.Seat.FIRST),
        ("guest", "Dumbot", "Game won by Dumbot", pdd.Seat.SECOND),
        ("guest", "guest", "Game won by guest1492", None),
        ("guest", "guest1492", "Game won by guest1492", None),
        ("guest", "Dumbot", "Game won by guests1", None),
        ("guest", "Dumbot", "Game won by guest1492a", None),
        ("bob", "Dumbot", "Game won by bob1492", None),
    ],
)
def test_guests_have_numbers_in_the_result(
    first: str, second: str, words: str, winner: pdd.Seat | None
) -> None:
    text = record(*OPENING).replace("bob", second).replace("alice", first)
    game = boardspace.loads(text.replace("SU[", f"RE[{words}]SU["))
    assert game.winning_seat is winner
    assert game.ending is (None if winner is None else pdd.Ending.ADJUDICATION)


def test_words_and_tokens() -> None:
    # Who won on time, the words know better.
    text = record(*OPENING, "1 WinOnTime", header="RE[Game won by alice]")
    assert boardspace.loads(text).winning_seat is pdd.Seat.FIRST
    text = record(*OPENING, "1 Resign", "1 Done", header="RE[Game won by alice]")
    assert boardspace.loads(text).winning_seat is pdd.Seat.FIRST
    error = refused(text.replace("won by alice", "won by bob"))
    assert error.expected == "the result 'first', as the board has it"


# Headers


def test_header_becomes_tags() -> None:
    header = "CM[0,1]TC[Fixed 600000]DT[Tue Nov 18 12:34:56 PST 2014]GN[A \\] name]GS[Fast]XX[?]"
    text = record(*OPENING, header=header).replace(
        'P0[id "alice"]', 'P0[ id "alice  in\nwonderland" ]P0[ranking 1500]P0[uid 7]'
    )
    text = text[:-1] + ";\nP0[time 0:05:10 ]\nP1[Time 0:04:02 ])"
    assert boardspace.loads(text).tags == {
        "Site": "Boardspace",
        "GameName": "A ] name",
        "GameSpeed": "Fast",
        "TimeControl": "Fixed 600000",
        "Date": "2014.11.18",
        "Started": "Tue Nov 18 12:34:56 PST 2014",
        "First": "alice  in wonderland",
        "FirstRating": "1500",
        "FirstTime": "0:05:10",
        "Second": "bob",
        "SecondTime": "0:04:02",
    }


def test_what_is_null_is_not_known() -> None:
    text = record(header="GN[null]").replace('P1[id "bob"]', 'P1[id "null"]P1[country null]')
    text = text[:-1] + ";\nP0[ time null]\nP1[time 0:04:02 ])"
    assert boardspace.loads(text).tags == {
        "Site": "Boardspace",
        "First": "alice",
        "Second": "null",
        "SecondTime": "0:04:02",
    }


@pytest.mark.parametrize(
    ("header", "tags"),
    [
        ("", {}),
        ("DT[]GN[]TC[None]", {}),
        ("DT[2014-11-18]", {"Date": "2014.11.18"}),
        ("DT[2014/11/18 12:34]", {"Date": "2014.11.18", "Started": "2014/11/18 12:34"}),
        ("DT[Nov 8, 2014]", {"Date": "2014.11.08", "Started": "Nov 8, 2014"}),
        ("DT[Nov 31 2014]", {"Started": "Nov 31 2014"}),
        ("DT[20141118]", {"Started": "20141118"}),
        ("DT[22 janvier 2017]", {"Date": "2017.01.22", "Started": "22 janvier 2017"}),
        ("DT[soon]GN[x-2014-11-18]", {"Date": "2014.11.18", "GameName": "x-2014-11-18"}),
        ("DT[soon]GN[x-2014-11-31]", {"GameName": "x-2014-11-31"}),
    ],
)
def test_dates(header: str, tags: dict[str, str]) -> None:
    found = dict(boardspace.loads(record(header=header)).tags)
    assert found.pop("Started", None) == tags.get("Started", found.get("GameName") and "soon")
    others = {"Site": "Boardspace", "First": "alice", "Second": "bob"}
    assert found == others | {name: text for name, text in tags.items() if name != "Started"}


@pytest.mark.parametrize(
    ("text", "name", "date"),
    [
        ("2017年4月27日", "PO-x-y-2017-04-23-1809", "2017.04.27"),
        ("2017", "PO-x-y-2017-04-23-1809", "2017.04.23"),
        ("31 février 2017", "PO-x-y-2017-04-23-1809", "2017.04.23"),
        ("2016", "PO-x-y-2017-04-23-1809", "2017.04.23"),
        ("2017", "PO-x-y-2017-04-31-1809", "2017.??.??"),
        ("05/04/2017", "PO-x-y", None),
    ],
)
def test_a_whole_date_counts_before_a_year(text: str, name: str, date: str | None) -> None:
    tags = boardspace.loads(record(header=f"DT[{text}]GN[{name}]")).tags
    assert tags.get("Date") == date
    assert tags.get("Started") == (None if text == "2017" else text)


def test_a_record_without_moves() -> None:
    game = boardspace.loads("(;GM[pontedeldiavolo])")
    assert game == pdd.Game.new(pdd.presets.BOARDSPACE, {"Site": "Boardspace"})


# Comments


def test_comments_stay_with_what_they_are_about() -> None:
    tokens = list(OPENING)
    tokens[0] += "|C[to come]"
    tokens[-1] += "|C[done\\]\nwell]N[a name]"
    tokens += ["1 Swap|AN[circle d5]", "1 Done", "0 Pick R|C[unfinished]"]
    game = boardspace.loads(record(*tokens, header="C[before]"))
    assert game.line.comment == "before"
    assert [move.comment for move in game.line.moves] == [
        "to come\ndone]\nwell\na name",
        "marks: circle d5\nunfinished",
    ]
    text = record(*tokens[:5], "1 Resign|C[enough]", "1 Done|C[\x07bye]")
    assert boardspace.loads(text).line.moves[-1].comment.endswith("enough\nbye")


def test_only_the_main_line_is_read() -> None:
    text = record(*OPENING)[:-1] + "(; P1[6 Swap]; P1[7 Done])(; P1[6 Nonsense]))"
    assert actions_of(boardspace.loads(text)) == ["d5,e7", "white"]


# What is refused


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        (["0 Fly A 1"], "what a player does, such as 'Pick', 'Dropb' or 'Done'"),
        (["0  "], "what a player does, such as 'Pick', 'Dropb' or 'Done'"),
        (["0 Pick"], "a piece such as 'W', 'Red_Chip_Pool', 'X_30' or 'Bridge_30'"),
        (["0 Pick X_31"], "a piece such as 'W', 'Red_Chip_Pool', 'X_30' or 'Bridge_30'"),
        (["0 Tile X_30 A 1"], "a piece such as 'W', 'Red_Chip_Pool', 'X_30' or 'Bridge_30'"),
        (["0 Bridge W A 1"], "a piece such as 'W', 'Red_Chip_Pool', 'X_30' or 'Bridge_30'"),
        (["0 Pick W", "0 Dropb"], "a column from A to J"),
        (["0 Pick W", "0 Dropb K 1"], "a column from A to J"),
        (["0 Pick W", "0 Dropb A 0"], "a row from 1 to 10"),
        (["0 Pick W", "0 Dropb A 11"], "a row from 1 to 10"),
        (["0 Start P2"], "'P0' or 'P1'"),
        (["0 Start P1"], "the player whose turn it is"),
        (["1 Pick W"], "something that P0 does"),
        (["1 Done"], "something that P0 does"),
        (["0 Pick R"], "a tile of the player's own colour"),
        (["0 Tile Red_Chip_Pool A 1"], "a tile of the player's own colour"),
        (["0 Pick W", "0 Pick W"], "the piece in hand put down first"),
        (["0 Drop W"], "a piece picked first"),
        (["0 Dropb A 1"], "a piece picked first"),
        (["0 Pickb A 1"], "a cell where this turn has put a piece"),
        (["0 Pick W", "0 Pickb A 1"], "a cell where this turn has put a piece"),
        (["0 Pick X_30", "0 Dropb E 5"], "the upper end of a legal bridge"),
        (["0 BridgeEnd E 5"], "the other end of the bridge just put down"),
        (["0 Swap"], "no 'Swap' but after the first turn"),
        (["0 Pick W", "0 Done"], "a second tile, or the piece in hand put down"),
        (["0 Pick W", "0 Dropb A 1", "0 Done"], "a second tile, or the piece in hand put down"),
        ([*OPENING[:-1], "0 Pick W", "0 Dropb A 1"], "'Done': the turn is complete"),
        ([*OPENING[:-1], "0 Pass"], "'Done': the turn is complete"),
        ([*OPENING[:2], "0 Pick X_30", "0 Dropb E 5"], "'Done': the turn is complete"),
        ([*OPENING[:2], "0 Bridge Bridge_30 E 5"], "'Done': the turn is complete"),
        (
            ["0 Done"],
            "a legal action: Passing is not allowed while a legal pair of tiles exists.",
        ),
        (
            ["0 Edit", "0 Pick W"],
            "'Start': this position is set up by hand, not played",
        ),
    ],
)
def test_tokens_that_are_refused(tokens: list[str], expected: str) -> None:
    text = record(*tokens)
    error = refused(text)
    assert error.expected == expected
    assert error.line == 2 + len(tokens)
    assert error.__cause__ is not None


def test_errors_point_at_the_word() -> None:
    error = refused(record("0 Pick W", "0 Dropb A 11"))
    assert (error.line, error.column) == (4, 16)


def test_editing_that_changes_nothing() -> None:
    tokens = ["0 Edit", "0 Start P0", *OPENING, "1 Edit", "1 Start P1"]
    game = boardspace.loads(record(*tokens, *tiles(1, "R", "c3", "c5")))
    assert actions_of(game) == ["d5,e7", "red", "c3,c5"]


@pytest.mark.parametrize(
    ("text", "expected", "column"),
    [
        ("", "a game", 1),
        ("(;)", "GM[PonteDelDiavolo]", 2),
        ("(;GM[1])", "GM[PonteDelDiavolo]", 6),
        ("(;GM[PonteDelDiavolo]SU[hive 1 2])", "the set-up 'ponte'", 25),
        ("(;GM[PonteDelDiavolo]SU[])", "the set-up 'ponte'", 25),
        ("(;GM[PonteDelDiavolo]VV[3])", "version 1 or 2", 25),
        ("(;GM[PonteDelDiavolo];P0[1 Pick W])", "'Start P0' or 'Start P1'", 28),
        ("(;GM[PonteDelDiavolo", "']' to end the value", 5),
    ],
)
def test_records_that_are_refused(text: str, expected: str, column: int) -> None:
    error = refused(text)
    assert (error.expected, error.line, error.column) == (expected, 1, column)
