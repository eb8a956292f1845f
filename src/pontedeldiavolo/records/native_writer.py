"""The writer of this library's own format: tags, then the numbered actions in short lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, TextIO

from pontedeldiavolo.base.enums import Ending
from pontedeldiavolo.base.errors import require_type
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.line import Line
from pontedeldiavolo.game.record import MARK_OF_RESULT
from pontedeldiavolo.game.tags import ROSTER
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.notation.states import format_state
from pontedeldiavolo.state.state import GameState

from .reading import turn_numbering
from .targets import require_file

WIDTH: Final = 79
"""The number of characters in a line, unless a single word is longer."""

_ONE_BLANK: Final = re.compile(r"(?<! ) (?! )")


def dump(game: Game, file: TextIO) -> None:
    """Write a game to a text file in UTF-8, so that another one can follow.

    >>> from io import StringIO
    >>> file = StringIO()
    >>> for first in ("Ada", "Bo"):
    ...     pdd.records.dump(pdd.Game.new(tags={"First": first}), file)
    ...
    >>> [game.tags["First"] for game in pdd.records.iter_games(file.getvalue())]
    ['Ada', 'Bo']

    Raises:
        OSError: If writing fails.
    """
    require_file(file, "file")
    file.write(dumps(game) + "\n")


def dumps(game: Game) -> str:
    """Return the text of a game; :func:`loads` restores the game.

    >>> print(pdd.records.dumps(pdd.Game.new().play("d4,g7")))
    [Rules "10x10 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"]
    [Result "*"]
    <BLANKLINE>
    1. d4,g7 *
    <BLANKLINE>

    A record has its tags first, in a fixed order, then an empty line and the numbered actions in
    lines under 80 characters, with the result at the end. Only a tag or a single word of a comment
    makes a longer line. To read a text of more than 1,000,000 characters, pass :class:`Limits` that
    allow it.
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
    words = [*_words(game.start, game.line, 0), MARK_OF_RESULT[game.result]]
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
    """Iterate over the words of a line of play; text may be wrapped between them."""
    yield from _comment_words(line.comment, {})
    number_at = turn_numbering(start)
    last_number = number_at(first - 1)
    for index, move in enumerate(line.moves, first):
        number = number_at(index)
        action = format_action(move.action)
        # The choice of a colour has no number of its own.
        yield action if number == last_number else f"{number}. {action}"
        last_number = number
        yield from (f"${nag}" for nag in move.nags)
        yield from _comment_words(move.comment, move.annotations)
        for variation in move.variations:
            words = [*_words(start, variation, index)]
            words[0] = f"({words[0]}"
            words[-1] = f"{words[-1]})"
            yield from words


def _comment_words(comment: str, annotations: Mapping[str, str]) -> list[str]:
    text = in_braces(comment, annotations)
    return _ONE_BLANK.split(text) if text else []


def in_braces(comment: str, annotations: Mapping[str, str]) -> str:
    """Return annotations, sorted by name, and a comment in braces; "" without any."""
    parts: list[str] = []
    for name in sorted(annotations):
        annotation = f"{name} {_escaped(annotations[name])}"
        parts.append(f"[%{annotation.rstrip(' ')}]")
    if comment:
        parts.append(_escaped(comment).replace("\n", "\\n").replace("[%", "\\[%"))
    if not parts:
        return ""
    return "{" + " ".join(parts) + "}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("}", "\\}")
