"""A parsed record, its game with every action checked, and the errors that readers keep."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from operator import is_
from typing import Final, NamedTuple, SupportsIndex, cast, final

from attrs import evolve, field, frozen
from attrs.validators import optional

from pontedeldiavolo.base.enums import Color, Ending, Seat
from pontedeldiavolo.base.errors import (
    NotationError,
    PonteError,
    Reason,
    RecordError,
    instance_of,
    quoted,
    reason,
    require_type,
    whole_number,
)
from pontedeldiavolo.base.values import FrozenMapping, ImmutableValue
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.rules.limits import Limits, exceeds
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.rules.violations import (
    MAX_NAMED_VIOLATIONS,
    IllegalActionError,
    InvalidPositionError,
    reasons,
)
from pontedeldiavolo.state.state import GameState

from .game import Game
from .line import Line, Move
from .tags import checked_tags

Place = tuple[int, int]
"""A line and a column, both from 1."""

EXCERPT_CHARACTERS: Final = 60
"""The number of characters around a fault that an error keeps."""

MARK_OF_RESULT: Final = {
    "white": "white-wins",
    "red": "red-wins",
    "first": "first-wins",
    "second": "second-wins",
    "draw": "draw",
    "*": "*",
}
"""The values of the Result tag, with the marks that repeat them after the actions."""


@final
class ErrorList:
    """The list of errors of a lenient reader, with a limit.

    A strict reader has an ``ErrorList`` without a list, which raises every error.

    Attributes:
        counted: The number of errors that count towards the limit: those in the list, and those
            that a reader of many games yields in place of games.
        has_overflowed: Whether another error came when the limit was reached. It is not in the
            list: an error that says so ends reading.
    """

    def __init__(self, errors: list[RecordError] | None, limits: Limits) -> None:
        self.counted: int = 0
        self.has_overflowed: bool = False
        self._errors = errors
        self._max_errors = limits.errors
        # The faults of the last game that had one, by their places.
        self._number = 0
        self._errors_at: dict[Place, RecordError] = {}

    def append(self, error: RecordError) -> None:
        """Append an error.

        Raises:
            RecordError: The error itself if there is no list, or another one if the list is full.
        """
        if self._errors is None:
            raise error
        if exceeds(self.counted + 1, self._max_errors):
            self.has_overflowed = True
            raise too_many_errors((error.line, error.column), self._max_errors, error.number)
        self.counted += 1
        self._errors.append(trim_error(error))

    def append_once(self, error: RecordError) -> None:
        """Append an error, unless this method has appended one at the same place of the same game.

        A lenient reader that goes on after a fault often reports a second one at the same place,
        such as a missing result; only the first is kept.

        Raises:
            RecordError: The error itself if there is no list, or another one if the list is full.
        """
        if error.number != self._number:
            self._number = error.number
            self._errors_at.clear()
        place = (error.line, error.column)
        if place not in self._errors_at:
            self.append(error)
            self._errors_at[place] = error

    def take_first(self, number: int) -> RecordError | None:
        """Remove and return the first error that was appended once for a game, if there is one.

        Args:
            number: The number of the game, which is the last one that was read.
        """
        if self._errors is None or number != self._number or not self._errors_at:
            return None
        place = next(iter(self._errors_at))
        error = self._errors_at.pop(place)
        self.counted -= 1
        # It is one of the last: a search from the start would take quadratic time in a long file.
        for index in reversed(range(len(self._errors))):
            if self._errors[index] is error:
                del self._errors[index]
                break
        return error


STRICT: Final = ErrorList(None, Limits.NONE)
"""Raises every error."""


def limit_reason(limit: str, maximum: int | None) -> Reason:
    """Return the reason for ending a stream: too many *games* or *errors*."""
    maximum = cast(int, maximum)
    return reason("limit", limit=reason(f"max-{limit}", max=maximum), max=maximum)


def too_many_errors(place: Place, maximum: int | None, number: int) -> RecordError:
    """Return the error that ends a stream with more errors than the limit allows."""
    return RecordError(*place, limit_reason("errors", maximum), number)


def trim_error(error: RecordError) -> RecordError:
    """Return an error without tracebacks and long texts, and with at most ten faults."""
    each: BaseException | None = error
    while each is not None:
        each.__traceback__ = None
        each.__context__ = None
        cause = each.__cause__
        if isinstance(cause, NotationError):
            cause = _shortened(cause)
            if isinstance(cause.__cause__, NotationError):
                # It repeats the fault, located within the text of a single tag or property.
                cause.__cause__ = None
        elif (
            isinstance(cause, InvalidPositionError) and len(cause.violations) > MAX_NAMED_VIOLATIONS
        ):
            cause = InvalidPositionError(cause.violations[:MAX_NAMED_VIOLATIONS])
        elif hasattr(cause, "doc"):
            # A JSONDecodeError keeps the whole text, and adds nothing to the error around it.
            cause = None
        if cause is not each.__cause__:
            each.__cause__ = cause
        each = cause
    return error


def _shortened(error: NotationError) -> NotationError:
    """Return an error with only the part of its text around the fault."""
    if len(error.text) <= EXCERPT_CHARACTERS:
        return error
    start = max(
        0, min(error.offset - EXCERPT_CHARACTERS // 2, len(error.text) - EXCERPT_CHARACTERS)
    )
    short = NotationError(
        error.text[start : start + EXCERPT_CHARACTERS], error.offset - start, error.reason
    )
    short.__cause__ = error.__cause__
    return short


class Places(NamedTuple):
    """The places of a record's parts in its text, for errors.

    Attributes:
        moves: The places of all moves, those of variations included, in the order of ``Line.walk``.
        result: The place of the result; ``None`` if the record gives none.
        termination_or_start: The place of the Termination tag, or else the start of the record.
            Errors without a place of their own get this one.
    """

    moves: tuple[Place, ...] = ()
    result: Place | None = None
    termination_or_start: Place = (1, 1)


def _game_number(value: SupportsIndex) -> int:
    return whole_number(value, "number")


def _check_result(_: object, __: object, result: str) -> None:
    require_type(result, str, "result")
    if result not in MARK_OF_RESULT:
        words = quoted(MARK_OF_RESULT)
        raise PonteError(reason("unknown-result", words=words, result=repr(result[:20])))


@final
@frozen(order=False)
class Record(ImmutableValue):
    r"""One game's record, parsed but not replayed.

    >>> [record] = pdd.records.iter_records('[First "Ada"]\n1. d4,g7 red 2. d4,d4 *')
    >>> (record.tags["First"], len(record.actions), record.result)
    ('Ada', 3, '*')
    >>> errors = []
    >>> len(record.game(errors).actions), len(errors)
    (2, 1)

    Attributes:
        start: The state that it starts from.
        tags: Its tags in order, without those that repeat other attributes.
        line: Its moves, legal or not, with comments and variations.
        result: ``white``, ``red``, ``draw``, ``first``, ``second``, or ``*`` if there is none.
        ending: The value of its Termination tag, ``None`` without one.
        number: The number of the game in its file, from 1.

    Raises:
        NotationError: If a tag's name or value cannot be written in a record.
        PonteError: If the result is not one of these, or a tag is derived from the game.
    """

    start: GameState = field(validator=instance_of(GameState))
    tags: FrozenMapping[str] = field(converter=checked_tags)
    line: Line = field(validator=instance_of(Line))
    result: str = field(default="*", validator=_check_result)
    ending: Ending | None = field(default=None, validator=optional(instance_of(Ending)))
    number: int = field(default=1, converter=_game_number)
    _places: Places = field(
        default=Places(), validator=instance_of(Places), eq=False, repr=False, alias="places"
    )
    _limits: Limits = field(
        default=Limits(), validator=instance_of(Limits), eq=False, repr=False, alias="limits"
    )

    @property
    def rules(self) -> Rules:
        """The rules of the record."""
        return self.start.rules

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions of the main line, legal or not."""
        return self.line.actions

    def game(self, errors: list[RecordError] | None = None, *, variations: bool = True) -> Game:
        """Return the game, with every action checked against the rules.

        Args:
            errors: A list that collects errors, for lenient reading: faulty parts are left out.
            variations: Whether variations are kept and checked; without them only the main line is
                checked.

        Raises:
            RecordError: If *errors* is ``None``, and an action breaks a rule, or the result or the
                termination contradicts the board. It gives the place in the text.
        """
        require_type(errors, list | None, "errors")
        require_type(variations, bool, "variations")
        return play_record(self, ErrorList(errors, self._limits), variations=variations)

    def _error_at(self, place: Place | None, expected: Reason) -> RecordError:
        return RecordError(*(place or self._places.termination_or_start), expected, self.number)

    def _checked_against_board(self, game: Game) -> Game:
        if self.ending is Ending.SCORED and not game.state.is_over:
            place = self._places.termination_or_start
            raise self._error_at(place, reason("other-termination"))
        if self.result == "*" and self._places.result is None:
            # The record gives no result.
            return game
        results = [game.result]
        if game.winning_seat is not None:
            results.append(game.winning_seat.value)
        if self.result in results:
            return game
        if game.state.is_over:
            raise self._error_at(self._places.result, reason("result-of-board", result=game.result))
        raise self._error_at(self._places.result, reason("unfinished-or-termination"))

    def _with_recorded_ending(self, game: Game) -> Game:
        if game.state.is_over:
            place = self._places.termination_or_start
            raise self._error_at(place, reason("scored-termination-only"))
        winner: Seat | None = None
        if self.result in ("white", "red"):
            winner = game.state.owner(Color(self.result))
            if winner is None:
                raise self._error_at(self._places.result, reason("first-or-second"))
        elif self.result in ("first", "second"):
            winner = Seat(self.result)
        elif self.result == "*":
            raise self._error_at(self._places.result, reason("result-for-termination"))
        ending = cast(Ending, self.ending)
        return end_early(game, ending, winner, partial(self._error_at, self._places.result))


def end_early(
    game: Game, ending: Ending, winner: Seat | None, error_of: Callable[[Reason], PonteError]
) -> Game:
    """Return a game with the ending that its record states.

    Args:
        game: The game, which is not played out.
        ending: The ending.
        winner: The winner; ``None`` for a draw.
        error_of: Returns the error to raise for the reason why the game cannot end in this way.
    """
    try:
        return game.end(ending, winner)
    except PonteError as error:
        raise error_of(reason("other-result", reason=error.reason)) from error


def play_record(record: Record, errors: ErrorList, *, variations: bool = True) -> Game:
    """Return the game of a record, with every action checked against the rules.

    Args:
        record: The record.
        errors: The list for errors; if it is lenient, faulty parts are left out.
        variations: Whether variations are kept and checked.

    Raises:
        RecordError: If something is wrong and *errors* is strict.
    """
    checker = _LineChecker(record.number, errors, variations)
    line, state = checker.legal_part(record.line, record.start, iter(record._places.moves))
    game = Game._make(record.start, record.tags, line, state)
    try:
        if record.ending in (None, Ending.SCORED):
            return record._checked_against_board(game)
        return record._with_recorded_ending(game)
    except RecordError as error:
        errors.append_once(error)
        return game


class _LineChecker(NamedTuple):
    """A checker of moves and variations against the rules."""

    number: int
    errors: ErrorList
    keeps_variations: bool

    def legal_part(
        self, line: Line, state: GameState, places: Iterator[Place]
    ) -> tuple[Line, GameState]:
        """Return the line up to its first illegal action, and the state at its end.

        The variations of that action and the moves after it are dropped.
        """
        moves: list[Move] = []
        for index, move in enumerate(line.moves):
            place = next(places, None)
            try:
                after = state.apply(move.action)
            except IllegalActionError as error:
                self._report(place, error)
                _skip_places(places, [*move.variations, Line(line.moves[index + 1 :])])
                break
            kept = self._legal_variations(move, state, places)
            moves.append(evolve(move, variations=kept) if move.variations else move)
            state = after
        # Most lines are unchanged, and need not be validated again.
        is_whole = len(moves) == len(line.moves) and all(map(is_, moves, line.moves))
        return line if is_whole else evolve(line, moves=moves), state

    def _legal_variations(
        self, move: Move, state: GameState, places: Iterator[Place]
    ) -> list[Line]:
        """Return the variations of a move that have legal moves, if variations are kept."""
        if not self.keeps_variations:
            _skip_places(places, move.variations)
            return []
        variations = (self.legal_part(each, state, places)[0] for each in move.variations)
        return [each for each in variations if each.moves]

    def _report(self, place: Place | None, cause: IllegalActionError) -> None:
        """Raise the error for an illegal action at a place, or append it to the list."""
        expected = reason("legal-action", violations=reasons(cause.violations))
        # A record that a caller made has no places, so all its errors have the same.
        error = RecordError(*(place or (1, 1)), expected, self.number)
        error.__cause__ = cause
        self.errors.append(error)


def _skip_places(places: Iterator[Place], lines: Iterable[Line]) -> None:
    """Skip the places of all moves in lines that are left out."""
    count = sum(1 for line in lines for _ in line.walk())
    next(islice(places, count, count), None)
