"""Writing games as text, always in the same layout."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from pontedeldiavolo.base.checks import require_type
from pontedeldiavolo.base.enums import Ending
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.line import Line
from pontedeldiavolo.game.record import RESULTS
from pontedeldiavolo.game.tags import ROSTER
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.notation.states import format_state
from pontedeldiavolo.records.codec import Writing
from pontedeldiavolo.records.pdd.parser import in_braces, is_choice, numbers_from
from pontedeldiavolo.state.state import GameState

WIDTH = 79

_ONE_BLANK = re.compile(r"(?<! ) (?! )")


def dumps(game: Game) -> str:
    """Return the record of *game*; ``loads`` gives the game back.

    Tags come first, in a fixed order, then an empty line and the numbered actions, in lines
    under 80 characters, with the result at the end. Only what cannot be broken makes a longer
    line: a tag, or a single word of a comment. A text of more than 1,000,000 characters is read
    with :class:`Limits` that allow it.

    Raises:
        TypeError: If it is not a :class:`Game`.
    """
    require_type(game, Game, "game")
    tags = {name: game.tags[name] for name in ROSTER if name in game.tags}
    tags["Rules"] = format_rules(game.rules)
    if game.start != GameState.initial(game.rules):
        tags["Start"] = format_state(game.start)
    tags["Result"] = game.result
    if game.ending not in (None, Ending.SCORED):
        tags["Termination"] = game.ending.value
    tags |= {name: game.tags[name] for name in sorted(game.tags) if name not in ROSTER}
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in tags.items()]
    words = [*_words(game.start, game.line, 0), RESULTS[game.result]]
    return "\n".join([*lines, "", *_wrapped(words), ""])


def _quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _wrapped(words: list[str]) -> Iterator[str]:
    """Fill lines with words."""
    line = words[0]
    for word in words[1:]:
        if len(line) + 1 + len(word) > WIDTH:
            yield line
            line = word
        else:
            line += f" {word}"
    yield line


def _words(start: GameState, line: Line, first: int) -> Iterator[str]:
    """Return what stands between blanks where a line may be broken."""
    yield from _comment_words(line.comment, {})
    number_at = numbers_from(start)
    for place, move in enumerate(line.moves, first):
        number = "" if is_choice(start, place) else f"{number_at(place)}. "
        yield number + format_action(move.action)
        yield from (f"${glyph}" for glyph in move.glyphs)
        yield from _comment_words(move.comment, move.annotations)
        for variation in move.variations:
            opening, *rest = _words(start, variation, place)
            *rest, closing = (f"({opening}", *rest)
            yield from rest
            yield f"{closing})"


def _comment_words(comment: str, annotations: Mapping[str, str]) -> list[str]:
    text = in_braces(comment, annotations)
    return _ONE_BLANK.split(text) if text else []


RECORDS: Final = Writing(dumps, after="\n")
