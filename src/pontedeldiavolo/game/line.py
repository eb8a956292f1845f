"""A course of play: actions with comments, glyphs, and what could have been played instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import cast, final

from attrs import Factory, evolve, field, frozen

from pontedeldiavolo.base.sealed import Sealed
from pontedeldiavolo.checks import instance_of, require_iterable, require_type, whole_number
from pontedeldiavolo.errors import NotationError, PonteError
from pontedeldiavolo.game.tags import first_unprintable, require_short
from pontedeldiavolo.rules.actions import Action

MAX_GLYPH = 255
BLANKS = " \t\n"
MAX_DEPTH = 50
"""How deep variations may lie within each other."""

Path = tuple[int, ...]
"""Where a line or a move is in a game.

The main line is ``()``; its move 3, counted from 0, is ``(3,)``; the first variation of that move
is the line ``(3, 0)``, and its second move is ``(3, 0, 1)``. Lines have even paths, moves odd ones.
"""


def _comment(text: str) -> str:
    """Return *text* as comments are kept: stripped, each of its lines printable."""
    require_type(text, str, "comment")
    require_short(text, "a comment")
    lines = text.replace("\r\n", "\n").strip(BLANKS).split("\n")
    for line in lines:
        bad = first_unprintable(line)
        if bad >= 0:
            raise NotationError(text, text.index(line) + bad, "a character that can be printed")
    return "\n".join(line.strip(BLANKS) for line in lines)


def _glyphs(glyphs: Iterable[int]) -> tuple[int, ...]:
    require_iterable(glyphs, "glyphs")
    found = tuple(whole_number(glyph, "glyph") for glyph in glyphs)
    for glyph in found:
        if not 0 <= glyph <= MAX_GLYPH:
            raise PonteError(f"a glyph is a number from 0 to {MAX_GLYPH}, not {glyph}")
    return found


def _variations(lines: Iterable[Line]) -> tuple[Line, ...]:
    require_iterable(lines, "variations")
    found = tuple(lines)
    for line in found:
        require_type(line, Line, "variation")
        if not line.moves:
            raise PonteError("a variation has at least one move")
        if line.depth >= MAX_DEPTH:
            raise PonteError(f"variations lie at most {MAX_DEPTH} deep in each other")
    return found


def _moves(moves: Iterable[Move]) -> tuple[Move, ...]:
    require_iterable(moves, "moves")
    found = tuple(moves)
    for move in found:
        require_type(move, Move, "move")
    return found


def _depth_at(move: Move) -> int:
    return 1 + max((line.depth for line in move.variations), default=-1)


def _depth_of(line: Line) -> int:
    return max((move.depth for move in line.moves), default=0)


@final
@frozen(order=False)
class Move(Sealed):
    """One action of a line, with what is said about it.

    Attributes:
        action: What is done.
        glyphs: Numeric annotation glyphs as in PGN, 0 to 255: 1 is a good move, 2 a poor one.
        comment: What is said after it.
        variations: Lines that could have been played instead of it.

    Raises:
        TypeError: If something is not of its type.
        NotationError: If the comment has a control character.
        PonteError: If a glyph is out of range, a variation is empty or too deep, or the comment has
            over 1,000,000 characters.
    """

    action: Action = field(validator=instance_of(Action))
    glyphs: tuple[int, ...] = field(default=(), converter=_glyphs)
    comment: str = field(default="", converter=_comment)
    variations: tuple[Line, ...] = field(default=(), converter=_variations)
    depth: int = field(
        init=False, eq=False, repr=False, default=Factory(_depth_at, takes_self=True)
    )
    """How deep variations lie in each other, 0 without any."""


@final
@frozen(order=False)
class Line(Sealed):
    """Moves one after another, unchecked: what they mean, the game around them says.

    Attributes:
        moves: The moves.
        comment: What is said before the first one.

    Raises:
        TypeError: If something is not of its type.
        NotationError: If the comment has a control character.
        PonteError: If the comment has over 1,000,000 characters.
    """

    moves: tuple[Move, ...] = field(default=(), converter=_moves)
    comment: str = field(default="", converter=_comment)
    depth: int = field(
        init=False, eq=False, repr=False, default=Factory(_depth_of, takes_self=True)
    )
    """How deep variations lie in each other, 0 without any."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions of the moves, without variations."""
        return tuple(move.action for move in self.moves)

    def walk(self) -> Iterator[tuple[Path, Move]]:
        """Iterate over all moves with their paths: each move, its variations, the next move."""
        for place, move in enumerate(self.moves):
            yield (place,), move
            for number, line in enumerate(move.variations):
                for path, inner in line.walk():
                    yield (place, number, *path), inner

    def at(self, path: Sequence[int]) -> Line | Move:
        """Return the line or the move at *path*.

        Raises:
            TypeError: If *path* is not a sequence of whole numbers.
            PonteError: If there is nothing.
        """
        found: Line | Move = self
        for step in checked_path(path):
            parts: tuple[Line, ...] | tuple[Move, ...]
            parts = found.moves if isinstance(found, Line) else found.variations
            if not 0 <= step < len(parts):
                raise PonteError(f"there is nothing at {tuple(path)}")
            found = parts[step]
        return found

    def replaced(self, path: Sequence[int], part: Line | Move) -> Line:
        """Return this line with *part* at *path* instead, and everything else shared.

        Raises:
            TypeError: If *path* is not a sequence of whole numbers.
            PonteError: If there is nothing to replace.
        """
        self.at(path)
        if not path:
            require_type(part, Line, "part")
            return cast(Line, part)
        outer, step = self.at(path[:-1]), path[-1]
        require_type(part, Move if isinstance(outer, Line) else Line, "part")
        inner: Line | Move
        if isinstance(outer, Line):
            moves = (*outer.moves[:step], cast(Move, part), *outer.moves[step + 1 :])
            inner = evolve(outer, moves=moves)
        else:
            lines = (*outer.variations[:step], cast(Line, part), *outer.variations[step + 1 :])
            inner = evolve(outer, variations=lines)
        return self.replaced(path[:-1], inner)


# attrs resolves annotations when it makes a class, and lines were not known to moves yet.
Move.__init__.__annotations__["variations"] = Iterable[Line]


def checked_path(path: Sequence[int]) -> Path:
    """Return *path* as a tuple.

    Raises:
        TypeError: If it is not a sequence of whole numbers.
    """
    require_type(path, Sequence, "path")
    return tuple(whole_number(step, "a step of the path") for step in path)
