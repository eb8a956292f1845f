"""Boardspace: games that end with one tile of a robot, and files with raw histories."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Color, Ending, Seat, records
from pontedeldiavolo.records import boardspace
from support.boardspace_writer import OPENING, Writer, at, record, robot, tiles
from support.checks import assert_games_or_errors, refused
from support.oracle_geometry import point
from support.paths import DATA
from support.reference import Reference

FILE = DATA / "boardspace" / "last-tiles.pdd"
GAMES = {game.tags["Event"]: game for game in pdd.records.iter_games(FILE)}
BY_WHITE = [name for name, game in GAMES.items() if game.state.to_move is Color.WHITE]
PAIR_LEFT = "white, who may not pass; red has a pair left"
TWO_TILES = "white; red has no pair left, and a last tile too"
NO_ROOM = "a second tile: there is room for one"
OVER = "the end: the game is over"


def mover(game: pdd.Game) -> int:
    """Return the number of the player to move; player 0 began."""
    return int(game.state.seat_to_move is Seat.SECOND)


def last_tile(game: pdd.Game) -> str:
    """Return the token that places the last tile of the game."""
    pool = "White" if game.state.to_move is Color.WHITE else "Red"
    return f"Tile {pool}_Chip_Pool {at(pdd.parse_cell(game.tags['LastTile']))}"


def told(game: pdd.Game, *words: str, header: str = "") -> str:
    """Return the record of a game with further tokens of the player to move or a given player."""
    more = [word if word[0].isdigit() else f"{mover(game)} {word}" for word in words]
    return record(*robot(game), *more, header=header)


def ended(name: str, *words: str, header: str = "") -> pdd.Game:
    """Return the game read from a record that ends with its last tile and these tokens."""
    game = GAMES[name]
    found = boardspace.loads(told(game, last_tile(game), *words, header=header))
    assert found.actions == game.actions
    return found


def expected_of(game: pdd.Game, *words: str) -> str:
    """Return the expectation of the error at the last word."""
    return refused(boardspace.loads, told(game, *words)).expected


def reference(game: pdd.Game) -> Reference:
    """Return the reference's game, with the last tile on the board and red to move."""
    other = Reference(10, 10, 40, 15)
    for action in game.actions:
        other.play(pdd.format_action(action))
    other.placed[str(other.to_move)].add(point(pdd.parse_cell(game.tags["LastTile"])))
    other.phase = "last-turn"
    other.to_move = "red"
    return other


def assert_adjudicated(found: pdd.Game, other: Reference) -> None:
    """Check that the reference's board decides the game."""
    other.phase = "over"
    color = other.winner()
    winner = None if color == "draw" else found.state.owner(Color(color))
    assert (found.ending, found.winning_seat) == (Ending.ADJUDICATION, winner)


def no_partner(game: pdd.Game) -> str:
    color = "White" if game.state.to_move is Color.WHITE else "Red"
    return f"{color}'s last tile, {game.tags['LastTile']}, has no partner."


@pytest.mark.parametrize("words", ["Pass Done", "Pass", "GameOver", "GameOver Done", "pass done"])
@pytest.mark.parametrize("name", GAMES)
def test_the_game_ends_before_the_last_tile(name: str, words: str) -> None:
    game = GAMES[name]
    found = ended(name, *words.split())
    assert_adjudicated(found, reference(game))
    assert [move.comment for move in found.line.moves if move.comment] == [no_partner(game)]
    assert found.line.moves[-1].comment


@pytest.mark.parametrize("name", [name for name in GAMES if "island" in name])
def test_an_island_that_the_last_tile_completes_counts(name: str) -> None:
    state = GAMES[name].state
    before, _ = state.rules.decide(*map(state.score, Color))
    assert ended(name, "Pass").winning_seat is state.seat_to_move
    assert before is not state.to_move


def last_turns(game: pdd.Game) -> list[str]:
    """Return some legal actions of red after white's last tile."""
    legal = reference(game).legal()
    return Random(1).sample(legal, min(5, len(legal)))


def tokens_of(action: str, player: int) -> list[str]:
    """Return the tokens of red's turn, which builds a bridge as robots do."""
    state = pdd.GameState.from_position(pdd.Position.from_pieces(pdd.Board()), to_move=Color.RED)
    words = Writer(Random(0), robot=True).turn(state, pdd.parse_action(action))
    return [f"{player} {word}" for word in words]


@pytest.mark.parametrize("name", BY_WHITE)
def test_red_has_the_last_turn_after_whites_pass(name: str) -> None:
    game = GAMES[name]
    for action in last_turns(game):
        other = reference(game)
        other.play(action)
        for words in (("Pass", "Done"), ("Pass",)):
            found = ended(name, *words, *tokens_of(action, 1 - mover(game)))
            assert_adjudicated(found, other)
            comment = f"{no_partner(game)} Red's last turn: {action}."
            assert found.line.moves[-1].comment == comment


def test_red_ends_the_game_in_the_last_turn() -> None:
    for name in (PAIR_LEFT, "white; red can do nothing"):
        found = ended(name, "Pass", "Done", f"{1 - mover(GAMES[name])} GameOver")
        assert_adjudicated(found, reference(GAMES[name]))


def test_red_has_a_last_tile_too() -> None:
    game = GAMES[TWO_TILES]
    alone = [
        cell
        for cell in game.rules.board.cells
        if reference(game).broken("tile", point(cell)) == {"no-partner"}
    ]
    assert alone
    for cell in alone:
        after = reference(game)
        after.placed["red"].add(point(cell))
        red = 1 - mover(game)
        found = ended(TWO_TILES, "Pass", "Done", f"{red} Tile R {at(cell)}", f"{red} GameOver")
        assert_adjudicated(found, after)
        comment = f"{no_partner(game)} Red's last tile, {cell}, has no partner."
        assert found.line.moves[-1].comment == comment


def test_red_may_resign_or_run_out_of_time_in_the_last_turn() -> None:
    game = GAMES[PAIR_LEFT]
    white = game.state.owner(Color.WHITE)
    red = game.state.owner(Color.RED)
    player = mover(game)
    other = 1 - mover(game)
    for words, ending, winner in (
        (f"Pass; Done; {other} Resign; {other} Done", Ending.RESIGNATION, white),
        (f"Pass; Done; {player} WinOnTime", Ending.TIME, white),
        ("Pass; Resign", Ending.RESIGNATION, red),
        ("Pass; Resign; Done", Ending.RESIGNATION, red),
    ):
        found = ended(PAIR_LEFT, *words.split("; "))
        assert (found.ending, found.winning_seat) == (ending, winner)
        assert winner is red or "has no partner" in found.line.moves[-1].comment


def test_comments_at_the_end_stay_with_the_last_move() -> None:
    red = 1 - mover(GAMES[PAIR_LEFT])
    found = ended(PAIR_LEFT, "Pass|C[so]", "Done|C[what]", f"{red} GameOver|C[bye]")
    assert found.line.moves[-1].comment.split("\n")[:2] == ["so", "what"]
    assert "bye" in found.line.moves[-1].comment


@pytest.mark.parametrize("name", GAMES)
def test_nothing_is_played_after_it(name: str) -> None:
    game = GAMES[name]
    other = 1 - mover(game)
    tile = last_tile(game)
    for words in (("GameOver",), ("GameOver", "Done")):
        assert expected_of(game, tile, *words, f"{other} Pick W") == OVER
    more = [f"{other} Pick W"]
    if name in BY_WHITE:
        more = [*tokens_of(last_turns(game)[0], other), f"{mover(game)} Pick W"]
    assert expected_of(game, tile, "Pass", "Done", *more) == OVER


def test_a_tile_with_a_partner_ends_nothing() -> None:
    for game in (pdd.Game.new(pdd.presets.BOARDSPACE), GAMES[PAIR_LEFT].undo(10)):
        cell = at(next(iter(game.state.legal_actions.first_tiles)))
        color = "R" if game.state.to_move is Color.RED else "W"
        for words in (("Pass", "Done"), ("Pass",), ("GameOver",)):
            assert expected_of(game, f"Tile {color} {cell}", *words) == NO_ROOM
            # A tile of a person is not a last tile either.
            assert expected_of(game, f"Pick {color}", f"Dropb {cell}", *words) == NO_ROOM


def test_an_illegal_tile_is_no_last_tile() -> None:
    game = GAMES[PAIR_LEFT]
    taken = at(next(iter(game.state.position.tiles(Color.RED))))
    for word in ("Pass", "GameOver"):
        expected = expected_of(game, f"Tile W {taken}", word)
        assert expected.startswith("a legal action: ")
        assert "no partner" not in expected


COMPLETE = "'Done': the turn is complete"
HALF = "a second tile, or the piece in hand put down"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Pass; Pass", COMPLETE),
        ("Pass; Tile W A 1", COMPLETE),
        ("Done", HALF),
        ("Pick W; Pass", COMPLETE),
        ("Pick W; GameOver", HALF),
        ("Pass; Pick W; Done", HALF),
        ("{red} GameOver", HALF),
    ],
)
def test_the_turn_with_the_last_tile_is_as_strict_as_any(words: str, expected: str) -> None:
    game = GAMES[PAIR_LEFT]
    told_words = words.format(red=1 - mover(game)).split("; ")
    assert expected_of(game, last_tile(game), *told_words) == expected
    undone = boardspace.loads(told(game, last_tile(game), "Pass", "Reset"))
    assert (undone.actions, undone.ending) == (game.actions, None)


NAME = "GN[PO-alice-bob-2017-04-06-1802]"
RECORD = record(*OPENING, *tiles(1, "R", "c3", "c5"), header=NAME)
HISTORY = (
    record(*OPENING, "1 Pick R; 1 Dropb C 3", header=NAME)[:-1]
    + """; P1[reset]
; P-1[Pop P1\\[7 Dropb C 3\\]]
; P-1[Pop P1\\[6 Pick R\\]]
; P-1[edit: P1\\[reset\\] deleted]
; P1[6 Pick R]
;
P0[time 0:27:24 ]
)"""
)
GAME = boardspace.loads(RECORD)
OTHER = record(*OPENING, header="GN[PO-alice-bob-2017-04-07-1805]")
UNNAMED = RECORD.replace(NAME, "")
BEGUN = RECORD.replace("Start P0", "Begin P0")
NO_VALUE = "a value in brackets"
NO_WORD = "what a player does, such as 'Pick', 'Dropb' or 'Done'"


def found_in(text: str, limits: pdd.Limits | None = None) -> list[str]:
    """Return the expectation of the error of each game of a file; empty if the game is valid."""
    found = boardspace.iter_games(text, "yield", limits=limits)
    return [getattr(each, "expected", "") for each in found]


@pytest.mark.parametrize("between", ["", "\n", " \n\n", "raw history:\n"])
def test_the_game_of_the_file_is_its_record(between: str, tmp_path: Path) -> None:
    text = f" {RECORD}{between}{HISTORY}\n \n"
    path = tmp_path / "game.sgf"
    path.write_text(text, "utf-8")
    assert boardspace.loads(text) == boardspace.load(path) == GAME
    assert list(boardspace.iter_games(text)) == list(records.read(path)) == [GAME]


def test_a_history_of_games_without_a_name() -> None:
    tags = {name: GAME.tags[name] for name in ("Site", "First", "Second")}
    assert boardspace.loads(UNNAMED + HISTORY.replace(NAME, "").lower()) == GAME.with_tags(tags)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # A raw history counts neither as a game nor as an error.
        (f"{RECORD}\n{HISTORY}\n{HISTORY}\n{OTHER}\n{BEGUN}\n{RECORD}", ["", "", NO_WORD, ""]),
        (BEGUN + HISTORY, [NO_WORD]),
        # A raw history without a game is an error.
        (HISTORY, [NO_VALUE]),
        (OTHER + HISTORY, ["", NO_VALUE]),
        (RECORD + HISTORY.replace(NAME, ""), ["", NO_VALUE]),
        (UNNAMED + HISTORY, ["", NO_VALUE]),
        (RECORD + OTHER + HISTORY, ["", "", NO_VALUE]),
        # Only the root names the game of the history.
        (UNNAMED.replace("; P0[1", f"; {NAME}P0[1") + HISTORY, ["", NO_VALUE]),
        # A tree that names the site is a game.
        *(
            (RECORD + RECORD.replace("; P0[1", f"; {comment}P0[1"), ["", ""])
            for comment in ("C[P-1\\[Pop\\]]", "C[; P-1]", "N[P-1]")
        ),
    ],
)
def test_histories_among_games(text: str, found: list[str]) -> None:
    assert found_in(text) == found
    results = enumerate(boardspace.iter_games(text, "yield"), 1)
    assert all(getattr(each, "number", number) == number for number, each in results)
    if NO_VALUE in found:
        refused(boardspace.loads, text)


def test_a_game_that_is_too_long_has_no_history() -> None:
    long = RECORD.replace(NAME, NAME + f"C[{'x' * 2_000}]")
    found = found_in(long + HISTORY, pdd.Limits(characters=1_500))
    assert found == ["a game of at most 1,500 characters", NO_VALUE]


def test_histories_that_are_cut_off() -> None:
    for cut in range(0, len(HISTORY), 7):
        text = RECORD + HISTORY[:cut]
        assert_games_or_errors(boardspace.iter_games(text, "yield"), text)
        assert next(boardspace.iter_games(text, "yield")) == GAME
