"""Lines of play: actions with comments, NAGs, annotations and variations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import cast, final, get_args

from attrs import Factory, evolve, field, frozen

from pontedeldiavolo.base import errors
from pontedeldiavolo.base.errors import NotationError, PonteError, reason, require_type
from pontedeldiavolo.base.values import FrozenMapping, ImmutableValue
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.notation.actions import parse_action, parse_on
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.rules.limits import MAX_DEPTH
from pontedeldiavolo.state.state import GameState

from . import tags
from .tags import NO_ANNOTATIONS, checked_annotations

MAX_NAG = 255
COMMENT_BLANKS = " \t\n"
"""The characters that are removed from both ends of a comment and of each of its lines."""

_PLAIN_SEQUENCES = (tuple, list)

# With a tuple, isinstance is faster than with a union.
_ACTION_OR_TEXT = (*get_args(Action), str)

Path = tuple[int, ...]
"""The path to a line or a move of a game.

The main line is ``()``; its move 3, counted from 0, is ``(3,)``; the first variation of that move
is the line ``(3, 0)``, and its second move is ``(3, 0, 1)``. The paths of lines have even lengths,
the paths of moves odd ones.
"""


def _comment(text: str) -> str:
    """Return *text* as comments are stored: stripped, each of its lines printable."""
    require_type(text, str, "comment")
    # Copied to a plain str: a subclass may override its methods.
    text = str.__str__(text)
    if not text:
        return ""
    tags.require_short(text, "comment")
    lines = text.replace("\r\n", "\n").strip(COMMENT_BLANKS).split("\n")
    for line in lines:
        bad = tags.first_unprintable(line)
        if bad >= 0:
            raise NotationError(text, text.index(line) + bad, reason("printable-character"))
    return "\n".join(line.strip(COMMENT_BLANKS) for line in lines)


def _nags(nags: Iterable[int]) -> tuple[int, ...]:
    # A fast path for the usual case.
    if type(nags) in _PLAIN_SEQUENCES and not nags:
        return ()
    errors.require_iterable(nags, "whole numbers", "nags")
    found = tuple(errors.whole_number(nag, f"nags[{index}]") for index, nag in enumerate(nags))
    for nag in found:
        if not 0 <= nag <= MAX_NAG:
            raise PonteError(reason("bad-nag", max=MAX_NAG, nag=nag))
    return found


def _variations(lines: Iterable[Line]) -> tuple[Line, ...]:
    if type(lines) in _PLAIN_SEQUENCES and not lines:
        return ()
    found = errors.items_of(lines, Line, "variations")
    for line in found:
        if not line.moves:
            raise PonteError(reason("empty-variation"))
        if line.depth >= MAX_DEPTH:
            raise PonteError(reason("deep-variations", max=MAX_DEPTH))
    return found


def _moves(moves: Iterable[Move]) -> tuple[Move, ...]:
    return errors.items_of(moves, Move, "moves")


def _depth_at(move: Move) -> int:
    return 1 + max(line.depth for line in move.variations) if move.variations else 0


def _depth_of(line: Line) -> int:
    return max((move.depth for move in line.moves), default=0)


@final
@frozen(order=False)
class Move(ImmutableValue):
    """One action of a line, with NAGs, a comment, variations and annotations.

    >>> move = pdd.Move(pdd.parse_action("d4,g7"), nags=[1], annotations={"clk": "0:09:58"})
    >>> move.clock
    598.0

    Attributes:
        action: The action.
        nags: Numeric annotation glyphs (NAGs) as in PGN, 0 to 255: 1 is a good move, 2 a poor one.
        comment: The comment after it.
        variations: Lines that could have been played instead of it.
        annotations: Notes of programs by name: ``clk`` is the reading of the mover's clock after
            it, ``emt`` the time that it took. Names are letters from a to z.

    Raises:
        NotationError: If the comment or an annotation has a control character, an annotation has
            a ``]``, or its name has other characters than letters from a to z.
        PonteError: If a NAG is out of range, a variation is empty or too deep, or the comment or
            an annotation has over 1,000,000 characters.
    """

    action: Action = field(validator=errors.instance_of(Action))
    nags: tuple[int, ...] = field(default=(), converter=_nags)
    comment: str = field(default="", converter=_comment)
    variations: tuple[Line, ...] = field(default=(), converter=_variations)
    annotations: FrozenMapping[str] = field(default=NO_ANNOTATIONS, converter=checked_annotations)
    depth: int = field(
        default=Factory(_depth_at, takes_self=True), init=False, eq=False, repr=False
    )
    """The levels of variations within variations, 0 without any."""

    @property
    def clock(self) -> float | None:
        """The reading of the mover's clock after it, in seconds; ``None`` without a ``clk``.

        A time is written as hours, minutes and seconds: ``0:09:58`` or ``0:09:58.5``.
        """
        return tags.seconds_of(self.annotations.get(tags.CLOCK))

    @property
    def elapsed(self) -> float | None:
        """The seconds that it took; ``None`` without an ``emt``, written like :attr:`clock`."""
        return tags.seconds_of(self.annotations.get(tags.ELAPSED))


@final
@frozen(order=False)
class Line(ImmutableValue):
    """Moves one after another, not checked against the rules.

    The main line of a game is ``()``; its move 3, counted from 0, is ``(3,)``; the first variation
    of that move is the line ``(3, 0)``, and its second move is ``(3, 0, 1)``.

    >>> line = pdd.Game.from_actions(None, ["d4,g7", "red"]).line
    >>> len(line.moves), pdd.format_action(line.at((0,)).action)
    (2, 'd4,g7')

    Attributes:
        moves: The moves.
        comment: The comment before the first one.

    Raises:
        NotationError: If the comment has a control character.
        PonteError: If the comment has over 1,000,000 characters.
    """

    moves: tuple[Move, ...] = field(default=(), converter=_moves)
    comment: str = field(default="", converter=_comment)
    depth: int = field(
        default=Factory(_depth_of, takes_self=True), init=False, eq=False, repr=False
    )
    """The levels of variations within variations, 0 without any."""

    @classmethod
    def _make(cls, moves: tuple[Move, ...], comment: str, depth: int) -> Line:
        """Return a line of parts that are known to be consistent."""
        line = object.__new__(cls)
        put = object.__setattr__
        put(line, "moves", moves)
        put(line, "comment", comment)
        put(line, "depth", depth)
        return line

    def _longer(self, move: Move) -> Line:
        """Return the line with one more move, without checking the others."""
        return Line._make((*self.moves, move), self.comment, max(self.depth, move.depth))

    def _with_move(self, index: int, move: Move) -> Line:
        """Return the line with another move at *index*."""
        moves = (*self.moves[:index], move, *self.moves[index + 1 :])
        depth = max(self.depth, move.depth)
        if move.depth < depth == self.moves[index].depth:
            # The replaced move may have been the only one of this depth.
            depth = max(each.depth for each in moves)
        return Line._make(moves, self.comment, depth)

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions of the moves, without variations."""
        return tuple(move.action for move in self.moves)

    def walk(self) -> Iterator[tuple[Path, Move]]:
        """Iterate over all moves with their paths: each move, its variations, the next move."""
        for index, move in enumerate(self.moves):
            yield (index,), move
            for number, line in enumerate(move.variations):
                for path, inner in line.walk():
                    yield (index, number, *path), inner

    def at(self, path: Sequence[int]) -> Line | Move:
        """Return the line or the move at *path*.

        Raises:
            PonteError: If there is neither.
        """
        part: Line | Move = self
        for step in checked_path(path):
            parts: Sequence[Line | Move] = part.moves if isinstance(part, Line) else part.variations
            if not 0 <= step < len(parts):
                raise PonteError(reason("path-to-nothing", at=str(tuple(path))))
            part = parts[step]
        return part

    def replace(self, path: Sequence[int], part: Line | Move) -> Line:
        """Return this line with the part at *path* replaced by *part*, and everything else shared.

        Raises:
            PonteError: If there is nothing to replace.
        """
        self.at(path)
        require_type(part, (Line, Move), "part")
        if not path:
            require_type(part, Line, "part")
            return cast(Line, part)
        outer = self.at(path[:-1])
        step = path[-1]
        require_type(part, Move if isinstance(outer, Line) else Line, "part")
        if isinstance(outer, Line):
            inner: Line | Move = outer._with_move(step, cast(Move, part))
        else:
            lines = (*outer.variations[:step], cast(Line, part), *outer.variations[step + 1 :])
            inner = evolve(outer, variations=lines)
        return self.replace(path[:-1], inner)


# attrs resolves annotations when it creates a class, and Line was not defined then.
Move.__init__.__annotations__["variations"] = Iterable[Line]


def checked_path(path: Sequence[int]) -> Path:
    """Return *path* as a tuple."""
    errors.require_sequence(path, "whole numbers", "path")
    return tuple(errors.whole_number(step, f"path[{index}]") for index, step in enumerate(path))


def action_of(action: Action | str, board: Board) -> Action:
    """Return an action, parsed if it is a string; an error names the columns of the board."""
    return parse_on(board, parse_action, action) if isinstance(action, str) else action


def played_moves(
    state: GameState, actions: Iterable[Action | str], name: str
) -> tuple[tuple[Move, ...], GameState]:
    """Return the moves of a line that begins in *state*, and the state at its end."""
    errors.require_iterable(actions, "actions", "actions")
    moves: list[Move] = []
    for number, action in enumerate(actions, 1):
        try:
            if not isinstance(action, _ACTION_OR_TEXT):
                require_type(action, _ACTION_OR_TEXT, f"actions[{number - 1}]")
            move = Move(action_of(action, state.rules.board))
            state = state.apply(move.action)
        except (TypeError, PonteError) as error:
            error.add_note(f"This is action {number} of {name}.")
            raise
        moves.append(move)
    return tuple(moves), state
