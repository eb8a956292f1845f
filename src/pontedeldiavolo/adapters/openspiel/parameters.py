"""Rules as parameters of OpenSpiel's, whose values hold no ``=``, no comma and no blank."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pontedeldiavolo.base.checks import require_type
from pontedeldiavolo.base.enums import Tiebreak
from pontedeldiavolo.base.errors import InvalidRulesError, PonteError
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.rules.rules import Rules

NAME: Final = "python_pontedeldiavolo"
UNLIMITED: Final = -1
NO_TIEBREAKS: Final = "none"
LARGEST: Final = 2**31 - 1
"""The largest whole number that OpenSpiel reads."""

Parameters = Mapping[str, int | str]


def parameters_of(rules: Rules) -> dict[str, int | str]:
    """Return rules as parameters.

    Raises:
        PonteError: If a supply is larger than OpenSpiel can say.
    """
    board = rules.board
    return {
        "width": board.width,
        "height": board.height,
        "tiles": _said(rules.tiles_per_color),
        "bridges": _said(rules.bridges),
        "tiebreaks": "-".join(each.value for each in rules.tiebreaks) or NO_TIEBREAKS,
    }


def _said(supply: int | None) -> int:
    if supply is None:
        return UNLIMITED
    if supply > LARGEST:
        raise PonteError(f"OpenSpiel has no numbers above {LARGEST:,}: {supply:,}")
    return supply


def rules_of(parameters: Parameters) -> Rules:
    """Return the rules that parameters say; what is not said is as by default.

    Raises:
        InvalidRulesError: If there are no such rules.
    """
    said = {**DEFAULTS, **parameters}
    return Rules(
        Board(int(said["width"]), int(said["height"])),
        _supply(int(said["tiles"])),
        _supply(int(said["bridges"])),
        _tiebreaks(str(said["tiebreaks"])),
    )


def _supply(number: int) -> int | None:
    return None if number == UNLIMITED else number


def _tiebreaks(text: str) -> tuple[Tiebreak, ...]:
    if text == NO_TIEBREAKS:
        return ()
    try:
        return tuple(map(Tiebreak, text.split("-")))
    except ValueError:
        names = "-".join(each.value for each in Tiebreak)
        raise InvalidRulesError(f"tiebreaks are as in {names}, or none, not {text}") from None


DEFAULTS: Final = parameters_of(Rules())
"""The parameters of rules without limits on 10×10."""


def game_string(rules: Rules | None = None) -> str:
    """Return what ``pyspiel.load_game`` takes, for any rules.

    Raises:
        TypeError: If it is not a :class:`Rules` value.
        PonteError: If a supply is larger than OpenSpiel can say.
    """
    rules = Rules() if rules is None else rules
    require_type(rules, Rules, "rules")
    said = ",".join(f"{name}={value}" for name, value in parameters_of(rules).items())
    return f"{NAME}({said})"
