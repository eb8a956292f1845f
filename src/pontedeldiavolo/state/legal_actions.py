"""The legal actions and the legal steps of a state, as lazy views."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from random import Random
from typing import final

from attrs import frozen

from pontedeldiavolo.base.enums import Color, Phase
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.cell_set import CellSet, cell_set
from pontedeldiavolo.board.geometry import Geometry, nth_bit
from pontedeldiavolo.position.pieces import Pieces
from pontedeldiavolo.rules.actions import Action, BuildBridge, Pass, PlaceTiles, Step
from pontedeldiavolo.rules.rules import Rules

from .views import (
    CHOICES,
    PASS,
    LazySequence,
    NonTileActions,
    NumpyGenerator,
    Pairs,
    StepSequence,
    bridge_action,
    bridge_actions,
    legal_pairs,
    numbers_of_others,
    randbelow,
    random_bits,
)

_TRIES = 16
"""Number of rejections after which sampling counts the actions instead."""


@final
@frozen(init=False, slots=False, eq=False, repr=False)
class LegalActions(LazySequence[Action]):
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

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LegalActions):
            return NotImplemented
        return self.pairs == other.pairs and self.others == other.others

    def __hash__(self) -> int:
        return hash((self.pairs, self.others))

    def __len__(self) -> int:
        return len(self.pairs) + len(self.others)

    def __bool__(self) -> bool:
        return bool(self.others) or bool(self.pairs)

    def __contains__(self, item: object) -> bool:
        # Whether a bridge is legal does not depend on the pairs; only the pass does.
        if isinstance(item, BuildBridge):
            number = self._geometry.number_of(item)
            return number >= 0 and bool(self._bridges >> number & 1)
        return item in self.pairs or item in self.others

    def __iter__(self) -> Iterator[Action]:
        yield from self.pairs
        yield from self.others

    def _at(self, place: int) -> Action:
        pairs = len(self.pairs)
        return self.pairs._at(place) if place < pairs else self.others._at(place - pairs)

    def _rank(self, item: Action) -> int:
        if isinstance(item, PlaceTiles):
            return self.pairs._rank(item)
        return len(self.pairs) + self.others._rank(item)

    @cached_property
    def others(self) -> NonTileActions:
        """The actions that place no tiles, as a lazy sequence."""
        without_cells = 0
        if self._phase is Phase.COLOR_CHOICE:
            without_cells = CHOICES
        elif self._phase is not Phase.OVER and not self.pairs:
            without_cells = PASS
        numbers = numbers_of_others(self._geometry, self._bridges, without_cells)
        return NonTileActions(self._geometry, numbers)

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
                    if Pass() in self.others:
                        return Pass()
                    continue
                pair = pairs.draw(bits)
                if pair is not None:
                    return pair
        return super().sample(rng)


@final
@frozen(init=False, slots=False, repr=False)
class LegalSteps(StepSequence[Step]):
    """Every legal step, as a sequence: :class:`PlaceTile` by cell, then as in legal actions.

    A :class:`PlaceTile` is listed only if some second tile completes it. Sampling steps uniformly
    does not sample actions uniformly.

    >>> steps = pdd.GameState.initial(pdd.Rules(pdd.Board(4, 1))).legal_steps
    >>> [pdd.format_step(step) for step in steps]
    ['a1', 'b1', 'c1', 'd1']
    """

    def __init__(self) -> None:
        raise TypeError("legal steps are those of a state: GameState.legal_steps")

    @property
    def tile_mask(self) -> int:
        """The cells where a tile can be placed, as an integer used as a bit set."""
        return self._numbers & self._geometry.full

    @property
    def others(self) -> NonTileActions:
        """The steps that place no tile, as a lazy sequence."""
        return NonTileActions(self._geometry, self._numbers ^ self.tile_mask)


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


def find_legal_steps(geometry: Geometry, numbers: int) -> LegalSteps:
    """Return the steps with these numbers."""
    steps = object.__new__(LegalSteps)
    vars(steps).update(_geometry=geometry, _numbers=numbers)
    return steps
