"""A robot of Boardspace may end a game with one tile that no second one can follow."""

from __future__ import annotations

from random import Random

import pytest
from attrs import evolve

import pontedeldiavolo as pdd
from pontedeldiavolo.records import boardspace
from support.boardspace_writer import Writer, at, record, tiles
from support.paths import DATA
from support.reference import Reference

with (DATA / "boardspace" / "last-tiles.pdd").open(encoding="utf-8") as file:
    GAMES = {game.tags["Event"]: game for game in pdd.records.iter_games(file)}

BY_WHITE = [name for name, game in GAMES.items() if game.state.to_move is pdd.Color.WHITE]
BY_RED = [name for name in GAMES if name not in BY_WHITE]
PAIR_LEFT = "white, who may not pass; red has a pair left"
TWO_TILES = "white; red has no pair left, and a last tile too"
STUCK = "white; red can do nothing"
ISLANDS = [name for name in GAMES if "island" in name]
NO_ROOM = "a second tile: there is room for one"


def mover(game: pdd.Game) -> int:
    """Return the number of the player to move; P0 has begun."""
    return 0 if game.state.seat_to_move is pdd.Seat.FIRST else 1


def last_tile(game: pdd.Game) -> str:
    """Return the token of the game's last tile."""
    pool = "White" if game.state.to_move is pdd.Color.WHITE else "Red"
    return f"{mover(game)} Tile {pool}_Chip_Pool {at(pdd.parse_cell(game.tags['LastTile']))}"


def told(game: pdd.Game, *words: str, header: str = "") -> str:
    """Return the record of a game and what the mover, or else a player given, does then."""
    before = [
        f"{player} {token}" for player, token in Writer(Random(0), robot=True).tokens(game, 0)
    ]
    more = [word if word[0].isdigit() else f"{mover(game)} {word}" for word in words]
    return record(*before, *more, header=header)


def ended(name: str, *words: str, header: str = "") -> pdd.Game:
    """Return what is read where a game ends with its last tile and these tokens."""
    game = GAMES[name]
    found = boardspace.loads(told(game, last_tile(game)[2:], *words, header=header))
    assert found.actions == game.actions
    return found


def refused(text: str) -> str:
    with pytest.raises(pdd.RecordError) as caught:
        boardspace.loads(text)
    return caught.value.expected


def reference(game: pdd.Game) -> Reference:
    """Return the reference's game, with the last tile on the board and red to move."""
    other = Reference(10, 10, 40, 15)
    for action in game.actions:
        other.play(pdd.format_action(action))
    cell = pdd.parse_cell(game.tags["LastTile"])
    other.placed[str(other.to_move)].add((cell.column, cell.row))
    other.phase, other.to_move = "last-turn", "red"
    return other


def winner(game: pdd.Game, other: Reference) -> pdd.Seat | None:
    """Return who wins by what lies on the reference's board."""
    other.phase = "over"
    color = other.winner()
    return None if color == "draw" else game.state.owner(pdd.Color(color))


ENDS = [("Pass", "Done"), ("Pass",), ("GameOver",), ("GameOver", "Done"), ("pass", "done")]


@pytest.mark.parametrize("words", ENDS, ids=" ".join)
@pytest.mark.parametrize("name", GAMES)
def test_the_game_ends_before_the_last_tile(name: str, words: tuple[str, ...]) -> None:
    game, found = GAMES[name], ended(name, *words)
    assert found.ending is pdd.Ending.ADJUDICATION
    assert found.winning_seat is winner(game, reference(game))
    color = "White" if name in BY_WHITE else "Red"
    assert [move.comment for move in found.line.moves if move.comment] == [
        f"{color}'s last tile, {game.tags['LastTile']}, has no partner."
    ]
    assert found.line.moves[-1].comment


@pytest.mark.parametrize("name", ISLANDS)
def test_an_island_that_the_last_tile_completes_counts(name: str) -> None:
    game = GAMES[name]
    white, red = (game.state.score(color) for color in pdd.Color)
    before, _ = game.rules.decide(white, red)
    assert ended(name, "Pass").winning_seat is game.state.seat_to_move
    assert before is not game.state.to_move


@pytest.mark.parametrize("name", GAMES)
def test_who_won_the_words_know_better(name: str) -> None:
    for header, seat in {
        "RE[Game won by alice]": pdd.Seat.FIRST,
        "RE[Game won by bob]": pdd.Seat.SECOND,
        "RE[The game is a draw]": None,
    }.items():
        for words in (("Pass", "Done"), ("GameOver",)):
            found = ended(name, *words, header=header)
            assert (found.ending, found.winning_seat) == (pdd.Ending.ADJUDICATION, seat)
            assert found.line.moves[-1].comment


# What comes after it


def last_turns(game: pdd.Game) -> list[str]:
    """Return some of what red can do in the last turn, after white's last tile."""
    legal = reference(game).legal()
    return Random(1).sample(legal, min(5, len(legal)))


def tokens_of(action: str, player: int) -> list[str]:
    """Return the tokens of red's turn, which builds a bridge as robots do."""
    parsed = pdd.parse_action(action)
    if isinstance(parsed, pdd.PlaceTiles):
        return tiles(player, "R", *map(str, parsed.cells))
    if isinstance(parsed, pdd.Pass):
        return [f"{player} Pass", f"{player} Done"]
    writer = Writer(Random(0), robot=True)
    assert isinstance(parsed, pdd.BuildBridge)
    state = pdd.GameState.initial(pdd.presets.BOARDSPACE)
    return [f"{player} {token}" for token in (*writer.bridge(state, parsed), "Done")]


@pytest.mark.parametrize("name", BY_WHITE)
def test_red_has_the_last_turn_after_whites_pass(name: str) -> None:
    game = GAMES[name]
    for action in last_turns(game):
        other = reference(game)
        other.play(action)
        for words in (("Pass", "Done"), ("Pass",)):
            tokens = (*words, *tokens_of(action, 1 - mover(game)))
            found = ended(name, *tokens)
            assert found.ending is pdd.Ending.ADJUDICATION
            assert found.winning_seat is winner(game, other)
            assert found.line.moves[-1].comment == (
                f"White's last tile, {game.tags['LastTile']}, has no partner. "
                f"Red's last turn: {action}."
            )


def test_red_ends_the_game_in_the_last_turn() -> None:
    for name in (PAIR_LEFT, STUCK):
        player = 1 - mover(GAMES[name])
        found = ended(name, "Pass", "Done", f"{player} GameOver")
        assert found.ending is pdd.Ending.ADJUDICATION
        assert found.winning_seat is winner(GAMES[name], reference(GAMES[name]))


def test_red_has_a_last_tile_too() -> None:
    game = GAMES[TWO_TILES]
    setup = game.state.position.setup()
    setup = evolve(setup, white=(*setup.white, pdd.parse_cell(game.tags["LastTile"])))
    state = pdd.GameState.from_position(
        setup.position(), rules=game.rules, to_move=pdd.Color.RED, phase=pdd.Phase.LAST_TURN
    )
    alone = [
        cell
        for cell in game.rules.board.cells
        if [each.rule for each in state.violations(pdd.PlaceTile(cell))] == [pdd.Rule.NO_PARTNER]
    ]
    assert alone
    for cell in alone:
        after = reference(game)
        after.placed["red"].add((cell.column, cell.row))
        red = 1 - mover(game)
        found = ended(TWO_TILES, "Pass", "Done", f"{red} Tile R {at(cell)}", f"{red} GameOver")
        assert found.ending is pdd.Ending.ADJUDICATION
        assert found.winning_seat is winner(game, after)
        assert found.line.moves[-1].comment == (
            f"White's last tile, {game.tags['LastTile']}, has no partner. "
            f"Red's last tile, {cell}, has no partner."
        )


def test_red_may_resign_or_run_out_of_time_in_the_last_turn() -> None:
    game = GAMES[PAIR_LEFT]
    red = 1 - mover(game)
    white, owner = game.state.owner(pdd.Color.WHITE), game.state.owner(pdd.Color.RED)
    found = ended(PAIR_LEFT, "Pass", "Done", f"{red} Resign", f"{red} Done")
    assert (found.ending, found.winning_seat) == (pdd.Ending.RESIGNATION, white)
    assert "has no partner" in found.line.moves[-1].comment
    found = ended(PAIR_LEFT, "Pass", "Done", f"{mover(game)} WinOnTime")
    assert (found.ending, found.winning_seat) == (pdd.Ending.TIME, white)
    for words in (("Resign",), ("Resign", "Done")):
        found = ended(PAIR_LEFT, "Pass", *words)
        assert (found.ending, found.winning_seat) == (pdd.Ending.RESIGNATION, owner)


def test_what_is_said_of_the_end_stays_with_the_last_move() -> None:
    game = GAMES[PAIR_LEFT]
    red = 1 - mover(game)
    found = ended(PAIR_LEFT, "Pass|C[so]", "Done|C[what]", f"{red} GameOver|C[bye]")
    assert found.line.moves[-1].comment.split("\n")[:2] == ["so", "what"]
    assert "bye" in found.line.moves[-1].comment


@pytest.mark.parametrize("name", GAMES)
def test_nothing_is_played_after_it(name: str) -> None:
    game = GAMES[name]
    other = 1 - mover(game)
    for words in (("GameOver",), ("GameOver", "Done")):
        text = told(game, last_tile(game)[2:], *words, f"{other} Pick W")
        assert refused(text) == "the end: the game is over"
    pick = f"{other} Pick {'R' if name in BY_WHITE else 'W'}"
    if name in BY_RED:
        text = told(game, last_tile(game)[2:], "Pass", "Done", pick)
        assert refused(text) == "the end: the game is over"
    else:
        red = tokens_of(last_turns(game)[0], other)
        text = told(game, last_tile(game)[2:], "Pass", "Done", *red, f"{mover(game)} Pick W")
        assert refused(text) == "the end: the game is over"


# What is no last tile


def test_a_tile_with_a_partner_ends_nothing() -> None:
    for game in (pdd.Game.new(pdd.presets.BOARDSPACE), GAMES[PAIR_LEFT].undo(10)):
        cell = at(next(iter(game.state.legal_actions.first_tiles)))
        color = "R" if game.state.to_move is pdd.Color.RED else "W"
        for words in (("Pass", "Done"), ("Pass",), ("GameOver",)):
            assert refused(told(game, f"Tile {color} {cell}", *words)) == NO_ROOM
            # A person's tile is none either.
            assert refused(told(game, f"Pick {color}", f"Dropb {cell}", *words)) == NO_ROOM


def test_a_tile_that_breaks_a_rule_ends_nothing() -> None:
    game = GAMES[PAIR_LEFT]
    taken = at(next(iter(game.state.position.tiles(pdd.Color.RED))))
    for word in ("Pass", "GameOver"):
        expected = refused(told(game, f"Tile W {taken}", word))
        assert expected.startswith("a legal action: ")
        assert "no partner" not in expected


def test_the_turn_with_the_last_tile_is_as_strict_as_any() -> None:
    game = GAMES[PAIR_LEFT]
    tile, red = last_tile(game)[2:], 1 - mover(game)
    complete = "'Done': the turn is complete"
    half = "a second tile, or the piece in hand put down"
    assert refused(told(game, tile, "Pass", "Pass")) == complete
    assert refused(told(game, tile, "Pass", "Tile W A 1")) == complete
    assert refused(told(game, tile, "Done")) == half
    assert refused(told(game, tile, "Pick W", "Pass")) == complete
    assert refused(told(game, tile, "Pick W", "GameOver")) == half
    assert refused(told(game, tile, "Pass", "Pick W", "Done")) == half
    assert refused(told(game, tile, f"{red} GameOver")) == half
    undone = boardspace.loads(told(game, tile, "Pass", "Reset"))
    assert (undone.actions, undone.ending) == (game.actions, None)
