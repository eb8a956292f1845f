"""A record as it was read: a value, its actions not yet checked against the rules."""

from __future__ import annotations

from typing import cast, final

from attrs import field, frozen

from pontedeldiavolo.actions import Action
from pontedeldiavolo.errors import IllegalActionError, PonteError, RecordError
from pontedeldiavolo.frozen_mapping import FrozenMapping
from pontedeldiavolo.game import Game
from pontedeldiavolo.rules import Rules
from pontedeldiavolo.sealed import Sealed
from pontedeldiavolo.vocabulary import Color, Ending, Seat

Place = tuple[int, int]
"""A line and a column, both from 1."""


@final
@frozen(order=False)
class Record(Sealed):
    """One game's record, parsed but not replayed.

    Attributes:
        rules: The rules that it names.
        tags: Its other tags, in their order.
        actions: Its actions, legal or not.
        result: ``white``, ``red``, ``draw``, ``first``, ``second``, or ``*`` if it gives none.
        termination: What its Termination tag says, ``None`` without one.
        number: Which game of its file it is, from 1.
    """

    rules: Rules
    tags: FrozenMapping[str]
    actions: tuple[Action, ...]
    result: str = "*"
    termination: Ending | None = None
    number: int = 1
    _action_places: tuple[Place, ...] = field(default=(), eq=False, repr=False)
    _result_place: Place | None = field(default=None, eq=False, repr=False)
    _termination_place: Place = field(default=(1, 1), eq=False, repr=False)

    def game(self) -> Game:
        """Return the game, with every action checked against the rules.

        Raises:
            RecordError: If an action breaks a rule, or result and termination do not fit the
                board, at the place in the text.
        """
        game = Game.new(self.rules, self.tags)
        for action, place in zip(self.actions, self._action_places, strict=True):
            try:
                game = game.play(action)
            except IllegalActionError as error:
                raise RecordError(*place, f"a legal action: {error}", self.number) from error
        if self.termination in (None, Ending.SCORED):
            return self._played_out(game)
        return self._ended_early(game)

    def _fail(self, place: Place | None, expected: str) -> RecordError:
        return RecordError(*(place or self._termination_place), expected, self.number)

    def _played_out(self, game: Game) -> Game:
        if self.termination is Ending.SCORED and not game.state.is_over:
            raise self._fail(
                self._termination_place, "another termination: the game is not played out"
            )
        if self._result_place is None or self.result == game.result:
            return game
        seat = game.winning_seat
        if seat is not None and self.result == seat.value:
            return game
        if game.state.is_over:
            raise self._fail(self._result_place, f"the result '{game.result}', as the board has it")
        raise self._fail(
            self._result_place, "the result '*' of an unfinished board, or a Termination tag"
        )

    def _ended_early(self, game: Game) -> Game:
        if game.state.is_over:
            raise self._fail(
                self._termination_place, "no termination but 'scored': the game is played out"
            )
        winner: Seat | None = None
        if self.result in ("white", "red"):
            winner = game.state.owner(Color(self.result))
            if winner is None:
                raise self._fail(self._result_place, "'first' or 'second': no colours were chosen")
        elif self.result in ("first", "second"):
            winner = Seat(self.result)
        elif self.result == "*":
            raise self._fail(
                self._result_place, "a result that goes with the Termination tag, not '*'"
            )
        try:
            return game.end(cast(Ending, self.termination), winner)
        except PonteError as error:
            raise self._fail(self._result_place, f"another result: {error}") from error
