"""Writing games as text, always in the same layout."""

from __future__ import annotations

from typing import TextIO

from pontedeldiavolo.checks import require_type
from pontedeldiavolo.game import Game
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.records.layout import RESULTS, turn_number
from pontedeldiavolo.tags import ROSTER
from pontedeldiavolo.vocabulary import Ending

WIDTH = 79


def dumps(game: Game) -> str:
    """Return the record of *game*; ``loads`` gives the game back.

    Tags come first, in a fixed order, then an empty line and the numbered actions, in lines
    under 80 characters, with the result at the end.

    Raises:
        TypeError: If it is not a :class:`Game`.
    """
    require_type(game, Game, "game")
    tags = {name: game.tags[name] for name in ROSTER if name in game.tags}
    tags["Rules"] = format_rules(game.rules)
    tags["Result"] = game.result
    if game.ending not in (None, Ending.SCORED):
        tags["Termination"] = game.ending.value
    tags |= {name: game.tags[name] for name in sorted(game.tags) if name not in ROSTER}
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items()]
    return "\n".join([*lines, "", *_action_lines(game), ""])


def _action_lines(game: Game) -> list[str]:
    """Return the numbered actions and the result; a number stays with its action."""
    words = [
        format_action(action) if place == 1 else f"{turn_number(place)}. {format_action(action)}"
        for place, action in enumerate(game.actions)
    ]
    words.append(RESULTS[game.result])
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append(word)
        else:
            lines[-1] += f" {word}"
    return lines


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def dump(game: Game, file: TextIO) -> None:
    """Write the record of *game* to a text file, ready for another one to follow.

    Raises:
        TypeError: If it is not a :class:`Game`.
        OSError: If writing fails.
    """
    file.write(dumps(game) + "\n")
