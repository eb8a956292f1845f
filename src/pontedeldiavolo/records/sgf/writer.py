"""Writing games as SGF files, one node a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pontedeldiavolo._version import __version__
from pontedeldiavolo.base.enums import Color, Ending
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.line import Line, Move
from pontedeldiavolo.game.tags import CLOCK
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.notation.states import format_state
from pontedeldiavolo.records import dates
from pontedeldiavolo.records.codec import Writer
from pontedeldiavolo.records.parsing import seat_tag
from pontedeldiavolo.records.sgf.reader import (
    ACTION,
    ANNOTATIONS,
    CLOCKS,
    ENDING,
    FOREIGN_NAME,
    FOREIGN_VALUE,
    GLYPHS,
    KNOWN,
    LETTERS,
    PLAYERS,
    START,
    TAGS,
    TEXTS,
    clock_value,
    mover,
    player_of,
)
from pontedeldiavolo.records.sgf.tree import escaped
from pontedeldiavolo.state.state import GameState


def _game_tree(game: Game) -> str:
    """Return the SGF text of a game."""
    lines = [
        f"(;FF[4]CA[UTF-8]AP[pontedeldiavolo:{__version__}]",
        *_root(game),
        *_comment(game.line),
        *_nodes(game.start, game.line, 0),
    ]
    # A parenthesis is closed behind the last node in it.
    return "".join(line if line == ")" else f"\n{line}" for line in lines)[1:] + ")\n"


def _root(game: Game) -> Iterator[str]:
    """Return the properties of the root, one a line."""
    yield _property("RU", format_rules(game.rules))
    if game.start != GameState.initial(game.rules):
        yield _property(START, format_state(game.start))
    rest = dict(game.tags)
    for name, color in zip(PLAYERS, Color, strict=True):
        tag = seat_tag(player_of(game, color))
        if tag in rest:
            yield _property(name, rest.pop(tag))
    for name, tag in TEXTS.items():
        if tag in rest:
            yield _property(name, rest.pop(tag))
    date = dates.to_iso(rest.get("Date", ""))
    if date is not None:
        del rest["Date"]
        yield _property("DT", date)
    yield from _result(game)
    yield from _tags(rest)


def _tags(tags: dict[str, str]) -> Iterator[str]:
    """Return the tags without a property of their own."""
    pairs = []
    for tag, value in sorted(tags.items()):
        name = FOREIGN_NAME.fullmatch(tag)
        if name and name.group(1) not in KNOWN and FOREIGN_VALUE.fullmatch(value):
            yield name.group(1) + value
        else:
            pairs.append(f"[{tag}:{escaped(value, composed=True)}]")
    if pairs:
        yield TAGS + "\n  ".join(pairs)


def _result(game: Game) -> Iterator[str]:
    """Return the result, by the standard property as far as possible."""
    if game.ending is None:
        return
    seat, suffix = game.winning_seat, ""
    if seat is None:
        yield "RE[0]"
    else:
        color = game.state.color_of(seat) or list(Color)[seat.index]
        if game.ending is Ending.SCORED:
            margin = game.state.score(color).points - game.state.score(color.opponent).points
            suffix = str(margin or "")
        elif game.ending in (Ending.RESIGNATION, Ending.TIME):
            suffix = game.ending.value[0].upper()
        yield f"RE[{LETTERS[color]}+{suffix}]"
    told = suffix or game.ending is Ending.SCORED
    if not told and not (seat is None and game.ending is Ending.AGREEMENT):
        yield _property(ENDING, game.ending.value)


def _nodes(start: GameState, line: Line, first: int) -> Iterator[str]:
    """Return the nodes of a line; where it branches, the rest of it is the first branch."""
    branches: list[tuple[int, Move]] = []
    for place, move in enumerate(line.moves, first):
        if move.variations:
            branches.append((place, move))
        node = _property(f";{ACTION}", format_action(move.action))
        if move.glyphs:
            node += GLYPHS + "".join(f"[{glyph}]" for glyph in move.glyphs)
        node += _annotations(move, mover(start, place)) if move.annotations else ""
        node += "".join(_comment(move))
        yield f"({node}" if move.variations else node
    for place, move in reversed(branches):
        for variation in move.variations:
            yield ")"
            yield from _branch(start, variation, place)
        yield ")"


def _branch(start: GameState, variation: Line, first: int) -> Iterator[str]:
    """Return the nodes of a variation after its opening parenthesis."""
    if variation.comment or variation.moves[0].variations:
        # A node without an action, to be before the first move and before what is beside that.
        yield "".join(["(;", *_comment(variation)])
        yield from _nodes(start, variation, first)
    else:
        node, *rest = _nodes(start, variation, first)
        yield f"({node}"
        yield from rest


def _annotations(move: Move, color: Color | None) -> str:
    """Return the annotations of a move, its clock by the standard property if possible."""
    rest, clock = dict(move.annotations), None
    if color is not None and CLOCK in rest:
        clock = clock_value(rest[CLOCK])
    text = ""
    if color is not None and clock is not None:
        del rest[CLOCK]
        text = _property(CLOCKS[color], clock)
    pairs = [f"[{name}:{escaped(rest[name], composed=True)}]" for name in sorted(rest)]
    return text + (ANNOTATIONS + "".join(pairs) if pairs else "")


def _comment(part: Line | Move) -> list[str]:
    return [_property("C", part.comment)] if part.comment else []


def _property(name: str, value: str) -> str:
    return f"{name}[{escaped(value)}]"


WRITER: Final = Writer(_game_tree)
