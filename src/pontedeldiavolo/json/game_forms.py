"""The fields of games, of their lines and moves, and of records in a document."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, islice, repeat
from typing import Final

from attrs import evolve, frozen

from pontedeldiavolo.base.frozen_mapping import FrozenMapping
from pontedeldiavolo.errors import PonteError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.line import Line, Move
from pontedeldiavolo.game.tags import ROSTER, checked_tags
from pontedeldiavolo.json.error import JsonError, refused, refusing
from pontedeldiavolo.records.pdd.splitter import Place
from pontedeldiavolo.records.pdd.words import RESULTS
from pontedeldiavolo.records.record import Record
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.vocabulary import Ending, Seat

NO_PLACE: Final[Place] = (1, 1)
"""The place of what has none."""


@frozen(kw_only=True)
class MoveForm:
    """A :class:`Move`; what is empty may be left out, and is when it is written."""

    action: Action
    glyphs: tuple[int, ...] = ()
    comment: str = ""
    variations: tuple[Line, ...] = ()

    @classmethod
    def of(cls, move: Move) -> MoveForm:
        """Return the fields of a move."""
        return cls(
            action=move.action,
            glyphs=move.glyphs,
            comment=move.comment,
            variations=move.variations,
        )

    def value(self) -> Move:
        """Return the move.

        Raises:
            JsonError: If one of its fields holds what moves do not have.
        """
        move = Move(self.action)
        with refusing("glyphs"):
            move = evolve(move, glyphs=self.glyphs)
        with refusing("comment"):
            move = evolve(move, comment=self.comment)
        with refusing("variations"):
            return evolve(move, variations=self.variations)


@frozen(kw_only=True)
class LineForm:
    """A :class:`Line`; an empty comment may be left out, and is when it is written."""

    comment: str = ""
    moves: tuple[Move, ...]

    @classmethod
    def of(cls, line: Line) -> LineForm:
        """Return the fields of a line."""
        return cls(comment=line.comment, moves=line.moves)

    def value(self) -> Line:
        """Return the line.

        Raises:
            JsonError: If the comment is not one.
        """
        with refusing("comment"):
            return Line(self.moves, self.comment)


@frozen(kw_only=True)
class GameForm:
    """A :class:`Game`. How it ended must fit what lies on the board in the end."""

    start: GameState
    tags: FrozenMapping[str]
    line: Line
    ending: Ending | None
    winning_seat: Seat | None

    @classmethod
    def of(cls, game: Game) -> GameForm:
        """Return the fields of a game."""
        return cls(
            start=game.start,
            tags=_in_order(game.tags),
            line=game.line,
            ending=game.ending,
            winning_seat=game.winning_seat,
        )

    def value(self) -> Game:
        """Return the game, every action of every line checked.

        Raises:
            JsonError: If an action is illegal, a tag cannot be set, or the ending does not fit.
        """
        tags = _checked_tags(self.tags)
        state = _replayed(self.line, self.start, "line")
        game = Game._make(self.start, tags, self.line, state)
        if self.ending is not None and not state.is_over:
            with refusing("ending"):
                return game.end(self.ending, self.winning_seat)
        if self.ending is not game.ending:
            raise JsonError("ending", "'scored': the game is played out")
        if self.winning_seat is not game.winning_seat:
            seat = "null" if game.winning_seat is None else repr(game.winning_seat.value)
            raise JsonError("winning_seat", f"{seat}, as the board has it")
        return game


def _replayed(line: Line, state: GameState, path: str) -> GameState:
    """Return the state at the end of a line, its variations checked on the way."""
    for place, move in enumerate(line.moves):
        here = f"{path}.moves[{place}]"
        before = state
        try:
            state = before.apply(move.action)
        except PonteError as error:
            raise JsonError(f"{here}.action", f"a legal action: {error}") from error
        for number, variation in enumerate(move.variations):
            _replayed(variation, before, f"{here}.variations[{number}]")
    return state


@frozen(kw_only=True)
class PlacesForm:
    """Where in its text a record was read: lines and columns, for errors to name."""

    moves: tuple[Place, ...]
    result: Place | None
    termination: Place


@frozen(kw_only=True)
class RecordForm:
    """A :class:`~pontedeldiavolo.records.Record`, its actions not checked."""

    start: GameState
    tags: FrozenMapping[str]
    line: Line
    result: str
    termination: Ending | None
    number: int
    places: PlacesForm

    @classmethod
    def of(cls, record: Record) -> RecordForm:
        """Return the fields of a record."""
        # One place for each move: what was left out in reading may have left more, and a record
        # that no text holds has none.
        count = sum(1 for _ in record.line.walk())
        places = chain(record._move_places, repeat(NO_PLACE))
        return cls(
            start=record.start,
            tags=_in_order(record.tags),
            line=record.line,
            result=record.result,
            termination=record.termination,
            number=record.number,
            places=PlacesForm(
                moves=tuple(islice(places, count)),
                result=record._result_place,
                termination=record._termination_place,
            ),
        )

    def value(self) -> Record:
        """Return the record.

        Raises:
            JsonError: If a tag cannot be set, the result is none, or places are missing.
        """
        if self.result not in RESULTS:
            raise JsonError("result", f"one of {', '.join(map(repr, RESULTS))}")
        count = sum(1 for _ in self.line.walk())
        if len(self.places.moves) != count:
            raise JsonError("places.moves", f"{count} places, one for each move of the line")
        return Record(
            self.start,
            _checked_tags(self.tags),
            self.line,
            self.result,
            self.termination,
            self.number,
            move_places=self.places.moves,
            result_place=self.places.result,
            termination_place=self.places.termination,
        )


def _in_order(tags: Mapping[str, str]) -> FrozenMapping[str]:
    """Return tags as records have them, so that equal games are written alike."""
    first = [name for name in ROSTER if name in tags]
    rest = sorted(name for name in tags if name not in ROSTER)
    return FrozenMapping({name: tags[name] for name in (*first, *rest)})


def _checked_tags(tags: FrozenMapping[str]) -> FrozenMapping[str]:
    """Return tags that a game can have.

    Raises:
        JsonError: If there are others, at the first of them.
    """
    for name, text in tags.items():
        try:
            checked_tags({name: text})
        except PonteError as error:
            raise refused(error).below(name).below("tags") from error
    return tags
