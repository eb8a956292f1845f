"""Hypothesis strategies that only the tests use, and seeded random players."""

from __future__ import annotations

from random import Random

from attrs import frozen
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

import pontedeldiavolo as pdd
from pontedeldiavolo.testing import strategies
from pontedeldiavolo.testing.strategies import adjacent_tile_count, rules, small_boards

SMALL_RULES = rules(small_boards())
"""Rules on boards so small that tests can try every action."""

# Characters that writers of records must escape, or that readers may confuse.
AWKWARD = "\"\\[]{};%'# .,-0w\u00a0é\u0301\ufeff\U0001f309"


def share(part: float) -> settings:
    """Return settings with a fraction of the profile's examples, for slow properties."""
    return settings(max_examples=max(1, round(settings().max_examples * part)))


@frozen
class Player:
    """A random player.

    Purely random play rarely makes islands and bridges. A *builder* builds a bridge whenever it
    can, and a *settler* prefers actions that place tiles next to tiles of its colour.
    """

    rng: Random
    builder: bool = False
    settler: bool = False

    def choose(self, state: pdd.GameState) -> pdd.Action:
        """Return a legal action."""
        legal = state.legal_actions
        if self.builder and (bridges := legal.bridges):
            return self.rng.choice(bridges)
        drawn = [legal.sample(self.rng) for _ in range(4 if self.settler else 1)]
        own = frozenset(state.position.tiles(state.to_move)) if state.to_move else frozenset()
        return max(drawn, key=lambda action: adjacent_tile_count(action, own))


def play_out(of: pdd.Rules, player: Player, longest: int | None = None) -> pdd.Game:
    """Return a game of a player against itself, to the end or up to a length."""
    game = pdd.Game.new(of)
    count = 0
    while not game.state.is_over and count != longest:
        game = game.play(player.choose(game.state))
        count = count + 1
    return game


# Cells and actions


@st.composite
def cells(draw: DrawFn, board: pdd.Board, beyond: int = 2) -> pdd.Cell:
    """Return cells on a board, and some just outside it."""
    beyond = draw(st.sampled_from([0, 0, 0, 0, beyond]))
    column = draw(st.integers(0, board.width - 1 + beyond))
    return pdd.Cell(column, draw(st.integers(0, board.height - 1 + beyond)))


@st.composite
def near_cells(draw: DrawFn, cell: pdd.Cell) -> pdd.Cell:
    """Return cells at most three columns and rows away, which can affect each other."""
    column = max(0, cell.column + draw(st.integers(-3, 3)))
    return pdd.Cell(column, max(0, cell.row + draw(st.integers(-3, 3))))


@st.composite
def two_cells(draw: DrawFn, board: pdd.Board) -> tuple[pdd.Cell, pdd.Cell]:
    """Return two cells, often close to each other, and sometimes equal."""
    one = draw(cells(board))
    return one, draw(near_cells(one) | cells(board))


def spans(board: pdd.Board) -> SearchStrategy[tuple[pdd.Cell, pdd.Cell]]:
    """Return two cells that could be the ends of a bridge."""
    if not board.bridges:
        return two_cells(board)
    return st.sampled_from(board.bridges).map(lambda bridge: bridge.ends) | two_cells(board)


def any_actions(board: pdd.Board) -> SearchStrategy[pdd.Action]:
    """Return actions of every kind without regard to a state; most of them are illegal."""
    return st.one_of(
        two_cells(board).map(lambda pair: pdd.PlaceTiles(*pair)),
        spans(board).map(lambda pair: pdd.BuildBridge(*pair)),
        st.sampled_from(pdd.Color).map(pdd.ChooseColor),
        st.just(pdd.Pass()),
    )


def _two_from(
    shape: type[pdd.PlaceTiles | pdd.BuildBridge], sources: tuple[pdd.Cell, ...]
) -> SearchStrategy[pdd.Action]:
    return st.sampled_from(sources).flatmap(
        lambda a: (st.sampled_from(sources) | near_cells(a)).map(lambda b: shape(a, b))
    )


def attempts(state: pdd.GameState) -> SearchStrategy[pdd.Action | pdd.PlaceTile]:
    """Return actions to try in a state: legal ones, plausible ones, and any others."""
    board = state.rules.board
    color = state.to_move
    kinds: list[SearchStrategy[pdd.Action | pdd.PlaceTile]] = [any_actions(board)]
    kinds.append(cells(board).map(pdd.PlaceTile))
    if state.legal_actions:
        kinds.append(strategies.actions(state))
    if color is not None:
        own = tuple(state.position.tiles(color))
        free = tuple(cell for cell in board if state.position.color_at(cell) is None)
        # Free cells next to own tiles, where groups grow too large or touch islands.
        shore = tuple(
            cell
            for cell in free
            if any(abs(cell.column - a.column) + abs(cell.row - a.row) < 3 for a in own)
        )
        shapes = ((pdd.BuildBridge, own), (pdd.PlaceTiles, free), (pdd.PlaceTiles, shore))
        kinds += [_two_from(shape, sources) for shape, sources in shapes if sources]
    return st.one_of(kinds)


# Games


def tag_values() -> SearchStrategy[str]:
    """Return texts of one line, with many characters that need an escape."""
    printable = st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"))
    return st.text(printable, max_size=12) | st.text(AWKWARD, max_size=12)


def tags() -> SearchStrategy[dict[str, str]]:
    """Return tags of games, except for names that a game computes."""
    roster = st.sampled_from(["Event", "Site", "Date", "Round", "First", "Second"])
    free = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,8}", fullmatch=True).filter(
        lambda name: name not in ("Rules", "Start", "Result", "Termination")
    )
    return st.dictionaries(roster | free, tag_values(), max_size=4)


@st.composite
def games(draw: DrawFn, of: SearchStrategy[pdd.Rules] | None = None) -> pdd.Game:
    """Return games with tags: unfinished, scored, or ended early in every possible way."""
    return draw(strategies.games(of, ended=True)).with_tags(draw(tags()))
