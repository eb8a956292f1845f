"""The legal actions and the legal steps of a state, as lazy views."""

from __future__ import annotations

from functools import cached_property
from random import Random
from typing import final

from attrs import frozen

from pontedeldiavolo.base.enums import Color, Phase
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.cell_set import CellSet, cell_set
from pontedeldiavolo.board.geometry import Geometry, nth_bit
from pontedeldiavolo.position.pieces import Pieces
from pontedeldiavolo.rules.actions import Action, BuildBridge, Pass, Step
from pontedeldiavolo.rules.rules import Rules

from .views import (
    LegalView,
    NonTileActions,
    NumpyGenerator,
    Pairs,
    SingleTiles,
    bridge_action,
    bridge_actions,
    builds_one_of,
    legal_pairs,
    randbelow,
    random_bits,
)

_TRIES = 16
"""Number of rejections after which sampling counts the actions instead."""


@final
@frozen(init=False, slots=False, eq=False, repr=False)
class LegalActions(LegalView[Action]):
    """Every legal action of a state, as a lazy sequence.

    The order is :class:`PlaceTiles` by (first cell, second cell), :class:`BuildBridge` likewise,
    :class:`ChooseColor` white then red, :class:`Pass`. It is also the sort order of actions:
    ``sorted(legal) == list(legal)``. Length and membership are exact and need no
    enumeration. The legal actions of equal states are equal.

    >>> legal = pdd.GameState.initial(pdd.Rules(pdd.Board(4, 1))).legal_actions
    >>> len(legal), pdd.format_action(legal[0])
    (6, 'a1,b1')
    >>> [pdd.format_action(action) for action in legal]
    ['a1,b1', 'a1,c1', 'a1,d1', 'b1,c1', 'b1,d1', 'c1,d1']
    >>> legal.second_tiles(pdd.Cell(0, 0))
    CellSet(b1, c1, d1)

    Attributes:
        pairs: Only the pairs of tiles, as a lazy sequence.
    """

    pairs: Pairs
    _geometry: Geometry
    _bridges: int
    _phase: Phase

    def __init__(self) -> None:
        raise TypeError("legal actions are those of a state: GameState.legal_actions")

    def __contains__(self, item: object) -> bool:
        # Whether a bridge is legal does not depend on the pairs; only the pass does.
        if isinstance(item, BuildBridge):
            return builds_one_of(self._geometry, self._bridges, item)
        return super().__contains__(item)

    @property
    def _tiles(self) -> Pairs:
        return self.pairs

    @cached_property
    def others(self) -> NonTileActions:
        """The actions that place no tiles, as a lazy sequence."""
        choosing, over = self._phase is Phase.COLOR_CHOICE, self._phase is Phase.OVER
        passing = not choosing and not over and not self.pairs
        return NonTileActions(self._geometry, self._bridges, choosing, passing)

    @property
    def first_tiles(self) -> CellSet:
        """The cells that can be half of a legal pair."""
        return cell_set(self._geometry, self.pairs.firsts)

    def second_tiles(self, cell: Cell) -> CellSet:
        """Return the cells that complete a legal pair with *cell*, none if no legal pair has it."""
        return cell_set(self._geometry, self.pairs.seconds(self._geometry.index(cell)))

    @property
    def bridges(self) -> tuple[BuildBridge, ...]:
        """The bridges that can be built."""
        return bridge_actions(self._geometry, self._bridges)

    def bridges_from(self, cell: Cell) -> tuple[BuildBridge, ...]:
        """Return the bridges that can be built with one end on *cell*."""
        index = self._geometry.index(cell)
        if index < 0:
            return ()
        return bridge_actions(self._geometry, self._bridges & self._geometry.bridges_at[index])

    def sample(self, rng: Random | NumpyGenerator) -> Action:
        """Return one of the legal actions, each with the same probability.

        Args:
            rng: A ``random.Random`` or a ``numpy.random.Generator``.

        Raises:
            IndexError: If there are none: the game is over.
        """
        # Sample from all ordered pairs of open cells, and from the bridges and the pass with
        # double weight. Reject pairs of cells that exclude each other, and the pass where it is
        # illegal. That is uniform without counting the legal pairs.
        pairs = self.pairs
        candidates = pairs.candidates
        if candidates:
            bits, bridges = random_bits(rng), self._bridges.bit_count()
            for _ in range(_TRIES):
                number = randbelow(bits, candidates + 2 * bridges + 2) >> 1
                if number < bridges:
                    return bridge_action(self._geometry, nth_bit(self._bridges, number))
                if number == bridges:
                    if self.others.passing:
                        return Pass()
                    continue
                pair = pairs.draw(bits)
                if pair is not None:
                    return pair
        return super().sample(rng)


@final
@frozen(init=False, slots=False, eq=False, repr=False)
class LegalSteps(LegalView[Step]):
    """Every legal step, as a sequence: :class:`PlaceTile` by cell, then as in legal actions.

    A :class:`PlaceTile` is listed only if some second tile completes it. Sampling steps uniformly
    does not sample actions uniformly.

    >>> steps = pdd.GameState.initial(pdd.Rules(pdd.Board(4, 1))).legal_steps
    >>> [pdd.format_step(step) for step in steps]
    ['a1', 'b1', 'c1', 'd1']
    """

    _tiles_alone: SingleTiles
    _others: NonTileActions

    def __init__(self) -> None:
        raise TypeError("legal steps are those of a state: GameState.legal_steps")

    @property
    def _tiles(self) -> SingleTiles:
        return self._tiles_alone

    @property
    def tile_mask(self) -> int:
        """The cells where a tile can be placed, as an integer used as a bit set."""
        return self._tiles_alone.mask

    @cached_property
    def others(self) -> NonTileActions:
        """The steps that place no tile, as a lazy sequence."""
        return self._others


def find_legal_actions(
    rules: Rules, pieces: Pieces, phase: Phase, to_move: Color | None
) -> LegalActions:
    """Return the legal actions of a state with these parts."""
    bridges = 0
    if to_move is None:
        pairs = Pairs(pieces.geometry, 0, 0)
    else:
        color = 0 if to_move is Color.WHITE else 1
        pairs = legal_pairs(rules, pieces, color)
        if rules.bridges is None or rules.bridges > pieces.bridges.bit_count():
            bridges = pieces.open_bridges(color)
    legal = object.__new__(LegalActions)
    parts = vars(legal)
    parts["pairs"] = pairs
    parts["_geometry"] = pieces.geometry
    parts["_bridges"] = bridges
    parts["_phase"] = phase
    return legal


def single_tile_steps(geometry: Geometry, cells: int, others: NonTileActions) -> LegalSteps:
    """Return the steps that place a tile on one of a set of cells, and the *others*."""
    legal = object.__new__(LegalSteps)
    vars(legal).update(_tiles_alone=SingleTiles(geometry, cells), _others=others)
    return legal
