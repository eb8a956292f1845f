"""A turn of two tiles after the first: a value for interfaces that go click by click."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from attrs import field, frozen

from pontedeldiavolo.actions import PlaceTile, PlaceTiles, Step
from pontedeldiavolo.cell import Cell
from pontedeldiavolo.cell_set import CellSet
from pontedeldiavolo.checks import require_type
from pontedeldiavolo.errors import IllegalActionError
from pontedeldiavolo.legal_steps import LegalSteps
from pontedeldiavolo.messages import explain_all
from pontedeldiavolo.rules import Rules
from pontedeldiavolo.sealed import Sealed
from pontedeldiavolo.views import Others, SingleTiles
from pontedeldiavolo.violation import Violation, violation
from pontedeldiavolo.vocabulary import Color, Rule, Seat

if TYPE_CHECKING:
    from pontedeldiavolo.state import GameState


@final
@frozen(order=False)
class HalfTurn(Sealed):
    """A state and the first of two tiles, which a legal second one will complete.

    It is never a turn, and nothing has been placed yet. Made by :meth:`GameState.step`.

    Attributes:
        state: The state in which the turn is played.
        first: The cell of the first tile.

    Raises:
        TypeError: If something is not of its type.
        IllegalActionError: If the first tile is in no legal pair.
    """

    state: GameState
    first: Cell
    second_tiles: CellSet = field(init=False, eq=False, repr=False)
    """The cells that complete the pair; never empty."""

    @second_tiles.default
    def _find_second_tiles(self) -> CellSet:
        # A state makes half turns, so this module cannot stand upon its module.
        from pontedeldiavolo.state import GameState  # noqa: PLC0415

        require_type(self.state, GameState, "state")
        found = self.state.legal_actions.second_tiles(self.first)
        if not found:
            faults = self.state.violations(PlaceTile(self.first))
            raise IllegalActionError(explain_all(faults), faults)
        return found

    @property
    def rules(self) -> Rules:
        """The rules in use."""
        return self.state.rules

    @property
    def to_move(self) -> Color | None:
        """The colour that goes on with its second tile."""
        return self.state.to_move

    @property
    def seat_to_move(self) -> Seat | None:
        """The seat that goes on with its second tile."""
        return self.state.seat_to_move

    @property
    def is_over(self) -> bool:
        """Always ``False``: a half turn can be completed."""
        return False

    @property
    def legal_steps(self) -> LegalSteps:
        """The second tiles as steps."""
        geometry = self.state.rules.board.geometry
        return LegalSteps(SingleTiles(geometry, self.second_tiles.bits), Others(geometry, 0))

    def is_legal(self, step: Step) -> bool:
        """Tell whether *step* completes the turn.

        Raises:
            TypeError: If it is not a step.
        """
        require_type(step, Step, "step")
        return isinstance(step, PlaceTile) and step.cell in self.second_tiles

    def violations(self, step: Step) -> tuple[Violation, ...]:
        """Return every rule that *step* breaks as the second tile, ``()`` if it is legal.

        Raises:
            TypeError: If it is not a step.
        """
        require_type(step, Step, "step")
        if isinstance(step, PlaceTile):
            return self.state.violations(PlaceTiles(self.first, step.cell))
        return (violation(Rule.WRONG_PHASE),)

    def step(self, step: Step) -> GameState:
        """Return the state after the whole turn, the same in either order of its tiles.

        Raises:
            TypeError: If it is not a step.
            IllegalActionError: If the two tiles are not a legal pair.
        """
        if isinstance(step, PlaceTile) and self.is_legal(step):
            return self.state.apply_unchecked(PlaceTiles(self.first, step.cell))
        faults = self.violations(step)
        raise IllegalActionError(explain_all(faults), faults)
