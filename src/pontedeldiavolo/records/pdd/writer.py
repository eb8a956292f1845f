"""Writing games as records in a canonical layout."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from pontedeldiavolo.base.enums import Ending
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.line import Line
from pontedeldiavolo.game.record import RESULTS
from pontedeldiavolo.game.tags import ROSTER
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.notation.states import format_state
from pontedeldiavolo.records.codec import Writer
from pontedeldiavolo.records.pdd.parser import in_braces, is_choice, numbers_from
from pontedeldiavolo.state.state import GameState

WIDTH = 79

_ONE_BLANK = re.compile(r"(?<! ) (?! )")


def _record(game: Game) -> str:
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
    """Iterate over the words between which a line may be broken."""
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


WRITER: Final = Writer(_record, separator="\n")
