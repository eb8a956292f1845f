"""Read Boardspace's records of people, of robots, and of old versions."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

import pontedeldiavolo as pdd
from pontedeldiavolo import Ending, Seat
from pontedeldiavolo.game.tags import times
from pontedeldiavolo.records import boardspace
from pontedeldiavolo.testing import strategies
from support.boardspace_writer import OPENING, Writer, record, robot, tiles
from support.checks import refused
from support.games import actions_of, random_game
from support.strategies import share

PEOPLE = {"Site": "Boardspace", "First": "alice", "Second": "bob"}


def read(*tokens: str, header: str = "", start: int = 0) -> pdd.Game:
    return boardspace.loads(record(*tokens, header=header, start=start))


def expected_of(*tokens: str) -> str:
    """Return the expectation of the error at the last token."""
    return refused(boardspace.loads, record(*tokens)).expected


@st.composite
def games(draw: DrawFn) -> pdd.Game:
    """Return games that a record can represent in full."""
    rules = pdd.presets.BOARDSPACE
    game = draw(strategies.games(rules))
    if not game.state.is_over:
        game = game.undo(max(0, len(game.actions) - 30))
    if game.actions[-1:] == (pdd.ChooseColor(pdd.Color.RED),):
        # A player chooses red by playing it.
        game = game.undo()
    mover = game.state.seat_to_move
    ending = draw(st.sampled_from([None, Ending.RESIGNATION, Ending.TIME]))
    if mover is None or ending is None or not game.actions:
        return game
    return game.end(ending, mover if ending is Ending.TIME else mover.opponent)


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
    assert PEOPLE.items() <= found.tags.items()
    assert found.tags["Date"] == "2014.11.18"


# From e7, d5 is direction 60 and f5 is 120.
PILLARS = [
    *(*tiles(0, "W", "e7", "d5"), *tiles(1, "R", "j1", "j9"), *tiles(0, "W", "f5", "a1")),
    *(*tiles(1, "R", "j3", "h9"), "0 Pick X_30"),
]
DROPPED = [*PILLARS, "0 Dropb E 7"]


@pytest.mark.parametrize(
    ("tokens", "bridge"),
    [
        ("0 Dropb E 7; 0 Done", "f5-e7"),
        ("0 Dropb E 7; 0 BridgeEnd D 5; 0 Done", "d5-e7"),
        ("0 Dropb E 7; 0 BridgeEnd D 5; 0 BridgeEnd F 5; 0 Done", "f5-e7"),
        ("0 Dropb E 7; 0 Pickb E 7; 0 Dropb E 7; 0 Done", "f5-e7"),
        # Of two ends in one row the right one is the anchor.
        ("0 Dropb F 5; 0 Done", "d5-f5"),
    ],
)
def test_a_bridge_takes_the_last_legal_direction_until_it_is_turned(
    tokens: str, bridge: str
) -> None:
    assert actions_of(read(*PILLARS, tokens))[-1] == bridge


def test_bridges_that_are_refused() -> None:
    for end in ("E 7", "C 6"):
        expected = "the other end of the bridge just put down"
        assert expected_of(*DROPPED, f"0 BridgeEnd {end}", "0 Done") == expected
    # The lower end is not an anchor.
    assert expected_of(*PILLARS, "0 Dropb D 5") == "the upper end of a legal bridge"
    tokens = (*OPENING, *tiles(1, "R", "j9", "j7"), "0 Bridge Bridge_90 D 5")
    error = refused(boardspace.loads, record(*tokens, "0 Done"))
    assert error.expected.startswith("a legal action: No tile of yours to rest a bridge on: d3.")
    assert isinstance(error.__cause__, pdd.NotationError)
    assert isinstance(error.__cause__.__cause__, pdd.IllegalActionError)


REPLY = tiles(1, "R", "c3", "c5")


@pytest.mark.parametrize(
    ("tokens", "actions"),
    [
        # An undone token leaves no trace.
        (
            [
                *("0 Pick W; 0 Drop W; 0 Pick W; 0 Dropb A 1; 0 Reset", *OPENING),
                *("1 Pick R; 1 Undo; 1 Swap; 1 Swap", *REPLY),
                "0 Pick W; 0 Dropb A 1; 0 Pick W; 0 Dropb B 2; 0 Pickb A 1 0; 0 Dropb H 8; 0 Done",
            ],
            "red c3,c5 b2,h8",
        ),
        # After a swap the other player continues with red.
        ([*OPENING, "1 Swap; 1 Done", *tiles(0, "R", "c3", "c5")], "white c3,c5"),
        # A complete turn ends when the other player continues.
        ([*OPENING[:-1], *REPLY], "red c3,c5"),
        ([*OPENING[:-1], "1 Swap", *tiles(0, "R", "c3", "c5")], "white c3,c5"),
        # These edits change nothing.
        (["0 Edit; 0 Start P0", *OPENING, "1 Edit; 1 Start P1", *REPLY], "red c3,c5"),
    ],
)
def test_turns(tokens: list[str], actions: str) -> None:
    game = read(*tokens)
    assert actions_of(game) == ["d5,e7", *actions.split()]
    if actions == "white c3,c5":
        assert game.plies[-1].seat is Seat.FIRST


def test_only_the_main_line_is_read_and_a_comment_says_so() -> None:
    text = record(*OPENING)[:-1] + "(; P1[6 Swap]; P1[7 Done])(; P1[6 Nonsense]))"
    game = boardspace.loads(text)
    assert actions_of(game) == ["d5,e7", "white"]
    assert game.line.moves[0].comment == "1 branch of the record left out here."
    assert game.line.moves[1].comment == ""
    branches = "; P1[6 Swap](; P1[7 Done])(; P1[7 Reset])(; P1[7 Undo]))"
    game = boardspace.loads(record(*OPENING)[:-1] + branches)
    assert actions_of(game) == ["d5,e7", "white"]
    assert game.line.moves[1].comment == "2 branches of the record left out here."


@pytest.mark.parametrize(
    ("tokens", "acts"),
    [
        ("1 Pick R; 1 Dropb C 3", "c3"),
        ("1 Pick R; 1 Dropb C 3; 1 Pick R", "c3, a piece in hand"),
        ("1 Tile R C 3; 1 Tile R H 8", "c3, h8"),
        ("1 Swap", "swap"),
        ("1 Swap; 1 Done; 0 Bridge Bridge_30 E 7", "c6-e7"),
        (f"{'; '.join(REPLY)}; 0 Pick X_30; 0 Dropb E 7", "d5-e7"),
        ("1 Pick R; 1 Drop R", None),
        ("1 Pick R; 1 Reset", None),
        ("1 Resign", None),
        ("1 Pick R; 0 WinOnTime", None),
    ],
)
def test_a_turn_without_an_end_is_described_in_a_comment(tokens: str, acts: str | None) -> None:
    game = read(*OPENING, tokens)
    comment = game.line.moves[-1].comment
    if acts is None:
        assert comment == ""
    else:
        assert comment == f"The turn after this has no end and is left out: {acts}."
    assert comment in pdd.records.dumps(game)


def late_game(color: pdd.Color) -> tuple[pdd.Game, list[str]]:
    """Return a game in which a colour can pass or play, and its tokens."""
    for seed in range(100):
        game = random_game("boardspace", seed)
        for length, state in enumerate(game.states()):
            may_pass = state.is_legal(pdd.Pass()) and len(state.legal_actions) > 1
            if state.to_move is color and may_pass:
                part = game.undo(len(game.actions) - length)
                return part, robot(part)
    raise AssertionError("no such game")


@pytest.mark.parametrize("color", pdd.Color)
@pytest.mark.parametrize("words", [("Pass", "Done"), ("Done",), ("pass", "done")])
def test_passing_with_and_without_a_word(color: pdd.Color, words: tuple[str, ...]) -> None:
    game, tokens = late_game(color)
    mover = 0 if game.state.seat_to_move is Seat.FIRST else 1
    found = read(*tokens, *(f"{mover} {word}" for word in words))
    assert found.actions[: len(game.actions) + 1] == (*game.actions, pdd.Pass())
    if color is pdd.Color.RED:
        assert found.ending is Ending.SCORED


def ends_by_itself(game: pdd.Game) -> bool:
    """Return whether red is to move and can only pass."""
    *_, before, _ = game.states()
    return before.to_move is pdd.Color.RED and len(before.legal_actions) == 1


def test_a_game_in_which_red_can_do_nothing_is_over_without_a_word() -> None:
    played = (random_game("boardspace", seed) for seed in range(100))
    game = next(each for each in played if ends_by_itself(each))
    tokens = robot(game)
    over = "0 Done; 1 Pass; 0 Resign; 1 WinOnTime; 0 Start P0"
    for more in ((), ("0 GameOver",), (over,), ("0 Edit; 0 Pick W",)):
        found = read(*tokens, *more)
        assert (found.actions, found.result) == (game.actions, game.result)
    assert expected_of(*tokens, "0 Pick W") == "the end: the game is over"


@pytest.mark.parametrize(
    ("tokens", "ending", "winner"),
    [
        ("1 Resign; 1 Done", Ending.RESIGNATION, Seat.FIRST),
        ("1 Resign", Ending.RESIGNATION, Seat.FIRST),
        ("1 Resign; 1 Resign", None, None),
        ("1 Swap; 1 Done; 0 Resign; 0 Done", Ending.RESIGNATION, Seat.SECOND),
        ("1 WinOnTime", Ending.TIME, Seat.SECOND),
        ("1 Pick R; 1 WinOnTime", Ending.TIME, Seat.SECOND),
    ],
)
def test_games_that_end_early(tokens: str, ending: Ending | None, winner: Seat | None) -> None:
    game = read(*OPENING, tokens)
    assert (game.ending, game.winning_seat) == (ending, winner)


def test_a_robot_ends_the_game() -> None:
    game, tokens = late_game(pdd.Color.RED)
    found = read(*tokens, "0 GameOver")
    assert found.actions == (*game.actions, pdd.Pass())
    assert found.ending is Ending.SCORED
    # White's pass gives red one more turn, which the robot does not take either.
    game, tokens = late_game(pdd.Color.WHITE)
    found = read(*tokens, "1 GameOver")
    assert found.actions[: len(game.actions) + 1] == (*game.actions, pdd.Pass())
    assert found.ending is not None


def test_a_robot_ends_the_game_too_early() -> None:
    tokens = [*OPENING, *REPLY]
    game = read(*tokens, "0 GameOver")
    assert (game.ending, game.winning_seat) == (Ending.ADJUDICATION, None)
    assert len(read(*tokens[:-1], "1 GameOver").actions) == 3
    island = [*tiles(1, "R", "a1", "a2"), *tiles(0, "W", "h1", "h3"), *tiles(1, "R", "a3", "a4")]
    game = read(*OPENING, *island, "0 GameOver")
    assert (game.ending, game.winning_seat) == (Ending.ADJUDICATION, Seat.SECOND)
    alone = (*tokens, "0 Tile White_Chip_Pool A 1", "0 GameOver")
    assert expected_of(*alone) == "a second tile: there is room for one"


@pytest.mark.parametrize(
    ("first", "second", "words", "winner"),
    [
        ("alice", "bob", "Game won by bob", Seat.SECOND),
        ("alice", "bob", "Gewonnen hat Alice.", Seat.FIRST),
        ("alice", "bob", "Game won by bobby", None),
        ("alice", "bob", "alice and bob", None),
        ("alice", "bob", "", None),
        # Guests have numbers in the result.
        ("guest", "Dumbot", "Game won by guest1492", Seat.FIRST),
        ("Dumbot", "Guest", "Game won by guest1492", Seat.SECOND),
        ("guest", "Dumbot", "Game won by guest", Seat.FIRST),
        ("guest", "Dumbot", "Game won by Dumbot", Seat.SECOND),
        ("guest", "guest", "Game won by guest1492", None),
        ("guest", "guest1492", "Game won by guest1492", None),
        ("guest", "Dumbot", "Game won by guests1", None),
        ("guest", "Dumbot", "Game won by guest1492a", None),
        ("bob", "Dumbot", "Game won by bob1492", None),
        # A name is a whole word.
        *(
            (each, "bob", f"Game won by {each.upper()}", Seat.FIRST)
            for each in ("a-l", "(al)", "é")
        ),
        *((name, "bob", f"Game won by x{name}", None) for name in ("al", "a-l", "(al)", "é")),
        *((name, "bob", f"Game won by {name}x", None) for name in ("al", "a-l", "(al)", "é")),
        ("al", "bob", "x" * 2_000 + " al", None),
        ("a" * 256, "bob", "a" * 256, None),
    ],
)
def test_a_result_without_a_token(first: str, second: str, words: str, winner: Seat | None) -> None:
    text = record(*OPENING, header=f"RE[{words}]").replace('"bob"', f'"{second}"')
    game = boardspace.loads(text.replace('"alice"', f'"{first}"'))
    assert game.winning_seat is winner
    assert game.ending is (None if winner is None else Ending.ADJUDICATION)


def test_words_and_tokens() -> None:
    game = read(*OPENING, header="RE[The game is a draw]")
    assert (game.ending, game.winning_seat) == (Ending.ADJUDICATION, None)
    # The words of the result name the winner on time.
    for tokens in ("1 WinOnTime", "1 Resign; 1 Done"):
        game = read(*OPENING, tokens, header="RE[Game won by alice]")
        assert game.winning_seat is Seat.FIRST
    text = record(*OPENING, "1 Resign; 1 Done", header="RE[Game won by bob]")
    assert refused(boardspace.loads, text).expected == "the result 'first', as the board has it"


def test_header_becomes_tags() -> None:
    header = "CM[0,1]TC[Fixed 600000]DT[Tue Nov 18 12:34:56 PST 2014]GN[A \\] name]GS[Fast]XX[?]"
    text = record(*OPENING, header=header).replace(
        'P0[id "alice"]', 'P0[ id "alice  in\nwonderland" ]P0[ranking 1500]P0[uid 7]'
    )
    text = text[:-1] + ";\nP0[time 0:05:10 ]\nP1[Time 0:04:02 ])"
    tags = {"Site": "Boardspace", "GameName": "A ] name", "GameSpeed": "Fast"}
    tags |= {"TimeControl": "Fixed 600000"}
    tags |= {"Started": "Tue Nov 18 12:34:56 PST 2014", "First": "alice  in wonderland"}
    tags |= {"FirstRating": "1500", "FirstTime": "0:05:10", "Second": "bob"}
    assert boardspace.loads(text).tags == tags | {"SecondTime": "0:04:02"}


def test_null_is_not_known() -> None:
    text = record(header="GN[null]").replace('P1[id "bob"]', 'P1[id "null"]P1[country null]')
    text = text[:-1] + ";\nP0[ time null]\nP1[time 0:04:02 ])"
    assert boardspace.loads(text).tags == PEOPLE | {"Second": "null", "SecondTime": "0:04:02"}
    game = boardspace.loads("(;GM[pontedeldiavolo])")
    assert game == pdd.Game.new(pdd.presets.BOARDSPACE, {"Site": "Boardspace"})


PLAYED = "PO-x-y-2017-04-23-1809"


@pytest.mark.parametrize(
    ("text", "name", "date"),
    [
        ("", "", None),
        ("2014-11-18", "", "2014.11.18"),
        ("2014/11/18 12:34", "", "2014.11.18"),
        ("2014-11-18T12:34:56Z", "", "2014.11.18"),
        ("2014-11", "", "2014.11.??"),
        ("2014-11-31", "", None),
        ("20141118", "", None),
        # Other dates are in the languages of people, and are kept as they are.
        ("Tue Nov 18 12:34:56 PST 2014", "", None),
        ("18.11.2014", "", None),
        ("22 janvier 2017", "", None),
        ("soon", "x-2014-11-18", "2014.11.18"),
        ("soon", "x-2014-11-31", None),
        # A full date takes precedence over a year.
        ("2017-04-27", PLAYED, "2017.04.27"),
        ("2017年4月27日", PLAYED, "2017.04.23"),
        ("2017", PLAYED, "2017.04.23"),
        ("31 février 2017", PLAYED, "2017.04.23"),
        ("2016", PLAYED, "2017.04.23"),
        ("2017", PLAYED.replace("23", "31"), "2017.??.??"),
        ("05/04/2017", "PO-x-y", None),
    ],
)
def test_dates(text: str, name: str, date: str | None) -> None:
    tags = PEOPLE | {"GameName": name, "Date": date or "", "Started": text}
    if text in ("2014-11-18", "2014-11", "2017-04-27", "2017"):
        # The date says all of it.
        del tags["Started"]
    found = read(header=f"DT[{text}]GN[{name}]TC[None]").tags
    assert found == {key: each for key, each in tags.items() if each}
    assert read().tags == PEOPLE


def test_comments_stay_with_their_moves() -> None:
    tokens = list(OPENING)
    tokens[0] += "|C[to come]"
    tokens[-1] += "|C[done\\]\nwell]N[a name]"
    tokens += ["1 Swap|AN[circle d5]; 1 Done; 0 Pick R|C[unfinished]"]
    game = read(*tokens, header="C[before]")
    left_out = "The turn after this has no end and is left out: a piece in hand."
    comments = ["to come\ndone]\nwell\na name", f"marks: circle d5\nunfinished\n{left_out}"]
    assert [game.line.comment, *(move.comment for move in game.line.moves)] == ["before", *comments]
    last = read(*tokens[:5], "1 Resign|C[enough]; 1 Done|C[\x07bye]").line.moves[-1]
    assert last.comment.endswith("enough\nbye")


OPENED = "0 Tile W D 5 @1000; 0 Tile W E 7 @1500"
TIMED = f"{OPENED}; 0 Done @1750"
ANSWER = "1 Tile R C 3 @400; 1 Tile R C 5 @900; 1 Done @1000"
THIRD = "0 Tile W H 8 @2000; 0 Tile W H 6 @4000; 0 Done @5000"
UNTIMED = re.sub(r" @\d+", "", TIMED)
LATER = "1 Tile R G 1 @100; 1 Tile R I 1; 1 Done @300; 0 Tile W A 8; 0 Tile W A 10; 0 Done @5500"


def timed(tokens: str, first: str = "") -> tuple[float | None, ...]:
    """Return the times of the moves of a record, whose tokens end in the number of ``TM``."""
    text = record(re.sub(r" @([^;]*)", r"|TM[\1]", tokens))
    game = boardspace.loads(text.replace("0 Start P0]", f"0 Start P0]{first}"))
    return tuple(move.elapsed for move in game.line.moves)


@pytest.mark.parametrize(
    ("tokens", "elapsed"),
    [
        # A player chooses red by playing it, so the choice takes no time.
        (f"{TIMED}; {ANSWER}; {THIRD}", (1.75, None, 1.0, 3.25)),
        (f"{TIMED}; 1 Swap @300; 1 Done @700", (1.75, 0.7)),
        (f"{TIMED}; {ANSWER.rpartition(';')[0]}; {THIRD}", (1.75, None, 0.9, 3.25)),
        # The time of an undone token counts as well.
        (f"0 Pick W @500; 0 Dropb A 1 @600; 0 Reset @700; {TIMED}", (1.75,)),
        (f"0 Pick W @5000; 0 Reset @6000; {UNTIMED}", (6.0,)),
        # Times before the start belong to no turn.
        (f"0 Edit @200; 0 Start P0; {TIMED}", (1.55,)),
        # The maximum time is the one that annotations allow.
        (f"{UNTIMED}| TM[ 1000000000000 ]", (1e9,)),
        # Decreasing times are ignored.
        (
            f"{TIMED}; {ANSWER}; {THIRD}; {LATER}; 1 Tile R A 1; 1 Tile R C 1; 1 Done @1300",
            (1.75, None, 1.0, 3.25, None, 0.5, 1.0),
        ),
        # Of several times in a node the last counts.
        (f"{OPENED}; 0 Done|TM[1600][1700]TM[1800]", (1.8,)),
    ],
)
def test_a_move_took_the_time_that_its_player_used_more(
    tokens: str, elapsed: tuple[float | None, ...]
) -> None:
    assert timed(tokens) == elapsed


def test_time_before_the_first_turn() -> None:
    assert timed(TIMED, first="TM[0]") == (1.75,)
    assert timed(TIMED, first="TM[750]") == (1.0,)


@pytest.mark.parametrize(
    "time", ["", "-1", "x", "1.5", "1e3", "9" * 100_000, "1000000000001", "٣", "1 2"]
)
def test_bad_times_are_left_out(time: str) -> None:
    bad = re.sub(r"(?=;|$)", f" @{time}", UNTIMED)
    # The time of the next turn is unknown as well.
    assert timed(f"{bad}; {ANSWER}; {THIRD}") == (None, None, 1.0, None)
    # Within a turn the other times count.
    assert timed(f"{OPENED}; 0 Done @{time}; {ANSWER}; {THIRD}") == (1.5, None, 1.0, 3.5)
