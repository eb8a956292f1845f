"""Hypothesis strategies: boards, rules, states, games, actions, set-ups and damaged texts.

Needs Hypothesis, which the extra ``testing`` installs.

>>> from hypothesis import given, settings
>>> from pontedeldiavolo.testing import strategies
>>> @settings(max_examples=10, database=None, deadline=None)
... @given(strategies.states(pdd.Rules(pdd.Board(4, 4))))
... def test_text(state):
...     assert pdd.parse_state(pdd.format_state(state)) == state
...
>>> test_text()

Games are sequences of legal actions, each chosen by a drawn number, so a counterexample shrinks to
a shorter game on a smaller board. It is printed as an expression that reproduces it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product
from types import NoneType
from typing import Final, TypeAlias, TypeVar

from pontedeldiavolo.base.lazy import needing

with needing(__name__, "Hypothesis", "testing"):
    from hypothesis import assume
    from hypothesis import strategies as st

from hypothesis.strategies import DrawFn, SearchStrategy

from pontedeldiavolo.base.enums import Color, Ending, Phase, Seat, Tiebreak
from pontedeldiavolo.base.errors import require_items, require_sequence, require_type
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.position.position import Position, Setup
from pontedeldiavolo.rules.actions import Action, PlaceTile, PlaceTiles
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState, HalfTurn

__all__ = [
    "actions",
    "boards",
    "damaged",
    "games",
    "half_turns",
    "positions",
    "rules",
    "setups",
    "small_boards",
    "states",
]


def __dir__() -> list[str]:
    return __all__


T = TypeVar("T")
Given: TypeAlias = Rules | SearchStrategy[Rules] | None
"""Rules, a strategy that generates them, or ``None`` for :func:`rules`."""

SMALL_SIZES: Final = ((1, 9), (9, 1), (2, 7), (7, 2), (3, 6), (6, 4), (8, 3))
TIEBREAKS: Final = tuple(order for count in range(3) for order in permutations(Tiebreak, count))


# Boards and rules


def boards() -> SearchStrategy[Board]:
    """Generate boards of all shapes, up to 12×12; they shrink to 1×1."""
    medium = st.integers(1, 8)
    large = st.integers(5, 12)
    sizes = st.builds(Board, medium, medium) | st.builds(Board, large, large)
    return small_boards() | sizes | large.map(lambda side: Board(side, side))


def small_boards() -> SearchStrategy[Board]:
    """Generate boards of at most 25 cells, on which a test can try all actions."""
    tiny = st.integers(1, 3)
    side = st.integers(3, 5)
    sizes = st.builds(Board, tiny, tiny) | st.builds(Board, side, side)
    return sizes | st.sampled_from(SMALL_SIZES).map(lambda size: Board(*size))


def rules(on: SearchStrategy[Board] | None = None) -> SearchStrategy[Rules]:
    """Generate rules on any boards; supplies are unlimited, or small enough to run out."""
    require_type(on, (SearchStrategy, NoneType), "on")
    return _rules(on)


@st.composite
def _rules(draw: DrawFn, on: SearchStrategy[Board] | None) -> Rules:
    board = draw(boards() if on is None else on)
    tiles = None
    bridges = None
    if draw(st.sampled_from((False, False, True))):
        tiles = draw(st.integers(len(board) // 6, len(board) // 3 + 2) | st.integers(0, 4))
        bridges = draw(st.none() | st.integers(0, 4))
    return Rules(board, tiles, bridges, draw(st.sampled_from(TIEBREAKS)))


def _require_rules(given: Given) -> None:
    """Raise a ``TypeError`` unless the argument is rules, a strategy or ``None``."""
    require_type(given, (Rules, SearchStrategy, NoneType), "rules")


def _rules_of(draw: DrawFn, given: Given) -> Rules:
    of = rules() if given is None else given
    return of if isinstance(of, Rules) else draw(of)


# Games and states


def games(rules: Given = None, *, ended: bool = False) -> SearchStrategy[Game]:
    """Generate games that are unfinished, almost finished or played out.

    With *ended*, also generate games that ended early: by resignation, on time, by agreement or by
    adjudication.
    """
    _require_rules(rules)
    require_type(ended, bool, "ended")
    return _games(rules, ended=ended)


@st.composite
def _games(draw: DrawFn, rules: Given, *, ended: bool) -> Game:
    of = _rules_of(draw, rules)
    kind = draw(st.sampled_from(["early", "any", "late", "late", "last", "over"]))
    # Draw this before the actions, which then stay the same when Hypothesis changes the kind.
    number = draw(st.integers(0, 255))
    game = _play_out(draw, of, number % 9 if kind == "early" else None)
    length = len(game.actions)
    # In about half of the games, the last action is red's last turn.
    fewer = {"any": length - length * number // 256, "late": 1 + number % 8, "last": 1}
    game = game.undo(min(fewer.get(kind, 0), length))
    return draw(perhaps_ended(game)) if ended else game


@st.composite
def perhaps_ended(draw: DrawFn, game: Game) -> Game:
    """Generate a game unchanged, or ended early in any way."""
    ending = draw(st.none() | st.sampled_from([*Ending][1:]))
    if ending is None or game.ending is not None:
        return game
    seats = st.sampled_from(Seat)
    return game.end(ending, draw(seats if ending is Ending.RESIGNATION else st.none() | seats))


def _play_out(draw: DrawFn, of: Rules, longest: int | None = None) -> Game:
    """Play a game to its end, or up to a number of actions."""
    builder = draw(st.booleans())
    settler = draw(st.booleans())
    count = 0
    game = Game.new(of)
    try:
        while not game.state.is_over and count != longest:
            number = draw(st.integers(0, 2**16 - 1))
            game = game.play(chosen(game.state, number, builder=builder, settler=settler))
            count += 1
    except Exception as error:
        error.add_note(f"{format_rules(of)}: {' '.join(map(format_action, game.actions))}")
        raise
    return game


def chosen(state: GameState, number: int, *, builder: bool, settler: bool) -> Action:
    """Return the legal action that a number selects.

    Purely random play rarely makes islands and bridges. So a *builder* builds whenever it can, and
    a *settler* compares several actions and takes the one with the most adjacent tiles.
    """
    # Hypothesis often repeats numbers, so the same number means another action in each turn. The
    # factor spreads nearby numbers (Fibonacci hashing).
    number = number * (2 * state.turn + 1) * 40503 % 2**16
    if builder and (bridges := state.legal_actions.bridges):
        return bridges[number % len(bridges)]
    factors = (1, 257, 4099, 641) if settler else (1,)
    found = [_numbered(state, number * factor) for factor in factors]
    own = frozenset(state.position.tiles(state.to_move)) if state.to_move else frozenset()
    return max(found, key=lambda action: adjacent_tile_count(action, own))


def _numbered(state: GameState, number: int) -> Action:
    rest, place = divmod(number, len(state.legal_steps))
    step = state.legal_steps[place]
    if not isinstance(step, PlaceTile):
        return step
    seconds = [*state.legal_actions.second_tiles(step.cell)]
    return PlaceTiles(step.cell, seconds[rest % len(seconds)])


def adjacent_tile_count(action: Action, own: frozenset[Cell]) -> int:
    """Return the number of pairs of a new tile and an adjacent tile of the same colour."""
    if not isinstance(action, PlaceTiles):
        return 0
    pairs = product(action.cells, own.union(action.cells))
    return sum(abs(a.column - b.column) + abs(a.row - b.row) == 1 for a, b in pairs)


def actions(state: GameState) -> SearchStrategy[Action]:
    """Generate legal actions of a state in which the game is not over."""
    require_type(state, GameState, "state")
    return st.sampled_from(state.legal_actions)


def states(rules: Given = None, phase: Phase | None = None) -> SearchStrategy[GameState]:
    """Generate states that play can reach; with a *phase*, only states in this phase."""
    _require_rules(rules)
    require_type(phase, Phase | None, "phase")
    return _states(rules, phase)


@st.composite
def _states(draw: DrawFn, rules: Given, phase: Phase | None) -> GameState:
    if phase is None:
        return draw(games(rules)).state
    game = _play_out(draw, _rules_of(draw, rules))
    found = [state for state in game.states() if state.phase is phase]
    assume(found)
    return draw(st.sampled_from(found))


def half_turns(rules: Given = None) -> SearchStrategy[HalfTurn]:
    """Generate half turns: states in which the first of two tiles has been chosen."""
    _require_rules(rules)
    return _half_turns(rules)


@st.composite
def _half_turns(draw: DrawFn, rules: Given) -> HalfTurn:
    state = draw(states(rules).filter(lambda each: bool(each.legal_actions.first_tiles)))
    return state.step(PlaceTile(draw(st.sampled_from(sorted(state.legal_actions.first_tiles)))))


# Positions and set-ups


def positions(rules: Given = None) -> SearchStrategy[Position]:
    """Generate valid positions, including unreachable ones with odd numbers of tiles."""
    _require_rules(rules)
    return _positions(rules)


@st.composite
def _positions(draw: DrawFn, rules: Given) -> Position:
    full = draw(states(rules)).position
    # Removing tiles and bridges breaks no rule as long as the remaining bridges keep their ends.
    kept = _some(draw, [bridge for color in Color for bridge in full.bridges(color)])
    ends = {end for bridge in kept for end in bridge.ends}
    white, red = (
        ends.intersection(full.tiles(color)).union(_some(draw, [*full.tiles(color)]))
        for color in Color
    )
    return Position.from_pieces(full.board, white, red, kept)


def _some(draw: DrawFn, items: list[T]) -> list[T]:
    """Return about three quarters of some items."""
    bits = st.integers(0, 2 ** len(items) - 1)
    kept = draw(bits) | draw(bits)
    return [item for place, item in enumerate(items) if kept >> place & 1]


def setups(on: SearchStrategy[Board] | None = None) -> SearchStrategy[Setup]:
    """Generate diagrams; most of them break rules, and some have pieces off the board."""
    require_type(on, (SearchStrategy, NoneType), "on")
    return _setups(on)


@st.composite
def _setups(draw: DrawFn, on: SearchStrategy[Board] | None) -> Setup:
    board = draw(boards() if on is None else on)
    cells = st.builds(Cell, st.integers(0, board.width + 1), st.integers(0, board.height + 1))
    anywhere = st.lists(cells, max_size=6)
    joined = st.builds(Bridge, cells, cells)
    return Setup(board, draw(anywhere), draw(anywhere), draw(st.lists(joined, max_size=3)))


# Texts


def damaged(texts: Sequence[str], alphabet: str) -> SearchStrategy[str]:
    """Generate texts that differ from one of *texts* in a few characters of an *alphabet*."""
    require_sequence(texts, "str", "texts")
    require_items(texts, str, "texts")
    require_type(alphabet, str, "alphabet")
    return _damaged(texts, alphabet)


@st.composite
def _damaged(draw: DrawFn, texts: Sequence[str], alphabet: str) -> str:
    text = draw(st.sampled_from(texts))
    start = draw(st.integers(0, len(text)))
    end = min(len(text), start + draw(st.integers(0, 9)))
    return text[:start] + draw(st.text(alphabet, max_size=3)) + text[end:]
