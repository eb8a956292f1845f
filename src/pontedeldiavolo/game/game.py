"""A game as a tree of moves, with rules, tags and a result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import accumulate, chain, islice
from typing import SupportsIndex, final

from attrs import evolve, field, frozen
from attrs.validators import optional

from pontedeldiavolo.base.enums import Color, Ending, Seat, ViolationCode
from pontedeldiavolo.base.errors import PonteError, instance_of, reason, require_type, whole_number
from pontedeldiavolo.base.guesses import suggests_right_names
from pontedeldiavolo.base.values import FrozenMapping, ImmutableValue, Rendered, slot_setters
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.rules.violations import IllegalActionError, violation
from pontedeldiavolo.state.state import GameState

from .line import Line, Move, Path, action_of, checked_path, played_moves
from .tags import checked_tags, times

MAIN: Path = ()
"""The path of the main line."""


def _turn(value: SupportsIndex) -> int:
    return whole_number(value, "turn")


def _after(state: GameState, actions: Iterable[Action]) -> GameState:
    """Return the state after some legal actions."""
    return reduce(GameState.apply_unchecked, actions, state)


@final
@frozen(order=False)
class Ply(ImmutableValue):
    """One action of a game, with its turn, seat and colour.

    >>> game = pdd.Game.new().play("d4,g7").play("red")
    >>> [(ply.turn, ply.seat.value) for ply in game.plies]
    [(1, 'first'), (1, 'second')]

    Attributes:
        turn: The number of the turn, from 1: :attr:`GameState.turn` after it. The choice of a
            colour has the number of the turn before.
        seat: The seat that acted.
        color: Its colour; ``None`` for the choice.
        action: The action.
    """

    turn: int = field(converter=_turn)
    seat: Seat = field(validator=instance_of(Seat))
    color: Color | None = field(validator=optional(instance_of(Color)))
    action: Action = field(validator=instance_of(Action))


@final
@suggests_right_names
@frozen(init=False)
class Game(Rendered):
    """A recorded game, immutable: every edit returns another game.

    It has a main line and variations; paths (see :class:`Line`) lead to lines and moves. Every
    action in it is legal. An edit shares all unchanged parts with the old game. Games are equal
    when their starts, tags, moves and endings are. Made by :meth:`new` or :meth:`from_actions`.

    >>> game = pdd.Game.new(tags={"First": "Ada"}).play("d4,g7").play("white")
    >>> game = game.with_variation((1,), ["red", "c3,c5"], comment="or")
    >>> [(path, pdd.format_action(move.action)) for path, move in game.walk()]
    [((0,), 'd4,g7'), ((1,), 'white'), ((1, 0, 0), 'red'), ((1, 0, 1), 'c3,c5')]
    >>> game.resign(pdd.Seat.SECOND).result
    'red'

    Attributes:
        start: The state before the first action.
        tags: The tags, in their order; rules, results and endings are not among them.
        line: The main line, with its comments and variations.
        state: The state at the end of the main line.
    """

    start: GameState
    tags: FrozenMapping[str]
    line: Line
    state: GameState = field(eq=False)
    _ended: tuple[Ending, Seat | None] | None

    def __init__(self) -> None:
        raise TypeError("a game is made by Game.new()")

    def __repr__(self) -> str:
        # It is short because notebooks store it beside the picture.
        board = self.start.rules.board
        count = len(self.line.moves)
        return f"<Game {board.width}x{board.height}: {count} actions, result {self.result}>"

    def _repr_mimebundle_(self, **_options: object) -> dict[str, str]:
        """Return what notebooks show: players, result, the last board and a replay page.

        Notebooks add the picture and the short text, which other methods return.
        """
        from pontedeldiavolo.html.notebook import notebook_html  # noqa: PLC0415 - a higher layer

        return {"text/html": notebook_html(self)}

    @classmethod
    def _make(
        cls,
        start: GameState,
        tags: FrozenMapping[str],
        line: Line,
        state: GameState,
        ended: tuple[Ending, Seat | None] | None = None,
    ) -> Game:
        """Return a game of parts that are known to be consistent."""
        game = object.__new__(cls)
        for put, part in zip(_SETTERS, (start, tags, line, state, ended), strict=True):
            put(game, part)
        return game

    @classmethod
    def new(
        cls,
        rules: Rules | None = None,
        tags: Mapping[str, str] | None = None,
        *,
        start: GameState | None = None,
    ) -> Game:
        """Return a game before its first action.

        Args:
            rules: The rules; by default ``Rules()``, or the rules of *start*.
            tags: Players, date, event and so on.
            start: The state to start from, if it is not the empty board.

        Raises:
            NotationError: If a tag's name or value cannot be written in a record.
            PonteError: If a tag is derived from the game, or *start* has other rules.
        """
        if start is None:
            start = GameState.initial(rules)
        require_type(start, GameState, "start")
        require_type(rules, Rules | None, "rules")
        if rules is not None and rules != start.rules:
            raise PonteError(reason("start-with-other-rules"))
        return cls._make(start, checked_tags({} if tags is None else tags), Line(), start)

    @classmethod
    def from_actions(
        cls,
        rules: Rules | None,
        actions: Iterable[Action | str],
        *,
        tags: Mapping[str, str] | None = None,
        start: GameState | None = None,
    ) -> Game:
        """Return a game in which these actions were played.

        Args:
            rules: The rules; ``None`` for ``Rules()``, or for the rules of *start*.
            actions: The actions of the main line, as values or as text.
            tags: Players, date, event and so on.
            start: The state to start from, if it is not the empty board.

        Raises:
            NotationError: If a text is not an action, or a tag cannot be written in a record.
            PonteError: If a tag is derived from the game, or *start* has other rules.
            IllegalActionError: If an action is not legal. A note on this error, and on errors in
                the text or type of an action, gives the number of the action.
        """
        game = cls.new(rules, tags, start=start)
        moves, state = played_moves(game.state, actions, "a game")
        return cls._make(game.start, game.tags, Line._make(moves, "", 0), state)

    @property
    def rules(self) -> Rules:
        """The rules in use."""
        return self.start.rules

    @property
    def actions(self) -> tuple[Action, ...]:
        """Every action of the main line, including the choice of a colour."""
        return self.line.actions

    def with_tags(self, tags: Mapping[str, str]) -> Game:
        """Return the same game with these tags instead.

        Raises:
            NotationError: If a tag's name or value cannot be written in a record.
            PonteError: If a tag is derived from the game.
        """
        return Game._make(self.start, checked_tags(tags), self.line, self.state, self._ended)

    # Playing

    def play(
        self,
        action: Action | str,
        path: Sequence[int] = MAIN,
        *,
        clock: float | None = None,
        elapsed: float | None = None,
    ) -> Game:
        """Return the game with one more action at the end of a line.

        Args:
            action: The action, as a value or as text.
            path: The line; by default the main line.
            clock: The reading of the mover's clock after it, in seconds. Times are stored to the
                millisecond, as the annotations ``clk`` and ``emt`` of the move.
            elapsed: The seconds that the move took.

        Raises:
            NotationError: If the text is not an action.
            PonteError: If there is no line at *path*, or a time is not from 0 to 10⁹.
            IllegalActionError: If the action is not legal, or the game has ended.
        """
        move = Move(action_of(action, self.rules.board), annotations=times(clock, elapsed))
        line = self.line_at(path)
        if not path:
            self._require_going_on()
        state = self.state_at(path).apply(move.action)
        longer = line._longer(move)
        if not path:
            return Game._make(self.start, self.tags, longer, state)
        return self._with_part(path, longer)

    def undo(self, count: SupportsIndex = 1) -> Game:
        """Return the game, unfinished again, without the last *count* moves of its main line.

        A recorded ending is removed too; with 0, only the ending is removed.

        Raises:
            PonteError: If *count* is negative, or more than there are moves.
        """
        fewer = whole_number(count, "count")
        there = len(self.line.moves)
        if not 0 <= fewer <= there:
            raise PonteError(reason("undo-too-many", count=fewer, moves=there))
        return self._with_main(evolve(self.line, moves=self.line.moves[: there - fewer]))

    def end(self, ending: Ending, winner: Seat | None = None) -> Game:
        """Return the game ended early, before it was played out.

        Args:
            ending: Any ending except :attr:`Ending.SCORED`, which follows from the board.
            winner: The winner; ``None`` for a draw, which is impossible with a resignation.

        Raises:
            PonteError: If ending and winner contradict each other.
            IllegalActionError: If the game has ended already.
        """
        require_type(ending, Ending, "ending")
        require_type(winner, (Seat, type(None)), "winner")
        self._require_going_on()
        if ending is Ending.SCORED:
            raise PonteError(reason("scored-by-declaration"))
        if ending is Ending.RESIGNATION and winner is None:
            raise PonteError(reason("resignation-without-winner"))
        return Game._make(self.start, self.tags, self.line, self.state, (ending, winner))

    def resign(self, seat: Seat) -> Game:
        """Return the game ended as a loss for *seat*, who resigns.

        Raises:
            IllegalActionError: If the game has ended already.
        """
        require_type(seat, Seat, "seat")
        return self.end(Ending.RESIGNATION, seat.opponent)

    def lose_on_time(self, seat: Seat) -> Game:
        """Return the game ended as a loss for *seat*, who is out of time.

        Raises:
            IllegalActionError: If the game has ended already.
        """
        require_type(seat, Seat, "seat")
        return self.end(Ending.TIME, seat.opponent)

    def _require_going_on(self) -> None:
        if self.ending is not None:
            raise IllegalActionError([violation(ViolationCode.GAME_OVER)])

    # The tree

    def line_at(self, path: Sequence[int] = MAIN) -> Line:
        """Return the line at *path*.

        Raises:
            PonteError: If there is no line.
        """
        found = self.line.at(path)
        if not isinstance(found, Line):
            raise PonteError(reason("path-of-move", at=str(tuple(path))))
        return found

    def move_at(self, path: Sequence[int]) -> Move:
        """Return the move at *path*.

        Raises:
            PonteError: If there is no move.
        """
        found = self.line.at(path)
        if not isinstance(found, Move):
            raise PonteError(reason("path-of-line", at=str(tuple(path))))
        return found

    def walk(self) -> Iterator[tuple[Path, Move]]:
        """Iterate over all moves with their paths: each move, its variations, the next move."""
        return self.line.walk()

    def states(self, path: Sequence[int] = MAIN) -> Iterator[GameState]:
        """Iterate over all states from the start to the end of a line, created on demand.

        The start is the first of them. A variation is reached through the moves before it.

        Raises:
            PonteError: If there is no line.
        """
        line = self.line_at(path)
        actions = chain(self._actions_before(checked_path(path)), line.actions)
        return accumulate(actions, GameState.apply_unchecked, initial=self.start)

    def _actions_before(self, path: Path) -> Iterator[Action]:
        """Iterate over the actions that lead to the move at *path*."""
        for length in range(0, len(path), 2):
            for move in islice(self.line_at(path[:length]).moves, path[length]):
                yield move.action

    def state_at(self, path: Sequence[int] = MAIN) -> GameState:
        """Return the state after the move at *path*, or at the end of the line at *path*.

        Raises:
            PonteError: If there is neither.
        """
        path = checked_path(path)
        if path == MAIN:
            return self.state
        found = self.line.at(path)
        if isinstance(found, Move):
            return self.state_before(path).apply_unchecked(found.action)
        return _after(self.state_before((*path, 0)), found.actions)

    def state_before(self, path: Sequence[int]) -> GameState:
        """Return the state in which the move at *path* is played.

        Raises:
            PonteError: If there is no move.
        """
        self.move_at(path)
        return _after(self.start, self._actions_before(checked_path(path)))

    def with_comment(self, comment: str, path: Sequence[int] | None = None) -> Game:
        """Return the game with another comment, ``""`` for none.

        Args:
            comment: The comment; it may have several lines.
            path: The path of a move, for a comment after it, or of a line, for a comment before its
                first move. By default the last move of the main line, or the line if it is empty.

        Raises:
            NotationError: If the comment has a control character.
            PonteError: If there is nothing at *path*.
        """
        path = self._last_path if path is None else path
        return self._with_part(path, evolve(self.line.at(path), comment=comment))

    @property
    def _last_path(self) -> Path:
        return (len(self.line.moves) - 1,) if self.line.moves else MAIN

    def _with_part(self, path: Sequence[int], part: Line | Move) -> Game:
        """Return the game with another line or move; the main line must keep its actions."""
        line = self.line.replace(path, part)
        return Game._make(self.start, self.tags, line, self.state, self._ended)

    def with_nags(self, nags: Iterable[int], path: Sequence[int]) -> Game:
        """Return the game with other numeric annotation glyphs at a move.

        Raises:
            PonteError: If a NAG is outside 0 to 255, or there is no move at *path*.
        """
        return self._with_part(path, evolve(self.move_at(path), nags=nags))

    def with_annotations(
        self, annotations: Mapping[str, str], path: Sequence[int] | None = None
    ) -> Game:
        """Return the game with other annotations at a move, ``{}`` for none.

        Args:
            annotations: Values by name, which replace all earlier ones. Names consist of letters
                from a to z; no value has a ``]``.
            path: The move; by default the last one of the main line.

        Raises:
            NotationError: If a name or a value cannot be written in a record.
            PonteError: If there is no move at *path*.
        """
        path = self._last_path if path is None else path
        return self._with_part(path, evolve(self.move_at(path), annotations=annotations))

    def with_variation(
        self, path: Sequence[int], actions: Iterable[Action | str], comment: str = ""
    ) -> Game:
        """Return the game with one more line that could have been played instead of a move.

        Args:
            path: The move to be replaced in the variation.
            actions: The actions of the variation, at least one, as values or as text.
            comment: The comment before them.

        Raises:
            NotationError: If a text is not an action.
            PonteError: If there is no move at *path*, or no action, or the nesting is too deep.
            IllegalActionError: If an action is not legal. A note gives its number, as in
                :meth:`from_actions`.
        """
        old = self.move_at(path)
        moves, _ = played_moves(self.state_before(path), actions, "a variation")
        variations = (*old.variations, Line(moves, comment))
        return self._with_part(path, evolve(old, variations=variations))

    def without(self, path: Sequence[int]) -> Game:
        """Return the game without a variation, or without a move and all moves after it.

        Raises:
            PonteError: If there is nothing at *path*, or *path* is the main line as a whole.
        """
        path = checked_path(path)
        self.line.at(path)
        if not path:
            raise PonteError(reason("main-line-stays"))
        outer = self.line.at(path[:-1])
        step = path[-1]
        if isinstance(outer, Move):
            lines = (*outer.variations[:step], *outer.variations[step + 1 :])
            part: Move | Line = evolve(outer, variations=lines)
        elif len(path) == 1:
            return self.undo(len(outer.moves) - step)
        elif step == 0:
            return self.without(path[:-1])
        else:
            part = evolve(outer, moves=outer.moves[:step])
        return self._with_part(path[:-1], part)

    def promote(self, path: Sequence[int]) -> Game:
        """Return the game with a variation exchanged for the moves that it replaces.

        The comment before the variation goes to its first move. If the main line changes, a
        recorded ending is dropped.

        Raises:
            PonteError: If there is no variation at *path*, or the nesting would be too deep.
        """
        path = checked_path(path)
        variation = self.line_at(path)
        if not path:
            raise PonteError(reason("main-line-promoted"))
        *outer_path, index, number = path
        outer = self.line_at(outer_path)
        old = outer.moves[index]
        others = [line for each, line in enumerate(old.variations) if each != number]
        tail = Line((evolve(old, variations=()), *outer.moves[index + 1 :]))
        first, *rest = variation.moves
        # The comment before the variation stays with its first move.
        comment = "\n".join(filter(None, (variation.comment, first.comment)))
        promoted = evolve(first, comment=comment, variations=(tail, *others, *first.variations))
        line = evolve(outer, moves=(*outer.moves[:index], promoted, *rest))
        return self._with_part(outer_path, line) if outer_path else self._with_main(line)

    def _with_main(self, line: Line) -> Game:
        """Return the game with another main line of legal moves, without a recorded ending."""
        return Game._make(self.start, self.tags, line, _after(self.start, line.actions))

    # Result

    @property
    def ending(self) -> Ending | None:
        """The kind of ending, :attr:`Ending.SCORED` when played out; ``None`` if unfinished."""
        if self._ended is not None:
            return self._ended[0]
        return Ending.SCORED if self.state.is_over else None

    @property
    def winning_seat(self) -> Seat | None:
        """The winner; ``None`` for a draw and while the game is unfinished."""
        if self._ended is not None:
            return self._ended[1]
        outcome = self.state.outcome
        return None if outcome is None else outcome.winning_seat

    @property
    def result(self) -> str:
        """``white``, ``red`` or ``draw``; ``*`` while the game is unfinished.

        If it was decided before the colours were chosen, ``first`` or ``second``.
        """
        if self.ending is None:
            return "*"
        seat = self.winning_seat
        if seat is None:
            return "draw"
        color = self.state.color_of(seat)
        return seat.value if color is None else color.value

    @property
    def plies(self) -> tuple[Ply, ...]:
        """Every action of the main line with its turn, seat and colour."""
        found = []
        for state, action in zip(self.states(), self.actions, strict=False):
            # The choice of a colour is not a separate turn.
            turn = state.turn + (state.to_move is not None)
            seat = state.seat_to_move
            found.append(Ply(turn, seat or Seat.FIRST, state.to_move, action))
        return tuple(found)


_SETTERS = slot_setters(Game)
